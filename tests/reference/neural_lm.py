"""A neural language model as the thesis writes it down (chapter 4), in plain Python: no caches, no batches, no packing.

Tensors are those of `write_neural_model`, as nested lists.
"""

from __future__ import annotations

import array
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

NOTHING, UNKNOWN, BEGIN, END, FIRST = range(5)


@dataclass
class ReferenceModel:
    meta: dict[str, Any]
    tensors: dict[str, Any]
    # (context, nearest first) -> {word or class: weight}
    direct_words: dict[tuple[int, ...], dict[int, float]] = field(default_factory=dict)
    direct_classes: dict[tuple[int, ...], dict[int, float]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return FIRST + len(self.meta["words"])

    @property
    def predicted(self) -> list[int]:
        return [word for word in range(self.size) if word not in (NOTHING, BEGIN)]

    def hidden(self, context: Sequence[int], source: Sequence[int] = (), position: int = 0) -> list[float]:
        total = list(self.tensors["hidden_bias"])

        def add(matrix: Any, embedding: list[float]) -> None:
            for i in range(len(total)):
                if isinstance(matrix[0], list):
                    total[i] += sum(m * q for m, q in zip(matrix[i], embedding, strict=True))
                else:
                    total[i] += matrix[i] * embedding[i]

        for matrix, word in zip(self.tensors["context"], context, strict=True):
            if word != NOTHING:
                add(matrix, self.tensors["input"][word])
        if "source_window" in self.meta:
            window = self.meta["source_window"]
            for k in range(-window, window + 1):
                at = position + k
                word = BEGIN if at < 0 else END if at >= len(source) else source[at]
                add(self.tensors["source_context"][k + window], self.tensors["source_input"][word])
        return [max(0.0, value) for value in total]

    def logit(self, kind: str, index: int, hidden: list[float]) -> float:
        weights = self.tensors[f"{kind}_weights"][index]
        return sum(w * p for w, p in zip(weights, hidden, strict=True)) + self.tensors[f"{kind}_bias"][index]

    def direct(self, table: dict[tuple[int, ...], dict[int, float]], context: Sequence[int], item: int) -> float:
        return sum(table.get(tuple(context[:k]), {}).get(item, 0.0) for k in range(1, len(context) + 1))

    def score(self, context: Sequence[int], word: int, source: Sequence[int] = (), position: int = 0) -> float:
        hidden = self.hidden(context, source, position)
        exact = self.meta["normalised"] in (True, "exact")

        def word_logit(each: int) -> float:
            return self.logit("word", each, hidden) + self.direct(self.direct_words, context, each)

        def class_logit(each: int) -> float:
            return self.logit("class", each, hidden) + self.direct(self.direct_classes, context, each)

        if self.meta["output"] == "tree":
            return sum(log_sigmoid(side * self.logit("node", node, hidden)) for node, side in self.path(word))
        if self.meta["output"] == "flat":
            return word_logit(word) - (log_sum_exp(map(word_logit, self.predicted)) if exact else 0.0)
        classes = self.tensors["class_of_word"]
        mine = [each for each in self.predicted if classes[each] == classes[word]]
        total = class_logit(classes[word]) + word_logit(word)
        if self.meta["normalised"] != "none":
            total -= log_sum_exp(map(class_logit, range(len(self.tensors["class_bias"]))))
        if exact:
            total -= log_sum_exp(map(word_logit, mine))
        return total

    def path(self, word: int) -> list[tuple[int, int]]:
        """Nodes from the root to a word, with 1 where the way goes to the second child and -1 elsewhere."""
        children = self.tensors["node_children"]

        def walk(node: int) -> list[tuple[int, int]] | None:
            for side, child in enumerate(children[node]):
                sign = 1 if side else -1
                if child == -1 - word:
                    return [(node, sign)]
                if child >= 0 and (rest := walk(child)) is not None:
                    return [(node, sign), *rest]
            return None

        found = walk(0)
        assert found is not None
        return found

    def buffers(self) -> dict[str, array.array[Any]]:
        """The tensors as `write_neural_model` takes them."""
        made = {}
        for name, value in self.tensors.items():
            kind = "i" if name in ("class_of_word", "node_children") else "f"
            made[name] = array.array(kind, flat(value))
        if self.direct_words or self.direct_classes:
            width = self.meta["order"] - 1
            contexts = sorted(set(self.direct_words) | set(self.direct_classes))
            padded = [(*context, *[-1] * (width - len(context))) for context in contexts]
            made["direct_contexts"] = array.array("i", flat(padded))
            tables = [("word", "direct_words", self.direct_words)]
            if self.meta["output"] == "class":
                tables.append(("class", "direct_classes", self.direct_classes))
            for kind, plural, table in tables:
                begin, ids, weights = [0], [], []
                for context in contexts:
                    for item, weight in table.get(context, {}).items():
                        ids.append(item)
                        weights.append(weight)
                    begin.append(len(ids))
                made[f"direct_{kind}_begin"] = array.array("q", begin)
                made[plural] = array.array("i", ids)
                made[f"direct_{kind}_weights"] = array.array("f", weights)
        return made


def flat(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [item for part in value for item in flat(part)]
    return [value]


def log_sum_exp(values: Any) -> float:
    items = list(values)
    most = max(items)
    return most + math.log(sum(math.exp(item - most) for item in items))


def log_sigmoid(x: float) -> float:
    return -math.log1p(math.exp(-x)) if x >= 0 else x - math.log1p(math.exp(x))


def random_tree(words: list[int], source: random.Random) -> list[list[int]]:
    """A random binary tree over the words, as node_children with the root first."""
    children: list[list[int]] = []

    def grow(part: list[int]) -> int:
        if len(part) == 1:
            return -1 - part[0]
        node = len(children)
        children.append([0, 0])
        cut = source.randint(1, len(part) - 1)
        children[node] = [grow(part[:cut]), grow(part[cut:])]
        return node

    grow(words)
    return children


def random_model(
    seed: int,
    output: str = "class",
    normalised: bool | str = True,
    *,
    words: int = 12,
    dimension: int = 7,
    order: int = 4,
    classes: int = 3,
    full: bool = False,
    window: int | None = None,
    direct: int = 0,
) -> ReferenceModel:
    source = random.Random(seed)

    def tensor(*shape: int) -> Any:
        if not shape:
            return single(source.gauss(0, 0.7))
        return [tensor(*shape[1:]) for _ in range(shape[0])]

    meta: dict[str, Any] = {
        "order": order,
        "dimension": dimension,
        "words": [f"w{i}" for i in range(words)],
        "output": output,
        "normalised": normalised,
    }
    size = FIRST + words
    square = (dimension, dimension) if full else (dimension,)
    tensors: dict[str, Any] = {
        "input": tensor(size, dimension),
        "context": tensor(order - 1, *square),
        "hidden_bias": tensor(dimension),
    }
    if window is not None:
        meta |= {"source_words": [f"s{i}" for i in range(5)], "source_window": window}
        tensors |= {"source_input": tensor(9, dimension), "source_context": tensor(2 * window + 1, *square)}
    predicted = [word for word in range(size) if word not in (NOTHING, BEGIN)]
    if output == "tree":
        shuffled = source.sample(predicted, len(predicted))
        tensors["node_children"] = random_tree(shuffled, source)
        tensors |= {"node_weights": tensor(size - 3, dimension), "node_bias": tensor(size - 3)}
        return ReferenceModel(meta, tensors)
    tensors |= {"word_weights": tensor(size, dimension), "word_bias": tensor(size)}
    model = ReferenceModel(meta, tensors)
    if output == "class":
        of = [-1] * size
        shuffled = source.sample(predicted, len(predicted))
        for place, word in enumerate(shuffled):
            of[word] = place if place < classes else source.randrange(classes)
        tensors |= {"class_of_word": of, "class_weights": tensor(classes, dimension), "class_bias": tensor(classes)}
    for _ in range(direct):
        context = tuple(source.randrange(1, size) for _ in range(source.randint(1, order - 1)))
        word = source.choice(predicted)
        model.direct_words.setdefault(context, {})[word] = single(source.gauss(0, 1))
        if output == "class" and source.random() < 0.8:
            chosen = tensors["class_of_word"][word]
            model.direct_classes.setdefault(context, {})[chosen] = single(source.gauss(0, 1))
    return model


def single(value: float) -> float:
    return array.array("f", [value])[0]
