"""What documents tell their translator of themselves: what is confirmed, and what was translated before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dragoman.config import DecodeOptions
from dragoman.document_context import MOST_PAIRS
from dragoman.documents import Journal, read_document, translate_document
from dragoman.documents.engine import BATCH_IN_CONTEXT
from dragoman.documents.segment import HoldsTranslations
from dragoman.translation import Translation
from tests.unit.documents.support import Wordwise

Context = Sequence[tuple[str, str]] | None

PO = b"""msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "_Open the %s file"
msgstr "\xc3\x96ffne die Datei %s"

#, fuzzy
msgid "Save the file"
msgstr "Behalte den Ordner"

msgid "one file"
msgid_plural "%d files"
msgstr[0] "eine Datei"
msgstr[1] "%d Dateien"

msgid "Close the file"
msgstr ""
"""
XLIFF_1 = b"""<xliff version="1.2"><file source-language="en" target-language="de"><body>
<trans-unit id="1" approved="yes"><source>one <g id="1">file</g></source>
  <target>eine <g id="1">Datei</g></target></trans-unit>
<trans-unit id="2"><source>two</source><target state="translated">zwei</target></trans-unit>
<trans-unit id="3"><source>three</source>
  <target state="needs-review-translation" state-qualifier="mt-suggestion">drei</target></trans-unit>
<trans-unit id="4"><source>four</source><target>vier</target></trans-unit>
<trans-unit id="5"><source>five</source></trans-unit>
</body></file></xliff>"""
XLIFF_2 = b"""<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u">
<segment state="final"><source>one</source><target>eins</target></segment>
<segment state="translated" subState="dragoman:mt"><source>two</source><target>zwei</target></segment>
<segment state="translated"><source>three</source><target>drei</target></segment>
<segment state="initial"><source>four</source><target>vier</target></segment>
<segment><source>five</source></segment>
</unit></file></xliff>"""


class Listening(Wordwise):
    """Keeps the contexts it is given; gives up after some calls if it is told to."""

    keeps_context = True

    def __init__(self, calls: int = 1000) -> None:
        super().__init__()
        self.contexts: list[tuple[list[str], Context]] = []
        self._calls = calls

    def translate(
        self,
        text: list[str],
        options: DecodeOptions | None = None,
        *,
        glossary: object = None,
        threads: int = 1,
        context: Context = None,
    ) -> list[Translation]:
        if len(self.contexts) == self._calls:
            raise KeyboardInterrupt
        self.contexts.append((text, context))
        return super().translate(text, options)


@pytest.mark.parametrize(
    ("name", "data", "confirmed"),
    [
        ("a.po", PO, [("Open the %s file", "Öffne die Datei %s")]),
        ("a.xlf", XLIFF_1, [("one file", "eine Datei"), ("two", "zwei")]),
        ("b.xlf", XLIFF_2, [("one", "eins"), ("three", "drei")]),
    ],
)
def test_what_somebody_vouches_for_is_told(name: str, data: bytes, confirmed: list[tuple[str, str]]) -> None:
    document = read_document(data, name)
    assert isinstance(document, HoldsTranslations)
    assert list(document.confirmed) == confirmed
    translator = Listening()
    translate_document(data, name, translator)
    assert translator.contexts[0][1] == confirmed


def lines(count: int) -> bytes:
    return "".join(f"Line number {number} of the text.\n\n" for number in range(count)).encode()


def test_batches_see_what_came_before_them() -> None:
    translator = Listening()
    translate_document(lines(3 * BATCH_IN_CONTEXT), "a.txt", translator)
    sizes = [len(context or ()) for _, context in translator.contexts]
    assert sizes == [0, BATCH_IN_CONTEXT, 2 * BATCH_IN_CONTEXT]
    source, target = (translator.contexts[2][1] or ())[0]
    assert (source, target) == ("Line number 0 of the text.", "LINE NUMBER 0 OF THE TEXT.")


def test_a_context_has_an_end_and_what_is_confirmed_stays_in_it() -> None:
    translator = Listening()
    body = "".join(f'\nmsgid "Text {number} here"\nmsgstr ""\n' for number in range(MOST_PAIRS + 40)).encode()
    translate_document(PO + body, "a.po", translator)
    last = translator.contexts[-1][1] or ()
    assert len(last) == MOST_PAIRS
    assert last[-1] == ("Open the %s file", "Öffne die Datei %s")


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_a_run_that_goes_on_finds_the_context_it_would_have_had(tmp_path: Path, calls: int) -> None:
    data = lines(4 * BATCH_IN_CONTEXT)
    whole = Listening()
    translated = translate_document(data, "a.txt", whole)
    with pytest.raises(KeyboardInterrupt), Journal(tmp_path / "journal", "x").recording() as journal:
        translate_document(data, "a.txt", Listening(calls), journal=journal)
    # A batch that was half written.
    half = b"\n".join((tmp_path / "journal").read_bytes().split(b"\n")[:-6])
    (tmp_path / "journal").write_bytes(half)
    again = Listening()
    with Journal(tmp_path / "journal", "x").recording() as journal:
        assert translate_document(data, "a.txt", again, journal=journal) == translated
    assert [context for _, context in again.contexts] == [context for _, context in whole.contexts[calls - 1 :]]


def test_a_journal_of_another_context_does_not_count(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Journal(tmp_path / "journal", "x").recording() as journal:
        # All is translated, then the run is stopped before the file is written.
        translate_document(PO, "a.po", Listening(), journal=journal)
        raise KeyboardInterrupt
    for data, known in ((PO, 1), (PO.replace(b"die Datei", b"das Dokument"), 0)):
        kept = (tmp_path / "journal").read_bytes()
        with Journal(tmp_path / "journal", "x").recording() as journal:
            translate_document(data, "a.po", Listening(), journal=journal)
            assert journal.resumed == known
        (tmp_path / "journal").write_bytes(kept)


def test_who_keeps_no_context_is_given_none() -> None:
    translator = Listening()
    translator.keeps_context = False
    translate_document(PO, "a.po", translator)
    assert [context for _, context in translator.contexts] == [None]
