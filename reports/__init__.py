"""Reports: functions of results alone. They start nothing, ask no engine, and read neither files nor the environment.

`terminal/` has a module for each type of result, `formats/` one for each file format, and `live/` the displays of work
in progress. None of them imports from another. `content/`, `failure.py` and `finding.py` have what they share.
"""
