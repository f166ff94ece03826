"""Training of neural language models: speed and held-out perplexity of every way to train, on a GPU and on CPUs.

    python -m benchmarks.nlm_training TEXT HELDOUT ROWS [--lm lm.bin]

TEXT and HELDOUT are tokenized; each line of ROWS has options of `dragoman nlm train` as JSON, {"dimension": 256,
"training": "nce", "device": "cuda"}. With a back-off model of the same text, perplexities are also those of the words
that it knows: of the network, of the back-off model, and of their best linear mixture.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.measure import report, run_function
from dragoman.config import NlmOptions
from dragoman.lm import LanguageModel
from dragoman.neural import train_model
from dragoman.neural.language_model import NeuralLanguageModel

SHARES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def train(text: Path, out: Path, row: dict[str, Any]) -> dict[str, Any]:
    trained = train_model(text, out, NlmOptions(**row)).as_json()
    names = ("words", "tokens", "epochs", "heldout_perplexity", "seconds", "tokens_per_second", "parameters")
    return {name: trained[name] for name in names}


def scores(model: NeuralLanguageModel | LanguageModel, lines: list[str]) -> list[tuple[float, bool]]:
    """The probability of every word, and whether it is unknown."""
    return [(10**token.log10_prob, token.unknown) for sentence in model.tokens(lines) for token in sentence]


def perplexity(probabilities: list[float]) -> float:
    return math.exp(-sum(map(math.log, probabilities)) / max(1, len(probabilities)))


def mixed(network: Path, back_off: Path, lines: list[str]) -> dict[str, float]:
    pairs = list(zip(scores(NeuralLanguageModel(network), lines), scores(LanguageModel(back_off), lines), strict=True))
    known = [(neural, counted) for (neural, _), (counted, is_unknown) in pairs if not is_unknown]
    mixtures = {
        share: perplexity([share * neural + (1 - share) * counted for neural, counted in known]) for share in SHARES
    }
    share = min(mixtures, key=lambda share: mixtures[share])
    return {
        "known_perplexity": perplexity([neural for neural, _ in known]),
        "back_off": perplexity([counted for _, counted in known]),
        "mixture": mixtures[share],
        "share": share,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=Path)
    parser.add_argument("heldout", type=Path)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--lm", type=Path)
    given = parser.parse_args()
    lines = given.heldout.read_text(encoding="utf-8").split("\n")[:-1]
    with tempfile.TemporaryDirectory() as folder:
        for line in given.rows.read_text(encoding="utf-8").splitlines():
            row, out = json.loads(line), Path(folder, "nlm.bin")
            trained, cost = run_function(train, given.text, out, row)
            asked = NeuralLanguageModel(out).perplexity(lines).perplexity
            mixture = mixed(out, given.lm, lines) if given.lm else {}
            report({**row, **trained, "perplexity": asked, **mixture, **cost.as_json()})


if __name__ == "__main__":
    main()
