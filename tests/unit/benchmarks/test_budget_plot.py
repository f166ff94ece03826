"""The plot of BLEU against megabytes: which points no other beats, and a picture that is XML."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from benchmarks.budget_plot import plot, unbeaten

PANEL: dict[str, Any] = {
    "title": "debates",
    "lines": [
        {"name": "ours", "points": [{"megabytes": 96, "bleu": 31.7}, {"megabytes": 256, "bleu": 34.5}]},
        {"name": "theirs", "joined": False, "points": [{"megabytes": 9, "resident": 60, "bleu": 31.6}]},
    ],
}


@pytest.mark.parametrize(
    ("megabytes", "bleu", "left"),
    [
        (300, 34.0, ["ours, 96 MB: 31.7", "ours, 256 MB: 34.5"]),
        (80, 32.0, ["ours, 256 MB: 34.5", "other, 80 MB: 32"]),
        (256, 34.5, ["ours, 96 MB: 31.7", "ours, 256 MB: 34.5", "other, 256 MB: 34.5"]),
        (256, 34.6, ["ours, 96 MB: 31.7", "other, 256 MB: 34.6"]),
    ],
)
def test_what_no_other_beats(megabytes: float, bleu: float, left: list[str]) -> None:
    other = {"name": "other", "points": [{"megabytes": megabytes, "bleu": bleu}]}
    panel = {**PANEL, "lines": [PANEL["lines"][0], other]}
    assert unbeaten(panel) == left


def test_a_process_counts_whole_where_it_is_known() -> None:
    assert unbeaten(PANEL) == ["ours, 96 MB: 31.7", "ours, 256 MB: 34.5", "theirs, 60 MB: 31.6"]


def test_all_points_and_names_are_drawn_within_the_picture() -> None:
    root = ElementTree.fromstring(plot([PANEL, PANEL]))
    space = "{http://www.w3.org/2000/svg}"
    circles = root.findall(f"{space}circle")
    assert len(circles) == 2 * 4
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for circle in circles:
        x, y = float(circle.attrib["cx"]), float(circle.attrib["cy"])
        assert math.isfinite(x) and 0 <= x <= width and 0 <= y <= height
    texts = [text.text for text in root.findall(f"{space}text")]
    assert texts.count("ours") == texts.count("theirs") == 2
