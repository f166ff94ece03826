"""Codes and names of languages as the two interfaces spell them.

LibreTranslate returns BCP 47 (`pt-BR`, `zh-Hans`) and also takes its old two-letter names (`pb`, `zh`, `zt`); Apertium
lists three letters (`fra`) and takes two or a locale (`pt_BR`). Whatever a caller writes is compared in canonical form.
"""

from __future__ import annotations

from collections.abc import Iterable

from dragoman.corpus.languages import TWO_LETTERS, canonical, matches

AUTO = "auto"

NAMES = {
    "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian",
    "bn": "Bengali", "br": "Breton", "bs": "Bosnian", "ca": "Catalan", "co": "Corsican", "cs": "Czech", "cy": "Welsh",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fo": "Faroese", "fr": "French",
    "fy": "Frisian", "ga": "Irish", "gd": "Scottish Gaelic", "gl": "Galician", "gu": "Gujarati", "ha": "Hausa",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "ig": "Igbo", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "jv": "Javanese", "ka": "Georgian",
    "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean", "ky": "Kyrgyz", "la": "Latin",
    "lb": "Luxembourgish", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian", "mg": "Malagasy", "mi": "Maori",
    "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "mt": "Maltese",
    "my": "Burmese", "nb": "Norwegian Bokmål", "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian Nynorsk",
    "no": "Norwegian", "oc": "Occitan", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto", "pt": "Portuguese",
    "pt-br": "Portuguese (Brazil)", "rm": "Romansh", "ro": "Romanian", "ru": "Russian", "sa": "Sanskrit",
    "se": "Northern Sami", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "sm": "Samoan", "so": "Somali",
    "sq": "Albanian", "sr": "Serbian", "st": "Sotho", "su": "Sundanese", "sv": "Swedish", "sw": "Swahili",
    "ta": "Tamil", "te": "Telugu", "tg": "Tajik", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "ug": "Uyghur",
    "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "xh": "Xhosa", "yi": "Yiddish",
    "yo": "Yoruba", "zh": "Chinese", "zh-hans": "Chinese", "zh-hant": "Chinese (traditional)", "zu": "Zulu",
}  # fmt: skip

# What LibreTranslate called languages before it used BCP 47.
ALIASES = {"pb": "pt-br", "zh": "zh-hans", "zt": "zh-hant"}

# The three letters of ISO 639-3, not the older bibliographic ones that the table of corpora also knows.
BIBLIOGRAPHIC = frozenset((
    "alb", "arm", "baq", "bur", "chi", "cze", "dut", "fre", "geo", "ger", "gre", "ice", "mac", "may", "per", "rum",
    "slo", "wel",
))  # fmt: skip
THREE_LETTERS = {two: three for three, two in TWO_LETTERS.items() if three not in BIBLIOGRAPHIC}


def plain(code: str) -> str:
    """The form codes are compared in."""
    code = canonical(code)
    return ALIASES.get(code, code)


def bcp47(code: str) -> str:
    """`pt_br` -> `pt-BR`, `zh` -> `zh-Hans`: scripts with a capital, regions in capitals."""
    first, *rest = plain(code).split("-")
    return "-".join(
        [first, *(part.title() if len(part) == 4 else part.upper() if len(part) == 2 else part for part in rest)]
    )


def iso639_3(code: str) -> str:
    """`fr` -> `fra`, `pt-BR` -> `por_BR`, as Apertium writes codes; unknown ones as they are."""
    first, *rest = bcp47(code).split("-")
    return "_".join([THREE_LETTERS.get(first, first), *rest])


def name_of(code: str) -> str:
    """The English name; the code itself for a language the table does not have."""
    known = plain(code)
    return NAMES.get(known) or NAMES.get(known.split("-")[0]) or bcp47(code)


def resolve(wanted: str, available: Iterable[str]) -> str | None:
    """The available code a caller means: the same one, else one of which it is a form (`fr_CA` for `fr`)."""
    code = plain(wanted)
    known = list(available)
    for candidate in known:
        if plain(candidate) == code:
            return candidate
    return next((candidate for candidate in known if matches(code, plain(candidate))), None)
