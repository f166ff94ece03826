"""What `glossary=` takes, and that nothing of it is lost or passed over in silence."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import ConfigError, InputError, Translator
from dragoman.glossary import Glossary
from tests.unit.translate.support import make_model


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Translator:
    return Translator.load(make_model(tmp_path_factory.mktemp("terms") / "fr-en.model"))


def test_every_way_to_say_it(translator: Translator, tmp_path: Path) -> None:
    path, packed = tmp_path / "terms.tsv", tmp_path / "terms.tsv.gz"
    path.write_text("# terms\nmaison\tMansion\nchat noir\n", encoding="utf-8")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    pairs = [("maison", "Mansion"), ("chat noir", "")]
    ways: list[Any] = [
        str(path),
        path,
        str(packed),
        dict(pairs),
        pairs,
        tuple(pairs),
        iter(pairs),
        [list(p) for p in pairs],
    ]
    ways.append(Glossary.of(dict(pairs)))
    for way in ways:
        assert str(translator.translate("La maison. Le chat noir.", glossary=way)) == "The Mansion. The chat noir."
    assert str(translator.translate("La maison.", glossary={})) == "The house."


@pytest.mark.parametrize(
    ("terms", "says"),
    [
        (3, "glossary must be the path of a file, a mapping of terms, or pairs of them, not int"),
        (b"maison\tMansion\n", "not bytes"),
        ("maison\tMansion\n", "is the text of a glossary, where a string is the path of a file"),
        ("maison", "there is no file maison"),
        (["maison"], "pairs of a term and its translation, not str"),
        ([("maison", "Mansion", "Villa")], "pairs of a term and its translation, not tuple"),
        ({"maison": None}, "keeps a term as it is"),
        ({"maison": 3}, "made of strings"),
        ({5: "x"}, "made of strings"),
        ({"": "x"}, "'x' has no term that it is for"),
        ({"  ": "x"}, "has no term"),
        ({"a\tb": "x"}, "holds a tab or a line end"),
        ({"a": "x\ny"}, "holds a tab or a line end"),
        ({"a": "x\ry"}, "holds a tab or a line end"),
    ],
)
def test_what_is_refused(translator: Translator, terms: Any, says: str) -> None:
    for call in (
        lambda: translator.translate("La maison.", glossary=terms),
        lambda: translator.explain("La maison.", glossary=terms),
        lambda: translator.glossary_conflicts(terms),
    ):
        with pytest.raises(ConfigError, match=says) as refused:
            call()
        assert refused.value.option == "glossary"


def test_text_that_is_none(translator: Translator, tmp_path: Path) -> None:
    (tmp_path / "terms.tsv").write_bytes(b"maison\t\xff\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        translator.translate("La maison.", glossary=tmp_path / "terms.tsv")
    with pytest.raises(InputError, match="half a surrogate pair"):
        translator.translate("La maison.", glossary={"maison": "\ud800"})


def test_a_term_may_begin_like_a_comment(translator: Translator) -> None:
    assert "#1 HOUSE" in str(translator.translate("La #maison.", glossary={"#maison": "#1 HOUSE"}))


@given(
    st.dictionaries(
        st.sampled_from(["maison", "Chat", "chat noir", "#maison", "# bleue", "l' été", "voiture"]),
        st.sampled_from(["", "X", "#X", "a b c", "  padded "]),
        max_size=4,
    )
)
def test_each_pair_is_one_term(pairs: dict[str, str]) -> None:
    glossary = Glossary.of(pairs)
    assert glossary is not None
    lines = glossary.text.split("\n")
    assert lines.pop() == ""
    assert [(line.split("\t")[0].strip(), line.split("\t")[1]) for line in lines] == list(pairs.items())
    assert not any(line.startswith("#") for line in lines)
