"""The configuration: values for options from a TOML file and from the environment.

`finding.py` and `file.py` find and read the file, `keys.py` says which keys there are, `checking.py` checks every value
at once, `in_force.py` chooses the values for a command, and `fitting.py` fits them to what the command line says.
"""
