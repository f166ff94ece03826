"""Bilingual text out of documents that are translations of each other.

>>> from dragoman.pairing import pair_documents, write_pairs
>>> paired = pair_documents([("guide.fr.html", "guide.en.html")], "fr", "en")
>>> write_pairs("guide.tmx", paired.pairs, "fr", "en")
"""

from dragoman.pairing.pairing import DocumentsPaired, pair_documents
from dragoman.pairing.writer import write_pairs

__all__ = ["DocumentsPaired", "pair_documents", "write_pairs"]
