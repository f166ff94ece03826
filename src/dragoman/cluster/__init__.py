"""Work on many machines: pieces of it go to workers and come back in order, to be put together in one place.

What a piece is depends on the text alone and never on the workers, so the result is the same bits with any number of
them, and when some of them die. Nothing here is imported by a process that was not asked for a cluster.
"""
