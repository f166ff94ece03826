"""Every option of every stage, once: name, default and one line of help.

The command line makes its flags from these classes, and report.json and model.json record them. An option is used,
documented and tested, or it is not here.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from dragoman import option_forms
from dragoman.errors import ConfigError

# What the core counts to: most numbers have 32 bits there, seeds and sizes 63.
MOST = 2**32 - 1
MOST_OF_ALL = 2**63 - 1


Kind = TypeVar("Kind")


def option(default: Any, help_text: str, **more: Any) -> Any:
    """A field whose help the command line prints. `choices` limits its values, `least` and `most` its numbers, `above`
    and `below` too but without themselves; `form` says what else it must be (dragoman.option_forms)."""
    return field(default=default, metadata={"help": help_text, **more})


def preset_by(presets: Mapping[str, Mapping[str, Any]]) -> Callable[[type[Kind]], type[Kind]]:
    """A class of options in which the one called `preset` names what the others are unless they are given. Whatever is
    given wins, also where it is the default."""

    def decorate(cls: type[Kind]) -> type[Kind]:
        plain = cls.__init__

        @functools.wraps(plain)
        def init(self: Kind, **given: Any) -> None:
            plain(self, **{**presets.get(given.get("preset", ""), {}), **given})

        cls.__init__ = init  # type: ignore[assignment]
        return cls

    return decorate


def require_limits(options: Any, prefix: str = "--") -> None:
    """ConfigError for a value of `options` that means nothing. Unless an option says so, no number is negative."""
    for entry in fields(options):
        value = getattr(options, entry.name)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        wanted = wanted_number(value, entry.metadata) if is_number else ""
        if not wanted and "form" in entry.metadata:
            wanted = entry.metadata["form"](value)
        if wanted:
            name = prefix + (entry.name.replace("_", "-") if prefix == "--" else entry.name)
            raise ConfigError(f"{name} must be {wanted}, not {value!r}", entry.name)


def wanted_number(value: float, limits: Mapping[str, Any]) -> str:
    """What a number must be that is not within its limits."""
    least = limits.get("least", 0)
    most = limits.get("most", MOST if isinstance(value, int) else math.inf)
    above, below = limits.get("above", -math.inf), limits.get("below", math.inf)
    if not math.isfinite(value):
        return "a number"
    if value < least:
        return f"at least {least}"
    if value > most:
        return f"at most {most}"
    return f"above {above}" if value <= above else f"below {below}" if value >= below else ""


FORMATS = ("auto", "plain", "tsv", "csv", "jsonl", "tmx", "xliff", "gettext")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files of sentence pairs are read."""

    format: str = option("auto", "Format of the input; auto goes by the file name.", choices=FORMATS)
    source_column: str = option(
        "", "Column of a TSV or CSV file with the source text: a name in its first line or a number."
    )
    target_column: str = option(
        "", "Column of a TSV or CSV file with the target text: a name in its first line or a number."
    )
    max_line_bytes: int = option(
        1_000_000, "A longer line is an error: the text is not one sentence per line.", least=1, most=MOST_OF_ALL
    )


@dataclass(frozen=True, slots=True)
class CleanOptions:
    """Which pairs are dropped. Rules apply in this order, and a pair counts for the first that drops it."""

    drop_control: bool = option(True, "Drop pairs with control or replacement characters that are left in the text.")
    drop_empty: bool = option(True, "Drop pairs with a side that holds no letter, digit or symbol.")
    max_tokens: int = option(
        200, "Drop pairs with a side of more words (a CJK character is one); 0 for no limit.", most=math.inf
    )
    max_characters: int = option(2000, "Drop pairs with a side of more characters; 0 for no limit.", most=math.inf)
    max_ratio: float = option(
        5.0,
        "Drop pairs whose sides differ in length by more than this factor, 1 or more; 0 for no limit.",
        form=option_forms.ratio,
    )
    identical_words: int = option(
        5, "Drop pairs whose sides are the same text of at least this many words; 0 to keep.", most=math.inf
    )
    drop_wrong_script: bool = option(True, "Drop pairs with a side mostly in a script its language does not use.")
    drop_wrong_language: bool = option(True, "Drop pairs with a side whose function words are another language's.")
    drop_duplicates: bool = option(True, "Drop pairs that occurred before.")
    drop_near_duplicates: bool = option(
        True, "Drop pairs that occurred before but for case, digits, punctuation and white space."
    )
    one_side: str = option(
        "none", "Drop pairs of which this side alone occurred before.", choices=("none", "source", "target", "either")
    )


