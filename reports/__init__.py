"""What people and programs read of a result. A report is a function of the result alone: it asks nobody anything.

`terminal/` has one file per command, `formats/` one per file format, `live/` what moves while a command works.
"""
