"""Subtitles, SubRip (.srt) and WebVTT (.vtt): the text of each cue; numbers, times, notes and styles stay.

The lines of a cue are one sentence or several, so they are translated together and broken into as many lines again.
Lines that begin with a dash are what different people say, and are translated one by one. A sentence that goes on in
the next cue is translated in two parts. There is nowhere to mark machine output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from xml.sax.saxutils import escape

from dragoman.documents.edit import spliced
from dragoman.documents.encoding import Encoded, decoded
from dragoman.documents.inline_tags import inline_pieces, with_codes
from dragoman.documents.line_joins import broken, joined
from dragoman.documents.segment import DocumentLimits, Segment, Tag, has_words, paired, split_lines
from dragoman.documents.stated_languages import StatedLanguages
from dragoman.errors import InputError

TIMING = re.compile(r"\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->\s*(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{1,3}")
# Positions and times by themselves; who speaks.
CODES = re.compile(r"\{\\[^{}\n]{1,80}\}|<\d[\d:.]{0,20}>|<v(?:\.[\w.-]{0,80})?(?:\s[^<>\n]{0,80})?>|</v>")
CODES_AND_TAGS = with_codes(CODES.pattern)
LEADING = re.compile(rf"(?:\s|{CODES.pattern})*")
TRAILING = re.compile(r"(?:\s|</v>)*$")
SAYS = re.compile(r"\s*[-–—]\s*")
LANGUAGE = re.compile(r"WEBVTT[^\n]*\n(?:[^\n]+\n){0,9}?Language:[ \t]*([A-Za-z][\w-]{0,31})[ \t\r]*(?:\n|$)")
KEPT_BLOCKS = ("NOTE", "STYLE", "REGION")


@dataclass(frozen=True, slots=True)
class CueLines:
    begin: int
    end: int
    lines: int


class SubtitleDocument:
    def __init__(self, source: Encoded, name: str, limits: DocumentLimits, webvtt: bool) -> None:
        self._source = source
        self._webvtt = webvtt
        self._end = "\r\n" if "\r\n" in source.text else "\n"
        self._limits = limits
        self._cues: list[CueLines] = []
        self._segments: list[Segment] = []
        self.parse(name)

    @property
    def segments(self) -> Sequence[Segment]:
        return self._segments

    @property
    def stated(self) -> Sequence[StatedLanguages]:
        """Of WebVTT, whose first lines may say it."""
        said = LANGUAGE.match(self._source.text) if self._webvtt else None
        return [StatedLanguages(said[1])] if said else []

    def parse(self, name: str) -> None:
        at = 0
        cues = 0
        block: list[tuple[int, str]] = []
        in_cue = kept = False
        blank_before = True
        for line in split_lines(self._source.text):
            begin, at = at, at + len(line)
            if not line.strip():
                self.take(block)
                block, in_cue, kept, blank_before = [], False, False, True
                continue
            if blank_before and self._webvtt and line.split(None, 1)[0] in KEPT_BLOCKS:
                kept = True
            blank_before = False
            if TIMING.match(line) and not kept:
                # A number before the times belongs to them, even where no blank line parts the cues.
                if block and block[-1][1].strip().isdigit():
                    block.pop()
                self.take(block)
                block, in_cue = [], True
                cues += 1
            elif in_cue:
                block.append((begin, line))
        self.take(block)
        if cues == 0 and not (self._webvtt and self._source.text.startswith("WEBVTT")):
            raise InputError(f"{name}: holds no times such as 00:00:01,000 --> 00:00:04,000; is it a subtitle file?")

    def take(self, block: list[tuple[int, str]]) -> None:
        """The lines of a cue as one segment, or one for each speaker."""
        groups: list[list[tuple[int, str]]] = []
        talk = sum(1 for _, line in block if SAYS.match(line)) > 1
        for entry in block:
            if groups and not (talk and SAYS.match(entry[1])):
                groups[-1].append(entry)
            else:
                groups.append([entry])
        for group in groups:
            text = "".join(line for _, line in group).rstrip()
            says = SAYS.match(text) if talk else None
            skip = says.end() if says else 0
            leading = LEADING.match(text, skip)
            skip = leading.end() if leading else skip
            ending = TRAILING.search(text, skip)
            raw = text[skip : ending.start() if ending else len(text)]
            flat = joined([line.strip(" \t\r") for line in raw.split("\n")])
            pieces = inline_pieces(flat, CODES_AND_TAGS)
            if self._webvtt:
                pieces = [unescape(piece) if isinstance(piece, str) else piece for piece in pieces]
            segment = paired(pieces, self._limits.max_depth)
            if has_words(segment):
                begin = group[0][0] + skip
                self._cues.append(CueLines(begin, begin + len(raw), raw.count("\n") + 1))
                self._segments.append(segment)

    def write(self, translations: Sequence[Segment | None]) -> bytes:
        edits = []
        for cue, source, translation in zip(self._cues, self._segments, translations, strict=True):
            if translation is None or translation == source:
                continue
            text = "".join(
                piece.raw.replace(" ", "\0") if isinstance(piece, Tag) else self.written(piece) for piece in translation
            )
            edits.append((cue.begin, cue.end, self._end.join(broken(text, cue.lines)).replace("\0", " ")))
        return self._source.encoded(spliced(self._source.text, edits))

    def written(self, text: str) -> str:
        return escape(text) if self._webvtt else text


def read_srt(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> SubtitleDocument:
    return SubtitleDocument(decoded(data, name), name, limits, webvtt=False)


def read_vtt(data: bytes, name: str, limits: DocumentLimits, target_lang: str = "") -> SubtitleDocument:
    return SubtitleDocument(decoded(data, name), name, limits, webvtt=True)
