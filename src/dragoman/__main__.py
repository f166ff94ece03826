"""`python -m dragoman` is the command `dragoman`."""

from dragoman.cli.main import main

main()
