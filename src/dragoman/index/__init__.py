"""The translation model without a phrase table: a suffix-array index of the bitext, and rules extracted from it."""
