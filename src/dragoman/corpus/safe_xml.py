"""XML read piece by piece, and safely: a translation memory comes from anywhere.

No entity is resolved beyond the five of XML, a document that declares one is refused before its content is read, no
DTD or network is touched, and libxml2's own limits on depth and text size stay on. Elements are freed as they end, so
memory is bounded by the largest unit, not by the file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.corpus.pair import Account
from dragoman.errors import InputError, excerpt

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

# Content of an inline code that reads as one tag or placeholder by itself, and so may stand in the text as it is.
NATIVE_CODE = re.compile(r"</?[A-Za-z][^<>]*>|\{[^{}\s]*\}|%[^%\s]{1,20}|&[#\w]{1,12};|\[[^\[\]\s]*\]")


def lxml_etree() -> Any:
    """lxml's parser, imported when a file needs it: translating text does not."""
    from lxml import etree

    return etree


def units(
    path: str | Path, account: Account, tags: tuple[str, ...], opening: tuple[str, ...] = ()
) -> Iterator[tuple[str, Any]]:
    """Yields (local name, element) for every element of these names when it is whole, and of `opening` when it opens.

    The caller takes what it needs at once: a whole element is emptied and its earlier siblings dropped afterwards.
    """
    etree = lxml_etree()
    with account.reading(path) as stream, xml_errors(path, etree):
        context = etree.iterparse(
            stream,
            events=("start", "end"),
            tag=[f"{{*}}{tag}" for tag in (*tags, *opening)],
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            dtd_validation=False,
            attribute_defaults=False,
            huge_tree=False,
            collect_ids=False,
            remove_comments=True,
            remove_pis=True,
        )
        checked = False
        for event, element in context:
            if not checked:
                checked = True
                refuse_entities(path, element)
            name = local_name(element)
            if event == "start":
                if name in opening:
                    yield name, element
                continue
            if name in tags:
                yield name, element
                free(element)
        if not checked and context.root is not None:
            refuse_entities(path, context.root)


def refuse_entities(path: str | Path, element: Any) -> None:
    dtd = element.getroottree().docinfo.internalDTD
    if dtd is not None and next(iter(dtd.iterentities()), None) is not None:
        raise InputError(
            f"{path} declares XML entities of its own, which is how XML bombs are made; remove them from its DOCTYPE"
        )


def free(element: Any) -> None:
    """Empties an element that has been read and unlinks everything before it."""
    element.clear(keep_tail=False)
    parent = element.getparent()
    if parent is not None:
        while parent[0] is not element:
            del parent[0]


def local_name(element: Any) -> str:
    """`{urn:...}source` -> `source`; empty for entities and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def children(element: Any, name: str) -> Iterator[Any]:
    return (child for child in element if local_name(child) == name)


def refuse_reference(path: str | Path, element: Any) -> None:
    """For content: an entity reference that was left unresolved is not text."""
    if not isinstance(element.tag, str):
        raise InputError(
            f"{path}: the text refers to the XML entity {excerpt(element.text or '')}, which is not defined safely"
        )


@contextlib.contextmanager
def xml_errors(path: str | Path, etree: Any) -> Iterator[None]:
    """Whatever the parser says becomes one sentence."""
    try:
        yield
    except etree.XMLSyntaxError as error:
        line = error.lineno or 0
        where = f", line {line}" if line else ""
        raise InputError(
            f"{path}{where}: not well-formed XML ({clean_message(error)}); repair it or export it again", line
        ) from None
    except (etree.LxmlError, LookupError, ValueError, AssertionError) as error:
        raise InputError(f"{path}: the XML cannot be read ({clean_message(error)})") from None


def clean_message(error: BaseException) -> str:
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    return re.sub(r",? \(?line \d+(\)|, column \d+)( \([^)]*\))?$", "", first)


def native_code(element: Any, name: str) -> str:
    """An inline element that holds the code of another format: that code if it is a tag or placeholder, else a tag."""
    content = "".join(element.itertext()).strip()
    if NATIVE_CODE.fullmatch(content):
        return content
    number = element.get("i") or element.get("x") or element.get("rid") or element.get("id") or ""
    return f"<{name}{' id=' + quote(number) if number else ''}/>"


def quote(value: str) -> str:
    return '"' + re.sub(r'[<>"\s]', "_", value) + '"'
