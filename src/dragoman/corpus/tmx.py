"""TMX 1.4b, the exchange format of translation memories, streamed.

A unit (`tu`) holds variants (`tuv`) in any number of languages; the best match for each wanted language is taken.
Inline codes stay in the text as tags or placeholders, and what the unit says about itself goes into the origin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.config import ReadOptions
from dragoman.corpus.languages import OtherLanguagesError, choose
from dragoman.corpus.pair import Account, Origin, SentencePair
from dragoman.corpus.safe_xml import XML_LANG, children, local_name, native_code, quote, refuse_reference, units
from dragoman.errors import InputError, excerpt

CODES = frozenset(("bpt", "ept", "ph", "it", "ut"))
PROVENANCE = ("creationid", "creationdate", "changeid", "changedate", "creationtool", "lastusagedate", "usagecount")


def read_tmx(
    path: str | Path, source_lang: str, target_lang: str, options: ReadOptions, account: Account
) -> Iterator[SentencePair]:
    """Pairs of the two languages; units without both, or with an empty side, are counted as skipped."""
    name = str(path)
    number = 0
    pairs = 0
    seen: Counter[str] = Counter()
    header_lang = ""
    for tag, element in units(path, account, ("tu",), opening=("header", "tmx")):
        if tag == "header":
            # `*all*` says that any variant may be the source; it is no language.
            header_lang = element.get("srclang", "").replace("*all*", "")
            continue
        if tag != "tu":
            continue
        number += 1
        variants: dict[str, Any] = {}
        for variant in children(element, "tuv"):
            lang = variant.get(XML_LANG) or variant.get("lang") or element.get("srclang") or header_lang
            if lang and lang not in variants:
                variants[lang] = variant
        seen.update(variants.keys())
        ours, theirs = choose(source_lang, target_lang, tuple(variants))
        if ours is None or theirs is None:
            account.skipped["language missing"] += 1
            continue
        pairs += 1
        texts = [segment(name, variants[lang]) for lang in (ours, theirs)]
        if not all(text and not text.isspace() for text in texts):
            account.skipped["untranslated"] += 1
            continue
        unit = element.get("tuid") or ""
        place = Origin(name, 0 if unit else number, unit, provenance(element, variants[theirs]))
        yield SentencePair(texts[0], texts[1], unit or f"{name}:{number}", place)
    if number == 0:
        raise InputError(f"{name} holds no translation units; is it a TMX file?")
    if pairs == 0:
        has = ", ".join(excerpt(code) for code, _ in seen.most_common(8)) or "no languages"
        raise OtherLanguagesError(f"{name} has no units with both {source_lang} and {target_lang}; it has {has}")


def segment(path: str, variant: Any) -> str:
    for seg in children(variant, "seg"):
        return inline_text(path, seg)
    return ""


def inline_text(path: str, element: Any) -> str:
    """The text of a segment with its codes as tags; text inside `hi` is text, text inside codes belongs to them."""
    if len(element) == 0:
        return element.text or ""
    parts = [element.text or ""]
    for child in element:
        refuse_reference(path, child)
        name = local_name(child)
        if name in CODES:
            parts.append(native_code(child, name))
        elif name == "hi":
            kind = child.get("type") or child.get("x")
            parts += [f"<hi type={quote(kind)}>" if kind else "<hi>", inline_text(path, child), "</hi>"]
        else:
            parts.append(inline_text(path, child))
        parts.append(child.tail or "")
    return "".join(parts)


def provenance(unit: Any, variant: Any) -> dict[str, str]:
    """Who made and changed the unit, its properties and notes; the target variant's word counts before the unit's."""
    attributes: dict[str, str] = {}
    for element in (unit, variant):
        for key in PROVENANCE:
            value = element.get(key)
            if value:
                attributes[key] = value
        for child in element:
            name = local_name(child)
            if name == "prop" and child.text:
                attributes[f"prop:{child.get('type', '')}"] = child.text
            elif name == "note" and child.text:
                attributes["note"] = f"{attributes['note']}; {child.text}" if "note" in attributes else child.text
    return attributes
