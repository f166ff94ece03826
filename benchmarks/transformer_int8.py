"""A Transformer of shared/rivals/transformer.py as a user would run it on a CPU: in CTranslate2, a byte a weight.

    python -m benchmarks.transformer_int8 FOLDER SOURCE REFERENCE

FOLDER has what `transformer.py --save` writes: model.pt and spm.model. One thread, one sentence at a time, beam 5, as
ours are measured; memory is the whole process, Python, SentencePiece and CTranslate2 included.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.harness.table import NotHereError
from benchmarks.measure import report, run_command, run_function
from benchmarks.trained import scores_of

# Of transformer.py: padding, the end of a sentence, what is not known, the beginning.
SPECIAL = ("<pad>", "</s>", "<unk>", "<s>")


def require(folder: Path) -> None:
    if not all(importlib.util.find_spec(name) for name in ("ctranslate2", "sentencepiece", "torch")):
        raise NotHereError("pip install ctranslate2 sentencepiece torch")
    if not (folder / "model.pt").exists():
        raise NotHereError("weights of rivals/transformer.py --save")


def convert(folder: Path) -> Path:
    """CTranslate2's form of the weights, made once."""
    out = folder / "int8"
    if not (out / "model.bin").exists():
        run_function(write_converted, folder, out)
    return out


def write_converted(folder: Path, out: Path) -> None:
    import ctranslate2
    import torch
    from ctranslate2.specs import transformer_spec

    stored = torch.load(folder / "model.pt", map_location="cpu")
    weights = {name: value.float().numpy() for name, value in stored["weights"].items()}
    shape = stored["args"]
    heads = max(4, shape["dim"] // 64)
    spec = transformer_spec.TransformerSpec.from_config((shape["layers"], shape["declayers"]), heads, pre_norm=True)
    Filler(weights).fill(spec)
    count = weights["e.weight"].shape[0]
    pieces = [*SPECIAL, *(str(number) for number in range(len(SPECIAL), count))]
    spec.register_source_vocabulary(pieces)
    spec.register_target_vocabulary(pieces)
    spec.config.bos_token, spec.config.eos_token, spec.config.unk_token = "<s>", "</s>", "<unk>"
    spec.config.decoder_start_token = "<s>"
    spec.config.add_source_bos = spec.config.add_source_eos = False
    spec.validate()
    spec.optimize(quantization="int8")
    out.mkdir(exist_ok=True)
    spec.save(str(out))
    assert ctranslate2.contains_model(str(out))


class Filler:
    """Puts tensors by the names that transformer.py has for them where CTranslate2 wants them."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.weights = weights

    def fill(self, spec: Any) -> None:
        for side, layers, norm in ((spec.encoder, "E", "ne"), (spec.decoder, "D", "nd")):
            embeddings = side.embeddings[0] if layers == "E" else side.embeddings
            embeddings.weight = self.weights["e.weight"]
            side.position_encodings.encodings = self.weights["pos"]
            self.norm(side.layer_norm, norm)
            for number, layer in enumerate(side.layer):
                self.layer(layer, f"{layers}.{number}", crossed=layers == "D")
        spec.decoder.projection.weight = self.weights["e.weight"]

    def layer(self, layer: Any, name: str, crossed: bool) -> None:
        attention = layer.self_attention
        self.norm(attention.layer_norm, f"{name}.n1")
        self.linear(attention.linear[0], f"{name}.a.q", f"{name}.a.kv")
        self.linear(attention.linear[1], f"{name}.a.o")
        if crossed:
            self.norm(layer.attention.layer_norm, f"{name}.n3")
            for place, part in enumerate(("q", "kv", "o")):
                self.linear(layer.attention.linear[place], f"{name}.c.{part}")
        self.norm(layer.ffn.layer_norm, f"{name}.n2")
        self.linear(layer.ffn.linear_0, f"{name}.ff.0")
        self.linear(layer.ffn.linear_1, f"{name}.ff.3")

    def norm(self, spec: Any, name: str) -> None:
        spec.gamma, spec.beta = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    def linear(self, spec: Any, *names: str) -> None:
        """One product for several that have the same input."""
        import numpy

        spec.weight = numpy.concatenate([self.weights[f"{name}.weight"] for name in names])
        spec.bias = numpy.concatenate([self.weights[f"{name}.bias"] for name in names])


def measured(
    folder: Path, sources: list[str], references: list[str], against: list[str] | None = None
) -> dict[str, Any]:
    require(folder)
    model, pieces = convert(folder), folder / "spm.model"
    with tempfile.TemporaryDirectory() as place:
        source, out = Path(place) / "source", Path(place) / "out.json"
        source.write_text("".join(f"{line}\n" for line in sources), encoding="utf-8")
        cost = run_command([sys.executable, Path(__file__).with_name("ctranslate.py"), model, pieces, source, out])
        told = json.loads(out.read_text(encoding="utf-8"))
    return {
        **scores_of(told["lines"], references, against),
        "ms": told["ms"],
        "memory_mb": cost.peak_mb * 1024**2 / 1e6,
        "model_mb": sum(path.stat().st_size for path in (model / "model.bin", pieces)) / 1e6,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("reference", type=Path)
    given = parser.parse_args()
    sources, references = (
        path.read_text(encoding="utf-8").split("\n")[:-1] for path in (given.source, given.reference)
    )
    report(measured(given.folder, sources, references))


if __name__ == "__main__":
    main()
