"""The command line.

`app.py` lists the commands, `settings/` has their options, `commands/` carries them out, and `configuration/` gives
what the command line leaves out. Beside them are the consoles and the writing of report files.
"""
