"""The description of our routes for programs: OpenAPI 3.1, and from it the Swagger 2.0 that LibreTranslate serves."""

from __future__ import annotations

import dragoman
from dragoman.serve.schemas import (
    APERTIUM_ERROR,
    ERROR,
    EXPLANATION,
    FLAG,
    GUESS,
    KEY,
    NUMBER,
    PAIRS,
    STRING,
    TEXT,
    WHOLE,
    Json,
    array,
    one_or_many,
    record,
)


def answers(schema: Json | None, refusals: str, error: Json = ERROR, kind: str = "application/json") -> Json:
    ok: Json = {"description": "It worked."}
    if schema is not None:
        ok["content"] = {kind: {"schema": schema}}
    said = {
        "400": "The request cannot be used; the message says why.",
        "403": "No key, a wrong key, or one without this right.",
        "404": "There is no such thing.",
        "408": "The request took too long to arrive.",
        "413": "The body is too large.",
        "429": "Too many requests: try again after Retry-After seconds.",
        "500": "A fault of the server, which its log tells more about.",
        "501": "This model cannot learn.",
        "504": "The translation took longer than the server allows.",
        "507": "The lesson could not be kept: the disk is full.",
    }
    refused = {
        code: {"description": said[code], "content": {"application/json": {"schema": error}}}
        for code in refusals.split()
    }
    return {"200": ok, **refused}


REFUSALS = "400 403 408 413 429"


def body(schema: Json, *kinds: str) -> Json:
    used = kinds or ("application/json", "application/x-www-form-urlencoded")
    return {"required": True, "content": {kind: {"schema": schema} for kind in used}}


def query(required: str = "", **schemas: Json) -> list[Json]:
    return [
        {"name": name, "in": "query", "required": name in required.split(), "schema": schema}
        for name, schema in schemas.items()
    ]


def operation(summary: str, responses: Json, request: Json | None = None, parameters: list[Json] | None = None) -> Json:
    made: Json = {"summary": summary, "responses": responses}
    if request is not None:
        made["requestBody"] = request
    if parameters:
        made["parameters"] = parameters
    return made


