"""From the elements of a paragraph to what stands in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dragoman.documents.markup import BLANKS, Mark
from dragoman.documents.office.dialect import SPACE, Dialect
from dragoman.documents.office.direction import Turn, turned_by_attribute, turned_by_element
from dragoman.documents.office.element import Element, nested, values_of
from dragoman.documents.office.inline import Atom, Group, Item, Role, Run, simplified, with_fields, with_ranges
from dragoman.documents.xml_tree import CHARACTERS, characters

NO_RUN = Run()


class Content:
    """Reads paragraphs of one part."""

    def __init__(self, text: str, dialect: Dialect, rtl: bool | None = None) -> None:
        """`rtl`: whether translations are written from right to left, where that is known."""
        self._text = text
        self._rtl = rtl
        self.dialect = dialect
        self._cuts: re.Pattern[str] | None = None

    def items(self, paragraph: Element) -> list[Item]:
        cuts = self.dialect.cuts
        self._cuts = cuts.get(paragraph.name, cuts.get(""))
        # Comments of some programs are a text and nothing else.
        plain = not any(isinstance(child, Element) for child in paragraph.children)
        doubled = self.dialect.doubled.get(paragraph.name)
        run = Run(doubled=doubled) if doubled else NO_RUN
        return simplified(self.grouped(paragraph.children, run, self.dialect.mixed or plain))

    def turn(self, paragraph: Element) -> Turn | None:
        """What becomes of its properties when it is translated."""
        if self._rtl is None or paragraph.name not in self.dialect.directed:
            return None
        turned = turned_by_element if self.dialect.directed_by_element else turned_by_attribute
        return turned(self._text, paragraph, self._rtl)

    def grouped(self, children: Sequence[Element | Mark], run: Run, mixed: bool) -> list[Item]:
        """What belongs together, which may lie in several runs, as one."""
        return with_ranges(with_fields(self.collected(children, run, mixed)))

    def collected(self, children: Sequence[Element | Mark], run: Run, mixed: bool) -> list[Item]:
        items: list[Item] = []
        for child in children:
            if isinstance(child, Element):
                items += self.of_element(child, run, mixed)
            elif child.kind in CHARACTERS:
                if mixed:
                    items += self.texts(self.characters(child), child.begin, child.end, run)
            else:
                items.append(Atom(Role.MARKER, child.begin, child.end, run, run))
        return items

    def of_element(self, element: Element, run: Run, mixed: bool) -> Sequence[Item]:
        dialect, name = self.dialect, element.name
        if name in dialect.dropped:
            return ()
        if name in dialect.runs:
            return self.of_run(element)
        if name in dialect.texts:
            return self.texts(self.shown(element), element.begin, element.end, self.writing(element, run))
        # Within a run a pair of tags could not go to other words.
        if name in dialect.wrappers and element.children and run is NO_RUN:
            return [self.group(element, run, mixed)]
        if name in dialect.characters:
            return [self.character(element, run)]
        return [self.kept(element, run)]

    def of_run(self, element: Element) -> list[Item]:
        first = next(element.elements(), None)
        if first is None:
            return [Atom(Role.MARKER, element.begin, element.end, NO_RUN, NO_RUN)]
        start, properties, content = self._text[element.begin : element.inner], "", element.children
        if first.name == "rPr":
            properties = self._text[first.begin : first.end]
            content = content[content.index(first) + 1 :]
        look = self.dialect.noise.sub("", properties)
        if look in (f"<{first.mark.name}></{first.mark.name}>", f"<{first.mark.name}/>"):
            look = ""
        run = Run(start + properties, self._text[element.inner_end : element.end], look=look)
        items = self.collected(content, self.writing(element, run), False)
        return items or [Atom(Role.MARKER, element.begin, element.end, NO_RUN, NO_RUN)]

    def writing(self, element: Element, run: Run) -> Run:
        """How text stands in a run, whose elements have the prefix of this one."""
        if run.text_start or self.dialect.mixed:
            return run
        name = f"{element.prefix}t"
        space = ' xml:space="preserve"' if self.dialect.says_space else ""
        return Run(run.start, run.end, f"<{name}{space}>", f"</{name}>", run.look)

    def group(self, element: Element, run: Run, mixed: bool) -> Group:
        """A pair of tags; the opening one with the properties that follow it."""
        children, begin, end = element.children, element.inner, element.inner_end
        for child in element.elements():
            if child.name.endswith("Pr"):
                begin = child.end
            else:
                if child.name == self.dialect.contents.get(element.name) and child.children:
                    children, begin, end = child.children, child.inner, child.inner_end
                break
        content = [child for child in children if child.begin >= begin]
        return Group(
            Atom(Role.MARKER, element.begin, begin, run, run),
            Atom(Role.MARKER, end, element.end, run, run),
            self.grouped(content, run, mixed),
            is_field=element.name in self.dialect.fields,
        )

    def character(self, element: Element, run: Run) -> Atom:
        count = values_of(self._text, element.mark).get("c", "1")
        # Several spaces in a row are layout, like a tab.
        if count != "1":
            return Atom(Role.BREAK, element.begin, element.end, run, run)
        return Atom(Role.TEXT, element.begin, element.end, run, run, self.dialect.characters[element.name])

    def kept(self, element: Element, run: Run) -> Atom:
        dialect, name = self.dialect, element.name
        role = Role.MARKER
        within: list[Element] = []
        if name in dialect.breaks:
            role = Role.BREAK
        elif name not in dialect.skipped:
            within = list(nested(self._text, element, dialect))
            if name not in dialect.silent and self.shows_text(element):
                role = Role.OBJECT
        atom = Atom(role, element.begin, element.end, run, run, within=within)
        if name in dialect.field_marks:
            atom.field_part = values_of(self._text, element.mark).get("fldCharType", "")
        elif name in dialect.ranges:
            atom.begins = self.range_key(element, *dialect.ranges[name])
        for end, attribute in dialect.ranges.values():
            if name == end:
                atom.ends = self.range_key(element, end, attribute)
        return atom

    def range_key(self, element: Element, end: str, attribute: str) -> str:
        value = values_of(self._text, element.mark).get(attribute)
        return "" if value is None else f"{end} {value}"

    def shows_text(self, element: Element) -> bool:
        """Whether there are characters to see in it, other than in paragraphs of its own."""
        if self.dialect.mixed:
            if any(self.characters(child).strip() for child in element.children):
                return True
        elif element.name in self.dialect.texts:
            return bool(self.shown(element).strip())
        return any(child.name not in self.dialect.paragraphs and self.shows_text(child) for child in element.elements())

    def shown(self, element: Element) -> str:
        """The characters of a text element that count."""
        text = "".join(map(self.characters, element.children))
        keeps = not self.dialect.says_space or values_of(self._text, element.mark).get("space") == "preserve"
        return text if keeps else text.strip(BLANKS)

    def characters(self, child: Element | Mark) -> str:
        return characters(self._text, child) if isinstance(child, Mark) and child.kind in CHARACTERS else ""

    def texts(self, text: str, begin: int, end: int, run: Run) -> list[Item]:
        """A text, or its parts with what lies between."""
        if self.dialect.mixed:
            text = SPACE.sub(" ", text)
        if self._cuts is None:
            return [Atom(Role.TEXT, begin, end, run, run, text.replace("\n", " "))]
        items: list[Item] = []
        at = 0
        for match in self._cuts.finditer(text):
            items.append(Atom(Role.TEXT, begin, end, run, run, text[at : match.start()]))
            role = Role.OBJECT if match.lastgroup == "word" else Role.BREAK
            items.append(Atom(role, begin, end, run, run, match.group()))
            at = match.end()
        return [*items, Atom(Role.TEXT, begin, end, run, run, text[at:])]
