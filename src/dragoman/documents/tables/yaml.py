"""YAML string tables: every string that is a value. Keys, anchors, comments, layout and other values stay.

PyYAML says what is where; nothing is written by it. A text stays plain where that still reads as the same text, in its
quotes, or a block with its indentation. A folded block becomes one line for each of its paragraphs. Aliases are not
followed, so nothing expands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from dragoman.documents.encoding import decoded
from dragoman.documents.segment import DocumentLimits
from dragoman.documents.tables.icu import COMPLEX, Apostrophes
from dragoman.documents.tables.message import MessageError
from dragoman.documents.tables.table import TableDocument
from dragoman.errors import ConfigError, InputError
from dragoman.extras import install_command

STRING_TAGS = (None, "!", "tag:yaml.org,2002:str")
# What a plain text cannot begin with, what cannot be in it, and what cannot be in it between brackets.
OPENS = re.compile(r"[ ,\[\]{}#&*!|>'\"%@`]|[-?:](?: |$)|[-?:][,\[\]{}]|---|\.\.\.")
HOLDS = re.compile(r":(?: |$)| #| $")
FLOW = re.compile(r"[,\[\]{}:?]")
# Controls, line ends of YAML and the byte-order mark.
UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
HEADER = re.compile(r"[|>][^\r\n]*(?:\r\n|\r|\n)")
INDENTED = re.compile(r"^[ \t]", re.MULTILINE)
WHITE = " \t\r\n"
BREAK = re.compile(r"\r\n|\r|\n")
ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


@dataclass(slots=True)
class Collection:
    """One that is being read: whether a key comes next (None in a sequence), and where it stands itself."""

    key_next: bool | None
    in_flow: bool
    in_key: bool


@dataclass(frozen=True, slots=True)
class YamlScalar:
    """text[begin:end] without anchor and tag; `style` is the sign it begins with, or "" for a plain one."""

    begin: int
    end: int
    value: str
    style: str
    is_key: bool
    in_flow: bool
    depth: int
    is_string: bool


class YamlReader:
    def __init__(self, text: str, name: str, max_depth: int) -> None:
        try:
            import yaml
        except ImportError:
            raise ConfigError(f"YAML needs another package: {install_command('yaml')}", "format") from None
        self._yaml: Any = yaml
        self._text = text
        self._name = name
        self._max_depth = max_depth
        self._loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self._resolver = yaml.resolver.Resolver()

    def scalars(self) -> Iterator[YamlScalar]:
        """All in their order; InputError where the text is no YAML."""
        yaml = self._yaml
        # An event begins with its anchor or tag, a token with its text.
        tokens = (token for token in yaml.scan(self._text, Loader=self._loader) if isinstance(token, yaml.ScalarToken))
        token = None
        try:
            for event, is_key, in_flow, depth in self.events():
                style, end = event.style or "", event.end_mark.index
                if not style and not event.value:
                    # Nothing is there, no token either.
                    continue
                # Tokens come after events, which stop where they are nested too deeply.
                while token is None or token.end_mark.index < end:
                    token = next(tokens)
                is_string = event.tag in STRING_TAGS and (bool(style) or self.is_text(event.value))
                yield YamlScalar(token.start_mark.index, end, event.value, style, is_key, in_flow, depth, is_string)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = mark.line + 1 if mark else self._text.count("\n", 0, getattr(error, "position", 0)) + 1
            what = getattr(error, "problem", None) or getattr(error, "reason", None) or "not readable"
            raise InputError(f"{self._name}, line {line}: this is no YAML ({what}); repair it", line) from None

    def events(self) -> Iterator[tuple[Any, bool, bool, int]]:
        """Scalars, each with whether it is a key, whether it stands between brackets, and how deep."""
        yaml = self._yaml
        stack: list[Collection] = []
        for event in yaml.parse(self._text, Loader=self._loader):
            if isinstance(event, yaml.CollectionEndEvent):
                stack.pop()
            if not isinstance(event, yaml.NodeEvent):
                continue
            around = stack[-1] if stack else Collection(None, False, False)
            is_key = around.in_key or bool(around.key_next)
            if around.key_next is not None:
                around.key_next = not around.key_next
            if isinstance(event, yaml.CollectionStartEvent):
                if len(stack) >= self._max_depth:
                    line = event.start_mark.line + 1
                    raise InputError(f"{self._name}, line {line}: is nested more than {self._max_depth} deep", line)
                key_next = True if isinstance(event, yaml.MappingStartEvent) else None
                stack.append(Collection(key_next, around.in_flow or event.flow_style, is_key))
            elif isinstance(event, yaml.ScalarEvent):
                yield event, is_key, around.in_flow, len(stack)

    def is_text(self, plain: str) -> bool:
        """Whether a plain scalar is no number, date, truth value or nothing."""
        tag = self._resolver.resolve(self._yaml.ScalarNode, plain, (True, False))
        return bool(tag == "tag:yaml.org,2002:str")

    def writer(self, scalar: YamlScalar) -> Callable[[str], str]:
        if scalar.style in ("|", ">"):
            return YamlBlock(self._text[scalar.begin : scalar.end], scalar)
        return lambda text: self.written(scalar, text)

    def written(self, scalar: YamlScalar, text: str) -> str:
        if scalar.style == '"' or UNPRINTABLE.search(text):
            return double_quoted(text)
        if scalar.style == "'" or not self.stays_plain(text, scalar.in_flow):
            return f"""'{text.replace("'", "''")}'"""
        return text

    def stays_plain(self, text: str, in_flow: bool) -> bool:
        if not text or OPENS.match(text) or HOLDS.search(text) or (in_flow and FLOW.search(text)):
            return False
        return self.is_text(text)


