"""From files to a prepared directory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.config import CleanOptions, ReadOptions, SplitOptions
from dragoman.corpus.pair import Origin, SentencePair
from dragoman.corpus.preparation import prepare, split_corpus
from dragoman.errors import ConfigError, DragomanError, InputError

PAIRS = [(f"Le chat numéro {word} dort.", f"Cat number {word} is asleep.") for word in "abcdefghijklmnopqrstuvwxyz"]


def write_pairs(folder: Path, pairs: list[tuple[str, str]], stem: str = "a") -> list[str]:
    for at, lang in enumerate(("fr", "en")):
        (folder / f"{stem}.{lang}").write_bytes("".join(pair[at] + "\n" for pair in pairs).encode())
    return [str(folder / f"{stem}.fr"), str(folder / f"{stem}.en")]


def read_split(out: Path, name: str) -> list[tuple[str, str, dict]]:
    sides = [(out / f"{name}.{ending}").read_text().split("\n")[:-1] for ending in ("fr", "en", "origin.jsonl")]
    return [(source, target, json.loads(origin)) for source, target, origin in zip(*sides, strict=True)]


def test_prepare(tmp_path: Path) -> None:
    dirty = [
        *PAIRS,
        ("", "empty"),
        ("un", "one " * 60),
        ("This is the same text here", "This is the same text here"),
        ("Добрый день, дорогие друзья", "Good day, dear friends"),
        ("Das ist nicht das, was wir haben wollten", "That is not what we wanted"),
        ("bruit \x07 ici", "noise here"),
        PAIRS[0],
        (PAIRS[1][0].upper() + " !", PAIRS[1][1]),
        ("cafe\u0301  noir\u00ad", "black   coffee"),
    ]
    out, dropped = tmp_path / "out", tmp_path / "dropped.jsonl"
    report = prepare(
        write_pairs(tmp_path, dirty),
        out,
        source_lang="fr",
        target_lang="en",
        split=SplitOptions(dev="3", test="4"),
        dropped=dropped,
    )
    counts = {rule: count for rule, count in report.dropped.items() if count}
    assert counts == {
        "control": 1,
        "empty": 1,
        "length ratio": 1,
        "identical": 1,
        "wrong script": 1,
        "wrong language": 1,
        "duplicate": 1,
        "near duplicate": 1,
    }
    assert report.read == len(dirty)
    assert report.kept == len(PAIRS) + 1
    assert report.splits == {"train": 20, "dev": 3, "test": 4}
    parts = [read_split(out, name) for name in ("train", "dev", "test")]
    written = sorted((source, target) for part in parts for source, target, _ in part)
    assert written == sorted([*PAIRS, ("café noir", "black coffee")])
    for part in parts:
        lines = [origin["line"] for _, _, origin in part]
        assert lines == sorted(lines)
    assert json.loads((out / "report.json").read_text()) == report.as_json()
    assert report.changes["soft_hyphens"] == 1
    rejected = [json.loads(line) for line in dropped.read_text().splitlines()]
    assert len(rejected) == 8
    assert {"rule", "source", "target", "id", "file", "line"} <= set(rejected[0])
    assert sorted(path.name for path in out.iterdir()) == sorted(
        ["report.json", *(f"{name}.{end}" for name in ("train", "dev", "test") for end in ("fr", "en", "origin.jsonl"))]
    )


def test_held_out_pairs_do_not_depend_on_order_or_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    split = SplitOptions(dev="3", test="4")
    held = []
    for number, (pairs, batch) in enumerate([(PAIRS, 4096), (PAIRS[::-1], 5)]):
        monkeypatch.setattr("dragoman.corpus.preparation.BATCH_PAIRS", batch)
        out = tmp_path / f"out{number}"
        names = write_pairs(tmp_path, pairs, f"x{number}")
        prepare(names, out, source_lang="fr", target_lang="en", split=split)
        held.append([sorted(row[:2] for row in read_split(out, name)) for name in ("train", "dev", "test")])
    assert held[0] == held[1]


def test_pairs_given_and_split_by_page(tmp_path: Path) -> None:
    pairs = [
        SentencePair(source, target, f"{at}", Origin("help", at + 1, "", {"page": f"p{at % 9}"}))
        for at, (source, target) in enumerate(PAIRS)
    ]
    split = SplitOptions(dev="3", test="5", split_by="page")
    prepare(iter(pairs), tmp_path / "out", source_lang="fr", target_lang="en", split=split)
    pages = [
        {row[2]["attributes"]["page"] for row in read_split(tmp_path / "out", name)}
        for name in ("train", "dev", "test")
    ]
    assert all(pages)
    assert sum(map(len, pages)) == len(set.union(*pages)) == 9
    with pytest.raises(ConfigError, match="no pair has an attribute"):
        other = SplitOptions(split_by="chapter")
        prepare(pairs, tmp_path / "out2", source_lang="fr", target_lang="en", split=other)
    assert not (tmp_path / "out2").exists()


def test_same_source_stays_in_one_split(tmp_path: Path) -> None:
    pairs = [(source, f"{target} {number}x{number}") for source, target in PAIRS for number in "ab"]
    prepare(
        write_pairs(tmp_path, pairs),
        tmp_path / "out",
        source_lang="fr",
        target_lang="en",
        clean=CleanOptions(drop_near_duplicates=False),
        split=SplitOptions(dev="10", test="10"),
    )
    sources = [{row[0] for row in read_split(tmp_path / "out", name)} for name in ("train", "dev", "test")]
    assert sum(map(len, sources)) == len(set.union(*sources)) == len(PAIRS)


def test_split_keeps_text_as_it_is(tmp_path: Path) -> None:
    pairs = [*PAIRS, ("", ""), ("  a  ", "cafe\u0301"), ("x", "x"), ("x", "x")]
    report = split_corpus(
        write_pairs(tmp_path, pairs), tmp_path / "out", source_lang="fr", target_lang="en", split=SplitOptions("2", "2")
    )
    assert report.kept == len(pairs)
    rows = [row[:2] for name in ("train", "dev", "test") for row in read_split(tmp_path / "out", name)]
    assert sorted(rows) == sorted(pairs)


def test_nothing_held_out(tmp_path: Path) -> None:
    split = SplitOptions("0", "0")
    prepare(write_pairs(tmp_path, PAIRS), tmp_path / "out", source_lang="fr", target_lang="en", split=split)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"train.fr", "train.en", "train.origin.jsonl", "report.json"}


@pytest.mark.parametrize(
    ("pairs", "options", "error", "message"),
    [
        ([], {}, InputError, "no sentence pairs"),
        ([("", "")], {}, InputError, "none of 1 pairs is left"),
        (PAIRS, {"split": SplitOptions(dev="20", test="20")}, ConfigError, "leave none of 26"),
        (PAIRS, {"clean": CleanOptions(max_ratio=0.5)}, ConfigError, "max-ratio"),
        (PAIRS, {"clean": CleanOptions(max_tokens=-1)}, ConfigError, "max-tokens"),
        (PAIRS, {"clean": CleanOptions(max_ratio=float("nan"))}, ConfigError, "max-ratio"),
        (PAIRS, {"clean": CleanOptions(max_ratio=float("inf"))}, ConfigError, "max-ratio"),
        (PAIRS, {"read": ReadOptions(max_line_bytes=0)}, ConfigError, "max-line-bytes"),
        (PAIRS, {"split": SplitOptions(dev="9" * 5000)}, ConfigError, "--dev"),
        (PAIRS, {"target_lang": "fr"}, ConfigError, "both fr"),
        (PAIRS, {"target_lang": "en.x/../../y"}, ConfigError, "no language code"),
        (PAIRS, {"target_lang": " en"}, ConfigError, "no language code"),
    ],
)
def test_refused(tmp_path: Path, pairs: list, options: dict, error: type[DragomanError], message: str) -> None:
    names = write_pairs(tmp_path, pairs)
    out = tmp_path / "out"
    out.mkdir()
    (out / "train.fr").write_text("x")
    with pytest.raises(error, match=message):
        prepare(names, out, **{"source_lang": "fr", "target_lang": "en", "overwrite": True, **options})
    assert [path.name for path in out.iterdir()] == ["train.fr"]
    assert {path.name for path in tmp_path.iterdir()} == {"a.fr", "a.en", "out"}


def test_progress_is_told_a_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.corpus.preparation.BATCH_PAIRS", 5)
    seen: list[tuple[int, int]] = []
    prepare(
        write_pairs(tmp_path, PAIRS),
        tmp_path / "out",
        source_lang="fr",
        target_lang="en",
        progress=lambda done, total: seen.append((done, total)),
    )
    assert [done for done, _ in seen] == [5, 10, 15, 20, 25]
    assert all(total >= done for done, total in seen)


def test_line_breaks_inside_a_text_are_counted(tmp_path: Path) -> None:
    pairs = [SentencePair("un\r\ndeux\ntrois", "one two three", "x", Origin("x"))]
    report = prepare(pairs, tmp_path / "out", source_lang="fr", target_lang="en")
    assert (tmp_path / "out" / "train.fr").read_text() == "un deux trois\n"
    assert report.changes == {"line_ends": 2}


def test_one_name_is_not_many(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("un\tone\n")
    for name in (tmp_path / "a.tsv", str(tmp_path / "a.tsv")):
        report = prepare(name, tmp_path / "out", source_lang="fr", target_lang="en", overwrite=True)
        assert report.kept == 1


def test_no_text_in_given_pairs(tmp_path: Path) -> None:
    for text in ("a\ud800", "a\0"):
        with pytest.raises(InputError):
            prepare([SentencePair(text, "b", "1", Origin("x"))], tmp_path / "out", source_lang="fr", target_lang="en")
