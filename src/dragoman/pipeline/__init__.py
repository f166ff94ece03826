"""From bilingual files to a tuned, measured model within a memory budget.

Each stage runs in a process of its own, whose memory is measured, and which imports this package: so it imports nothing
by itself, and what it offers to users is offered by `dragoman`.
"""
