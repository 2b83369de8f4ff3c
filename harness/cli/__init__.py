"""The command line, by typer.

`app.py` lists the commands, `settings/` has their options, `commands/` carries them out, and `configuration/` gives
what the command line leaves out. Beside them, `output/` has the consoles and the writing of reports.
"""
