"""What stands in a paragraph, in order: texts with their formats, things between them, and groups around both.

A `Run` is how text of one format is written. An `Atom` is a text or anything else that stays whole; a `Group` is a pair
of tags, or of other marks that belong together, around some of them. Groups are built from the elements, from marks
that begin and end a range (bookmarks, comments), and from the parts of a field, of which only the result is text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from xml.sax.saxutils import escape

from dragoman.documents.office.element import Element

# Ranges and fields that lie deeper in each other than anybody's do are not worth carrying along.
MAX_NESTED = 40


@dataclass(frozen=True, slots=True)
class Run:
    """What stands before and after text. Two of one `look` are the same to a reader. `doubled` is a character that is
    written twice where it means itself."""

    start: str = ""
    end: str = ""
    text_start: str = ""
    text_end: str = ""
    look: str = ""
    doubled: str = ""


class Role(Enum):
    TEXT = auto()
    # Ends a text, as tabs and line breaks do.
    BREAK = auto()
    # Read as a word, and kept.
    OBJECT = auto()
    # Nothing that is read; it keeps close to the word before it.
    MARKER = auto()


@dataclass(slots=True)
class Atom:
    """raw[begin:end], in `run`, and in `last_run` at its end; a text is what it says instead."""

    role: Role
    begin: int
    end: int
    run: Run
    last_run: Run
    text: str = ""
    # What sort of mark it is: part of a field, or the begin or end of the range with this key.
    field_part: str = ""
    begins: str = ""
    ends: str = ""
    # Paragraphs of their own within it.
    within: list[Element] = field(default_factory=list)

    def raw(self, text: str) -> str:
        """As it stands between runs."""
        own = escape(self.text) if self.text else text[self.begin : self.end]
        return self.run.start + own + self.last_run.end


@dataclass(slots=True)
class Group:
    opening: Atom
    closing: Atom
    items: list[Item]
    is_field: bool = False
    # Whether it stands for itself if a text ends within it: tags must not change places, marks may.
    is_range: bool = False


Item = Atom | Group


def atoms(items: Sequence[Item]) -> Iterator[Atom]:
    for item in items:
        if isinstance(item, Group):
            yield item.opening
            yield from atoms(item.items)
            yield item.closing
        else:
            yield item


def joined(items: Sequence[Item], role: Role) -> Atom:
    """All of these as one thing that stays whole."""
    parts = list(atoms(items))
    within = [paragraph for part in parts for paragraph in part.within]
    return Atom(role, parts[0].begin, parts[-1].end, parts[0].run, parts[-1].last_run, within=within)


@dataclass(slots=True)
class Open:
    """A field or range whose end has not come yet."""

    items: list[Item]
    key: str = ""
    in_code: bool = False
    code: int = 0  # how many items belong to its code


def with_fields(items: Sequence[Item]) -> list[Item]:
    """Fields, which are marked at begin and end and between code and result, become groups around the result."""
    stack = [Open([])]
    for item in items:
        part = item.field_part if isinstance(item, Atom) else ""
        if part == "begin":
            stack.append(Open([item], in_code=True))
            if len(stack) > MAX_NESTED:
                return [joined(items, Role.MARKER)]
            continue
        top = stack[-1]
        top.items.append(item)
        if part == "separate" and top.in_code:
            top.in_code, top.code = False, len(top.items)
        elif part == "end" and len(stack) > 1:
            stack.pop()
            stack[-1].items.append(finished(top))
    while len(stack) > 1:
        top = stack.pop()
        # It ends in another paragraph: what is code stays whole here too.
        code = len(top.items) if top.in_code else top.code
        stack[-1].items += [joined(top.items[:code], Role.MARKER), *top.items[code:]]
    return stack[0].items


def finished(opened: Open) -> Item:
    if opened.in_code:
        return joined(opened.items, Role.MARKER)
    opening = joined(opened.items[: opened.code], Role.MARKER)
    return Group(opening, joined(opened.items[-1:], Role.MARKER), opened.items[opened.code : -1], is_field=True)


def with_ranges(items: Sequence[Item]) -> list[Item]:
    """Marks that begin and end a range become groups; those without a partner here, or across another's, stay marks."""
    stack = [Open([])]
    keys: set[str] = set()
    for item in items:
        if isinstance(item, Atom) and item.ends in keys:
            inner: list[Item] = []
            while True:
                top = stack.pop()
                keys.discard(top.key)
                if top.key == item.ends:
                    break
                inner = [*top.items, *inner]
            first, *rest = top.items
            assert isinstance(first, Atom)
            stack[-1].items.append(Group(first, item, [*rest, *inner], is_range=True))
        elif isinstance(item, Atom) and item.begins and item.begins not in keys and len(stack) < MAX_NESTED:
            keys.add(item.begins)
            stack.append(Open([item], item.begins))
        else:
            stack[-1].items.append(item)
    return [item for opened in stack for item in opened.items]


def simplified(items: Sequence[Item]) -> list[Item]:
    """Groups without a text are one mark; fields without letters are one word."""
    result: list[Item] = []
    for item in items:
        if not isinstance(item, Group):
            result.append(item)
            continue
        item.items = simplified(item.items)
        parts = list(atoms(item.items))
        if item.is_field and not any(character.isalpha() for part in parts for character in part.text):
            shown = any(part.role is Role.OBJECT or part.text.strip() for part in parts)
            result.append(joined([item], Role.OBJECT if shown else Role.MARKER))
        elif not any(part.role is not Role.MARKER for part in parts):
            result.append(joined([item], Role.MARKER))
        else:
            result.append(item)
    return result


def unbroken(items: Sequence[Item]) -> list[Item]:
    """The same, with groups in which a text ends taken apart: their tags end texts, their marks stay marks."""
    result: list[Item] = []
    for item in items:
        if isinstance(item, Group) and any(atom.role is Role.BREAK for atom in atoms(item.items)):
            for end in (item.opening, item.closing):
                end.role = Role.MARKER if item.is_range else Role.BREAK
            result += [item.opening, *unbroken(item.items), item.closing]
        else:
            result.append(item)
    return result
