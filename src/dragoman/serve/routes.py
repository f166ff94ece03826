"""The one table of the server's routes. What it says is what clients are told and what the server holds itself to."""

from __future__ import annotations

from dragoman.serve import about, apertium, completing, files, libre, memory
from dragoman.serve.answers import Problem
from dragoman.serve.route import Method, Route
from dragoman.serve.schemas import (
    ALTERNATIVES,
    BINARY,
    CODE,
    EXPLANATION,
    FLAG,
    GUESS,
    LESSON,
    LOOKS_LIKE,
    MATCH,
    NUMBER,
    PAIRS,
    STRING,
    TEXT,
    WHOLE,
    array,
    mapping,
    one_or_many,
    parameters,
    record,
    response_data,
)

POST: tuple[Method, ...] = ("POST",)
BOTH: tuple[Method, ...] = ("GET", "POST")
TRANSLATING = frozenset({Problem.TRANSLATION_TIMEOUT})
TEACHING = TRANSLATING | {Problem.CANNOT_LEARN, Problem.CANNOT_LEARN_NOW, Problem.DISK_FULL}
BYTES = "application/octet-stream"

# fmt: off
LIBRE = (
    Route(
        "/translate", libre.translate, "Translate text.", POST, right="translate", refuses=TRANSLATING,
        takes=parameters(
            "q* source* target* format alternatives glossary context memories explain api_key",
            q={**one_or_many(TEXT), "description": "The text, or an array of texts (JSON only)."},
            source={**CODE, "description": CODE["description"] + " Or auto."},
        ),
        gives=record(
            "detectedLanguage looksLike alternatives explanation",
            translatedText=one_or_many(STRING),
            detectedLanguage=one_or_many(GUESS),
            looksLike={
                **one_or_many({"anyOf": [LOOKS_LIKE, {"type": "null"}]}),
                "description": "Where a text hardly is in the source language: what it looks like.",
            },
            alternatives={"anyOf": [array(STRING), array(array(STRING))]},
            explanation=one_or_many({"anyOf": [EXPLANATION, {"type": "null"}]}),
        ),
    ),
    Route(
        "/detect", libre.detect, "Guess the language of a text.", POST, right="translate",
        takes=parameters("q* api_key"), gives=array(GUESS),
    ),
    Route(
        "/languages", libre.languages, "The languages that can be translated, or translated into.",
        gives=array(
            record(
                code=STRING, name=STRING,
                targets={**array(STRING), "description": "What it can be translated into; nothing for a target alone."},
            )
        ),
    ),
    Route(
        "/suggest", libre.suggest, "Teach a translation: the next one knows it.", POST, right="teach", refuses=TEACHING,
        takes=parameters(
            "q* s* source* target* ids memory memories force api_key",
            ids={**one_or_many(TEXT), "description": "The lesson that this is to replace, by its ids."},
            force={**FLAG, "default": False, "description": "Learn what looks wrong, such as text in other languages."},
        ),
        gives=record(success=FLAG, ids=array(STRING)),
    ),
    Route(
        "/forget", libre.forget, "Take back what was taught.", POST, right="teach", refuses=TEACHING, cors=False,
        takes=parameters("ids* source* target* memory api_key"), gives=record(success=FLAG, removed=WHOLE),
    ),
    Route(
        "/lessons", libre.lessons, "What was taught, the last lesson first.", POST, right="teach", refuses=TEACHING,
        cors=False,
        takes=parameters(
            "source* target* search memory offset limit api_key",
            memory={**STRING, "description": "Only lessons of this memory."},
        ),
        gives=record(
            lessons=array(LESSON), total={**WHOLE, "description": "How many there are with these words."},
            memories={**mapping(WHOLE), "description": "How many lessons each memory has."},
        ),
    ),
    Route(
        "/translate_file", files.translate_file, "Translate a file.", POST, right="translate", refuses=TRANSLATING,
        takes=parameters("file* source* target* memories force api_key"),
        gives=record("looksLike", translatedFileUrl=STRING, looksLike=LOOKS_LIKE),
    ),
    Route(
        "/download_file/{name}", files.download_file, "Fetch a translated file.",
        gives=BINARY, gives_kind=BYTES, refuses=frozenset({Problem.UNKNOWN}),
    ),
    Route(
        "/frontend/settings", libre.settings, "What this server offers.",
        gives=record(
            charLimit=WHOLE, frontendTimeout=WHOLE, apiKeys=FLAG, keyRequired=FLAG, suggestions=FLAG,
            filesTranslation=FLAG, supportedFilesFormat=array(STRING),
            language=mapping(record(code=STRING, name=STRING)),
            teachers={"enum": ["everyone", "keys"], "description": "Who may teach."},
            rightToLeft={**array(STRING), "description": "Languages that are written from right to left."},
            learns={**array(array(STRING)), "description": "Source and target of each model that can be taught."},
            through={**array(array(STRING)), "description": "Languages of each pair that takes two models."},
            states={**mapping(STRING), "description": "What each pair's model knows: see the state of an explanation."},
        ),
    ),
)

