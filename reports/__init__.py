"""Reports, which are pure functions of results: they start no processes, query no engines and read no files.

`terminal/` has a module for each type of result, `formats/` one for each file format, and `live.py` the progress
displays. These do not import from each other; they share `content/`, `failure.py` and `finding.py`.
"""
