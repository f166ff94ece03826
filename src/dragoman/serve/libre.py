"""The routes of LibreTranslate, with our additions.

Clients of it know nothing of `glossary`, `context` and `explain` in a request, or of what these add to an answer, and
are served as they expect: same names, same messages, same codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from dragoman.corpus.languages import direction_of
from dragoman.corpus.recognizer import Doubt, Guess
from dragoman.document_context import TextPair, required_context
from dragoman.errors import ConfigError, InputError
from dragoman.glossary import Glossary
from dragoman.learn.lesson_query import LessonQuery
from dragoman.learn.memory import MemoryChoice
from dragoman.serve.answers import Problem, Refusal
from dragoman.serve.body import Fields
from dragoman.serve.choice import memories_of, memory_in
from dragoman.serve.context import Context, while_connected
from dragoman.serve.engine import Engine
from dragoman.serve.explain import MOST_ORIGINS, explaining
from dragoman.serve.languages import AUTO, UNDETERMINED, name_of
from dragoman.serve.markup import readable
from dragoman.serve.pair import Direction, ThroughPair, views_of
from dragoman.serve.schemas import Json
from dragoman.serve.texts import TranslatedText
from dragoman.serve.workers import Deadline
from dragoman.translation_job import Wishes

MOST_ALTERNATIVES = 20
MOST_LESSONS, MOST_LESSONS_AT_ONCE = 10**9, 100
# Characters of a page that tell its language.
MOST_LOOKED_AT = 40_000


def texts_of(fields: Fields, context: Context) -> tuple[list[str], bool]:
    """The texts to translate, and whether they came as an array."""
    q = fields.get("q")
    if q is None or q in ("", []):
        raise Refusal("Invalid request: missing q parameter")
    many = isinstance(q, list)
    texts = q if isinstance(q, list) else [q]
    if not all(isinstance(text, str) for text in texts):
        raise Refusal("Invalid request: q must be a string or an array of strings")
    options = context.options
    if options.batch_limit and len(texts) > options.batch_limit:
        raise Refusal(f"Invalid request: request ({len(texts)}) exceeds text limit ({options.batch_limit})")
    check_size(sum(map(len, texts)), context)
    return texts, many


def check_size(characters: int, context: Context) -> None:
    limit = context.options.char_limit
    if limit and characters > limit:
        raise Refusal(f"Invalid request: request ({characters}) exceeds text limit ({limit})")


def glossary_of(fields: Fields, context: Context) -> Glossary | None:
    """Terms as an object, or as lines `source TAB target`."""
    given = fields.get("glossary")
    if given is None or given in ("", {}):
        return None
    if isinstance(given, str):
        check_size(len(given), context)
        try:
            return Glossary.of_text(given)
        except InputError as error:
            raise Refusal(f"Invalid request: {error}") from None
    if isinstance(given, dict) and all(isinstance(value, str) for value in given.values()):
        check_size(sum(len(key) + len(value) for key, value in given.items()), context)
        if any(set("\t\n\r") & set(text) for pair in given.items() for text in pair):
            raise Refusal("Invalid request: a term of the glossary holds a tab or a line end")
        # A term without a translation is kept as it is.
        return Glossary.of_pairs((key, value) for key, value in given.items() if key.strip())
    raise Refusal("Invalid request: glossary must be an object of strings, or lines of source TAB target")


def context_of(fields: Fields, context: Context) -> list[TextPair]:
    """Texts that came before in the same document, with their translations."""
    given = fields.get("context")
    if given is None or given in ("", []):
        return []
    try:
        pairs = required_context(given)
    except ConfigError:
        raise Refusal("Invalid request: context must be an array of [text, translation]") from None
    check_size(sum(len(text) + len(translation) for text, translation in pairs), context)
    return pairs


@dataclass(frozen=True, slots=True)
class TranslateRequest:
    """What /translate is asked for."""

    texts: list[str]
    many: bool
    source: str
    target: str
    is_html: bool
    alternatives: int
    wishes: Wishes

    @classmethod
    def read(cls, fields: Fields, context: Context) -> TranslateRequest:
        texts, many = texts_of(fields, context)
        source, target = fields.required("source"), fields.required("target")
        kind = fields.text("format") or "text"
        if kind not in ("text", "html"):
            raise Refusal(f"{kind[:40]} format is not supported")
        alternatives = fields.whole("alternatives", 0, 0, MOST_ALTERNATIVES)
        explain = fields.flag("explain")
        wishes = Wishes(
            nbest=alternatives + 1,
            explain=explain,
            origins=MOST_ORIGINS,
            confidence=explain,
            glossary=glossary_of(fields, context),
            context=context_of(fields, context),
        )
        return cls(texts, many, source, target, kind == "html", alternatives, wishes)

    def shaped(self, values: Sequence[object]) -> object:
        """A value for each text, as the texts came."""
        return values if self.many else values[0]


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """What became of one text."""

    text: str
    alternatives: list[str] = field(default_factory=list)
    explanation: Json | None = None


@dataclass(frozen=True, slots=True)
class TextSource:
    """What one text is translated from: what was detected, if that was asked for, the model if there is one for it, and
    what the text looks like instead."""

    guess: Guess | None
    pair: Direction | None
    doubt: Doubt | None


def source_of(text: str, asked: TranslateRequest, engine: Engine) -> TextSource:
    if asked.source.lower() != AUTO:
        pair = engine.pair(asked.source, asked.target)
        return TextSource(None, pair, engine.doubt(text, pair))
    guess = engine.detect_source(text, asked.target)
    doubt = engine.apparent(text) if guess.language == UNDETERMINED else None
    return TextSource(guess, engine.chosen(guess.language, asked.target), doubt)


def looks_like(doubt: Doubt | None) -> Json | None:
    """What a text looks like that hardly is what it should be."""
    return None if doubt is None else {"language": doubt.looks_like or UNDETERMINED, "name": doubt.apparent}


async def translate(request: Request, fields: Fields, context: Context) -> Response:
    asked = TranslateRequest.read(fields, context)
    engine, texts = context.engine, asked.texts
    # Each text has its own language, so that a batch may be mixed.
    sources = [source_of(readable(text[:MOST_LOOKED_AT]) if asked.is_html else text, asked, engine) for text in texts]
    deadline = Deadline(context.options.request_seconds)
    # What no model reads stays as it is.
    answers = [TextAnswer(text) for text in texts]
    pairs = [pair for pair in dict.fromkeys(source.pair for source in sources) if pair is not None]
    async with engine.workers.place(), while_connected(request, deadline):
        for pair in pairs:
            numbers = [number for number, source in enumerate(sources) if source.pair is pair]
            chosen = [texts[number] for number in numbers]
            memories = memories_of(request, fields, context, pair)
            translated = await translate_with(pair, chosen, asked, request, context, deadline, memories)
            for number, answer in zip(numbers, translated, strict=True):
                answers[number] = answer
    context.note(
        request, characters=sum(map(len, texts)), texts=len(texts), pair=pairs[0] if pairs else None, text=texts
    )
    if pairs:
        context.metrics.translated(pairs[0].source, pairs[0].target, len(texts), sum(map(len, texts)))
    return JSONResponse(body_of(asked, sources, answers))


def body_of(asked: TranslateRequest, sources: Sequence[TextSource], answers: Sequence[TextAnswer]) -> Json:
    body: Json = {"translatedText": asked.shaped([answer.text for answer in answers])}
    guesses = [asdict(source.guess) for source in sources if source.guess is not None]
    if guesses:
        body["detectedLanguage"] = asked.shaped(guesses)
    if any(source.doubt for source in sources):
        body["looksLike"] = asked.shaped([looks_like(source.doubt) for source in sources])
    if asked.alternatives:
        body["alternatives"] = asked.shaped([answer.alternatives for answer in answers])
    if asked.wishes.explain:
        body["explanation"] = asked.shaped([answer.explanation for answer in answers])
    return body


async def translate_with(
    pair: Direction,
    texts: list[str],
    asked: TranslateRequest,
    request: Request,
    context: Context,
    deadline: Deadline,
    memories: MemoryChoice | None,
) -> list[TextAnswer]:
    """The texts of one language."""
    engine, views = context.engine, views_of(pair, memories)
    if isinstance(pair, ThroughPair) and asked.wishes.glossary is not None:
        raise Refusal(
            f"Invalid request: {pair.source} to {pair.target} goes through {pair.middle}, and a glossary with one"
            " model; ask for one step, or put the terms into its model"
        )
    if isinstance(pair, ThroughPair) and asked.wishes.context:
        raise Refusal(
            f"Invalid request: {pair.source} to {pair.target} goes through {pair.middle}, and a context with one"
            " model; ask for one step, or leave it out"
        )
    if asked.is_html:
        return [TextAnswer(text) for text in await engine.translate_html(views, texts, deadline, asked.wishes)]
    steps = await engine.translate_text(views, texts, deadline, asked.wishes)
    answers = [TextAnswer(text.text, text.alternatives) for text in steps[-1]]
    if not asked.wishes.explain:
        return answers
    shown = context.may_see_sources(request)
    explained: list[list[Json]] = []
    for view, step in zip(views, steps, strict=True):
        pieces = [explaining(view.translator, text, shown) for text in step]
        explanations = await engine.workers.run_all(pieces, deadline)
        explained.append([{**explanation, "state": view.state} for explanation in explanations])
    return [
        replace(answer, explanation=whole_explanation(pair, [step[number] for step in steps], of_steps))
        for number, (answer, of_steps) in enumerate(zip(answers, zip(*explained, strict=True), strict=True))
    ]


def whole_explanation(pair: Direction, texts: Sequence[TranslatedText], steps: Sequence[Json]) -> Json:
    """That of the only step; or, said to be chained, those of all, with the text between them."""
    if not isinstance(pair, ThroughPair):
        return steps[0]
    named = [
        {"source": step.source, "target": step.target, "text": text.text, **explanation}
        for step, text, explanation in zip(pair.steps, texts, steps, strict=True)
    ]
    state = "-".join(step["state"] for step in steps)
    return {"through": pair.languages, "steps": named, "sentences": [], "state": state}


async def detect(request: Request, fields: Fields, context: Context) -> Response:
    text = fields.required("q")
    check_size(len(text), context)
    guesses = context.engine.detect(text)
    context.note(request, characters=len(text), text=text)
    return JSONResponse([asdict(guess) for guess in guesses])


async def languages(request: Request, fields: Fields, context: Context) -> Response:
    """All of them: who wants a pair looks for both of its codes here."""
    engine = context.engine
    return JSONResponse(
        [{"code": code, "name": name_of(code), "targets": engine.targets(code)} for code in engine.languages]
    )


async def suggest(request: Request, fields: Fields, context: Context) -> Response:
    """Teaches, at once; answers when the lesson is safe on disk."""
    source_text, target_text = fields.required("q"), fields.required("s")
    source, target = fields.required("source"), fields.required("target")
    check_size(len(source_text) + len(target_text), context)
    if source.lower() == AUTO:
        source = context.engine.surely(source_text, target)
    pair = context.engine.pair(source, target)
    force, old, memory = fields.flag("force"), names_in(fields), memory_in(fields)
    if old:
        names = await context.teacher.correct(pair, old, source_text, target_text, force=force, memory=memory)
    else:
        memories = memories_of(request, fields, context, pair)
        names = await context.teacher.teach(
            pair, source_text, target_text, force=force, memory=memory, memories=memories
        )
    context.taught(request, pair, names, (source_text, target_text))
    return JSONResponse({"success": True, "ids": names})


async def forget(request: Request, fields: Fields, context: Context) -> Response:
    """Ours: takes back what was taught, by the ids that /suggest and /lessons gave."""
    names = names_in(fields)
    if not names:
        raise Refusal("Invalid request: missing ids parameter")
    pair = context.engine.pair(fields.required("source"), fields.required("target"))
    count = await context.teacher.forget(pair, names, memory_in(fields))
    context.note(request, pair=pair)
    return JSONResponse({"success": True, "removed": count})


def names_in(fields: Fields) -> list[str]:
    """The ids of a request: one, or an array; nothing where there are none."""
    given = fields.get("ids")
    names = [given] if isinstance(given, str) else [] if given is None else given
    if not isinstance(names, list) or not all(isinstance(name, str) and name.strip() for name in names):
        raise Refusal("Invalid request: ids must be a string or an array of strings")
    return names


async def lessons(request: Request, fields: Fields, context: Context) -> Response:
    """Ours: what the model was taught, the last lesson first."""
    if not context.may_see_sources(request):
        raise Refusal("lessons are shown to those who may see the training text", Problem.NO_RIGHT)
    pair = context.engine.pair(fields.required("source"), fields.required("target"))
    first = fields.whole("offset", 0, 0, MOST_LESSONS)
    most = fields.whole("limit", MOST_LESSONS_AT_ONCE, 1, MOST_LESSONS_AT_ONCE)
    query = LessonQuery(text=fields.text("search") or "", memory=memory_in(fields, ""))
    taught, memories = await context.teacher.lessons(pair, query)
    context.note(request, pair=pair)
    shown = [lesson.as_json() for lesson in taught[first : first + most]]
    return JSONResponse({"lessons": shown, "total": len(taught), "memories": memories})


async def settings(request: Request, fields: Fields, context: Context) -> Response:
    engine, options = context.engine, context.options
    first = next(iter(engine.pairs.values()))
    may_translate = context.may_translate(request, fields)
    return JSONResponse(
        {
            "apiKeys": context.gate.has_keys,
            "charLimit": options.char_limit or -1,
            "filesTranslation": bool(context.downloads.extensions),
            "frontendTimeout": 500,
            "keyRequired": not context.gate.allows_anyone("translate"),
            "language": {
                side: {"code": code, "name": name_of(code)}
                for side, code in (("source", first.source), ("target", first.target))
            },
            "suggestions": any(pair.learns for pair in engine.pairs.values()),
            "supportedFilesFormat": context.downloads.extensions,
            "teachers": "everyone" if context.gate.allows_anyone("teach") else "keys",
            "states": {f"{pair.source}-{pair.target}": pair.state for pair in engine.pairs.values() if may_translate},
            "rightToLeft": [code for code in engine.languages if direction_of(code) == "rtl"],
            "through": [pair.languages for pair in engine.pairs.values() if isinstance(pair, ThroughPair)],
            "learns": [[pair.source, pair.target] for pair in engine.pairs.values() if pair.learns],
        }
    )
