"""Cleaning: named rules that drop pairs unfit to learn from. The loops over characters are in the core
(core/text/pair_cleaner.h)."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import asdict

from dragoman import _core
from dragoman.config import MOST_OF_ALL, CleanOptions, require_limits
from dragoman.corpus.function_words import FUNCTION_WORDS, table_code
from dragoman.corpus.languages import scripts_of

RULES: tuple[str, ...] = tuple(_core.clean_rules())[1:]


class Cleaner:
    """Judges batches of pairs and counts what each rule dropped; duplicates are remembered from batch to batch."""

    def __init__(self, options: CleanOptions, source_lang: str, target_lang: str, key_seed: int = 0) -> None:
        require_limits(options)
        self.options = options
        settings = asdict(options)
        for name in ("max_tokens", "max_characters", "identical_words"):
            settings[name] = min(settings[name], MOST_OF_ALL)  # a limit above is none
        self.counts: Counter[str] = Counter(dict.fromkeys(RULES, 0))
        self._names = tuple(_core.clean_rules())
        self._core = _core.PairCleaner(
            settings,
            function_words=list(FUNCTION_WORDS.items()),
            source=(table_code(source_lang), list(scripts_of(source_lang))),
            target=(table_code(target_lang), list(scripts_of(target_lang))),
            key_seed=key_seed % (1 << 64),
        )

    def judge(self, sources: bytes, targets: bytes) -> tuple[list[str], array[int]]:
        """Lines of both sides, each ended by a newline -> the rule that drops each pair (`kept` if none does), and a
        key of its source text that is equal for texts alike but for case, digits and punctuation."""
        return self.settle(self.examine(sources, targets))

    def examine(self, sources: bytes, targets: bytes) -> bytes:
        """What is to be said of each pair by itself, wherever its lines come from; for `settle`."""
        return self._core.examine(sources, targets)

    def settle(self, findings: bytes) -> tuple[list[str], array[int]]:
        """The second half of `judge`, which knows what came before."""
        numbers, packed = self._core.settle(findings)
        keys = array("Q")
        keys.frombytes(packed)
        verdicts = [self._names[number] for number in numbers]
        self.counts.update(verdicts)
        del self.counts["kept"]
        return verdicts, keys
