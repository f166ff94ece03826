"""The routes of Apertium APy: `langpair=fra|eng`, three-letter codes, answers wrapped in responseData."""

from __future__ import annotations

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from dragoman.serve.answers import Problem, Refusal, apertium_answer, data_answer
from dragoman.serve.body import Fields
from dragoman.serve.context import Context, while_connected
from dragoman.serve.files import attachment, translated_upload
from dragoman.serve.languages import iso639_3, name_of, resolve
from dragoman.serve.libre import check_size
from dragoman.serve.pair import Direction, views_of
from dragoman.serve.texts import TranslatedText
from dragoman.serve.workers import Deadline

STARTED = time.monotonic()
# What Apertium can list besides pairs.
EMPTY_LISTS = ("analyzers", "analysers", "generators", "taggers", "spellers")


def langpair_of(fields: Fields) -> tuple[str, str]:
    given = fields.required("langpair")
    source, bar, target = given.partition("|")
    if not bar or not source.strip() or not target.strip():
        raise Refusal("That pair is invalid, use e.g. eng|spa")
    return source.strip(), target.strip()


def pair_of(fields: Fields, context: Context) -> Direction:
    try:
        return context.engine.pair(*langpair_of(fields))
    except Refusal as refusal:
        if "supported" in refusal.message or "available" in refusal.message:
            raise Refusal("That pair is not installed") from None
        raise


def with_marks(text: TranslatedText) -> str:
    """A star before each word that nothing translates."""
    parts, at = [], 0
    for _, target_at, sentence in text.sentences:
        for word in sorted(sentence.oov):
            begin, end = sentence.target_spans[word]
            if end > begin and any(character.isalpha() for character in sentence.text[begin:end]):
                parts += [text.text[at : target_at + begin], "*"]
                at = target_at + begin
    return "".join([*parts, text.text[at:]])


async def translate(request: Request, fields: Fields, context: Context) -> Response:
    pair = pair_of(fields, context)
    q = fields.text("q")
    if q is None:
        raise Refusal("Missing argument q")
    check_size(len(q), context)
    kinds = {fields.text(name) for name in ("format", "deformat", "reformat")} - {None, ""}
    is_html = any(kind and kind.lower().startswith("html") for kind in kinds)
    if unknown := [kind for kind in kinds if kind and not kind.lower().startswith(("html", "txt", "text"))]:
        raise Refusal(f"the format {unknown[0][:40]} is not supported; use txt or html")
    mark = (fields.text("markUnknown") or "yes").lower() in ("yes", "true", "1")
    deadline = Deadline(context.options.request_seconds)
    views = views_of(pair)
    async with context.engine.workers.place(), while_connected(request, deadline):
        try:
            if is_html:
                translation = (await context.engine.translate_html(views, [q], deadline))[0]
            else:
                result = (await context.engine.translate_text(views, [q], deadline))[-1][0]
                translation = with_marks(result) if mark else result.text
        except Refusal as refusal:
            if refusal.problem is Problem.TRANSLATION_TIMEOUT:
                raise Refusal(refusal.message, Problem.REQUEST_TIMEOUT) from None
            raise
    context.note(request, pair=pair, characters=len(q), text=q)
    context.metrics.translated(pair.source, pair.target, 1, len(q))
    return data_answer(fields.values, {"translatedText": translation})


async def list_pairs(request: Request, fields: Fields, context: Context) -> Response:
    """All pairs, or those from `src`; two-letter codes too where the caller asks for deprecated ones."""
    pairs = list(context.engine.pairs)
    if wanted := fields.text("src"):
        source_code = resolve(wanted, context.engine.languages)
        pairs = [(source, target) for source, target in pairs if source == source_code]
    codes = [(iso639_3(source), iso639_3(target)) for source, target in pairs]
    if "include_deprecated_codes" in fields.values:
        codes += [pair for pair in pairs if pair not in codes]
    return data_answer(
        fields.values, [{"sourceLanguage": source, "targetLanguage": target} for source, target in codes]
    )


async def list_modes(request: Request, fields: Fields, context: Context) -> Response:
    q = fields.text("q") or "pairs"
    if q == "pairs":
        return await list_pairs(request, fields, context)
    if q in EMPTY_LISTS:
        return apertium_answer(fields.values, {})
    raise Refusal("Expecting q argument to be one of analysers, generators, disambiguators, or pairs")


async def language_names(request: Request, fields: Fields, context: Context) -> Response:
    """English names, whatever the locale: of the languages asked for, or of all that are here."""
    asked = (fields.text("languages") or "").replace("+", " ").split()
    codes = asked[:200] or [iso639_3(code) for code in context.engine.languages]
    named = {code: name_of(code) for code in codes}
    # Languages nobody knows are left out, as Apertium does.
    return apertium_answer(fields.values, {code: name for code, name in named.items() if name != code})


async def identify_language(request: Request, fields: Fields, context: Context) -> Response:
    q = fields.text("q")
    if not q:
        raise Refusal("Missing argument q")
    check_size(len(q), context)
    guesses = context.engine.detect(q)
    return apertium_answer(
        fields.values, {iso639_3(guess.language): round(guess.confidence / 100, 4) for guess in guesses}
    )


async def translate_doc(request: Request, fields: Fields, context: Context) -> Response:
    source, target = langpair_of(fields)
    pair_of(fields, context)
    fields.values.update(source=source, target=target)
    upload = await translated_upload(request, fields, context)
    return attachment(upload.name, upload.content)


async def suggest(request: Request, fields: Fields, context: Context) -> Response:
    """A better translation of one word."""
    pair = pair_of(fields, context)
    word, better = fields.required("word"), fields.required("newWord")
    check_size(len(word) + len(better), context)
    names = await context.teacher.teach(pair, word, better, force=fields.flag("force"))
    context.taught(request, pair, names, (word, better))
    return data_answer(fields.values, {"status": "Success", "ids": names})


async def stats(request: Request, fields: Fields, context: Context) -> Response:
    workers = context.engine.workers
    data: dict[str, Any] = {
        "uptime": int(time.monotonic() - STARTED),
        "useCount": context.metrics.use_counts(),
        "runningPipes": {f"{iso639_3(s)}-{iso639_3(t)}": workers.threads for s, t in context.engine.pairs},
        "holdingPipes": workers.waiting,
    }
    return data_answer(fields.values, data)


async def pair_preferences(request: Request, fields: Fields, context: Context) -> Response:
    """We have none."""
    return data_answer(fields.values, {})
