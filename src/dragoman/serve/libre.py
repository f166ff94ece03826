"""The routes of LibreTranslate, with our additions.

Clients of it know nothing of `glossary` and `explain` in a request, or of what these add to an answer, and are served
as they expect: same names, same messages, same codes.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.glossary import Glossary
from dragoman.serve.answers import Refusal
from dragoman.serve.body import Fields
from dragoman.serve.context import Context, while_connected
from dragoman.serve.explain import explaining
from dragoman.serve.languages import AUTO, name_of
from dragoman.serve.markup import readable
from dragoman.serve.pair import Pair, View
from dragoman.serve.workers import Deadline

MOST_ALTERNATIVES = 20


def texts_of(fields: Fields, context: Context) -> tuple[list[str], bool]:
    """The texts to translate, and whether they came as an array."""
    q = fields.get("q")
    if q is None or q in ("", []):
        raise Refusal(400, "Invalid request: missing q parameter")
    many = isinstance(q, list)
    texts = q if isinstance(q, list) else [q]
    if not all(isinstance(text, str) for text in texts):
        raise Refusal(400, "Invalid request: q must be a string or an array of strings")
    options = context.options
    if options.batch_limit and len(texts) > options.batch_limit:
        raise Refusal(400, f"Invalid request: request ({len(texts)}) exceeds text limit ({options.batch_limit})")
    check_size(sum(map(len, texts)), context)
    return texts, many


def check_size(characters: int, context: Context) -> None:
    limit = context.options.char_limit
    if limit and characters > limit:
        raise Refusal(400, f"Invalid request: request ({characters}) exceeds text limit ({limit})")


def glossary_of(fields: Fields, context: Context) -> Glossary | None:
    """Terms as an object, or as lines `source TAB target`."""
    given = fields.get("glossary")
    if given is None or given in ("", {}):
        return None
    if isinstance(given, str):
        check_size(len(given), context)
        return Glossary(given)
    if isinstance(given, dict) and all(isinstance(value, str) for value in given.values()):
        check_size(sum(len(key) + len(value) for key, value in given.items()), context)
        if any(set("\t\n\r") & set(text) for pair in given.items() for text in pair):
            raise Refusal(400, "Invalid request: a term of the glossary holds a tab or a line end")
        # A term without a translation is kept as it is.
        return Glossary.of_pairs((key, value) for key, value in given.items() if key.strip())
    raise Refusal(400, "Invalid request: glossary must be an object of strings, or lines of source TAB target")


async def translate(request: Request, fields: Fields, context: Context) -> Response:
    caller = context.admit(request, fields, "translate")
    texts, many = texts_of(fields, context)
    source, target = fields.required("source"), fields.required("target")
    kind = fields.text("format") or "text"
    if kind not in ("text", "html"):
        raise Refusal(400, f"{kind[:40]} format is not supported")
    wanted = fields.whole("alternatives", 0, 0, MOST_ALTERNATIVES)
    explain = fields.flag("explain")
    glossary = glossary_of(fields, context)
    engine = context.engine
    # Each text has its own language, so that a batch may be mixed.
    plain = readable if kind == "html" else str
    detected = [engine.detect_source(plain(text), target) if source.lower() == AUTO else None for text in texts]
    pairs = [engine.pair(guess.language if guess else source, target) for guess in detected]
    deadline = Deadline(context.options.request_seconds)
    made: list[str] = [""] * len(texts)
    others: list[list[str]] = [[] for _ in texts]
    explained: list[dict[str, Any] | None] = [None] * len(texts)
    async with engine.workers.place(), while_connected(request, deadline):
        for pair in dict.fromkeys(pairs):
            view = View(pair)
            numbers = [number for number, each in enumerate(pairs) if each is pair]
            chosen = [texts[number] for number in numbers]
            if kind == "html":
                for number, text in zip(
                    numbers, await engine.translate_html(view, chosen, deadline, glossary=glossary), strict=True
                ):
                    made[number] = text
                continue
            found = await engine.translate_text(
                view, chosen, deadline, nbest=wanted + 1, explain=explain, glossary=glossary
            )
            for number, each in zip(numbers, found, strict=True):
                made[number], others[number] = each.text, each.alternatives
            if explain:
                shown = context.may_see_sources(request, caller)

                pieces = [explaining(view.translator, each, shown) for each in found]
                for number, one in zip(numbers, await engine.workers.run_all(pieces, deadline), strict=True):
                    explained[number] = {**one, "state": view.state}
    context.note(request, characters=sum(map(len, texts)), texts=len(texts), pair=pairs[0], text=texts)
    context.metrics.translated(pairs[0].source, pairs[0].target, len(texts), sum(map(len, texts)))
    answer: dict[str, Any] = {"translatedText": made if many else made[0]}
    if source.lower() == AUTO:
        guesses = [{"confidence": each.confidence, "language": each.language} for each in detected if each]
        answer["detectedLanguage"] = guesses if many else guesses[0]
    if wanted:
        answer["alternatives"] = others if many else others[0]
    if explain:
        answer["explanation"] = explained if many else explained[0]
    return JSONResponse(answer)


async def detect(request: Request, fields: Fields, context: Context) -> Response:
    context.admit(request, fields, "translate")
    text = fields.required("q")
    check_size(len(text), context)
    guesses = context.engine.detect(text)
    context.note(request, characters=len(text), text=text)
    return JSONResponse([{"confidence": each.confidence, "language": each.language} for each in guesses])


async def languages(request: Request, fields: Fields, context: Context) -> Response:
    engine = context.engine
    return JSONResponse(
        [
            {
                "code": source,
                "name": name_of(source),
                "targets": sorted(target for each, target in engine.pairs if each == source),
            }
            for source in engine.sources
        ]
    )


async def suggest(request: Request, fields: Fields, context: Context) -> Response:
    """Teaches, at once; answers when the lesson is safe on disk."""
    context.admit(request, fields, "teach")
    source_text, target_text = fields.required("q"), fields.required("s")
    source, target = fields.required("source"), fields.required("target")
    check_size(len(source_text) + len(target_text), context)
    if source.lower() == AUTO:
        source = context.engine.detect_source(source_text, target).language
    pair = context.engine.pair(source, target)
    names = await context.engine.teacher.teach(pair, source_text, target_text)
    context.taught(request, pair, names, (source_text, target_text))
    return JSONResponse({"success": True, "ids": names})


async def forget(request: Request, fields: Fields, context: Context) -> Response:
    """Ours: takes back what was taught, by the ids that /suggest gave."""
    context.admit(request, fields, "teach")
    names = fields.get("ids")
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) and name for name in names):
        raise Refusal(400, "Invalid request: missing ids parameter")
    pair = context.engine.pair(fields.required("source"), fields.required("target"))
    count = await context.engine.teacher.forget(pair, names)
    context.note(request, pair=pair)
    return JSONResponse({"success": True, "removed": count})


async def settings(request: Request, fields: Fields, context: Context) -> Response:
    engine, options = context.engine, context.options
    first: Pair = next(iter(engine.pairs.values()))
    may_translate = context.may_translate(request, fields)
    return JSONResponse(
        {
            "apiKeys": context.gate.has_keys,
            "charLimit": options.char_limit or -1,
            "filesTranslation": bool(context.files.extensions),
            "frontendTimeout": 500,
            "keyRequired": not context.gate.allows_anyone("translate"),
            "language": {
                side: {"code": code, "name": name_of(code)}
                for side, code in (("source", first.source), ("target", first.target))
            },
            "suggestions": any(pair.learns for pair in engine.pairs.values()),
            "supportedFilesFormat": context.files.extensions,
            "teachers": "everyone" if context.gate.allows_anyone("teach") else "keys",
            "states": {f"{pair.source}-{pair.target}": pair.state for pair in engine.pairs.values() if may_translate},
            "learns": [[pair.source, pair.target] for pair in engine.pairs.values() if pair.learns],
        }
    )
