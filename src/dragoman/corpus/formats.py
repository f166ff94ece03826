"""Which reader a file needs, by its name or as the user says, and the readers behind one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from dragoman import archive
from dragoman.config import FORMATS, ReadOptions
from dragoman.corpus import gettext_pairs, text_pairs, tmx, xliff
from dragoman.corpus.collected_files import files_in, files_of_prefix, paired
from dragoman.corpus.languages import OtherLanguagesError, matches, require_code
from dragoman.corpus.pair import Account, SentencePair
from dragoman.errors import ConfigError, InputError

Reader = Callable[[str | Path, str, str, ReadOptions, Account], Iterator[SentencePair]]
# Formats of one file; the two files of a pair are `plain`.
READERS: dict[str, Reader] = {
    "tsv": text_pairs.read_tsv,
    "csv": text_pairs.read_csv,
    "jsonl": text_pairs.read_jsonl,
    "tmx": tmx.read_tmx,
    "xliff": xliff.read_xliff,
    "gettext": gettext_pairs.read_gettext,
}
BY_EXTENSION = {
    ".tsv": "tsv",
    ".tab": "tsv",
    ".csv": "csv",
    ".tmx": "tmx",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".sdlxliff": "xliff",
    ".mqxliff": "xliff",
    ".po": "gettext",
    ".pot": "gettext",
    ".mo": "gettext",
    ".gmo": "gettext",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
# What an account of reading calls files of a folder or archive that are passed over.
OTHER_LANGUAGES = "files in other languages"
COMPRESSED = (".gz", ".xz")


@dataclass(frozen=True, slots=True)
class Input:
    """One file of pairs, or the two files of a pair; `from_collection`: of a folder or archive, named by nobody."""

    format: str
    source: str
    target: str = ""
    from_collection: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.source, self.target) if self.target else (self.source,)

    @property
    def files(self) -> tuple[Path, ...]:
        """What lies on the disk: the paths, or the archives that they are in."""
        places = [archive.split_name(path) for path in self.paths]
        return tuple(Path(path) if place is None else place[0] for path, place in zip(self.paths, places, strict=True))

    @property
    def bytes(self) -> int:
        """Bytes on disk, for progress."""
        return sum(file.stat().st_size for file in set(self.files) if file.is_file())


def plain_suffix(path: str) -> str:
    """The extension that tells the format or language, whatever the compression: `a.fr.xz` -> `.fr`."""
    name = PurePath(path)
    if name.suffix.lower() in COMPRESSED:
        name = name.with_suffix("")
    return name.suffix.lower()


def find_inputs(
    paths: Sequence[str | Path],
    source_lang: str,
    target_lang: str,
    options: ReadOptions,
    aside: list[str] | None = None,
) -> list[Input]:
    """Groups what the user named into inputs; files by language extension come in twos, in either order.

    A folder or a zip archive stands for what is in it, and `train` for train.fr and train.en. Files in them that are no
    bilingual text are added to `aside`.
    """
    langs = require_code(source_lang, "source-lang"), require_code(target_lang, "target-lang")
    if options.format not in FORMATS:
        raise ConfigError(f"--format: {options.format} is not known; use one of {', '.join(FORMATS)}", "format")
    names = [str(path) for path in paths]
    inputs: list[Input] = []
    while names:
        name = names.pop(0)
        if is_collection(name):
            inputs += collected(name, langs, options, aside)
            continue
        chosen = options.format if options.format != "auto" else BY_EXTENSION.get(plain_suffix(name), "plain")
        if name != "-" and not Path(name).exists() and (two := files_of_prefix(name, langs)):
            inputs.append(Input("plain", *two))
            continue
        require_file(name)
        if chosen != "plain":
            inputs.append(Input(chosen, name))
            continue
        pair = find_pair(name, names, langs)
        if pair is None:
            raise ConfigError(
                f"{name} has no partner: give two text files that end in .{source_lang} and .{target_lang}, use"
                " --source and --target, or say what it is with --format",
                "inputs",
            )
        partner = pair[1] if pair[0] == name else pair[0]
        names.remove(partner)
        require_file(partner)
        inputs.append(Input("plain", *pair))
    return inputs


def is_collection(name: str) -> bool:
    """Whether it stands for files that are in it."""
    return Path(name).is_dir() or (name.lower().endswith(archive.SUFFIX) and Path(name).is_file())


def collected(place: str, langs: tuple[str, str], options: ReadOptions, aside: list[str] | None) -> Iterator[Input]:
    """What a folder or an archive holds. Named by --format, its files of pairs are of that format alone."""

    def format_of(name: str) -> str:
        by_name = BY_EXTENSION.get(plain_suffix(name), "plain")
        return by_name if options.format in ("auto", by_name) else "plain"

    files = files_in(place, langs, lambda name: format_of(name) != "plain")
    yield from (Input(format_of(name), name, from_collection=True) for name in files.whole)
    yield from (Input("plain", *pair, from_collection=True) for pair in files.pairs)
    if not files.whole and not files.pairs:
        has = ", ".join(PurePath(name).name for name in files.aside[:6]) or "nothing"
        raise InputError(
            f"{place} holds no bilingual text for {langs[0]} and {langs[1]}: no TMX, XLIFF, PO, TSV, CSV or JSONL file"
            f" and no two text files such as train.{langs[0]} and train.{langs[1]}; it has {has}"
        )
    if aside is not None:
        aside += files.aside


def find_pair(name: str, others: Sequence[str], langs: tuple[str, str]) -> tuple[str, str] | None:
    """The file and the one that differs in the language alone or, failing that, the only one in the other language."""
    for other in others:
        for pair in paired((name, other), langs):
            return pair
    for mine, wanted in (langs, langs[::-1]):
        if matches(mine, plain_suffix(name)[1:]):
            fitting = [other for other in others if matches(wanted, plain_suffix(other)[1:])]
            if len(fitting) == 1:
                return (name, fitting[0]) if mine == langs[0] else (fitting[0], name)
    return None


def stem(path: str) -> str:
    name = PurePath(path)
    if name.suffix.lower() in COMPRESSED:
        name = name.with_suffix("")
    return str(name.with_suffix(""))


def require_file(path: str) -> None:
    if path == "-" or archive.split_name(path) is not None:
        return
    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file")
    if Path(path).is_dir():
        raise InputError(f"{path} is a directory; name the files in it")


def read_pairs(
    entry: Input, source_lang: str, target_lang: str, options: ReadOptions, account: Account | None = None
) -> Iterator[SentencePair]:
    """The pairs of one input, as they come; memory stays bounded for every format but PO and MO."""
    account = account or Account()
    if entry.format == "plain":
        return text_pairs.read_plain(entry.source, entry.target, options, account)
    pairs = READERS[entry.format](entry.source, source_lang, target_lang, options, account)
    return unless_other_languages(pairs, account) if entry.from_collection else pairs


def unless_other_languages(pairs: Iterator[SentencePair], account: Account) -> Iterator[SentencePair]:
    """The pairs of a file among others, as catalogues lie in a folder by language: one of those is passed over."""
    try:
        yield from pairs
    except OtherLanguagesError:
        account.skipped[OTHER_LANGUAGES] += 1
