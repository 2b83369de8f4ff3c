"""The configuration: values for options from a TOML file and from the environment.

`file.py` finds and reads the file, `layers.py` gives typer the values for a command, `paths.py` says which of them are
paths, and `writing.py` makes a file.
"""
