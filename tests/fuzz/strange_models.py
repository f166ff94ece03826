"""Models as a stranger might make them: any content, hashes that fit.

`make_model` builds a small model with every file a model can have. `mutated` changes one of them and makes sizes and
hashes right again. `use` does with a model whatever a program does with one; run as a script, this module is a process
with little memory that uses the models whose paths it is told, so that a crash is somebody else's: `strange_uses` has
one of them use mutations of a file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import os
import random
import resource
import select
import shutil
import struct
import subprocess
import sys
import traceback
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
MEMORY_BYTES = 2 << 30
SECONDS = 60
FILES = [
    "vocab.bin",
    "bitext.bin",
    "lexicon.bin",
    "sources.bin",
    "align.bin",
    "lm.bin",
    "nlm.bin",
    "source_nlm.bin",
    "judge.bin",
    "model.json",
    "text.json",
    "confidence.json",
    "names.tsv",
    "glossary.tsv",
]
SENTENCE = "La maison bleue, le chat noir ! Une Voiture xyzzy voit l'été."
BOUNDARIES = [0, 1, 2, 63, 127, 255, 256, 1 << 15, 1 << 31, (1 << 32) - 1, (1 << 63), (1 << 64) - 1]
FLOATS = [float("nan"), float("inf"), float("-inf"), 3e38, -3e38, 1e-45, 0.0]
# What a value of a JSON file may turn into.
VALUES: list[Any] = [None, True, -1, 0, 1 << 70, 1e308, "", "[/x]", "\ud800", "a" * 5000, [], {}, [[]], {"a": 1}]


def make_model(path: Path) -> Path:
    from dragoman import _core
    from dragoman.align import AlignmentModel
    from dragoman.confidence.estimator import Calibrated, ConfidenceModel
    from dragoman.confidence.features import SENTENCE_FEATURES, WORD_FEATURES
    from dragoman.confidence.regression import Regression
    from dragoman.config import AlignOptions, DecodeOptions
    from dragoman.index.sources import SourceRecord, write_sources
    from dragoman.learn.names import write_names
    from dragoman.model.directory import building_model
    from dragoman.model.manifest import Manifest
    from dragoman.model.opened import with_untuned
    from dragoman.model.weights import default_weights, write_weights
    from tests.reference.judge import random_tensors
    from tests.reference.neural_lm import random_model
    from tests.unit.translate.support import PAIRS

    source, target, links = ("".join(f"{row[i]}\n" for row in PAIRS * 3).encode() for i in range(3))
    words = sorted({word for _, line, _ in PAIRS for word in line.split()})
    options = {
        "decode": dataclasses.asdict(DecodeOptions()),
        "index": {"sample_seed": 1},
        "live": {"correction_weight": 3},
        "budget": {"scratch_bytes": 50_000_000, "max_sentence_words": 80},
    }
    scores = {"test": {"bleu": 12.5, "intervals": {"bleu": [11.0, 14.0]}}, "bleu": 12.5}

    def calibrated(names: tuple[str, ...]) -> Calibrated:
        size = len(names)
        return Calibrated(list(names), Regression(0.1, [0.1] * size, [0.0] * size, [1.0] * size), [(-9, 0.0), (9, 1.0)])

    weights = default_weights(["LanguageModel", "NeuralLM", "SourceNeuralLM"], judge=True)
    with building_model(path, Manifest("fr", "en", options=options, scores=scores)) as directory:
        _core.build_index(str(directory), source, target, links, options["index"])
        for side, text in (("source", source), ("target", target)):
            other = {"source": source, "links": links} if side == "target" else {}
            _core.add_casing(str(directory / "vocab.bin"), side, text, "en", **other)
        (directory / "text.json").write_text(json.dumps({"tokenizer": "language", "spacing": "apart"}))
        training = AlignmentModel.train(source, target, AlignOptions(threads=1))
        assert training.model is not None
        training.model.save(directory / "align.bin")
        counted = _core.LmText()
        counted.add(target)
        _core.lm_estimate(counted, 3, [1], [0.5, 1.0, 1.5]).write(str(directory / "lm.bin"))
        for name, window in (("nlm.bin", None), ("source_nlm.bin", 1)):
            network = random_model(3, words=len(words), order=3, window=window, direct=0 if window else 10)
            network.meta["words"] = words
            _core.write_neural_model(str(directory / name), network.meta, network.buffers())
        shape = {"dimension": 64, "heads": 2, "feedforward": 128, "encoder_layers": 1, "decoder_layers": 1}
        pieces = _core.learn_pieces([(word, 1) for line in (source, target) for word in line.decode().split()], 60)
        tensors = random_tensors(shape, len(pieces), 1)
        _core.write_judge(
            str(directory / "judge.bin"), shape, pieces, {name: array("f", part) for name, part in tensors.items()}
        )
        records = (
            SourceRecord(i, f"pair{i % 20}", *PAIRS[i % 8][:2], "a.tmx", i + 1, f"u{i}", {"key": "value"})
            for i in range(len(PAIRS) * 3)
        )
        write_sources(directory / "sources.bin", records)
        write_names(directory / "names.tsv", {1 << 56 | 5: "a name", 1 << 56 | 6: "été"})
        write_weights(directory / "weights.txt", weights)
        (directory / "glossary.tsv").write_text("maison bleue\tazure home\nchat\tcat\n")
        confidence = ConfidenceModel(
            5, with_untuned(weights), calibrated(WORD_FEATURES), calibrated((*SENTENCE_FEATURES, "WordPenalty"))
        )
        (directory / "confidence.json").write_text(confidence.to_json())
    return path


def mutated(model: Path, name: str, out: Path, rng: random.Random) -> None:
    """A copy of a model in which one file is another; only that file is written."""
    from dragoman import _core
    from dragoman.model.directory import describe_file
    from dragoman.model.manifest import MANIFEST

    shutil.copytree(model, out, copy_function=os.link)
    path = out / name
    content = path.read_bytes()
    path.unlink()
    if name == MANIFEST:
        path.write_text(json.dumps(changed_json(json.loads(content), rng)))
        return
    if name.endswith(".bin"):
        kind = content[16:32].rstrip(b"\0").decode()
        sections = _core.testing.read_container(content, kind)
        _core.testing.write_container(str(path), kind, changed_sections(sections, rng))
    elif name.endswith(".json") and rng.random() < 0.8:
        path.write_text(json.dumps(changed_json(json.loads(content), rng)))
    else:
        path.write_bytes(changed_bytes(content, rng))
    manifest = json.loads((out / MANIFEST).read_bytes())
    manifest["files"][name] = dataclasses.asdict(describe_file(path))
    (out / MANIFEST).unlink()
    (out / MANIFEST).write_text(json.dumps(manifest))


def changed_sections(sections: dict[str, bytes], rng: random.Random) -> dict[str, bytes]:
    for _ in range(rng.randint(1, 3)):
        # Small sections say how large the others are.
        names = [name for name in sections if len(sections[name]) < 200] if rng.random() < 0.4 else list(sections)
        name, other = rng.choice(names or list(sections)), rng.choice(list(sections))
        match rng.randrange(20):
            case 0:
                sections.pop(name)
            case 1:
                sections[name] = sections[other]
            case _:
                sections[name] = changed_bytes(sections[name], rng)
        if not sections:
            return {"nothing": b""}
    return sections


def changed_bytes(content: bytes, rng: random.Random) -> bytes:
    data = bytearray(content)
    if not data:
        return rng.randbytes(rng.randint(1, 100))
    at = rng.randrange(len(data))
    size = rng.choice([1, 2, 4, 8])
    number = at // size * size
    match rng.randrange(9):
        case 0 | 1 | 2:
            for _ in range(rng.randint(1, 4)):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 3:
            data[number : number + size] = (rng.choice(BOUNDARIES) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        case 4:
            old = int.from_bytes(data[number : number + size], "little")
            new = (old + rng.choice([-1, 1, old])) & ((1 << 8 * size) - 1)
            data[number : number + size] = new.to_bytes(size, "little")
        case 5:
            data[at // 4 * 4 : at // 4 * 4 + 4] = struct.pack("<f", rng.choice(FLOATS))
        case 6:
            end = rng.randrange(at, len(data)) + 1
            data[at:end] = bytes([rng.choice([0, 255, rng.randrange(256)])]) * (end - at)
        case 7:
            del data[at:]
        case _:
            data[at:at] = rng.randbytes(rng.randint(1, 40))
    return bytes(data)


def changed_json(value: Any, rng: random.Random) -> Any:
    """The same with a few values of other kinds, entries that are gone and entries that are new."""

    def places(of: Any) -> Iterator[tuple[Any, Any]]:
        keys: list[Any] = list(of) if isinstance(of, dict) else list(range(len(of)))
        for key in keys:
            yield of, key
            if isinstance(of[key], dict | list):
                yield from places(of[key])

    for _ in range(rng.randint(1, 2)):
        if not isinstance(value, dict | list) or not value or rng.random() < 0.02:
            return rng.choice(VALUES)
        of, key = rng.choice(list(places(value)))
        if rng.random() < 0.1:
            del of[key]
        elif rng.random() < 0.1 and isinstance(of, dict):
            of[rng.choice(["", "x", "[b]", "9" * 400])] = rng.choice(VALUES)
        else:
            of[key] = rng.choice(VALUES)
    return value


def use(path: Path) -> list[str]:
    """Does with a model whatever there is to do; what was neither an answer nor a refusal in one sentence."""
    from dragoman.cli.main import run
    from dragoman.config import DecodeOptions
    from dragoman.errors import DragomanError
    from dragoman.learn.compaction import compact
    from dragoman.translator import Translator

    findings: list[str] = []

    def attempt(what: str, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except DragomanError as error:
            if "\n" in str(error):
                findings.append(f"{what}: a refusal of several lines: {error}")
        except BaseException:
            findings.append(f"{what}: {traceback.format_exc(limit=-4)}")
        return None

    def command(*line: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert run([*line, str(path)]) in (0, 1, 2)

    attempt("inspect", lambda: command("inspect", "--sections"))
    attempt("inspect --json", lambda: command("inspect", "--json"))
    translator = attempt("open", lambda: Translator.load(path))
    if translator is not None:
        for decoder in ("hierarchical", "phrase-based"):
            options = DecodeOptions(decoder=decoder)
            made = attempt(decoder, lambda options=options: translator.translate(SENTENCE, options, nbest=3))
            assert made is None or json.dumps(made.as_json())
        explained = attempt(
            "explain", lambda: translator.translate(SENTENCE, explain=True, confidence=True, nbest=2).as_json()
        )
        attempt("explanation", lambda: json.dumps(explained))
        attempt("explain at length", lambda: json.dumps(translator.explain(SENTENCE).as_json()))
        attempt("why", lambda: translator.why("la maison bleue .", "the blue house ."))
        for number in (0, 5, 30, 1 << 56 | 5):
            attempt("pair", lambda number=number: (translator.pair(number), translator.sources(number)))
        attempt("glossary", lambda: translator.glossary_conflicts())
        attempt("add", lambda: translator.add("le chat vert dort", "the Green cat sleeps", "new"))
        attempt("remove", lambda: [translator.remove(name) for name in ("pair3", "a name", "line:2")])
        attempt("translate again", lambda: translator.translate(SENTENCE, explain=True))
    attempt("compact", lambda: compact(path))
    attempt("open again", lambda: Translator.load(path).translate(SENTENCE))
    return findings


class Worker:
    """A process that uses models; another takes its place when it is gone."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def use(self, path: Path) -> list[str]:
        if self._process is None:
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-m", "tests.fuzz.strange_models"]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], SECONDS)
        answer = self._process.stdout.readline() if ready else ""
        if answer:
            return list(json.loads(answer))
        code = self._process.poll() if ready else None
        self.close()
        return [f"the process ended with {code}" if ready else f"no answer within {SECONDS} seconds"]

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def strange_uses(model: Path, name: str, folder: Path, tries: int, first: int = 0) -> Iterator[str | None]:
    """What was found in each of so many mutations of a file; a model that led to a finding is kept."""
    worker = Worker()
    try:
        for number in range(first, first + tries):
            changed, kept = folder / "changed", folder / f"kept {name} {number}"
            mutated(model, name, changed, random.Random(f"{name} {number}"))
            shutil.copytree(changed, kept)
            findings = worker.use(changed)
            shutil.rmtree(changed)
            if findings:
                yield f"{name}, mutation {number}: {findings}; the model is {kept}"
            else:
                shutil.rmtree(kept)
                yield None
    finally:
        worker.close()


def main() -> None:
    import dragoman.translator  # noqa: F401 - before memory is counted

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for line in sys.stdin:
        findings = use(Path(line.rstrip("\n")))
        print(json.dumps(findings), flush=True)


if __name__ == "__main__":
    main()
