"""Training and the stored model: sensible links on hard input, the same bits for any number of threads."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dragoman.align import AlignmentModel, align
from dragoman.config import AlignOptions
from dragoman.errors import ConfigError, DragomanError, FormatError, InputError

ONE = AlignOptions(threads=1)
LEXICON = {"das": "the", "haus": "house", "buch": "book", "ist": "is", "klein": "small", "ein": "a", "alt": "old"}


def sentences(count: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Word-by-word translations with neighbours swapped now and then."""
    rng = random.Random(seed)
    source, target = [], []
    for _ in range(count):
        words = [rng.choice(list(LEXICON)) for _ in range(rng.randint(1, 8))]
        made = [LEXICON[word] for word in words]
        if len(made) > 2 and rng.random() < 0.3:
            made[0], made[1] = made[1], made[0]
        source.append(" ".join(words))
        target.append(" ".join(made))
    return source, target


@pytest.mark.parametrize("model", ["agreement", "hmm", "diagonal", "ibm1"])
def test_finds_a_dictionary(model: str) -> None:
    source, target = sentences(200)
    options = AlignOptions(model=model, threads=1)
    links = align(source, target, options)
    right = total = 0
    for s, t, found in zip(source, target, links, strict=True):
        total += len(found)
        right += sum(LEXICON[s.split()[i]] == t.split()[j] for i, j in found)
    assert total > 600
    assert right / total > 0.95


@pytest.mark.parametrize("model", ["agreement", "hmm", "diagonal", "ibm1"])
def test_any_number_of_threads_gives_the_same_bits(model: str, tmp_path: Path) -> None:
    source, target = sentences(300)
    results = []
    for threads in (1, 2, 5):
        training = AlignmentModel.train(source, target, AlignOptions(model=model, threads=threads))
        assert training.model is not None
        training.model.save(tmp_path / "align.bin")
        results.append((training.links, (tmp_path / "align.bin").read_bytes(), training.log_likelihoods))
    assert results[0] == results[1] == results[2]


def test_saved_model_aligns_as_before(tmp_path: Path) -> None:
    source, target = sentences(200)
    model = AlignmentModel.train(source, target, ONE).model
    assert model is not None
    model.save(tmp_path / "align.bin")
    opened = AlignmentModel.open(tmp_path / "align.bin")
    assert opened.align(source, target, ONE) == model.align(source, target, ONE)
    assert opened.parameters() == model.parameters()


def test_forced_links_are_those_of_training() -> None:
    source, target = sentences(300)
    training = AlignmentModel.train(source, target, ONE)
    assert training.model is not None
    same = sum(
        a == b
        for a, b in zip(
            training.links.splitlines(), training.model.align_text(source, target, ONE).splitlines(), strict=True
        )
    )
    assert same > 290


def test_unknown_words_are_linked_by_spelling_and_place() -> None:
    source, target = sentences(300)
    model = AlignmentModel.train(source, target, ONE).model
    assert model is not None
    assert (1, 1) in model.align(["das zugspitze ist klein"], ["the zugspitze is small"], ONE)[0]
    assert (1, 1) in model.align(["das unbekannte ist klein"], ["the unknown is small"], ONE)[0]


def test_empty_lines_get_no_links() -> None:
    source, target = sentences(50)
    source[3], target[7], source[9], target[9] = "", "  ", "", ""
    links = align(source, target, ONE)
    assert len(links) == 50
    assert links[3] == links[7] == links[9] == []


def test_empty_text() -> None:
    assert align([], [], ONE) == []
    assert align(["", ""], ["", ""], ONE) == [[], []]


def test_very_long_sentences_are_aligned() -> None:
    source, target = sentences(200)
    words = random.Random(4).choices(list(LEXICON), k=1000)
    source.append(" ".join(words))
    target.append(" ".join(LEXICON[word] for word in words))
    links = align(source, target, ONE)[-1]
    assert len(links) > 900
    assert sum(i == j for i, j in links) / len(links) > 0.9


def test_absurdly_long_sentences_get_no_links() -> None:
    source, target = sentences(20)
    links = align([*source, "a " * 70000], [*target, "b " * 3], ONE)
    assert links[-1] == []


def test_one_side_a_copy_of_the_other() -> None:
    source, _ = sentences(30)
    links = align(source, source, ONE)
    diagonal = sum(i == j for found in links for i, j in found)
    assert diagonal / sum(map(len, links)) > 0.9
    assert diagonal > 0.8 * sum(len(line.split()) for line in source)


def test_a_single_pair() -> None:
    assert align(["haus"], ["house"], ONE) == [[(0, 0)]]


def test_unequal_files() -> None:
    with pytest.raises(InputError, match="2 lines and the target 1"):
        align(["a", "b"], ["a"], ONE)


def test_text_that_is_none() -> None:
    for bad in (b"a\xff\n", b"a\0b\n"):
        with pytest.raises(InputError, match="line 1"):
            AlignmentModel.train(bad, b"x\n", ONE)
    model = AlignmentModel.train(["a"], ["b"], ONE).model
    assert model is not None
    with pytest.raises(InputError):
        model.align_text(b"a\xff\n", b"x\n", ONE)


def test_line_breaks_inside_a_line_do_not_shift_the_others() -> None:
    assert len(align(["a\nb", "c"], ["x y", "z"], ONE)) == 2


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"model": "ibm9"}, "agreement"),
        ({"symmetrize": "best"}, "grow-diag"),
        ({"smoothing": "some"}, "classes"),
        ({"decoding": "guess"}, "viterbi"),
        ({"ibm1_iterations": 1}, "at least 2"),
        ({"min_count": -1.0}, "at least 0"),
    ],
)
def test_bad_options(options: dict[str, object], word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        align(["a"], ["b"], AlignOptions(**options))  # type: ignore[arg-type]


def test_cancelling() -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    source, target = sentences(50)
    with pytest.raises(KeyboardInterrupt):
        AlignmentModel.train(source, target, ONE, progress=stop)


def test_files_that_are_no_model(tmp_path: Path) -> None:
    path = tmp_path / "align.bin"
    path.write_bytes(b"not a model")
    with pytest.raises(FormatError, match=r"align\.bin"):
        AlignmentModel.open(path)
    with pytest.raises((OSError, DragomanError)):
        AlignmentModel.open(tmp_path / "missing.bin")
