"""Bilingual text: reading it in any format, cleaning it, splitting it and counting it."""
