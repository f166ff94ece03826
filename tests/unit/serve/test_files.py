"""Files through the server: what comes back is the same kind of file, translated, and only for a while."""

from __future__ import annotations

import pytest

from dragoman.config import ServeOptions
from dragoman.serve.downloads import Downloads, safe_name
from tests.unit.documents.office.packages import part, word
from tests.unit.serve.support import Server

FR_EN = {"source": "fr", "target": "en"}


def fetched(server: Server, name: str, content: bytes, **values: str) -> str:
    answer = server.upload("/translate_file", name, content, **{**FR_EN, **values})
    assert answer.status == 200, answer.text
    found = server.get(answer.json["translatedFileUrl"].removeprefix(server.url))
    assert found.status == 200
    return found.body.decode()


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", "La maison.\r\n\r\nLe chat dort.\n", "The house.\r\n\r\nThe cat sleeps.\n"),
        ("a.html", "<html><p>La <b>maison</b>.</p></html>", "<p>The <b>house</b>.</p>"),
        ("a.md", "# La maison\n\n* Le chat **noir** dort.\n", "# The house\n\n* The **black** cat sleeps.\n"),
        ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\nLa maison.\n", "00:00:01,000 --> 00:00:02,000\nThe house.\n"),
        ("a.json", '{"a": "La maison."}', '{"a": "The house."}'),
        ("a.strings", '"a" = "La maison.";', '"a" = "The house.";'),
        ("A.PO", 'msgid "La maison."\nmsgstr ""\n', 'msgstr "The house."'),
    ],
)
def test_formats(server: Server, name: str, content: str, expected: str) -> None:
    assert expected in fetched(server, name, content.encode())


def test_auto(server: Server) -> None:
    assert fetched(server, "a.txt", b"Le chien et le chat voit la maison.", source="auto").startswith("The dog")


def test_office_documents(server: Server) -> None:
    """The language of one is that of its text, whatever its bytes look like."""
    data = word("<w:p><w:r><w:t>Le chien et le chat voit la maison.</w:t></w:r></w:p>")
    for source in ("fr", "auto"):
        answer = server.upload("/translate_file", "a.docx", data, source=source, target="en")
        assert answer.status == 200, answer.text
        made = server.get(answer.json["translatedFileUrl"].removeprefix(server.url)).body
        assert ">The dog" in part(made, "word/document.xml")
    answer = server.upload("/translate_file", "a.docx", data[:100], source="auto", target="en")
    assert answer.status == 400 and "no whole zip archive" in answer.error


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"source": "fr", "target": "zz"}, "zz is not supported"),
        ({"source": "fr"}, "Invalid request: missing target parameter"),
    ],
)
def test_refusals(server: Server, values: dict[str, str], error: str) -> None:
    assert server.upload("/translate_file", "a.txt", b"x", **values).error == error
    # Nobody can say here which column is text.
    assert "format not supported" in server.upload("/translate_file", "a.csv", b"x", **FR_EN).error
    assert server.form("/translate_file", **FR_EN).error == "Invalid request: missing file parameter"


def test_what_is_kept_is_bounded() -> None:
    store = Downloads(ServeOptions(file_limit=1000))
    keys = [store.add("a.txt", b"x" * 900) for _ in range(20)]
    assert store.get(keys[0]) is None
    assert store.get(keys[-1]) is not None
    assert len(store._kept) <= 8
    for kept in store._kept.values():
        kept.kept_since -= 10_000
    assert store.get(keys[-1]) is None
    assert store._bytes == 0


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../a.txt", "a.txt"),
        ("C:\\x\\b.txt", "b.txt"),
        ("", "file"),
        ("...", "file"),
        ('a"b\r\n.txt', "a_b__.txt"),
        ("é.txt", "é.txt"),
    ],
)
def test_names(name: str, safe: str) -> None:
    assert safe_name(name) == safe
