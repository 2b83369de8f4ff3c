"""The command line, built with typer.

`app.py` registers the commands. `commands/` declares the options of each command, and `actions/` implements it; only the
former is imported at startup, so that `--help` is fast. `configuration/` reads defaults from files and environment
variables, `output/` writes to the terminal and to report files, and `mistakes.py` suggests corrections.
"""