@dataclass(frozen=True, slots=True)
class SplitOptions:
    """What is held out of training."""

    dev: str = option(
        "auto",
        "Pairs held out to tune on: a number, a share such as 1%, or auto: 2000, at most 5%.",
        form=option_forms.held_out,
    )
    test: str = option(
        "auto",
        "Pairs held out to test on: a number, a share such as 1%, or auto: 2000, at most 5%.",
        form=option_forms.held_out,
    )
    split_by: str = option(
        "source",
        "What is kept together: source (sentences alike), file, or an attribute of the origin such as page.",
        form=option_forms.name,
    )
    split_seed: int = option(1, "Another seed holds out other pairs.", most=math.inf)


@dataclass(frozen=True, slots=True)
class PairOptions:
    """How sentence pairs are made of documents."""

    least_quality: float = option(0.5, "Leave out pairs that are less probable than this, from 0 to 1.", most=1)
    wrapped: bool = option(False, "Plain text is wrapped: its lines end anywhere, and an empty line ends a paragraph.")


@dataclass(frozen=True, slots=True)
class AlignOptions:
    """How words of sentence pairs are linked."""

    model: str = option(
        "agreement",
        "Alignment model; agreement is two hidden Markov models trained to agree.",
        choices=("agreement", "hmm", "diagonal", "ibm1"),
    )
    symmetrize: str = option(
        "grow-diag-final-and",
        "How the links of the two directions become one set.",
        choices=(
            "grow-diag-final-and",
            "grow-diag-final",
            "grow-diag",
            "grow",
            "intersection",
            "union",
            "forward",
            "inverse",
        ),
    )
    smoothing: str = option(
        "classes",
        "What rare words borrow from: words that begin alike, a variational prior, or nothing.",
        choices=("classes", "variational", "none"),
    )
    decoding: str = option(
        "posterior",
        "Links of one direction: each word's most probable partner, or the most probable sentence.",
        choices=("posterior", "viterbi"),
    )
    ibm1_iterations: int = option(4, "Iterations of IBM 1 before the model, at least 2.", least=2)
    iterations: int = option(4, "Iterations of the model after IBM 1.")
    min_count: float = option(0.05, "Word pairs with smaller smoothed counts after two iterations are dropped.")
    threads: int = option(0, "Threads; 0 for all cores. The links do not depend on it.")


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """How a bitext is indexed."""

    sample_seed: int = option(
        1, "Another seed samples other sentences where a pattern has many matches.", most=MOST_OF_ALL
    )


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """Which rules are extracted from the bitext."""

    max_rule_span: int = option(15, "Most words a gapped pattern may span, on either side.")
    max_rule_symbols: int = option(5, "Most words and gaps of a source pattern.")
    max_nonterminals: int = option(2, "Most gaps of a rule.")
    min_gap_size: int = option(1, "Least words of a gap.")
    max_samples: int = option(300, "Most matches of a pattern that rules are taken from.")
    tight: bool = option(True, "Only phrases whose outer words are linked.")
    loose_phrases: bool = option(False, "Contiguous phrases may have words at their edges that are not linked.")
    long_phrases: bool = option(False, "Contiguous phrases of any length; the limits then bind gapped patterns alone.")
    lone_words: bool = option(False, "A word that no phrase has by itself becomes what it is linked to.")
    matching: str = option(
        "exact",
        "How gapped patterns are matched: exact; bounded, in the sample of the prefix, faster; extend and merge, the"
        " algorithms of the thesis and of Lopez, which find what exact finds.",
        choices=("exact", "bounded", "extend", "merge"),
    )
    rule_cache_bytes: int = option(
        8 << 20,
        "Most memory for rules of frequent patterns, kept from sentence to sentence by all threads together; 0 keeps"
        " none. Of a small index it is a third or 1 MB, whichever is more.",
    )


@dataclass(frozen=True, slots=True)
class LmOptions:
    """How a back-off language model is estimated and stored."""

    order: int = option(5, "Length of the longest n-grams, 1 to 10.", least=1, most=10)
    min_counts: str = option(
        "1",
        "Least count of n-grams that stay, from order 1 up; the last number repeats.",
        form=option_forms.least_counts,
    )
    discount_fallback: str = option(
        "0.5 1 1.5",
        "Discounts for an order that is too small to estimate its own; empty to refuse such text.",
        form=option_forms.discounts,
    )
    sample: float = option(1.0, "Share of the sentences to use, chosen by a hash of their number.", above=0, most=1)
    seed: int = option(1, "Seed of that choice.", most=MOST_OF_ALL)
    memory: str = option(
        "",
        "Leave out the n-grams that matter least until the file fits, e.g. 100MB; empty for all.",
        form=option_forms.size,
    )
    work_memory: str = option(
        "",
        "Estimate within about this much memory, e.g. 200MB, and the rest in scratch files; empty for no limit.",
        form=option_forms.size,
    )
    prob_bits: int = option(
        8, "Bits of a stored probability, 2 to 16, or 0 for floats.", most=16, form=option_forms.stored_bits
    )
    backoff_bits: int = option(
        8, "Bits of a stored back-off weight, 2 to 16, or 0 for floats.", most=16, form=option_forms.stored_bits
    )


