"""Reports, which are pure functions of results: they start nothing, ask no engine and read no file.

`terminal/` has a module per type of result, `formats/` one per file format, and `live/` the progress displays. These
packages do not import from each other; they share `content/`, `failure.py` and `finding.py`.
"""
