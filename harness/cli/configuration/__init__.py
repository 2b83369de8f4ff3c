"""The configuration: values for options from a TOML file and from the environment.

typer asks the variables itself. `file.py` finds and reads the file, `checking.py` checks every value at once, and
`resolved.py` gives typer the values for a command and fits them to the command line. `writing.py` makes a file.
"""
