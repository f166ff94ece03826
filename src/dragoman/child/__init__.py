"""Work in a process of its own, so that its time and memory are its own and a crash ends nothing else.

The parent (call.py) starts `python -m dragoman.child` and writes one line of JSON to its standard input: the function
to call, as module:name, and its argument, which the function gets as the type that it names. It then keeps that pipe
open: when it closes, the parent is gone, and so is the child. Back come lines of JSON: progress, rows as they are
ready, and at the end the result or an error, which is raised again in the parent. Whatever else the child prints ends
up on standard error.
"""
