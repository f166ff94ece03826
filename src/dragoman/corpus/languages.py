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
# Codes that stand for several languages.
MACROLANGUAGES = {"no": "nb nn", "sh": "bs hr sr", "zh": "cmn", "fa": "pes prs", "ar": "arb"}
OLD_CODES = {"in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "tl": "fil"}
# Where the script of Chinese is not said, the region says it.
CHINESE_SCRIPTS = {"cn": "hans", "sg": "hans", "hk": "hant", "mo": "hant", "tw": "hant"}
# What is written from right to left: languages, and scripts that any language may be written in.
RIGHT_TO_LEFT = "ar arb arc ary arz azb ckb dv fa glk he ks lrc mzn nqo pes pnb prs ps sd syr ug ur yi"
RIGHT_TO_LEFT_SCRIPTS = "adlm arab hebr mand nkoo rohg samr syrc thaa"
SCRIPT_SUBTAGS = {
    "arab": ("arabic",),
    "cyrl": ("cyrillic",),
    "deva": ("devanagari",),
    "grek": ("greek",),
    "hebr": ("hebrew",),
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


def primary(code: str) -> str:
    """The language without its scripts and regions: `zh_Hant_TW` -> `zh`."""
    return canonical(code).split("-")[0]


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


@lru_cache(maxsize=64)
def only_language_in(script: str) -> str:
    """The code of the one language that is written in a script; empty where there are several, or none is known."""
    codes = [code for code, scripts in SCRIPTS.items() if script in scripts]
    return codes[0] if len(codes) == 1 else ""


def meanings(code: str) -> set[str]:
    """The languages that somebody who writes this code may mean; none where it is no code, or says nothing."""
    first = OLD_CODES.get(primary(code), primary(code))
    if not CODE.fullmatch(canonical(code)) or first in ("und", "mul", "mis", "zxx"):
        return set()
    return {first, *MACROLANGUAGES.get(first, "").split()}


def script_subtag(code: str) -> str:
    """`zh_TW` -> `hant`; empty where nothing says it."""
    first, *rest = canonical(code).split("-")
    said = next((part for part in rest if len(part) == 4 and part.isalpha()), "")
    regions = [CHINESE_SCRIPTS[part] for part in rest if part in CHINESE_SCRIPTS] if first == "zh" else []
    return said or next(iter(regions), "")


def contradict(said: str, other: str) -> bool:
    """Whether two codes cannot mean the same language; regions are dialects, and a code that says nothing is none."""
    ours, theirs = meanings(said), meanings(other)
    if not ours or not theirs:
        return False
    scripts = {script_subtag(said), script_subtag(other)} - {""}
    return not ours & theirs or len(scripts) > 1


def direction_of(code: str) -> str:
    """`rtl` for languages that are written from right to left, else `ltr`."""
    script = script_subtag(code)
    if script:
        return "rtl" if script in RIGHT_TO_LEFT_SCRIPTS.split() else "ltr"
    return "ltr" if meanings(code).isdisjoint(RIGHT_TO_LEFT.split()) else "rtl"
