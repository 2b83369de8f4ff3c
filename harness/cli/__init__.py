"""The command line, built with typer.

`app.py` registers the commands. `commands/` declares their options, and `actions/` implements them; only `commands/` is
imported at startup, so that `--help` is fast. `configuration/` reads defaults from files and environment
variables, `output/` writes to the terminal and to report files, and `mistakes.py` suggests corrections.
"""
