"""PO catalogues: messages without a translation get one, flagged fuzzy; every other line stays as it is.

Forms of the plural are translated from msgid (the first) and msgid_plural (the others). A message that has any text in
a msgstr is translated already and is not touched, fuzzy or not; nor are obsolete ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dragoman.documents.accelerator import restored, stripped
from dragoman.documents.encoding import Encoded, decoded
from dragoman.documents.inline_tags import inline_pieces
from dragoman.documents.printf import numbered, renumbered
from dragoman.documents.segment import DocumentLimits, Segment, has_words, paired, serialised, split_lines, text_of
from dragoman.documents.stated_languages import StatedLanguages
from dragoman.errors import InputError

KEYWORD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d{1,3})\])?)[ \t]*"(.*)"[ \t]*$')
STRING = re.compile(r'[ \t]*"(.*)"[ \t]*$')
ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
PLAIN = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
ESCAPED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
CHARSET = re.compile(rb"charset=([A-Za-z0-9_.:-]{1,40})")
C_FORMAT = re.compile(r"[,\s](?:objc-)?c-format\b")
LANGUAGE = re.compile(r"^(Language|X-Source-Language):[ \t]*(\S+)", re.MULTILINE)
FUZZY = re.compile(r"\bfuzzy\b")
PLURALS = re.compile(r"nplurals\s*=\s*(\d{1,2})")
WIDTH = 77


@dataclass(slots=True)
class Field:
    """A keyword with its string, which may go over several lines."""

    begin: int
    end: int
    text: str


@dataclass(slots=True)
class Message:
    """Lines are numbers into the file; msgstr by its index, -1 for one without."""

    first: int
    fields: dict[str, Field] = field(default_factory=dict)
    translations: dict[int, Field] = field(default_factory=dict)
    flags: int | None = None
    # The line before which a flag belongs: before what the message was earlier, if that is noted.
    head: int = 0


class PoDocument:
    def __init__(self, source: Encoded, name: str, limits: DocumentLimits, accelerators: bool = True) -> None:
        self._source = source
        self._name = name
        self._limits = limits
        self._lines = split_lines(source.text)
        self._end = "\r\n" if "\r\n" in source.text else "\n"
        self._plurals = 2
        self._stated = StatedLanguages()
        self._segments: list[Segment] = []
        self._marks: list[str] = []
        # Texts of messages that are translated and not fuzzy, and their translations.
        self._confirmed: list[tuple[str, str]] = []
        # For each segment its message and the indices of the msgstr it is for.
        self._wanted: list[tuple[Message, list[int]]] = []
        for message in self.messages():
            self.take(message, accelerators)

    @property
    def segments(self) -> Sequence[Segment]:
        return self._segments

    @property
    def confirmed(self) -> Sequence[tuple[str, str]]:
        return self._confirmed

    @property
    def stated(self) -> Sequence[StatedLanguages]:
        return [self._stated]

    def messages(self) -> list[Message]:
        messages: list[Message] = []
        message: Message | None = None
        last: Field | None = None
        flags: int | None = None
        earlier: int | None = None
        for number, line in enumerate(self._lines):
            bare = line.rstrip("\r\n")
            stripped_line = bare.lstrip()
            if not stripped_line or stripped_line.startswith("#"):
                last = None
                if stripped_line.startswith("#,"):
                    flags = number
                if not stripped_line.startswith("#|"):
                    earlier = None
                elif earlier is None:
                    earlier = number
                # A comment belongs to the message that follows.
                if message is not None and message.translations:
                    message = None
                if stripped_line.startswith("#~"):
                    message, flags = None, None
                continue
            keyword = KEYWORD.match(stripped_line)
            if keyword is None:
                more = STRING.match(bare)
                if more is None or last is None:
                    raise InputError(
                        f"{self._name}, line {number + 1}: this is no PO syntax; check the file with `msgfmt -c`",
                        number + 1,
                    )
                last.text += unquoted(more.group(1))
                last.end = number + 1
                continue
            name, index, text = keyword.groups()
            begins = name in ("msgctxt", "msgid") and (
                message is None or name in message.fields or message.translations
            )
            if begins:
                message = Message(number, flags=flags, head=number if earlier is None else earlier)
                flags = earlier = None
                messages.append(message)
            if message is None or (name != "msgctxt" and name != "msgid" and "msgid" not in message.fields):
                raise InputError(f"{self._name}, line {number + 1}: {name} comes without a msgid before it", number + 1)
            last = Field(number, number + 1, unquoted(text))
            if name.startswith("msgstr"):
                message.translations[-1 if index is None else int(index)] = last
            else:
                message.fields[name] = last
        for message in messages:
            if "msgid" not in message.fields or not message.translations:
                at = message.first + 1
                raise InputError(f"{self._name}, line {at}: the message lacks its msgid or msgstr", at)
        if not messages:
            raise InputError(f"{self._name} holds no messages; is it a PO file?")
        return messages

    def take(self, message: Message, accelerators: bool) -> None:
        original = message.fields["msgid"].text
        if not original:
            header = message.translations.get(-1)
            plurals = PLURALS.search(header.text) if header else None
            self._plurals = max(1, int(plurals.group(1))) if plurals else 2
            said = dict(LANGUAGE.findall(header.text)) if header else {}
            self._stated = StatedLanguages(said.get("X-Source-Language", ""), said.get("Language", ""))
            return
        if any(translation.text for translation in message.translations.values()):
            if -1 in message.translations and not self.is_fuzzy(message):
                bare = (stripped(text)[0] for text in (original, message.translations[-1].text))
                ours, theirs = (text_of(tuple(inline_pieces(text))) for text in bare)
                self._confirmed.append((ours, theirs))
            return
        plural = message.fields.get("msgid_plural")
        if plural is None:
            self.want(message, original, [-1], accelerators)
            return
        # The first form speaks of one thing, if there are several forms; the others of more.
        wanted = sorted({*message.translations, *range(self._plurals)})
        wanted = [index for index in wanted if index >= 0]
        singular = wanted[:1] if len(wanted) > 1 else []
        if singular:
            self.want(message, original, singular, accelerators)
        self.want(message, plural.text, wanted[len(singular) :], accelerators)

    def is_fuzzy(self, message: Message) -> bool:
        return message.flags is not None and bool(FUZZY.search(self._lines[message.flags]))

    def want(self, message: Message, text: str, indices: list[int], accelerators: bool) -> None:
        bare, mark = stripped(text) if accelerators else (text, "")
        pieces = inline_pieces(bare)
        if message.flags is not None and C_FORMAT.search(self._lines[message.flags]):
            pieces = numbered(pieces)
        segment = paired(pieces, self._limits.max_depth)
        if has_words(segment):
            self._segments.append(segment)
            self._marks.append(mark)
            self._wanted.append((message, indices))

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        filled: dict[int, tuple[Message, dict[int, str]]] = {}
        for (message, indices), mark, translation in zip(self._wanted, self._marks, translations, strict=True):
            if translation is None:
                continue
            text = serialised(renumbered(translation))
            texts = filled.setdefault(message.first, (message, {}))[1]
            texts.update(dict.fromkeys(indices, restored(text, mark)))
        lines = list(self._lines)
        for message, texts in filled.values():
            self.fill(lines, message, texts)
        return self._source.encoded("".join(lines))

    def fill(self, lines: list[str], message: Message, texts: dict[int, str]) -> None:
        written = []
        for index, text in sorted(texts.items()):
            origin = message.fields["msgid_plural" if index > 0 else "msgid"]
            keyword = "msgstr" if index < 0 else f"msgstr[{index}]"
            written.append(self.written(keyword, text, origin.end - origin.begin > 1))
        old = message.translations.values()
        begin, end = min(part.begin for part in old), max(part.end for part in old)
        untouched = [
            "".join(lines[part.begin : part.end])
            for index, part in sorted(message.translations.items())
            if index not in texts
        ]
        block = "".join((*written, *untouched))
        if not lines[end - 1].endswith(("\n", "\r")):
            block = block.rstrip("\r\n")
        lines[begin:end] = [block, *[""] * (end - begin - 1)]
        if message.flags is None:
            lines[message.head] = f"#, fuzzy{self._end}" + lines[message.head]
        elif not self.is_fuzzy(message):
            lines[message.flags] = lines[message.flags].replace("#,", "#, fuzzy,", 1)

    def written(self, keyword: str, text: str, wrapped: bool) -> str:
        """As gettext writes it: one line where the source is one, else a line for each line, cut at spaces."""
        if not wrapped and "\n" not in text[:-1]:
            return f'{keyword} "{quoted(text)}"{self._end}'
        parts = [part for line in split_lines(text) for part in cut(quoted(line))]
        return "".join((f'{keyword} ""{self._end}', *(f'"{part}"{self._end}' for part in parts)))


def cut(line: str) -> list[str]:
    parts = [""]
    for word in re.split(r"(?<= )", line):
        if parts[-1] and len(parts[-1]) + len(word) > WIDTH:
            parts.append("")
        parts[-1] += word
    return parts


def unquoted(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        octal, hexadecimal, plain = match.groups()
        if octal:
            return chr(int(octal, 8))
        if hexadecimal:
            return chr(int(hexadecimal, 16))
        return PLAIN.get(plain, plain)

    return ESCAPE.sub(character, text)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(ESCAPED.get(character, character) for character in escaped)


def read_po(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> PoDocument:
    match = CHARSET.search(data)
    charset = match.group(1).decode() if match else "utf-8"
    # The template's placeholder for an encoding that nobody filled in.
    return PoDocument(decoded(data, name, "utf-8" if charset.upper() == "CHARSET" else charset), name, limits)
