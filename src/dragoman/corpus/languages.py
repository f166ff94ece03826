"""Language codes (BCP 47) and the scripts languages are written in.

`en` stands for every English, so it matches `en-US` and `en_GB`; `en-US` matches `en`, but not `en-GB`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from dragoman.errors import ConfigError, InputError

CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*")
# What files say (`canonical` takes `en_US.UTF-8`) is more than what a user may: this goes into file names.
GIVEN_CODE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*")
MAX_CODE = 32

# Three-letter codes (ISO 639-2/3) of languages that also have two letters, for corpora that use them.
THREE_AND_TWO = (
    "afr:af amh:am ara:ar aze:az bel:be ben:bn bos:bs bul:bg cat:ca ces:cs cze:cs chi:zh zho:zh cym:cy wel:cy "
    "dan:da deu:de ger:de dut:nl nld:nl ell:el gre:el eng:en epo:eo est:et eus:eu baq:eu fas:fa per:fa fin:fi "
    "fra:fr fre:fr gle:ga glg:gl guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy arm:hy ice:is isl:is ind:id ita:it "
    "jpn:ja kan:kn kat:ka geo:ka kaz:kk khm:km kor:ko lao:lo lat:la lav:lv lit:lt mac:mk mkd:mk mal:ml mar:mr "
    "may:ms msa:ms mlt:mt mon:mn mya:my bur:my nep:ne nob:nb nno:nn nor:no pan:pa pol:pl por:pt ron:ro rum:ro "
    "rus:ru sin:si slk:sk slo:sk slv:sl spa:es sqi:sq alb:sq srp:sr swa:sw swe:sv tam:ta tel:te tgl:tl tha:th "
    "tur:tr ukr:uk urd:ur uzb:uz vie:vi"
)
TWO_LETTERS = dict(entry.split(":") for entry in THREE_AND_TWO.split())

# Scripts by the names the core gives them. Languages that are not here are not checked for script.
WRITTEN_IN = {
    "latin": (
        "af br bs ca co cs cy da de en eo es et eu fi fo fr fy ga gd gl ha hr hu id ig is it jv la lb lt lv "
        "mg mi ms mt nb nl nn no oc pl pt rm ro sk sl sm so sq st su sv sw tl tr uz vi xh yo zu"
    ),
    "cyrillic": "be bg kk ky mk mn ru tg uk",
    "arabic": "ar fa ps ug ur",
    "hebrew": "he yi",
    "devanagari": "hi mr ne sa",
}
SCRIPTS: dict[str, tuple[str, ...]] = {
    **{code: (script,) for script, codes in WRITTEN_IN.items() for code in codes.split()},
    "az": ("latin", "cyrillic"),
    "sr": ("latin", "cyrillic"),
    "am": ("ethiopic",),
    "bn": ("bengali",),
    "el": ("greek",),
    "gu": ("gujarati",),
    "hy": ("armenian",),
    "ja": ("hiragana", "katakana", "han"),
    "ka": ("georgian",),
    "km": ("khmer",),
    "kn": ("kannada",),
    "ko": ("hangul", "han"),
    "lo": ("lao",),
    "ml": ("malayalam",),
    "my": ("myanmar",),
    "pa": ("gurmukhi",),
    "si": ("sinhala",),
    "ta": ("tamil",),
    "te": ("telugu",),
    "th": ("thai",),
    "zh": ("han", "bopomofo"),
}
SCRIPT_SUBTAGS = {
    "arab": ("arabic",),
    "cyrl": ("cyrillic",),
    "deva": ("devanagari",),
    "grek": ("greek",),
    "hans": ("han",),
    "hant": ("han", "bopomofo"),
    "latn": ("latin",),
}


class OtherLanguagesError(InputError):
    """A file that says it is for other languages than those that are wanted."""


# Readers ask about the same few codes for every unit of a file.
@lru_cache(maxsize=1024)
def canonical(code: str) -> str:
    """`en_US.UTF-8` -> `en-us`, `eng` -> `en`; lower case, for comparing only."""
    plain = re.split(r"[.@]", code.strip(), maxsplit=1)[0].replace("_", "-").lower()
    first, dash, rest = plain.partition("-")
    return TWO_LETTERS.get(first, first) + dash + rest


def require_code(code: str, option: str) -> str:
    """The code as it was given, if it can be one."""
    if len(code) > MAX_CODE or not GIVEN_CODE.fullmatch(code):
        raise ConfigError(f"--{option}: {code!r} is no language code; give one such as fr or pt-BR", option)
    return code


@lru_cache(maxsize=1024)
def matches(wanted: str, offered: str) -> bool:
    """Whether text marked `offered` will do for `wanted`: the subtags of one begin with those of the other."""
    a, b = canonical(wanted).split("-"), canonical(offered).split("-")
    return all(x == y for x, y in zip(a, b, strict=False))


def best_match(wanted: str, offered: Iterable[str]) -> str | None:
    """The code that fits best: the same one, else the first that matches."""
    fitting = [code for code in offered if matches(wanted, code)]
    exact = [code for code in fitting if canonical(code) == canonical(wanted)]
    return next(iter(exact or fitting), None)


@lru_cache(maxsize=1024)
def choose(source_lang: str, target_lang: str, codes: tuple[str, ...]) -> tuple[str | None, str | None]:
    """The best of these codes for each side, never the same one."""
    ours = best_match(source_lang, codes)
    theirs = best_match(target_lang, [code for code in codes if code != ours])
    if theirs is None and ours is not None and matches(target_lang, ours):
        # One language is a kind of the other, as en and en-GB: let the more particular wish go first.
        theirs = best_match(target_lang, codes)
        ours = best_match(source_lang, [code for code in codes if code != theirs])
    return ours, theirs


def scripts_of(code: str) -> tuple[str, ...]:
    """Scripts text in this language is written in; empty where that is not known."""
    first, *rest = canonical(code).split("-")
    for subtag in rest:
        if subtag in SCRIPT_SUBTAGS:
            return SCRIPT_SUBTAGS[subtag]
    return SCRIPTS.get(first, ())
