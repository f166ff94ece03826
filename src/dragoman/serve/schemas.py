"""Shapes of what goes in and out, as JSON Schema: the parts the description of our routes is made of."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

STRING: Json = {"type": "string"}
NUMBER: Json = {"type": "number"}
WHOLE: Json = {"type": "integer"}
FLAG: Json = {"type": "boolean"}
BINARY: Json = {"type": "string", "format": "binary"}
SPAN: Json = {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}


def array(items: Json) -> Json:
    return {"type": "array", "items": items}


def mapping(values: Json) -> Json:
    return {"type": "object", "additionalProperties": values}


def one_or_many(schema: Json) -> Json:
    return {"anyOf": [schema, array(schema)]}


def record(optional: str = "", /, **properties: Json) -> Json:
    required = [name for name in properties if name not in optional.split()]
    schema: Json = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def response_data(data: Json) -> Json:
    """An answer as Apertium wraps it."""
    return record(responseData=data, responseDetails={"type": ["string", "null"]}, responseStatus=WHOLE)


# Parameters, by name. What stands in braces is known when a server runs.
CODE: Json = {"type": "string", "description": "A language code: {codes}."}
TEXT: Json = {"type": "string", "minLength": 1, "description": "The text."}
KEY: Json = {"type": "string", "description": "An API key, where the server asks for one."}
ALTERNATIVES: Json = {
    "type": "integer",
    "minimum": 0,
    "default": 0,
    "description": "How many other translations to give as well, at most 20.",
}
PARAMETERS: Json = {
    "q": TEXT,
    "s": {**TEXT, "description": "Its translation."},
    "source": CODE,
    "target": CODE,
    "format": {"type": "string", "enum": ["text", "html"], "default": "text"},
    "alternatives": ALTERNATIVES,
    "glossary": {
        **mapping(STRING),
        "description": "Terms and their translations; an empty translation keeps a term as it is.",
    },
    "context": {
        **array({**array(STRING), "minItems": 2, "maxItems": 2}),
        "description": "What came before in the same document, oldest first: arrays of a text and its translation."
        " Words become again what they became there (JSON only).",
    },
    "memories": {
        "anyOf": [STRING, array(STRING), mapping(WHOLE)],
        "description": "Memories whose lessons apply, and no others: acme,legal=2, or an array of names, or an object"
        " of weights. Without it those that the server says, or all.",
    },
    "memory": {**STRING, "description": "The memory of the lesson: that of a client or a project; without it default."},
    "explain": {**FLAG, "default": False, "description": "Add links, derivation and sources (text only)."},
    "ids": {**one_or_many(TEXT), "description": "What /suggest and /lessons gave."},
    "search": {**STRING, "description": "Words that occur in a text or an id."},
    "offset": {**WHOLE, "minimum": 0, "default": 0, "description": "How many to leave out at the beginning."},
    "limit": {**WHOLE, "minimum": 1, "maximum": 100, "default": 100, "description": "How many to give at most."},
    "force": {
        **FLAG,
        "default": False,
        "description": "Translate a file that says it is in other languages than these.",
    },
    "file": {**BINARY, "description": "A file of one of these kinds: {extensions}"},
    "api_key": KEY,
    "key": KEY,
    "langpair": {**STRING, "description": "Two codes with a bar: fra|eng."},
    "markUnknown": {"type": "string", "enum": ["yes", "no"], "description": "Whether unknown words get a star."},
    "word": {**TEXT, "description": "A word."},
    "newWord": {**TEXT, "description": "Its translation."},
    "src": {**STRING, "description": "Only pairs from this language."},
    "locale": {**STRING, "description": "Names are English, whatever this says."},
    "prefix": {**STRING, "description": "What was typed of the translation; its last word may be half a word."},
    "most": {"type": "integer", "minimum": 1, "default": 5, "description": "How many to give, at most 20."},
    "atLeast": {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 70,
        "description": "How near they must be, in percent.",
    },
    "max_candidates": {"type": "integer", "minimum": 1, "description": "How many to give, at most 20; without it 5."},
    "min_similarity": {"type": "integer", "description": "How near they must be, in percent; without it 70."},
    "languages": {**STRING, "description": "Codes with spaces between them; without it all that are here."},
}


def parameters(names: str, **others: Json) -> Json:
    """Parameters of a request; those with a star are required, and `others` differ from those of the same name."""
    optional = " ".join(name for name in names.split() if not name.endswith("*"))
    bare = [name.rstrip("*") for name in names.split()]
    return record(optional, **{name: others.get(name) or PARAMETERS[name] for name in bare})


MAYBE_WHOLE: Json = {"type": ["integer", "null"]}
GUESS = record(
    confidence={**NUMBER, "minimum": 0, "maximum": 100},
    language={**STRING, "description": "A code; und where the text looks like no language that is translated here."},
)
LOOKS_LIKE = record(
    language={**STRING, "description": "A code; und where only the script is known."},
    name={**STRING, "description": "What to call it in English."},
)
PHRASE = record(
    "origins",
    kind=STRING,
    source=STRING,
    target=STRING,
    sourceSpan=SPAN,
    targetSpan=SPAN,
    sourceGaps=array(SPAN),
    targetGaps=array(SPAN),
    children=array(WHOLE),
    features=mapping(NUMBER),
    score={**NUMBER, "description": "Features times weights, language models apart."},
    samples={**MAYBE_WHOLE, "description": "Sampled places of the source side; null for phrases that have none."},
    count={**MAYBE_WHOLE, "description": "How many of them gave this target side."},
    seen={**WHOLE, "description": "In how many sampled places of the training text the phrase was seen."},
    origins=array(record(pair=STRING, source=array(SPAN), target=array(SPAN), weight=WHOLE)),
)
SENTENCE = record(
    source=SPAN,
    target=SPAN,
    sourceTokens=array(SPAN),
    targetTokens=array(SPAN),
    links=array(SPAN),
    unknown=array(WHOLE),
    terms={**array(array(STRING)), "description": "Terms of the glossary that were obeyed, and how."},
    score=NUMBER,
    contributions={**mapping(NUMBER), "description": "What each feature adds to the score."},
    confidence={"type": ["number", "null"]},
    wordConfidence={"anyOf": [array(NUMBER), {"type": "null"}]},
    narrowed=FLAG,
    derivation=array(PHRASE),
)
PAIR_FIELDS: Json = {
    "source": STRING,
    "target": STRING,
    "raw": {**FLAG, "description": "Whether the texts are those of the file, not the model's words."},
    "name": STRING,
    "memory": {**STRING, "description": "Where it is a lesson, and not one of the default memory."},
    "file": STRING,
    "line": WHOLE,
    "unit": STRING,
    "attributes": mapping(STRING),
}
MATCH = record(
    "name memory file line unit attributes",
    percent={**WHOLE, "minimum": 0, "maximum": 100, "description": "100 is the same text, character for character."},
    **PAIR_FIELDS,
    sourceChanges={**array(SPAN), "description": "Where the stored source text differs from the one asked for."},
    textChanges={**array(SPAN), "description": "Where the one asked for differs."},
)
EXPLANATION = record(
    "sources through steps",
    through={**array(STRING), "description": "Where two models were asked: the languages from the first to the last."},
    steps={
        **array({"type": "object"}),
        "description": "Then: an explanation of each step, with its source, its target and its text.",
    },
    state={**STRING, "description": "Changes when the model learns or forgets: older translations may differ then."},
    sentences=array(SENTENCE),
    sources=mapping(record("name memory file line unit attributes", **PAIR_FIELDS)),
)
LESSON = record(
    memory={**STRING, "description": "The memory that it belongs to."},
    ids={
        **array(STRING),
        "description": "What it is called there; the same pair may have several names.",
    },
    source=STRING,
    target=STRING,
    added={"type": ["string", "null"], "description": "When it was taught last; null where that is not known."},
    imports={**array(STRING), "description": "Names of what was taught together."},
    places={**array(STRING), "description": "Files and lines that it came from."},
)
ERROR = record(error=STRING)
APERTIUM_ERROR = record(
    status=STRING, code=WHOLE, message=STRING, explanation=STRING, responseStatus=WHOLE, error=STRING
)
PAIRS = response_data(array(record(sourceLanguage=STRING, targetLanguage=STRING)))