@dataclass(frozen=True, slots=True)
class DecodeOptions:
    """What bounds the search for a translation."""

    decoder: str = option(
        "hierarchical", "Which search: rules with gaps, or phrases.", choices=("hierarchical", "phrase-based")
    )
    pop_limit: int = option(
        100, "Hypotheses taken for each source span or stack; more is slower and finds better ones.", least=1
    )
    max_span: int = option(10, "Longest span of rules other than glue, in source words; 0 for no limit.")
    rules_per_side: int = option(30, "Rules kept of each source side, best first; 0 keeps all.")
    distortion_limit: int = option(
        6, "Phrase-based: how many words a phrase may lie from the end of the one before.", most=60
    )
    stack_size: int = option(200, "Phrase-based: hypotheses kept that cover equally many words.", least=1)
    stack_threshold: float = option(0.0, "Phrase-based: how far below the best score those may be; 0 for no limit.")
    scratch_bytes: int = option(
        64 << 20,
        "Memory for the search of one sentence, which narrows to stay within.",
        least=1 << 20,
        most=MOST_OF_ALL,
    )
    judged: int = option(
        100, "Translations of each sentence that a judge reads, if the model has one; 0 leaves it out.", most=10_000
    )
    max_seconds: float = option(0.0, "Time for one sentence, after which the search hurries to an end; 0 for no limit.")
    max_sentence_words: int = option(100, "Longer sentences are cut, at punctuation where there is any; 0 never cuts.")
    markup: bool = option(False, 'Obey <t to="...">, <keep>, <zone> and <wall/> in the text.')


# The settings of the thesis that are options; the rest of it is in neural/shape.py.
THESIS = {
    "dimension": 500,
    "training": "nce",
    "noise_samples": 10,
    "shared_noise": False,
    "self_normalisation": 0.0,
    "minibatch": 10_000,
    "learning_rate": 0.05,
    "epochs": 10,
    "dropout": 0.0,
    "input_precision": "f32",
    "output_precision": "f32",
}


