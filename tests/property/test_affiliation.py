"""Affiliations from the core, for training and for rules in the search, against the slow reference."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from tests.reference.affiliation import affiliate


@given(st.data())
def test_affiliations_are_those_of_the_reference(data: st.DataObject) -> None:
    source, target = data.draw(st.integers(0, 9)), data.draw(st.integers(0, 12))
    positions = st.tuples(st.integers(0, max(0, source - 1)), st.integers(0, max(0, target - 1)))
    links = data.draw(st.lists(positions, max_size=15)) if source and target else []
    assert _core.testing.affiliations(links, source, target) == affiliate(links, source, target)
