"""The routes as a page for people to read, made from the same description programs get."""

from __future__ import annotations

from html import escape

from dragoman.serve.schemas import Json


def fields_of(operation: Json) -> list[tuple[str, str]]:
    """Names of the parameters, required ones with a star, and what is said about them."""
    rows = [
        (parameter["name"] + ("*" if parameter["required"] else ""), parameter["schema"].get("description", ""))
        for parameter in operation.get("parameters", [])
    ]
    content = operation.get("requestBody", {}).get("content", {})
    for body in list(content.values())[:1]:
        schema = body["schema"]
        for name, field in schema["properties"].items():
            star = "*" if name in schema.get("required", []) else ""
            rows.append((name + star, field.get("description") or " or ".join(map(str, field.get("enum", [])))))
    return rows


def docs_page(document: Json) -> str:
    rows = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            terms = "".join(f"<dt>{escape(name)}</dt><dd>{escape(about)}</dd>" for name, about in fields_of(operation))
            said = f"{operation['summary']} {operation.get('description', '')}".rstrip()
            rows.append(
                f"<article><h2><b>{method.upper()}</b> {escape(path)}</h2>"
                f"<p>{escape(said)}</p><dl>{terms}</dl></article>"
            )
    title = escape(document["info"]["title"])
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: interface</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="stylesheet" href="page.css"><link rel="icon" href="icon.svg">'
        '<script src="page/theme.js"></script></head>'
        f'<body class="routes"><header class="top"><h1><img src="icon.svg" alt="" width="28" height="28"> {title}</h1>'
        f'<p class="tagline">{escape(document["info"]["description"])}</p></header>'
        '<main><p class="dim">For programs: <a href="openapi.json">OpenAPI 3.1</a>, <a href="spec">Swagger 2.0</a>. '
        f'Parameters with a star are required. <a href=".">Back</a></p>{"".join(rows)}</main></body></html>'
    )