HELPING = (
    Route(
        "/matches", memory.matches, "The stored pairs nearest to a text, for who may see sources.",
        POST, right="translate", refuses=TRANSLATING,
        takes=parameters("q* source* target* most atLeast memories api_key"), gives=record(matches=array(MATCH)),
    ),
    Route(
        "/complete", completing.complete, "Go on with a translation that was begun.",
        POST, right="translate", refuses=TRANSLATING,
        takes=parameters(
            "q* prefix source* target* alternatives glossary memories api_key",
            alternatives={**ALTERNATIVES, "description": "How many other ways to give as well, at most 19."},
        ),
        gives=record(
            "alternatives",
            rest={**STRING, "description": "What to put behind the prefix."},
            nextWords={**STRING, "description": "The beginning of it up to the end of a word."},
            alternatives={**array(STRING), "description": "Other rests."},
        ),
    ),
)

# Those of tmserver and amaGama, under an address of their own.
TMSERVER = (
    Route(
        "/tm/languages/", memory.unit_languages, "Languages of the stored pairs (tmserver).",
        gives=record(sourceLanguages=array(STRING), targetLanguages=array(STRING)),
    ),
    Route(
        "/tm/{source}/{target}/unit/{text}", memory.units, "The stored pairs nearest to a text (tmserver).",
        right="translate", refuses=TRANSLATING, takes=parameters("max_candidates min_similarity memories"),
        gives=array(record(source=STRING, target=STRING, quality=WHOLE, context=STRING)),
    ),
)

APERTIUM = (
    Route(
        "/translate", apertium.translate, "Translate text (Apertium).", BOTH, "apertium", "translate",
        takes=parameters(
            "langpair* q* markUnknown format key",
            q=STRING, format={"type": "string", "enum": ["txt", "html"], "description": "txt or html"},
        ),
        gives=response_data(record(translatedText=STRING)),
        refuses=frozenset({Problem.REQUEST_TIMEOUT}),
    ),
    Route(
        "/suggest", apertium.suggest, "Teach a better translation of a word (Apertium).", POST, "apertium", "teach",
        takes=parameters(
            "langpair* word* newWord* force key",
            force={**FLAG, "default": False, "description": "Learn what looks wrong, such as text in other languages."},
        ),
        gives=response_data(record(status=STRING, ids=array(STRING))), refuses=TEACHING,
    ),
    Route(
        "/listPairs", apertium.list_pairs, "Pairs that can be translated (Apertium).", BOTH, "apertium",
        takes=parameters("src"), gives=PAIRS,
    ),
    Route(
        "/list", apertium.list_modes, "Pairs, or what else Apertium lists and we have none of (Apertium).",
        BOTH, "apertium",
        takes=parameters("q src", q={"type": "string", "enum": ["pairs", *apertium.EMPTY_LISTS]}),
        gives={"anyOf": [PAIRS, record()]},
    ),
    Route(
        "/listLanguageNames", apertium.language_names, "English names of languages (Apertium).", BOTH, "apertium",
        takes=parameters("locale languages"), gives=mapping(STRING),
    ),
    Route(
        "/identifyLang", apertium.identify_language, "Guess the language of a text (Apertium).",
        BOTH, "apertium", "translate",
        takes=parameters("q* key"), gives=mapping(NUMBER),
    ),
    Route(
        "/translateDoc", apertium.translate_doc, "Translate a file, which is the answer (Apertium).",
        POST, "apertium", "translate",
        takes=parameters("file* langpair* force key"), gives=BINARY, gives_kind=BYTES, refuses=TRANSLATING,
    ),
    Route(
        "/stats", apertium.stats, "How long the server has run, and what it has translated (Apertium).",
        dialect="apertium",
        gives=response_data(
            record(uptime=WHOLE, useCount=mapping(WHOLE), runningPipes=mapping(WHOLE), holdingPipes=WHOLE)
        ),
    ),
    Route(
        "/pairprefs", apertium.pair_preferences, "Preferences of pairs, of which there are none (Apertium).",
        dialect="apertium", gives=response_data(record()),
    ),
)

ABOUT = (
    Route("/health", about.health, "Whether the server works.", gives=record(status={"const": "ok"})),
    Route(
        "/metrics", about.metrics, "Counters for Prometheus.",
        right="metrics", gives=STRING, gives_kind="text/plain", cors=False,
    ),
    Route("/openapi.json", about.openapi_document, "This description, in OpenAPI 3.1."),
    Route("/spec", about.swagger_document, "This description, in Swagger 2.0."),
    Route("/docs", about.docs, "This description, for people.", gives=STRING, gives_kind="text/html"),
)
# fmt: on

# Where two share an address, the first is what a request without `langpair` means.
ROUTES = (*LIBRE, *HELPING, *TMSERVER, *APERTIUM, *ABOUT)
