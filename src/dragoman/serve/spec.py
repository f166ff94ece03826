"""The table of routes described for programs: OpenAPI 3.1, and from it the Swagger 2.0 that LibreTranslate serves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

import dragoman
from dragoman.serve.route import Address, Method, Route, addresses, refusals
from dragoman.serve.schemas import APERTIUM_ERROR, ERROR, STRING, Json

DESCRIPTION = (
    "A translator trained from its owner's text. Compatible with the interfaces of LibreTranslate and Apertium APy;"
    " it learns from /suggest at once."
)


def openapi(routes: Iterable[Route], title: str, codes: Sequence[str], extensions: Sequence[str]) -> Json:
    paths = json.dumps(
        {
            path: {method.lower(): described(address, method) for method in address}
            for path, address in addresses(routes).items()
        }
    )
    # What only a server knows, in place of its name.
    for name, value in {"{codes}": ", ".join(codes), "{extensions}": " ".join(extensions)}.items():
        paths = paths.replace(name, json.dumps(value)[1:-1])
    info = {"title": title, "version": dragoman.__version__, "description": DESCRIPTION}
    return {"openapi": "3.1.0", "info": info, "paths": json.loads(paths)}


def described(address: Address, method: Method) -> Json:
    first, *others = address[method]
    required = first.takes.get("required", [])
    description: Json = {"summary": first.summary, "responses": responses(address, method)}
    if others:
        description["description"] = "With langpair: " + " ".join(
            f"{other.summary} Takes {', '.join(other.takes['properties'])}." for other in others
        )
    if method == "POST":
        kinds = (
            ("multipart/form-data",) if first.takes_file else ("application/json", "application/x-www-form-urlencoded")
        )
        content = {kind: {"schema": first.takes} for kind in kinds}
        description["requestBody"] = {"required": bool(required), "content": content}
        return description
    description["parameters"] = [
        *(
            {"name": name, "in": "path", "required": True, "schema": STRING}
            for name in re.findall(r"{(\w+)}", first.path)
        ),
        *(
            {"name": name, "in": "query", "required": name in required, "schema": schema}
            for name, schema in first.takes["properties"].items()
        ),
    ]
    return description


def responses(address: Address, method: Method) -> Json:
    first = address[method][0]
    error = {"application/json": {"schema": APERTIUM_ERROR if first.dialect == "apertium" else ERROR}}
    return {
        "200": {"description": "It worked.", "content": {first.gives_kind: {"schema": first.gives}}},
        **{
            str(problem.status): {"description": problem.meaning, "content": error}
            for problem in sorted(refusals(address, method), key=lambda problem: problem.status)
        },
    }


def plain_type(schema: Json) -> str:
    """The one type Swagger 2.0 can name for a form's field."""
    if schema.get("format") == "binary":
        return "file"
    first = schema.get("anyOf", [schema])[0].get("type", "string")
    return "string" if first == "object" or not isinstance(first, str) else first


def swagger(document: Json) -> Json:
    """The same in Swagger 2.0, bodies as forms, as LibreTranslate describes its own."""
    paths = {
        path: {method: swagger_operation(operation) for method, operation in at_path.items()}
        for path, at_path in document["paths"].items()
    }
    return {"swagger": "2.0", "info": document["info"], "basePath": "/", "paths": paths}


def swagger_operation(operation: Json) -> Json:
    content = operation.get("requestBody", {}).get("content", {})
    schema: Json = next((body["schema"] for body in content.values()), {})
    parameters = [
        {"name": given["name"], "in": given["in"], "required": given["required"], "type": "string"}
        for given in operation.get("parameters", [])
    ]
    parameters += [
        {
            "name": name,
            "in": "formData",
            "required": name in schema.get("required", []),
            "type": plain_type(field),
            **({"description": field["description"]} if "description" in field else {}),
        }
        for name, field in schema.get("properties", {}).items()
    ]
    return {
        "summary": operation["summary"],
        "parameters": parameters,
        "responses": {code: {"description": given["description"]} for code, given in operation["responses"].items()},
        **({"consumes": sorted(content)} if content else {}),
    }
