"""The page of HTTP routes, from the OpenAPI description that the server gives of itself."""

from __future__ import annotations

from typing import Any

from dragoman.serve.downloads import EXTENSIONS
from dragoman.serve.routes import ROUTES
from dragoman.serve.spec import openapi
from tools.reference.markdown import code, opening, plain, table

Json = dict[str, Any]

TEXT = """
A running server describes itself at `/openapi.json`, with the languages of its models, and in the older form of
LibreTranslate at `/spec`. [Serving](../how-to/serve.md) says what the routes are for, who may use them and what
bounds them. An error of LibreTranslate's routes is `{"error": "…"}`; one of Apertium's has `status`, `code`, `message`
and `explanation`.
"""


def page() -> str:
    document = openapi(ROUTES, "Dragoman", ["en", "fr"], EXTENSIONS)
    parts = [opening("HTTP routes", "src/dragoman/serve", TEXT)]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            said = " ".join(filter(None, (operation["summary"], operation.get("description"))))
            parts.append(f"## {method.upper()} {path}\n\n{plain(said)}\n")
            parts += request(operation) + answers(operation)
    return "\n".join(parts)


def request(operation: Json) -> list[str]:
    parts = []
    asked = operation.get("parameters", [])
    if asked:
        rows = [
            (code(each["name"]), kind(each["schema"]), yes(each["required"]), description(each["schema"]))
            for each in asked
        ]
        parts.append(table(("parameter", "type", "needed", "meaning"), rows))
    content = operation.get("requestBody", {}).get("content", {})
    if content:
        schema = next(iter(content.values()))["schema"]
        note = f" {schema['description']}" if "description" in schema else ""
        parts.append(f"The body is {' or '.join(map(code, content))}.{plain(note)}\n")
        needed = schema.get("required", [])
        rows = [
            (code(name), kind(field), yes(name in needed), description(field))
            for name, field in schema.get("properties", {}).items()
        ]
        parts.append(table(("field", "type", "needed", "meaning"), rows))
    return parts


def answers(operation: Json) -> list[str]:
    """What may come back. Errors have the fields of their interface, which the page says once."""
    rows = []
    for status, answer in operation["responses"].items():
        shapes = [shape(each.get("schema", {})) for each in answer.get("content", {}).values()]
        fields = f" {', '.join(shapes)}." if status == "200" and any(shapes) else ""
        rows.append((status, plain(answer["description"]) + fields))
    return [table(("answer", "meaning"), rows)]


def shape(schema: Json) -> str:
    """The fields of an answer, or what else it is."""
    for inner in (schema, schema.get("items", {})):
        if "properties" in inner:
            return ", ".join(map(code, inner["properties"]))
    return kind(schema) if schema else ""


def kind(schema: Json) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind(each) for each in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(code(value) for value in schema["enum"])
    if "const" in schema:
        return code(schema["const"])
    if schema.get("type") == "array":
        return f"array of {kind(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type", "anything"))


def description(schema: Json) -> str:
    default = f" Default: {schema['default']}." if "default" in schema else ""
    return plain(schema.get("description", "") + default)


def yes(needed: bool) -> str:
    return "yes" if needed else ""
