"""Which reader a file needs, by its name or as the user says, and the readers behind one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from dragoman.config import FORMATS, ReadOptions
from dragoman.corpus import gettext_pairs, text_pairs, tmx, xliff
from dragoman.corpus.languages import matches, require_code
from dragoman.corpus.pair import Account, SentencePair
from dragoman.errors import ConfigError, InputError

Reader = Callable[[str | Path, str, str, ReadOptions, Account], Iterator[SentencePair]]
# Formats of one file; the two files of a pair are `plain`.
READERS: dict[str, Reader] = {
    "tsv": text_pairs.read_tsv,
    "jsonl": text_pairs.read_jsonl,
    "tmx": tmx.read_tmx,
    "xliff": xliff.read_xliff,
    "gettext": gettext_pairs.read_gettext,
}
BY_EXTENSION = {
    ".tsv": "tsv",
    ".tab": "tsv",
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
COMPRESSED = (".gz", ".xz")


@dataclass(frozen=True, slots=True)
class Input:
    """One file of pairs, or the two files of a pair."""

    format: str
    source: str
    target: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.source, self.target) if self.target else (self.source,)

    @property
    def bytes(self) -> int:
        """Bytes on disk, for progress."""
        return sum(Path(path).stat().st_size for path in self.paths if Path(path).is_file())


def plain_suffix(path: str) -> str:
    """The extension that tells the format or language, whatever the compression: `a.fr.xz` -> `.fr`."""
    name = PurePath(path)
    if name.suffix.lower() in COMPRESSED:
        name = name.with_suffix("")
    return name.suffix.lower()


def find_inputs(paths: Sequence[str | Path], source_lang: str, target_lang: str, options: ReadOptions) -> list[Input]:
    """Groups what the user named into inputs; files by language extension come in twos, in either order."""
    require_code(source_lang, "source-lang")
    require_code(target_lang, "target-lang")
    names = [str(path) for path in paths]
    inputs: list[Input] = []
    while names:
        name = names.pop(0)
        require_file(name)
        chosen = options.format if options.format != "auto" else BY_EXTENSION.get(plain_suffix(name), "plain")
        if chosen not in FORMATS:
            raise ConfigError(f"--format: {chosen} is not known; use one of {', '.join(FORMATS)}", "format")
        if chosen != "plain":
            inputs.append(Input(chosen, name))
            continue
        partner = find_partner(name, names, source_lang, target_lang)
        if partner is None:
            raise ConfigError(
                f"{name} has no partner: give two text files that end in .{source_lang} and .{target_lang}, use"
                " --source and --target, or say what it is with --format",
                "inputs",
            )
        names.remove(partner)
        require_file(partner)
        backwards = matches(target_lang, plain_suffix(name)[1:])
        inputs.append(Input("plain", partner, name) if backwards else Input("plain", name, partner))
    return inputs


def find_partner(name: str, others: Sequence[str], source_lang: str, target_lang: str) -> str | None:
    """The file of the other language with the same stem; failing that, the only other text file there is."""
    suffix = plain_suffix(name)[1:]
    if matches(source_lang, suffix):
        wanted = target_lang
    elif matches(target_lang, suffix):
        wanted = source_lang
    else:
        return None
    fitting = [other for other in others if matches(wanted, plain_suffix(other)[1:])]
    same = [other for other in fitting if stem(other) == stem(name)]
    return same[0] if same else fitting[0] if len(fitting) == 1 else None


def stem(path: str) -> str:
    name = PurePath(path)
    if name.suffix.lower() in COMPRESSED:
        name = name.with_suffix("")
    return str(name.with_suffix(""))


def require_file(path: str) -> None:
    if path == "-":
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
    return READERS[entry.format](entry.source, source_lang, target_lang, options, account)