class YamlBlock:
    """Writes a block of lines, literal or folded, with its header, indentation and blank lines at the end as it was."""

    def __init__(self, raw: str, scalar: YamlScalar) -> None:
        header = HEADER.match(raw)
        self._header = header.group() if header else ""
        content = raw[len(self._header) :]
        self._tail = content[len(content.rstrip(WHITE)) :]
        self._break = "\r\n" if self._header.endswith("\r\n") else "\n"
        self._folded = scalar.style == ">"
        self._before = scalar.value[: len(scalar.value) - len(scalar.value.lstrip(WHITE))]
        self._after = scalar.value[len(scalar.value.rstrip(WHITE)) :]
        # The first line with anything in it, in the file and in the value: what it lacks here is the indentation.
        first = next((line for line in BREAK.split(content) if line.strip()), "")
        self._indent = first[: spaces(first) - spaces(self._before.rpartition("\n")[2] + "x")]

    def __call__(self, text: str) -> str:
        core = text.removeprefix(self._before).removesuffix(self._after)
        if not core or core != core.strip(WHITE):
            raise MessageError("white space at an end")
        if UNPRINTABLE.search(core.replace("\n", "").replace("\t", "")):
            raise MessageError("a character that only quotes can hold")
        if self._folded:
            if INDENTED.search(core):
                raise MessageError("indented lines in a folded block")
            core = re.sub(r"\n+", r"\n\g<0>", core)
        lines = (f"{self._indent}{line}" if line else "" for line in f"{self._before}{core}".split("\n"))
        return self._header + self._break.join(lines) + self._tail


def spaces(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def double_quoted(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        number = ord(match.group())
        return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"

    return f'"{UNPRINTABLE.sub(character, "".join(ESCAPED.get(char, char) for char in text))}"'


def is_named_after(name: str, language: str) -> bool:
    """Whether a file is that of a language, as in Rails: fr.yml or devise.fr.yml."""
    return PurePath(name).stem.rpartition(".")[2] == language and len(language) < 10


def read_yaml(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> TableDocument:
    source = decoded(data, name)
    reader = YamlReader(source.text, name, limits.max_depth)
    document = TableDocument(source, limits)
    apostrophes = (Apostrophes.ICU,) if COMPLEX.search(source.text) else ()
    roots: list[YamlScalar] = []
    for scalar in reader.scalars():
        if scalar.is_key:
            roots += [scalar] if scalar.depth == 1 and len(roots) < 2 else []
        elif scalar.style == ">" and INDENTED.search(scalar.value):
            # Which of its lines were folded, only they themselves say.
            document.leave(scalar.begin, "a folded block with lines that are indented further")
        elif scalar.is_string:
            document.add_text(scalar.begin, scalar.end, scalar.value, reader.writer(scalar), apostrophes=apostrophes)
    # The only key of a file that is named after it is the language.
    if len(roots) == 1 and is_named_after(name, roots[0].value) and target_lang:
        document.fix(roots[0].begin, roots[0].end, reader.written(roots[0], target_lang))
    return document
