"""From files of sentence pairs to clean, split text: read, normalise, clean, de-duplicate, hold out, write.

Everything streams in batches. What grows with the corpus is 22 to 43 bytes per distinct pair to know duplicates by and
9 bytes per kept pair to split by, so ten million pairs take some 400 MB; the kept text goes to disk once before it
is split and once after. Output appears whole or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import json
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from dragoman.cluster.workers import Here, Workers
from dragoman.config import CleanOptions, ReadOptions, SplitOptions, require_limits
from dragoman.corpus.clean import Cleaner
from dragoman.corpus.examination import Examination, both_sides, examine
from dragoman.corpus.formats import Input, find_inputs, read_pairs
from dragoman.corpus.languages import canonical, require_code
from dragoman.corpus.pair import Account, SentencePair
from dragoman.corpus.report import InputReport, PreparationOptions, PreparationReport
from dragoman.corpus.side_languages import SideLanguages
from dragoman.corpus.split import SPLITS, GroupKeys, assign, wanted_sizes
from dragoman.errors import ConfigError, DragomanError, InputError
from dragoman.files import writing, writing_directory
from dragoman.progress import Progress

BATCH_PAIRS = 4096
# Files of a prepared directory.
OUTPUT = re.compile(r"(train|dev|test)\.|report\.json$|\.kept\.")
Inputs = str | Path | Sequence[str | Path | Input] | Iterable[SentencePair]


def prepare(
    inputs: Inputs,
    out: str | Path,
    *,
    source_lang: str,
    target_lang: str,
    read: ReadOptions | None = None,
    clean: CleanOptions | None = None,
    split: SplitOptions | None = None,
    normalise: bool = True,
    overwrite: bool = False,
    dropped: str | Path | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> PreparationReport:
    """Writes `out`/{train,dev,test}.{source_lang,target_lang}, their .origin.jsonl and report.json.

    `inputs` are a file or several (two plain files of a pair are recognised by their language extensions), Inputs, or
    pairs that the caller has already. `dropped` is a file for the pairs that were dropped, as JSON lines with the rule.
    """
    read, clean, split = read or ReadOptions(), clean or CleanOptions(), split or SplitOptions()
    for options in (read, clean, split):
        require_limits(options)
    require_code(source_lang, "source-lang")
    require_code(target_lang, "target-lang")
    if canonical(source_lang) == canonical(target_lang):
        raise ConfigError(f"source and target language are both {source_lang}; name two languages", "target_lang")
    report = PreparationReport(source_lang, target_lang, options=PreparationOptions(read, clean, split))
    out, dropped = Path(out), None if dropped is None else Path(dropped)
    pairs = all_pairs(inputs, read, report, (out, dropped), progress)
    cleaner = Cleaner(clean, source_lang, target_lang, split.split_seed)

    def ours(name: str) -> bool:
        return OUTPUT.match(name) is not None or (dropped is not None and name == dropped.name)

    with (
        writing_text(out),
        writing_directory(out, overwrite, ours) as folder,
        dropped_file(dropped, out, folder) as rejects,
    ):
        kept_files = [folder / f".kept.{name}" for name in (source_lang, target_lang, "origin.jsonl")]
        examination = Examination(clean, source_lang, target_lang, split.split_seed, normalise)
        keys = clean_pairs(pairs, cleaner, split, kept_files, rejects, report, examination, workers or Here())
        report.dropped.update(cleaner.counts)
        if report.kept == 0:
            raise InputError(report.nothing_left())
        splits = assign(keys, wanted_sizes(split, report.kept))
        distribute(kept_files, splits, folder, (source_lang, target_lang))
        report.splits = {name: splits.count(number) for number, name in enumerate(SPLITS)}
        text = json.dumps(report.as_json(), indent=2, ensure_ascii=False) + "\n"
        (folder / "report.json").write_bytes(text.encode("utf-8", NOT_UTF_8))
    return report


KEEP_ALL = CleanOptions(
    drop_control=False,
    drop_empty=False,
    max_tokens=0,
    max_characters=0,
    max_ratio=0.0,
    identical_words=0,
    drop_wrong_script=False,
    drop_wrong_language=False,
    drop_duplicates=False,
    drop_near_duplicates=False,
)


def split_corpus(
    inputs: Inputs,
    out: str | Path,
    *,
    source_lang: str,
    target_lang: str,
    read: ReadOptions | None = None,
    split: SplitOptions | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> PreparationReport:
    """Like `prepare` for text that is clean already: every pair stays, and stays as it is."""
    return prepare(
        inputs,
        out,
        source_lang=source_lang,
        target_lang=target_lang,
        read=read,
        clean=KEEP_ALL,
        split=split,
        normalise=False,
        overwrite=overwrite,
        progress=progress,
    )


def all_pairs(
    inputs: Inputs,
    options: ReadOptions,
    report: PreparationReport,
    outputs: Sequence[Path | None],
    progress: Progress | None,
) -> Iterator[SentencePair]:
    """Pairs of all inputs one after the other, counted."""
    listed: Any = [inputs] if isinstance(inputs, str | Path) else inputs
    if not isinstance(listed, Sequence) or (listed and isinstance(listed[0], SentencePair)):
        return given_pairs(listed, report)
    entries: list[Input] = [entry for entry in listed if isinstance(entry, Input)]
    names = [entry for entry in listed if isinstance(entry, str | Path)]
    aside: list[str] = []
    entries += find_inputs(names, report.source_lang, report.target_lang, options, aside)
    if aside:
        report.skipped["files without pairs"] += len(aside)
    if not entries:
        raise ConfigError("no input: name files of sentence pairs", "inputs")
    paths = [path for entry in entries for path in entry.paths]
    if paths.count("-") > 1:
        raise ConfigError("standard input can be read only once; name another file", "inputs")
    for path in (file for entry in entries for file in entry.files):
        for output in outputs:
            # Written while it is read, or deleted with the folder it lies in.
            if str(path) != "-" and output is not None and path.resolve().is_relative_to(output.resolve()):
                raise ConfigError(f"{output} would replace the input {path}; choose another name for the output", "out")
    return read_inputs(entries, options, report, progress)


def given_pairs(pairs: Iterable[SentencePair], report: PreparationReport) -> Iterator[SentencePair]:
    for pair in pairs:
        report.read += 1
        yield pair


def read_inputs(
    entries: Sequence[Input], options: ReadOptions, report: PreparationReport, progress: Progress | None
) -> Iterator[SentencePair]:
    total_bytes = sum(entry.bytes for entry in entries)
    earlier_bytes = 0
    for entry in entries:
        account = Account()
        sides = SideLanguages(report.source_lang, report.target_lang)
        before = report.read
        for pair in read_pairs(entry, report.source_lang, report.target_lang, options, account):
            report.read += 1
            sides.see(pair.source, pair.target)
            yield pair
            if progress is not None and report.read % BATCH_PAIRS == 0:
                done_bytes = earlier_bytes + account.position_bytes()
                # Nobody knows how many pairs there are; the bytes read so far tell about how many.
                progress(report.read, int(report.read * total_bytes / done_bytes) if done_bytes else 0)
        earlier_bytes += entry.bytes
        number = report.read - before
        if number == 0 and not account.skipped:
            raise InputError(f"{' and '.join(entry.paths)}: there are no sentence pairs; the file is empty")
        report.skipped.update(account.skipped)
        report.inputs.append(InputReport(list(entry.paths), entry.format, number, dict(account.skipped), sides.doubt()))


def clean_pairs(
    pairs: Iterator[SentencePair],
    cleaner: Cleaner,
    split: SplitOptions,
    kept_files: Sequence[Path],
    rejects: IO[bytes] | None,
    report: PreparationReport,
    examination: Examination,
    workers: Workers,
) -> array[int]:
    """Writes the pairs that no rule drops, and returns a key to split by for each."""
    keys: array[int] = array("Q")
    groups = GroupKeys(split) if split.split_by != "source" else None
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(path.open("wb")) for path in kept_files]
        batches = iter(lambda: list(islice(pairs, BATCH_PAIRS)), [])
        for batch, examined in workers.map(examine, batches, examination, argument=both_sides):
            blocks = examined.blocks
            report.changes.update(examined.changes)
            verdicts, source_keys = cleaner.settle(examined.findings)
            kept = [at for at, verdict in enumerate(verdicts) if verdict == "kept"]
            report.kept += len(kept)
            for file, block in zip(files, blocks, strict=False):
                lines = block.split(b"\n")
                file.write(block if len(kept) == len(batch) else b"".join([lines[at] + b"\n" for at in kept]))
            files[2].write("".join([origin_line(batch[at]) for at in kept]).encode("utf-8", NOT_UTF_8))
            if groups is None:
                keys.extend(source_keys[at] for at in kept)
            else:
                keys.extend(groups.key(batch[at].origin) for at in kept)
            if rejects is not None and len(kept) < len(batch):
                for at, verdict in enumerate(verdicts):
                    if verdict != "kept":
                        rejects.write(dropped_line(batch[at], verdict))
    if groups is not None and groups.lacking == len(keys) > 0 and split.split_by != "file":
        raise ConfigError(f"--split-by {split.split_by}: no pair has an attribute of that name", "split_by")
    return keys


def origin_line(pair: SentencePair) -> str:
    return ENCODE({"id": pair.id, **pair.origin.as_json()}) + "\n"


def dropped_line(pair: SentencePair, rule: str) -> bytes:
    entry = {"rule": rule, "source": pair.source, "target": pair.target, "id": pair.id, **pair.origin.as_json()}
    return (ENCODE(entry) + "\n").encode("utf-8", NOT_UTF_8)


# File names and ids may hold what is no character; inside JSON this is the escape that reads back as the same.
NOT_UTF_8 = "backslashreplace"
ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def distribute(kept_files: Sequence[Path], splits: bytearray, folder: Path, langs: tuple[str, str]) -> None:
    """Deals the lines of each kept file out to the files of the splits, in their order, and removes it."""
    for kept, ending in zip(kept_files, (*langs, "origin.jsonl"), strict=True):
        with contextlib.ExitStack() as stack:
            outputs = {
                number: stack.enter_context((folder / f"{name}.{ending}").open("wb"))
                for number, name in enumerate(SPLITS)
                if number in splits
            }
            for line, number in zip(stack.enter_context(kept.open("rb")), splits, strict=True):
                outputs[number].write(line)
        kept.unlink()


@contextlib.contextmanager
def dropped_file(path: Path | None, out: Path, folder: Path) -> Iterator[IO[bytes] | None]:
    """The file for dropped pairs; one that is to lie in `out` goes into `folder`, which will become `out`."""
    if path is None:
        yield None
        return
    if path.parent.resolve() == out.resolve():
        if OUTPUT.match(path.name):
            raise ConfigError(f"--dropped: {path.name} is the name of another output; choose another", "dropped")
        path = folder / path.name
    if not path.parent.is_dir():
        raise ConfigError(f"--dropped: there is no folder {path.parent} to write in", "dropped")
    with writing(path) as stream:
        yield stream


NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


@contextlib.contextmanager
def writing_text(out: str | Path) -> Iterator[None]:
    """Names the output in what the system says when it cannot be written; a failure to read is left as it is."""
    try:
        yield
    except OSError as error:
        target = Path(out)
        ours = [str(target), *map(str, target.parents)]
        temporary = str(target.parent / f".{target.name}.")
        name = str(error.filename or "")
        if error.errno in NO_ROOM or name in ours or name.startswith(temporary):
            raise DragomanError(
                f"{out}: cannot write there ({error.strerror or error}); nothing was changed"
            ) from error
        raise
