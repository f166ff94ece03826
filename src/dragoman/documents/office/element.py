"""Elements of a part that hold text, with their places: a small tree for each paragraph, one after the other, so that
memory is bounded by the largest of them and not by the part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dragoman.documents.markup import Kind, Mark, attributes, scan
from dragoman.documents.office.dialect import Dialect
from dragoman.documents.xml_tree import unescape
from dragoman.errors import InputError

MAX_MARKS = 1_000_000


@dataclass(slots=True)
class Element:
    """text[begin:end]; its content lies between `inner` and `inner_end`."""

    mark: Mark
    inner_end: int
    end: int
    children: list[Element | Mark] = field(default_factory=list)

    @property
    def name(self) -> str:
        return local(self.mark)

    @property
    def prefix(self) -> str:
        """With its colon, if there is any."""
        return self.mark.name[: -len(self.name)]

    @property
    def begin(self) -> int:
        return self.mark.begin

    @property
    def inner(self) -> int:
        return self.mark.end

    def elements(self) -> Iterator[Element]:
        return (child for child in self.children if isinstance(child, Element))


def local(mark: Mark) -> str:
    return mark.name.rpartition(":")[2]


def values_of(text: str, mark: Mark) -> dict[str, str]:
    """Attributes by their names without prefix; those without one come first."""
    values: dict[str, str] = {}
    for name, (raw, _, _) in sorted(attributes(text, mark, html=False).items(), key=lambda entry: ":" in entry[0]):
        values.setdefault(name.rpartition(":")[2], unescape(raw))
    return values


def paragraphs(text: str, dialect: Dialect) -> Iterator[Element]:
    """The outermost paragraphs, and what describes pictures; what lies within a paragraph is its own."""
    outside: list[bool] = []  # for each open element, whether its own paragraphs are kept as they are
    inside: list[Element] = []
    skipped = marks = 0
    for mark in scan(text, html=False):
        opens, closes = mark.kind is Kind.OPEN, mark.kind is Kind.CLOSE
        if inside:
            marks += 1
            if marks > MAX_MARKS:
                raise InputError(f"a paragraph holds more than {MAX_MARKS:,} tags; is the file damaged?")
            if closes:
                element = inside.pop()
                element.inner_end, element.end = mark.begin, mark.end
                if not inside:
                    yield element
            elif opens or mark.kind is Kind.EMPTY:
                element = Element(mark, mark.end, mark.end)
                inside[-1].children.append(element)
                if opens:
                    inside.append(element)
            else:
                inside[-1].children.append(mark)
        elif skipped:
            skipped += opens - closes
        elif opens or mark.kind is Kind.EMPTY:
            name = local(mark)
            if name in dialect.described:
                yield Element(mark, mark.end, mark.end)
            if not opens:
                continue
            if name in dialect.skipped:
                skipped = 1
            elif name in dialect.paragraphs and not (outside and outside[-1]):
                inside, marks = [Element(mark, mark.end, mark.end)], 0
            else:
                outside.append(name in dialect.cells and holds_value(text, mark))
        elif closes:
            outside.pop()


def holds_value(text: str, mark: Mark) -> bool:
    """Whether what a cell shows is made from something else: a number, a date, a formula."""
    values = values_of(text, mark)
    return values.get("value-type", "string") != "string" or "formula" in values or "string-value" in values


def nested(text: str, element: Element, dialect: Dialect) -> Iterator[Element]:
    """The same within an element that is no paragraph."""
    if element.name in dialect.described:
        yield element
    keeps = element.name in dialect.cells and holds_value(text, element.mark)
    for child in element.elements():
        if child.name in dialect.paragraphs:
            if not keeps and child.children:
                yield child
        elif child.name not in dialect.skipped:
            yield from nested(text, child, dialect)