def paths(codes: list[str], extensions: list[str]) -> Json:
    code: Json = {"type": "string", "description": f"A language code: {', '.join(codes)}."}
    translate = record(
        "q source target",
        q={**one_or_many(TEXT), "description": "The text, or an array of texts (JSON only)."},
        source={**code, "description": code["description"] + " Or auto."},
        target=code,
        format={"type": "string", "enum": ["text", "html"], "default": "text"},
        alternatives={
            "type": "integer",
            "minimum": 0,
            "default": 0,
            "description": "How many other translations to give as well, at most 20.",
        },
        glossary={
            "type": "object",
            "additionalProperties": STRING,
            "description": "Terms and their translations; an empty translation keeps a term as it is.",
        },
        explain={**FLAG, "default": False, "description": "Add links, derivation and sources (text only)."},
        api_key=KEY,
    )
    translated = record(
        "translatedText",
        translatedText=one_or_many(STRING),
        detectedLanguage=one_or_many(GUESS),
        alternatives={"anyOf": [array(STRING), array(array(STRING))]},
        explanation=one_or_many({"anyOf": [EXPLANATION, {"type": "null"}]}),
    )
    upload = {
        **record(
            "file source target", file={"type": "string", "format": "binary"}, source=code, target=code, api_key=KEY
        ),
        "description": f"Kinds of files: {' '.join(extensions)}",
    }
    ids = {**one_or_many(TEXT), "description": "What /suggest gave."}
    apertium = answers(
        record(
            "responseData responseStatus",
            responseData=record("translatedText", translatedText=STRING),
            responseStatus=WHOLE,
        ),
        "400 403 405 408 429".replace(" 405", ""),
        APERTIUM_ERROR,
    )
    taught = record("success", success=FLAG, ids=array(STRING))
    return {
        "/translate": {
            "post": operation("Translate text.", answers(translated, REFUSALS + " 504"), body(translate)),
            "get": operation(
                "Translate text (Apertium).",
                apertium,
                parameters=query(
                    "langpair q",
                    langpair={"type": "string", "description": "Two codes with a bar: fra|eng."},
                    q=STRING,
                    markUnknown={
                        "type": "string",
                        "enum": ["yes", "no"],
                        "description": "Whether unknown words get a star.",
                    },
                    format={"type": "string", "enum": ["txt", "html"], "description": "txt or html"},
                    key=KEY,
                ),
            ),
        },
        "/detect": {
            "post": operation(
                "Guess the language of a text.", answers(array(GUESS), REFUSALS), body(record("q", q=TEXT, api_key=KEY))
            )
        },
        "/languages": {
            "get": operation(
                "The languages that can be translated.",
                answers(array(record("code name targets", code=STRING, name=STRING, targets=array(STRING))), "429"),
            )
        },
        "/suggest": {
            "post": operation(
                "Teach a translation: the next one knows it.",
                answers(taught, REFUSALS + " 500 501 504 507"),
                body(record("q s source target", q=TEXT, s=TEXT, source=code, target=code, api_key=KEY)),
            )
        },
        "/forget": {
            "post": operation(
                "Take back what was taught.",
                answers(record("success removed", success=FLAG, removed=WHOLE), REFUSALS + " 500 501 504 507"),
                body(record("ids source target", ids=ids, source=code, target=code, api_key=KEY), "application/json"),
            )
        },
        "/translate_file": {
            "post": operation(
                "Translate a file.",
                answers(record("translatedFileUrl", translatedFileUrl=STRING), REFUSALS + " 504"),
                body(upload, "multipart/form-data"),
            )
        },
        "/download_file/{name}": {
            "get": operation(
                "Fetch a translated file.",
                answers({"type": "string", "format": "binary"}, "404", kind="application/octet-stream"),
                parameters=[{"name": "name", "in": "path", "required": True, "schema": STRING}],
            )
        },
        "/frontend/settings": {
            "get": operation(
                "What this server offers.",
                answers(
                    record(
                        "charLimit frontendTimeout apiKeys keyRequired suggestions filesTranslation"
                        " supportedFilesFormat language",
                        charLimit=WHOLE,
                        frontendTimeout=WHOLE,
                        apiKeys=FLAG,
                        keyRequired=FLAG,
                        suggestions=FLAG,
                        filesTranslation=FLAG,
                        supportedFilesFormat=array(STRING),
                        language={"type": "object"},
                        states={
                            "type": "object",
                            "additionalProperties": STRING,
                            "description": "Of each pair, what its model knows: see the state of an explanation.",
                        },
                    ),
                    "429",
                ),
            )
        },
        "/health": {
            "get": operation("Whether the server works.", answers(record("status", status={"const": "ok"}), ""))
        },
        "/metrics": {"get": operation("Counters for Prometheus.", answers(STRING, "403 429", kind="text/plain"))},
        "/listPairs": {
            "get": operation(
                "Pairs that can be translated (Apertium).", answers(PAIRS, "400"), parameters=query(src=STRING)
            )
        },
        "/identifyLang": {
            "get": operation(
                "Guess the language of a text (Apertium).",
                answers({"type": "object", "additionalProperties": NUMBER}, "400 403 429", APERTIUM_ERROR),
                parameters=query("q", q=TEXT),
            )
        },
        "/listLanguageNames": {
            "get": operation(
                "English names of languages (Apertium).",
                answers({"type": "object", "additionalProperties": STRING}, "400", APERTIUM_ERROR),
                parameters=query(locale=STRING, languages=STRING),
            )
        },
    }


def openapi(title: str, codes: list[str], extensions: list[str]) -> Json:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": dragoman.__version__,
            "description": "A translator trained from its owner's text. Compatible with the interfaces of"
            " LibreTranslate and Apertium APy; it learns from /suggest at once.",
        },
        "paths": paths(codes, extensions),
    }


def plain_type(schema: Json) -> str:
    """The one type Swagger 2.0 can name for a form's field."""
    first = schema.get("anyOf", [schema])[0].get("type", "string")
    return "string" if first == "object" or not isinstance(first, str) else first


def swagger(document: Json) -> Json:
    """The same in Swagger 2.0, bodies as forms, as LibreTranslate describes its own."""
    made: Json = {"swagger": "2.0", "info": document["info"], "basePath": "/", "paths": {}}
    for path, operations in document["paths"].items():
        made["paths"][path] = {}
        for method, each in operations.items():
            parameters = [
                {"name": one["name"], "in": one["in"], "required": one["required"], "type": "string"}
                for one in each.get("parameters", [])
            ]
            content = each.get("requestBody", {}).get("content", {})
            schema: Json = next((each["schema"] for each in content.values()), {})
            for name, field in schema.get("properties", {}).items():
                kind = "file" if field.get("format") == "binary" else plain_type(field)
                parameters.append(
                    {
                        "name": name,
                        "in": "formData",
                        "required": name in schema.get("required", []),
                        "type": kind,
                        **({"description": field["description"]} if "description" in field else {}),
                    }
                )
            responses = {code: {"description": answer["description"]} for code, answer in each["responses"].items()}
            made["paths"][path][method] = {
                "summary": each["summary"],
                "parameters": parameters,
                "responses": responses,
                **({"consumes": sorted(content)} if content else {}),
            }
    return made
