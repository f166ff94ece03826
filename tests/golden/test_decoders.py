"""The decoders against what other programs found: cdec's and Joshua's expectations."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dragoman import _core
from tests.unit.index.support import grammars_by_sentence

Shared = Callable[[str], Path]


@pytest.mark.shared
def test_australia_viterbi(shared: Shared) -> None:
    """cdec's best derivation without a language model; another translation ties, so scores are compared."""
    folder = shared("golden/cdec-decoder/australia")
    grammar = gzip.decompress((folder / "australia.scfg.gz").read_bytes())
    # Its configuration loads no word penalty, so the weight given for one means nothing.
    weights = [w for w in _core.read_weights((folder / "weights").read_bytes()) if w[0] != "WordPenalty"]
    sentence = (folder / "input.txt").read_text().split(" ||| ")[0].split()
    decoder = _core.testing.Decoder.from_grammar(grammar, weights)
    options = {"max_span": 0, "rules_per_side": 0, "kbest": 2}
    first, second = decoder.decode([sentence], options)[0]["candidates"]
    expected = {"PhraseModel_0": 2.014353, "PhraseModel_1": 8.591477, "PhraseModel_2": 7.082652}
    for candidate in (first, second):
        for name, value in expected.items():
            assert candidate["features"][name] == pytest.approx(value, abs=1e-5)
    assert first["words"] != second["words"]


def gold_kbest(lines: str) -> list[tuple[str, str, dict[str, float], float]]:
    entries = []
    for line in lines.splitlines():
        number, text, features, score = (field.strip() for field in line.split("|||"))
        values = {name: float(value) for name, value in (part.split("=") for part in features.split())}
        entries.append((number, text, values, float(score)))
    return entries


@pytest.mark.shared
@pytest.mark.parametrize(
    ("number", "words"), [("0", ["AB"]), ("0", ["C", "B"]), ("0", ["A", "B"]), ("1", ["A"]), ("1", ["B"])]
)
def test_lattice_paths(shared: Shared, number: str, words: list[str]) -> None:
    """Lattices are not read; each of their paths is a sentence, and its k-best list is that path's part of the gold.

    Which part that is shows in the features: the lattice's own costs belong to the path.
    """
    folder = shared("golden/cdec-decoder/lattice")
    weights = [
        w for w in _core.read_weights((folder / "weights").read_bytes()) if not w[0].startswith(("Lattice", "Uses"))
    ]
    decoder = _core.testing.Decoder.from_grammar((folder / "lattice.scfg").read_bytes(), weights)
    found = decoder.decode([words], {"max_span": 0, "kbest": 100})[0]["candidates"]
    gold = {
        text: (values, score)
        for n, text, values, score in gold_kbest((folder / "gold.stdout").read_text())
        if n == number
    }
    path_cost = {"AB": 0.125, "C B": 2.25, "A B": 2.5, "A": 0.5, "B": 0.0}[" ".join(words)]
    # cdec passes no words through here; C alone has no rule.
    possible = [each for each in found if "PassThrough" not in each["features"]]
    for each in possible:
        values, score = gold[" ".join(each["words"])]
        assert values.get("LatticeCost_0", 0.0) == pytest.approx(path_cost)
        assert each["score"] - path_cost == pytest.approx(score, abs=1e-4)
        for name in ("WordPenalty", "SourceWordPenalty", "Cost", "Glue"):
            assert each["features"].get(name, 0.0) == pytest.approx(values.get(name, 0.0), abs=1e-5)
    same_path = [text for text, (values, _) in gold.items() if values.get("LatticeCost_0", 0.0) == path_cost]
    assert sorted(" ".join(each["words"]) for each in possible) == sorted(same_path)


def language_model(arpa: bytes, folder: Path) -> Path:
    reader = _core.ArpaReader()
    reader.add(arpa)
    reader.finish().write(str(folder / "lm.bin"), 0, 0)
    return folder / "lm.bin"


