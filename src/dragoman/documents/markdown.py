"""Markdown (CommonMark with tables, footnotes and front matter), block by block.

Code, front matter, definitions of links and thematic breaks stay; blocks of HTML are treated as HTML. The lines of a
paragraph are translated together and written as one. There is nowhere to mark machine output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.documents.edit import spliced
from dragoman.documents.encoding import Encoded, decoded
from dragoman.documents.html import HtmlDocument
from dragoman.documents.line_joins import joined
from dragoman.documents.markdown_inline import Scanner
from dragoman.documents.segment import DocumentLimits, Segment, Tag, has_words, paired, split_lines

FENCE = re.compile(r"\s*(`{3,}|~{3,})")
HEADING = re.compile(r"\s{0,3}#{1,6}(?:[ \t]+|$)")
HEADING_END = re.compile(r"(?:[ \t]+#+)?(?:[ \t]*\{[^{}\n]{0,200}\})?[ \t]*$")
RULE = re.compile(r"\s{0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$")
CONTAINER = re.compile(
    r"[ \t]{0,3}>[ \t]?|[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|[ \t]*\[\^[^\]\s]{1,100}\]:[ \t]*"
)
QUOTE = re.compile(r"(?:[ \t]{0,3}>[ \t]?)+")
LIST_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+")
DEFINITION = re.compile(r"\s{0,3}\[(?!\^)([^\[\]]{1,300})\]:")
TABLE_RULE = re.compile(r"\s{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
HTML_BLOCK = re.compile(
    r"\s{0,3}<(?:!--|[?!]|/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl"
    r"|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|li|link|main|menu"
    r"|nav|ol|p|pre|script|section|source|style|summary|table|tbody|td|textarea|tfoot|th|thead"
    r"|title|tr|track|ul)(?=[\s/>]|$))",
    re.IGNORECASE,
)
HTML_ENDS = {"pre": "</pre>", "script": "</script>", "style": "</style>", "textarea": "</textarea>", "!--": "-->"}
CELL = re.compile(r"(?:\\\||`[^`\n]{0,500}`|[^|])+")
HARD_BREAK = re.compile(r"(?: {2,}|\\)$")


@dataclass(frozen=True, slots=True)
class BlockRange:
    begin: int
    end: int
    escaped: frozenset[str]


class MarkdownDocument:
    def __init__(self, source: Encoded, limits: DocumentLimits) -> None:
        self._source = source
        self._text = source.text
        self._limits = limits
        self._lines = split_lines(source.text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._definitions = {
            match.group(1).lower() for line in self._lines if (match := DEFINITION.match(QUOTE.sub("", line, count=1)))
        }
        self._blocks: list[BlockRange] = []
        self._segments: list[Segment] = []
        # Sub-documents of HTML: where they lie, and how many segments they have.
        self._parts: list[tuple[int, int, HtmlDocument, int]] = []
        self._paragraph: list[tuple[int, int]] = []
        self.parse()

    @property
    def segments(self) -> Sequence[Segment]:
        return [*self._segments, *(segment for part in self._parts for segment in part[2].segments)]

    def parse(self) -> None:
        number = self.front_matter()
        in_list = 0
        while number < len(self._lines):
            line = self._lines[number].rstrip("\r\n")
            if not QUOTE.sub("", line, count=1).strip():
                self.flush()
                number += 1
                continue
            indent = len(line) - len(line.lstrip())
            if not self._paragraph and expanded(line) >= (4 + in_list) and not LIST_ITEM.match(line):
                number += 1
                continue
            skip = self.containers(line)
            body = line[skip:]
            if LIST_ITEM.match(QUOTE.sub("", line, count=1)):
                in_list = skip
            elif indent == 0 and not self._paragraph:
                in_list = 0
            if skip > indent and not QUOTE.fullmatch(line[:skip]):
                self.flush()
            if fence := FENCE.match(body):
                self.flush()
                number = self.fenced(number + 1, fence.group(1))
                continue
            if HTML_BLOCK.match(body) and not self._paragraph:
                number = self.html_block(number, skip)
                continue
            if RULE.match(body) or DEFINITION.match(body):
                self.flush()
            elif heading := HEADING.match(body):
                self.flush()
                ending = HEADING_END.search(body)
                end = ending.start() if ending else len(body)
                self.add(number, skip + heading.end(), skip + max(end, heading.end()))
            elif self.is_table(number):
                self.flush()
                number = self.table(number)
                continue
            else:
                self._paragraph.append((number, skip))
            number += 1
        self.flush()

    def front_matter(self) -> int:
        if self._lines and self._lines[0].rstrip() in ("---", "+++"):
            for number in range(1, len(self._lines)):
                if self._lines[number].rstrip() in (self._lines[0].rstrip(), "..."):
                    return number + 1
        return 0

    def containers(self, line: str) -> int:
        """Where the content of a line begins, after the marks of quotes, lists and notes."""
        at = 0
        for _ in range(self._limits.max_depth):
            match = CONTAINER.match(line, at)
            # A rule of dashes is no list of lists.
            if match is None or match.end() == at or RULE.match(line[at:]):
                break
            at = match.end()
        return at + (len(line[at:]) - len(line[at:].lstrip()))

    def fenced(self, number: int, fence: str) -> int:
        """The line after a block of code; one that is never closed goes on to the end."""
        while number < len(self._lines):
            body = self._lines[number].strip().lstrip("> \t")
            number += 1
            if body.startswith(fence) and not body.strip(fence[0]):
                break
        return number

    def html_block(self, number: int, skip: int) -> int:
        first = number
        body = self._lines[number][skip:].lower()
        closing = next((end for name, end in HTML_ENDS.items() if body.startswith(f"<{name}")), None)
        while number < len(self._lines):
            line = self._lines[number].lower()
            if closing is None and not line.strip():
                break
            number += 1
            if closing is not None and closing in line:
                break
        begin, end = self._starts[first], self._starts[number]
        part = HtmlDocument(Encoded(self._text[begin:end]), self._limits)
        self._parts.append((begin, end, part, len(part.segments)))
        return number

    def is_table(self, number: int) -> bool:
        if self._paragraph or "|" not in self._lines[number] or number + 1 >= len(self._lines):
            return False
        following = self._lines[number + 1].rstrip("\r\n")
        return TABLE_RULE.match(following) is not None and "-" in following

    def table(self, number: int) -> int:
        rule = number + 1
        while number < len(self._lines) and "|" in self._lines[number] and self._lines[number].strip():
            if number != rule:
                line = self._lines[number].rstrip("\r\n")
                for cell in CELL.finditer(line):
                    self.add(number, cell.start(), cell.end())
            number += 1
        return max(number, rule + 1)

    def add(self, number: int, begin: int, end: int) -> None:
        """A segment within one line."""
        start = self._starts[number]
        self.take(start + begin, start + end, self._text[start + begin : start + end])

    def flush(self) -> None:
        """The lines of a paragraph, up to each hard break, are a segment."""
        lines, self._paragraph = self._paragraph, []
        group: list[tuple[int, int, str]] = []
        for at, (number, skip) in enumerate(lines):
            body = self._lines[number].rstrip("\r\n")[skip:]
            broken = HARD_BREAK.search(body)
            if broken and at + 1 < len(lines):
                body = body[: broken.start()]
            body = body.rstrip()
            start = self._starts[number] + skip
            group.append((start, start + len(body), body))
            if broken or at + 1 == len(lines):
                self.take(group[0][0], group[-1][1], joined([text for _, _, text in group]))
                group = []

    def take(self, begin: int, end: int, text: str) -> None:
        stripped = text.strip()
        if not stripped:
            return
        begin += len(text) - len(text.lstrip())
        scanner = Scanner(stripped, self._definitions)
        segment = paired(scanner.scan(), self._limits.max_depth)
        if has_words(segment):
            # Ends of lines inside the stretch go with it.
            end = end if "\n" in self._text[begin:end] else begin + len(stripped)
            self._blocks.append(BlockRange(begin, end, frozenset(scanner.escaped)))
            self._segments.append(segment)

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        edits = []
        own = len(self._segments)
        for block, source, translation in zip(self._blocks, self._segments, translations[:own], strict=True):
            if translation is None or translation == source:
                continue
            text = "".join(
                piece.raw if isinstance(piece, Tag) else escaped(piece, block.escaped) for piece in translation
            )
            edits.append((block.begin, block.end, safe_start(text)))
        at = own
        for begin, end, part, count in self._parts:
            edits.append((begin, end, part.write(translations[at : at + count]).decode()))
            at += count
        return self._source.encoded(spliced(self._text, edits))


def expanded(line: str) -> int:
    """Columns of white space a line begins with."""
    text = line.expandtabs(4)
    return len(text) - len(text.lstrip())


def escaped(text: str, characters: frozenset[str]) -> str:
    """What the source escaped is escaped; a backslash would begin an escape."""
    if not characters:
        return text
    return "".join(f"\\{character}" if character in characters else character for character in text)


def safe_start(text: str) -> str:
    """A translation must not begin a list, heading or quote that was none."""
    if match := re.match(r"(\d{1,9})([.)])(?=\s)", text):
        return f"{match.group(1)}\\{text[match.end() - 1 :]}"
    return f"\\{text}" if re.match(r"(?:[-+]|#{1,6})(?=\s)|>", text) else text


def read_markdown(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> MarkdownDocument:
    return MarkdownDocument(decoded(data, name), limits)
