"""LCOV, the coverage format of editors, services and `genhtml`, as described in geninfo(1).

A line counts as executed once if any branch that begins on it was reached; execution counts are not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...harness.checking.covering import CoverFinished
from ...harness.coverage.code import CodeCoverage, CodeFile, CodeLine
from ...harness.fuzzing.model import FuzzFinished
from ..text import visible
from .base import Format


def _cover(finished: CoverFinished) -> Iterator[str]:
    return _records(finished.code)


def _fuzz(finished: FuzzFinished) -> Iterator[str]:
    """Yield the coverage of a fuzzing run, or nothing if coverage was not measured."""
    return iter(()) if finished.code is None else _records(finished.code)


def _records(code: CodeCoverage) -> Iterator[str]:
    """Yield a record for each available source file, or for all files if none is available, as on another machine."""
    sources = [file for file in code.files if file.source.is_source]
    for file in [file for file in sources if not file.source.absence] or sources:
        yield "".join(f"{line}\n" for line in _record(file))


def _record(file: CodeFile) -> Iterator[str]:
    yield "TN:perft_check"
    yield f"SF:{visible(file.source.real_path or file.source.path)}"
    functions = [one for one in file.functions if one.name and one.first]
    for one in functions:
        yield f"FN:{one.first},{visible(one.name)}"
    for one in functions:
        yield f"FNDA:{int(one.is_entered)},{visible(one.name)}"
    yield f"FNF:{len(functions)}"
    yield f"FNH:{sum(one.is_entered for one in functions)}"
    lines = [one for one in file.lines if one.line]
    forks = [one for one in lines if one.branches > 1]
    for fork in forks:
        yield from _branches(fork)
    yield f"BRF:{sum(one.branches for one in forks)}"
    yield f"BRH:{sum(one.reached for one in forks)}"
    for line in lines:
        yield f"DA:{line.line},{int(bool(line.reached))}"
    yield f"LH:{sum(bool(one.reached) for one in lines)}"
    yield f"LF:{len(lines)}"
    yield "end_of_record"


def _branches(line: CodeLine) -> Iterator[str]:
    """Yield the branches of a line. "-" means that the line was never executed."""
    for number in range(line.branches):
        taken = str(int(number < line.reached)) if line.reached else "-"
        yield f"BRDA:{line.line},0,{number},{taken}"


LCOV = Format("lcov", ".info", {CoverFinished: _cover, FuzzFinished: _fuzz})
