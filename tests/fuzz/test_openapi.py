"""The server against its own description: whatever fits the schema, or nearly, gets an answer that fits it."""

# ruff: noqa: E402, these packages may be missing
from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.unit.translate.support import make_model

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install '.[dev]'")
pytest.importorskip("uvicorn", reason="the server's packages are not installed: pip install '.[serve]'")

from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from dragoman.serve.route import addresses
from dragoman.serve.routes import ROUTES
from tests.unit.serve.support import Server, running

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
# schemathesis leaves out the address it reads the description from.
OPERATIONS = [
    f"{method} {path}" for path, address in addresses(ROUTES).items() for method in address if path != "/openapi.json"
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running([make_model(tmp_path_factory.mktemp("openapi") / "fr-en.model")]) as started:
        yield started


def described(server: Server) -> dict[str, object]:
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    found = [result.ok() for result in schema.get_all_operations()]
    return {f"{each.method.upper()} {each.path}": each for each in found}


def test_every_route_is_tested(server: Server) -> None:
    assert set(described(server)) == set(OPERATIONS)


@pytest.mark.parametrize("route", OPERATIONS)
def test_answers_fit_the_description(server: Server, route: str) -> None:
    operation = described(server)[route]

    @settings(
        max_examples=12,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy())  # type: ignore[attr-defined]
    def check(case: object) -> None:
        case.call_and_validate(checks=CHECKS)  # type: ignore[attr-defined]

    check()