@preset_by({"thesis": THESIS})
@dataclass(frozen=True, slots=True, kw_only=True)
class NlmOptions:
    """How a neural language model is shaped and trained. Where 0 follows the size of the text, see neural/shape.py."""

    preset: str = option(
        "default",
        "thesis: 500 dimensions, 10 noise samples for each word, weights from N(0, 0.1), minibatches of 10,000, unless"
        " these are given.",
        choices=("default", "thesis"),
    )
    order: int = option(5, "Words of an n-gram: one predicted, the others its context.", least=2, most=10)
    dimension: int = option(
        0, "Length of word vectors and of the hidden layer; 0 follows the size of the text.", most=8192
    )
    output: str = option(
        "class",
        "Output layer: factored by word classes, by a binary tree, or not at all.",
        choices=("class", "tree", "flat"),
    )
    contexts: str = option(
        "diagonal", "Matrix of each context position; full learns slower and worse.", choices=("diagonal", "full")
    )
    clustering: str = option(
        "brown",
        "Word classes, or the tree, by the bigrams words occur in, or by frequency.",
        choices=("brown", "frequency"),
    )
    classes: int = option(0, "Number of word classes; 0 follows the vocabulary.", most=20_000)
    training: str = option(
        "likelihood", "Maximum likelihood, or noise contrastive estimation.", choices=("likelihood", "nce")
    )
    noise_samples: int = option(100, "Noise words for each word of the text.", least=1)
    shared_noise: bool = option(True, "Words of a minibatch share their noise, which is much faster.")
    self_normalisation: float = option(
        0.1, "Weight of the penalty on log² of the normalisers that a decoder then can leave out; 0 for none."
    )
    min_count: int = option(0, "Rarer words become <unk>; 0 is 2 for models with a source side, and 1 for others.")
    max_words: int = option(0, "Only so many most frequent words are known on each side; 0 for all.")
    direct_ngrams: int = option(0, "Weights of their own for this many most frequent n-grams; class output only.")
    source_window: int = option(5, "Source words on each side of the affiliated one.", most=32)
    input_precision: str = option("int8", "Numbers of stored input vectors.", choices=("f32", "f16", "int8", "int4"))
    output_precision: str = option("int8", "Numbers of stored output vectors.", choices=("f32", "f16", "int8"))
    direct_bits: int = option(
        8,
        "Bits of a stored weight of a direct n-gram, 2 to 8, or 32 for floats.",
        least=2,
        most=32,
        form=option_forms.direct_bits,
    )
    epochs: int = option(0, "Most passes over the text; 0 follows its size.")
    patience: int = option(1, "Epochs without lower held-out perplexity before training stops.", least=1)
    minibatch: int = option(0, "Words between two changes of the weights; 0 follows the size of the text.")
    learning_rate: float = option(0.0, "AdaGrad's step at the start; 0 for a choice that suits the rest.")
    l2: float = option(0.05, "Pull of a minibatch on the weights it uses, relative to the gradient of one word.")
    dropout: float = option(
        -1.0,
        "Share of hidden units left out in training; below 0 follows the size of the text.",
        least=-math.inf,
        below=1,
    )
    heldout: float = option(
        0.02, "Share of the sentences, at most 3,000, that perplexity is measured on.", above=0, below=1
    )
    seed: int = option(1, "Seed of everything random.", most=MOST_OF_ALL)
    device: str = option(
        "auto",
        "Where to train: cpu, cuda, or auto for a GPU where there is one and PyTorch.",
        choices=("auto", "cpu", "cuda"),
    )
    threads: int = option(0, "CPU threads; 0 for all cores. What PyTorch trains depends on it in the last bits.")
    checkpoint_seconds: float = option(300.0, "Time between two checkpoints within an epoch.")


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How a judge of finished translations is shaped and trained. What 0 follows, judge/shape.py says."""

    dimension: int = option(
        0,
        "Length of all vectors, a multiple of 64; 0 is 256, more for much text, and less where memory is short.",
        most=1024,
        form=option_forms.multiple_of_64,
    )
    encoder_layers: int = option(6, "Layers that read the source.", least=1, most=24)
    decoder_layers: int = option(2, "Layers that read the translation; each candidate pays for them.", least=1, most=24)
    backward_layers: int = option(0, "Layers of a second decoder that reads it from the end; 0 for none.", most=24)
    pieces: int = option(
        0, "Parts of words that it knows, of both languages; 0 follows the size of the text.", most=60_000
    )
    precision: str = option("int8", "Numbers of the stored matrices.", choices=("int8", "f32"))
    epochs: int = option(0, "Most passes over the text; 0 follows its size.")
    seconds: float = option(
        0.0, "Time for all passes, of which there are as many as the first steps say; at least one. 0 for any time."
    )
    patience: int = option(3, "Epochs without lower held-out loss before training stops.", least=1)
    batch_pieces: int = option(
        0, "Pieces of one side between two changes of the weights; 0 follows the size of the text."
    )
    learning_rate: float = option(0.001, "AdamW's rate when it has risen.", above=0)
    dropout: float = option(
        -1.0,
        "Share of numbers left out in training; below 0 follows the size of the text.",
        least=-math.inf,
        below=1,
    )
    heldout: float = option(0.02, "Share of the pairs, at most 3,000, that the loss is measured on.", above=0, below=1)
    seed: int = option(1, "Seed of everything random.", most=MOST_OF_ALL)
    device: str = option(
        "auto",
        "Where to train: cpu, cuda, or auto for a GPU where there is one.",
        choices=("auto", "cpu", "cuda"),
    )
    threads: int = option(0, "CPU threads; 0 for all cores. The last bits depend on it.")


@dataclass(frozen=True, slots=True)
class TuneOptions:
    """How the weights of the features are learned."""

    method: str = option(
        "mira",
        "Batch MIRA; minimum error rate training, which suits few features; or likelihood of the best candidates.",
        choices=("mira", "mert", "likelihood"),
    )
    rounds: int = option(
        10, "Most times the tuning text is translated; it stops sooner when BLEU no longer rises.", least=1
    )
    patience: int = option(2, "Rounds without a better BLEU after which it stops.", least=1)
    kbest: int = option(100, "Translations of each line that a round adds to the pool.", least=1)
    passes: int = option(25, "MIRA: passes over the pool in each round.", least=1)
    shuffles: int = option(3, "MIRA: runs in different orders whose weights are averaged.", least=1)
    clip: float = option(0.01, "MIRA: the longest step for one sentence, C.", above=0)
    decay: float = option(0.999, "MIRA: how the BLEU counts of earlier sentences fade, per sentence.", below=1)
    starts: int = option(8, "MERT: points to climb from: the weights so far and random ones.", least=1)
    directions: int = option(10, "MERT: random directions searched after the features' own.")
    seed: int = option(1, "Another seed shuffles and starts otherwise.", most=MOST_OF_ALL)
    rule_megabytes: int = option(512, "Memory for the rules of the tuning text, which are then extracted only once.")


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """What a whole training is to keep within and which of its parts it has. Options of the parts are their own."""

    memory: str = option(
        "auto",
        "Memory a translating process may take, such as 200MB: mapped files of the model and its own; auto is 200MB, or"
        " 1GB above a million pairs, or what the text needs at least.",
        form=option_forms.size_or_auto,
    )
    disk: str = option(
        "", "Bytes all files of the model may take, such as 500MB; empty for no limit.", form=option_forms.size
    )
    work_memory: str = option(
        "",
        "Memory each stage of the training may take, such as 1GB; what does not fit lies in scratch files of the work"
        " folder. The model does not depend on it. Empty for no limit.",
        form=option_forms.size,
    )
    time: str = option(
        "",
        "Time that training may take, such as 30min or 2h, as far as it can be foretold: networks and the judge learn"
        " from fewer passes over the text. Empty for no limit.",
        form=option_forms.duration,
    )
    fit: bool = option(False, "Where the text is too large for the memory, use the most useful pairs that fit.")
    language_models: str = option(
        "auto",
        "Language models, joined by +: ngram; neural; conditioned, which is neural and reads the source text too. auto"
        " is ngram+neural+conditioned, or ngram where the text is very short.",
    )
    judge: str = option(
        "auto",
        "A judge of finished translations, a network that PyTorch trains: on, off, or auto, which is on where there is"
        " a GPU, and text and memory enough.",
        choices=("auto", "on", "off"),
    )
    tune: bool = option(True, "Tune the weights on the dev set; otherwise they are the defaults.")
    tune_words: int = option(15000, "Most words of the dev set to tune on; more takes longer and gains little.")
    keep_sources: bool = option(True, "Keep where each pair came from, for explanations; on disk, not in memory.")


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """How pairs that were added to a model count."""

    correction_weight: int = option(
        10,
        "How often an added pair counts beside the text the model was trained from, 1 to 1000; 1 weighs all alike.",
        least=1,
        most=1000,
    )
    follow_weights: bool = option(
        False, "Let each added pair move the weights a little, within bounds, towards what would have given it."
    )


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What the server lets callers do. Limits of 0 are off."""

    host: str = option("127.0.0.1", "Address to listen on; 0.0.0.0 or :: lets other machines in.")
    port: int = option(5000, "Port to listen on; 0 for a free one.", most=65535)
    threads: int = option(0, "Threads that translate; 0 for all cores.")
    queue: int = option(64, "Requests that may wait for a thread; more are told to slow down (429).")
    char_limit: int = option(20_000, "Most characters of one request.", most=MOST_OF_ALL)
    batch_limit: int = option(500, "Most texts of one request.")
    file_limit: int = option(10_000_000, "Most bytes of one file to translate, also unpacked.", most=MOST_OF_ALL)
    request_seconds: float = option(15.0, "Time for one request; the search hurries, then an error says so.")
    file_seconds: float = option(600.0, "Time for one file.")
    body_seconds: float = option(10.0, "Time for a request to arrive; then the connection is closed.")
    rate: int = option(0, "Requests a minute from one address; a key may have a rate of its own.")
    connections: int = option(2000, "Connections open at once.", least=1)
    keys: str = option("", "File of API keys and their rights (see docs/how-to/serve.md).")
    anonymous: str = option(
        "auto",
        "What callers without a key may do; auto: nothing where there are keys, else translate, and on a loopback"
        " address teach too.",
        choices=("auto", "nothing", "translate", "teach"),
    )
    cors_origin: str = option("*", "Web pages that may call the translation routes: an origin, * or none.")
    compat_title: str = option("Dragoman", "Title in /spec; a client that accepts only LibreTranslate reads it there.")
    through: bool = option(
        False, "Also translate through two models what no model does alone, as fr to de by fr-en and en-de."
    )
    corrections: str = option(
        "", "Keep corrections in this PostgreSQL database, which replicas share: postgresql://user@host/database."
    )
    use: str = option(
        "", "Memories whose lessons apply where a request names none, as acme,legal=2; all of them without this."
    )
    log_text: bool = option(False, "Write the users' text into the log, too.")
    in_place: bool = option(
        False, "Use the models' files where they lie: no room on disk for copies, but overwriting them ends the server."
    )
