"""Coverage of an engine's code by line: the branches that begin on each line, and what reached them first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

from .model import CoverageSummary
from .source_files import SourceFile, read_sources


@dataclass(frozen=True)
class CodeLine:
    """A line on which branches begin. A branch is a block of code that runs completely or not at all."""

    line: int
    """The line number, from 1."""
    function: str
    branches: int
    by_suites: int
    """Number of branches that suites reached."""
    by_fuzzing: int
    """Number of branches that only fuzzing reached."""

    @property
    def reached(self) -> int:
        """Number of branches on the line that were reached."""
        return self.by_suites + self.by_fuzzing

    @property
    def never(self) -> int:
        """Number of branches on the line that were never reached."""
        return self.branches - self.reached


@dataclass(frozen=True)
class Gap:
    """Consecutive lines of a function that have unreached branches."""

    first: int
    last: int
    branches: int
    """Number of branches that were never reached."""
    begun: int = 0
    """Number of reached branches on the same lines."""


@dataclass(frozen=True)
class CodeFunction:
    """A function, with the name that the compiler gave it, and its lines."""

    name: str
    lines: tuple[CodeLine, ...]

    @property
    def first(self) -> int:
        """The first line, or 0 if the compiler gives none."""
        return min(filter(None, (one.line for one in self.lines)), default=0)

    @property
    def last(self) -> int:
        """The last line with code."""
        return self.lines[-1].line

    @property
    def is_entered(self) -> bool:
        """Whether any part of the function was reached."""
        return any(one.reached for one in self.lines)

    @property
    def never(self) -> int:
        """Number of branches of the function that were never reached."""
        return sum(one.never for one in self.lines)

    @property
    def gaps(self) -> Iterator[Gap]:
        """The unreached parts, each including any lines without code between two unreached lines."""
        placed = [one for one in self.lines if one.line]  # compilers give no line for some code
        for kind, group in groupby(placed, key=lambda one: (not one.reached, bool(one.never))):
            lines = list(group)
            if kind == (True, True):
                yield Gap(lines[0].line, lines[-1].line, sum(one.branches for one in lines))
            elif kind[1]:
                yield from (Gap(one.line, one.line, one.never, one.reached) for one in lines)


@dataclass(frozen=True)
class CodeFile:
    """A file and the code in it."""

    source: SourceFile
    functions: tuple[CodeFunction, ...]
    """The functions in the order of their first lines."""

    @cached_property
    def lines(self) -> tuple[CodeLine, ...]:
        """The lines with code in ascending order. A line may belong to several functions."""
        every = (line for function in self.functions for line in function.lines)
        by_number = groupby(sorted(every, key=lambda one: one.line), key=lambda one: one.line)
        return tuple(_join(list(lines)) for _, lines in by_number)

    @property
    def branches(self) -> int:
        """Number of branches in the file."""
        return sum(one.branches for one in self.lines)

    @property
    def reached(self) -> int:
        """Number of branches in the file that were reached."""
        return sum(one.reached for one in self.lines)

    @property
    def lines_reached(self) -> int:
        """Number of lines in the file that were reached, completely or partly."""
        return sum(bool(one.reached) for one in self.lines)


def _join(lines: Sequence[CodeLine]) -> CodeLine:
    sums = (sum(getattr(one, name) for one in lines) for name in ("branches", "by_suites", "by_fuzzing"))
    return CodeLine(lines[0].line, lines[0].function, *sums)


@dataclass(frozen=True)
class CodeCoverage:
    """The coverage of an engine's code, with the source."""

    summary: CoverageSummary
    files: tuple[CodeFile, ...]
    """The files; those whose source was found come first."""

    @classmethod
    def read(cls, summary: CoverageSummary, folders: Sequence[Path]) -> CodeCoverage:
        """Return the coverage with the source files that it refers to, if they are in one of the `folders`."""
        named = dict.fromkeys((location.path, location.is_source) for location in summary.locations)
        return cls.of(summary, read_sources(named, folders))

    @classmethod
    def of(cls, summary: CoverageSummary, sources: Iterable[SourceFile]) -> CodeCoverage:
        """Return the coverage with the given source files."""
        reached = dict.fromkeys(summary.reached_by_suites, True) | dict.fromkeys(summary.reached_by_fuzzing, False)
        files: dict[tuple[str, bool], dict[str, dict[int, CodeLine]]] = {}
        for number, location in enumerate(summary.locations):
            lines = files.setdefault((location.path, location.is_source), {}).setdefault(location.function, {})
            line = lines.get(location.line) or CodeLine(location.line, location.function, 0, 0, 0)
            lines[location.line] = _add_branch(line, reached.get(number))
        made = (CodeFile(source, _functions(files[source.path, source.is_source])) for source in sources)
        return cls(summary, tuple(sorted(made, key=lambda file: bool(file.source.absence))))

    @property
    def branches(self) -> int:
        """Number of known branches of the code."""
        return len(self.summary.locations)

    @property
    def knows_unreached(self) -> bool:
        """Whether branches that never ran are known as well. GCC lists only those that ran."""
        return self.summary.knows_unreached

    @cached_property
    def by_suites(self) -> int:
        """Number of branches that suites reached."""
        return len(self.summary.reached_by_suites)

    @cached_property
    def by_fuzzing(self) -> int:
        """Number of branches that only fuzzing reached."""
        return len(self.summary.reached_by_fuzzing)

    @property
    def reached(self) -> int:
        """Number of branches that were reached."""
        return self.by_suites + self.by_fuzzing

    @property
    def lines(self) -> int:
        """Number of source lines on which branches begin, not including code with unknown lines."""
        return sum(len(file.lines) for file in self.files if file.source.is_source)

    @property
    def lines_reached(self) -> int:
        """Number of these lines that were reached, completely or partly."""
        return sum(file.lines_reached for file in self.files if file.source.is_source)


def _add_branch(line: CodeLine, by_suite: bool | None) -> CodeLine:
    """Add a branch to a line; `by_suite` says whether a suite reached it first, and is None if nothing reached it."""
    suites, fuzzing = line.by_suites + (by_suite is True), line.by_fuzzing + (by_suite is False)
    return replace(line, branches=line.branches + 1, by_suites=suites, by_fuzzing=fuzzing)


def _functions(lines: dict[str, dict[int, CodeLine]]) -> tuple[CodeFunction, ...]:
    made = (CodeFunction(name, tuple(found[number] for number in sorted(found))) for name, found in lines.items())
    return tuple(sorted(made, key=lambda function: function.first))
