"""The table of routes: what it says is what is described, and what the server does."""

from __future__ import annotations

import asyncio
import json

import pytest
from starlette.requests import Request
from starlette.responses import Response

from dragoman.serve import log
from dragoman.serve.answers import Problem, Refusal
from dragoman.serve.app import Endpoint
from dragoman.serve.body import Fields
from dragoman.serve.context import Context
from dragoman.serve.page.docs import docs_page
from dragoman.serve.route import Route, addresses, refusals
from dragoman.serve.routes import ROUTES
from dragoman.serve.spec import openapi, swagger
from tests.unit.serve.support import Server

OPERATIONS = [(path, method) for path, address in addresses(ROUTES).items() for method in address]


@pytest.fixture(scope="module")
def document() -> dict[str, object]:
    return openapi(ROUTES, "Test", ["en", 'a"b'], [".txt"])


def test_every_operation_is_described_with_its_refusals(document: dict[str, dict]) -> None:  # type: ignore[type-arg]
    assert {(path, method.upper()) for path, methods in document["paths"].items() for method in methods} == set(
        OPERATIONS
    )
    for path, address in addresses(ROUTES).items():
        for method in address:
            described = document["paths"][path][method.lower()]
            assert described["summary"]
            declared = {str(problem.status) for problem in refusals(address, method)}
            assert set(described["responses"]) == {"200", *declared}


def test_what_only_a_server_knows_is_filled_in(document: dict[str, dict]) -> None:  # type: ignore[type-arg]
    text = json.dumps([document, swagger(document)])
    assert "{codes}" not in text and "{extensions}" not in text
    schema = document["paths"]["/detect"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["q"]
    schema = document["paths"]["/translate"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["properties"]["target"]["description"] == 'A language code: en, a"b.'


def test_the_older_description_and_the_page_have_every_route(document: dict[str, dict]) -> None:  # type: ignore[type-arg]
    assert {
        (path, method.upper()) for path, methods in swagger(document)["paths"].items() for method in methods
    } == set(OPERATIONS)
    page = docs_page(document)
    for path, method in OPERATIONS:
        assert f"<b>{method}</b> {path}<" in page
    for route in ROUTES:
        assert route.summary in page
        assert all(name in page for name in route.takes["properties"])


def test_every_way_to_refuse_belongs_to_a_route() -> None:
    table = addresses(ROUTES).values()
    assert {problem for address in table for method in address for problem in refusals(address, method)} == set(Problem)


@pytest.mark.parametrize("problem", Problem)
def test_a_refusal_that_the_table_does_not_declare_is_noticed(
    server: Server, problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(request: Request, fields: Fields, context: Context) -> Response:
        raise Refusal("no", problem)

    noticed = []
    monkeypatch.setattr(log, "event", lambda name, **values: noticed.append((name, values["status"])))
    route = Route("/odd", refuse, "Refuses.", refuses=frozenset({Problem.UNKNOWN}))
    endpoint = Endpoint(server.context, "/odd", {"GET": (route,)})
    scope = {"type": "http", "method": "GET", "path": "/odd", "query_string": b"", "headers": [], "state": {}}
    answer = asyncio.run(endpoint.handle(Request(scope)))
    assert answer.status_code == problem.status
    declared = problem in (Problem.UNKNOWN, Problem.BAD_REQUEST, Problem.FAULT)
    assert (("undeclared refusal", problem.status) in noticed) == (not declared)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_rights_are_asked_for_where_the_table_says(locked: Server, path: str, method: str) -> None:
    rights = {route.right for route in addresses(ROUTES)[path][method]}  # type: ignore[index]
    query = "?langpair=fra|eng" if (path, method) == ("/translate", "GET") else ""
    answer = locked.ask(method, path + query, b"{}" if method == "POST" else None)
    assert (answer.status == 403) == (rights != {""})


@pytest.mark.parametrize("route", [route for route in ROUTES if "{" not in route.path], ids=lambda route: route.path)
def test_other_pages_may_call_where_the_table_says(server: Server, route: Route) -> None:
    answer = server.ask("OPTIONS", route.path, headers={"Origin": "https://example.org"})
    assert ("Access-Control-Allow-Origin" in answer.headers) == route.cors


def test_two_routes_at_one_address(server: Server) -> None:
    """One with langpair is Apertium's, wherever it stands; a method without a route for the rest says so."""
    french = "La maison."
    for answer in (
        server.get("/translate", langpair="fra|eng", q=french),
        server.form("/translate", langpair="fra|eng", q=french),
        server.ask("POST", "/translate?langpair=fra%7Ceng", b"q=La+maison."),
        server.post("/translate", langpair="fra|eng", q=french),
    ):
        assert answer.json["responseData"] == {"translatedText": "The house."}
    refused = server.get("/translate", q=french)
    assert (refused.status, set(refused.json)) == (405, {"error"})
    # Where Apertium has no route, the word means nothing.
    assert server.post("/detect", langpair="fra|eng", q=french).status == 200
    assert set(server.post("/detect", langpair="fra|eng").json) == {"error"}