@pytest.mark.shared
def test_joshua_kbest_with_a_language_model(shared: Shared, tmp_path: Path) -> None:
    """All 3,125 translations of five words with five choices each, in order, under a 5-gram model."""
    folder = shared("golden/joshua-kbest")
    model = language_model(gzip.decompress((folder / "lm.gz").read_bytes()), tmp_path)
    # Its last line leaves a word untranslated though a rule has it, which we never do.
    lines = gold_kbest((folder / "output.gold").read_text())
    gold = [(text, values, score) for _, text, values, score in lines if "OOVPenalty" not in values]
    weights = [("PhraseModel_0", -1.0), ("LanguageModel", 1.0), ("Glue", 1.0)]
    decoder = _core.testing.Decoder.from_grammar(
        (folder / "grammar").read_bytes(), weights, [("LanguageModel", str(model))]
    )
    sentence = ["a", "b", "c", "d", "e"]
    for algorithm in ("hierarchical", "phrase-based"):
        options: dict[str, Any] = {"decoder": algorithm, "kbest": 4000, "pop_limit": 100_000, "stack_size": 100_000}
        options |= {"rules_per_side": 0, "distortion_limit": 0}
        found = decoder.decode([sentence], options)[0]["candidates"]
        assert len(found) == len(gold) == 3125
        # Joshua counts glue once more, for the first word; the phrase-based decoder has none.
        missing = 1.0 if algorithm == "hierarchical" else 5.0
        assert [each["score"] + missing for each in found] == pytest.approx([score for *_, score in gold], abs=2e-3)
        by_text = {text: (values, score) for text, values, score in gold}
        for each in found:
            values, score = by_text[" ".join(each["words"])]
            assert each["score"] + missing == pytest.approx(score, abs=2e-3)
            assert each["features"]["LanguageModel"] == pytest.approx(values["lm_0"], abs=1e-3)
            assert each["features"]["PhraseModel_0"] == pytest.approx(-values["tm_pt_0"])


KbestLists = dict[int, list[tuple[str, dict[str, float], float]]]


def translated_lists(kbest: str) -> KbestLists:
    """The lists without entries that leave a word untranslated though a rule has it, which we never do."""
    lists: KbestLists = defaultdict(list)
    for number, text, values, score in gold_kbest(kbest):
        lists[int(number)].append((text, values, score))
    for number, entries in lists.items():
        unknown = min(values.get("PassThrough", 0.0) for _, values, _ in entries)
        lists[number] = [entry for entry in entries if entry[1].get("PassThrough", 0.0) == unknown]
    return lists


@pytest.mark.parametrize(("algorithm", "kbest"), [("hierarchical", "hierarchical.xz"), ("phrase-based", "phrases.xz")])
def test_kbest_of_the_phrasebook(golden: Callable[[str], str], tmp_path: Path, algorithm: str, kbest: str) -> None:
    """cdec's lists, best first: the same scores from the same words and features, under a 3-gram model."""
    models = [("LanguageModel", str(language_model(golden("phrasebook/lm/o3.arpa.xz").encode(), tmp_path)))]
    weights = _core.read_weights(golden("phrasebook/kbest/weights").encode())
    # Putting phrases side by side is glue to cdec, and nothing to the phrase-based decoder.
    weights = [(name, 0.0 if name == "Glue" and algorithm == "phrase-based" else value) for name, value in weights]
    options: dict[str, Any] = {"decoder": algorithm, "kbest": 100, "pop_limit": 2000, "stack_size": 2000}
    options |= {"rules_per_side": 0, "distortion_limit": 0, "scratch_bytes": 1 << 30}
    sentences = golden("phrasebook/dev.fr").splitlines()
    grammars = grammars_by_sentence(golden("phrasebook/rules/dev.xz"))
    for number, wanted in translated_lists(golden(f"phrasebook/kbest/{kbest}")).items():
        decoder = _core.testing.Decoder.from_grammar(grammars[number].encode(), weights, models)
        found = decoder.decode([sentences[number].split()], options)[0]["candidates"]
        assert [each["score"] for each in found[: len(wanted)]] == pytest.approx([s for *_, s in wanted], abs=1e-3)
        by_text = {" ".join(each["words"]): each["features"] for each in found}
        for text, values, _ in wanted:
            for name in values.keys() - ({"Glue"} if algorithm == "phrase-based" else set()):
                assert by_text[text].get(name, 0.0) == pytest.approx(values[name], abs=1e-3), (text, name)
