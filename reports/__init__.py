"""Reports: functions of results alone. They start nothing, ask no engine and read no file.

`terminal/` has one file per kind of result, `formats/` has one per file format, and `live/` has the displays of work
under way.
"""
