"""Word alignment: which source word stands behind which target word (thesis section 2.2).

links = align(source_lines, target_lines)            # one list of (source, target) pairs per line
model = AlignmentModel.train(source_lines, target_lines).model
model.save("align.bin")
AlignmentModel.open("align.bin").align(["das haus"], ["the house"])
"""

from dragoman.align.aligner import AlignerTraining, AlignmentModel, KnownSide, align
from dragoman.align.links import Links, parse_links, symmetrize
from dragoman.align.score import Score, score

__all__ = [
    "AlignerTraining",
    "AlignmentModel",
    "KnownSide",
    "Links",
    "Score",
    "align",
    "parse_links",
    "score",
    "symmetrize",
]
