"""Shapes of what goes in and out, as JSON Schema: the parts the description of our routes is made of."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

STRING: Json = {"type": "string"}
TEXT: Json = {"type": "string", "minLength": 1, "description": "The text."}
NUMBER: Json = {"type": "number"}
WHOLE: Json = {"type": "integer"}
FLAG: Json = {"type": "boolean"}
SPAN: Json = {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}


def array(items: Json) -> Json:
    return {"type": "array", "items": items}


def record(required: str = "", **properties: Json) -> Json:
    made: Json = {"type": "object", "properties": properties}
    if required:
        made["required"] = required.split()
    return made


def one_or_many(schema: Json) -> Json:
    return {"anyOf": [schema, array(schema)]}


KEY: Json = {"type": "string", "description": "An API key, where the server asks for one."}
GUESS = record("confidence language", confidence={**NUMBER, "minimum": 0, "maximum": 100}, language=STRING)
PHRASE = record(
    "kind source target sourceSpan targetSpan children seen",
    kind=STRING,
    source=STRING,
    target=STRING,
    sourceSpan=SPAN,
    targetSpan=SPAN,
    sourceGaps=array(SPAN),
    targetGaps=array(SPAN),
    children=array(WHOLE),
    features={"type": "object", "additionalProperties": NUMBER},
    seen={**WHOLE, "description": "In how many sampled places of the training text the phrase was seen."},
    origins=array(record("pair source target", pair=STRING, source=array(SPAN), target=array(SPAN))),
)
SENTENCE = record(
    "source target sourceTokens targetTokens links unknown derivation",
    source=SPAN,
    target=SPAN,
    sourceTokens=array(SPAN),
    targetTokens=array(SPAN),
    links=array(SPAN),
    unknown=array(WHOLE),
    terms={**array(array(STRING)), "description": "Terms of the glossary that were obeyed, and how."},
    score=NUMBER,
    confidence={"type": ["number", "null"]},
    wordConfidence={"anyOf": [array(NUMBER), {"type": "null"}]},
    narrowed=FLAG,
    derivation=array(PHRASE),
)
EXPLANATION = record(
    "sentences state",
    state={**STRING, "description": "Changes when the model learns or forgets: older translations may differ then."},
    sentences=array(SENTENCE),
    sources={
        "type": "object",
        "additionalProperties": record(
            "source target",
            source=STRING,
            target=STRING,
            name=STRING,
            file=STRING,
            line=WHOLE,
            attributes={"type": "object", "additionalProperties": STRING},
        ),
    },
)
ERROR = record("error", error=STRING)
APERTIUM_ERROR = record(
    "status code message explanation responseStatus",
    status=STRING,
    code=WHOLE,
    message=STRING,
    explanation=STRING,
    responseStatus=WHOLE,
)
PAIRS = record(
    "responseData responseDetails responseStatus",
    responseData=array(record("sourceLanguage targetLanguage", sourceLanguage=STRING, targetLanguage=STRING)),
    responseDetails={"type": ["string", "null"]},
    responseStatus=WHOLE,
)
