"""Option values from a TOML file and from environment variables.

`file.py` finds and reads the file. `layers.py` passes the values to typer.
"""
