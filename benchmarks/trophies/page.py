"""The page of trophies, made from the results that are kept: a table of packages, and each bug."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from confirming import Bug
from perft_check.reports.formats.parts.visible import one_line
from perft_check.reports.text import count

LONGEST = 200
"""The most letters of a cell or a sentence of others."""

INTRODUCTION = """\
# Trophies

`perft-check fuzz` was run against published generators, {seconds:g} s each, with the adapters of
[engines.md](engines.md). It found {bugs} in {wrong} of {packages} packages.

    python benchmarks/trophies/hunt.py --folder ~/trophies

makes this page again. It installs the packages of `benchmarks/trophies/packages.toml` below the folder, fuzzes each
with `--seed 1`, and keeps the results there. Seconds are those of a machine of two cores that did other work as well.

A bug is listed if python-chess {python_chess} and {stockfish} both contradict the package, in a position of standard
chess that looks reachable in a game, and if new processes showed it again. Positions are the smallest that show the
bug. Finds of one cause, as the fuzzer groups them, are one bug. Even so one mistake in a program may show as several.
Positions that are drawn by dead position or by the fifty-move rule, and limits that a package documents, are left out.
"""


@dataclass(frozen=True)
class Result:
    """What the fuzzing of one package gave."""

    name: str
    version: str
    registry: str
    positions: int
    bugs: tuple[Bug, ...]
    note: str = ""
    """Why nothing was examined, or what was left out; may be empty."""

    @property
    def first(self) -> float | None:
        """Seconds until the first bug was found."""
        return min((bug.seconds for bug in self.bugs if bug.seconds is not None), default=None)


@dataclass(frozen=True)
class Conditions:
    """With what all results were made."""

    seconds: float
    python_chess: str
    stockfish: str


def page(results: list[Result], conditions: Conditions) -> str:
    """Return the page as Markdown, the packages with most bugs first."""
    ordered = sorted(results, key=lambda result: (-len(result.bugs), result.registry, result.name.lower()))
    figures = {
        "bugs": count(sum(len(result.bugs) for result in results), "bug"),
        "wrong": sum(bool(result.bugs) for result in results),
        "packages": len(results),
    }
    introduction = INTRODUCTION.format(**figures, **vars(conditions))
    return "\n".join([introduction, *_table(ordered), *(line for result in ordered for line in _section(result))])


def _table(results: list[Result]) -> Iterator[str]:
    yield "| package | from | positions | bugs | first after | |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for result in results:
        first = "-" if result.first is None else f"{result.first:.0f} s"
        cells = (
            plain(f"{result.name} {result.version}"),
            result.registry,
            f"{result.positions:,}",
            str(len(result.bugs)),
            first,
            plain(result.note),
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def _section(result: Result) -> Iterator[str]:
    if not result.bugs:
        return
    yield f"## {plain(result.name)} {result.version} ({result.registry})"
    yield ""
    for number, bug in enumerate(result.bugs, 1):
        yield from _bug(number, bug)
    yield ""


def _bug(number: int, bug: Bug) -> Iterator[str]:
    moves = f" after {' '.join(bug.moves)}" if bug.moves else ""
    after = "" if bug.seconds is None else f", after {bug.seconds:.0f} s"
    yield f"{number}. **{plain(bug.title)}**{after}, in {count(bug.examples, 'position')}"
    yield f"   - `{bug.fen}`{moves}"
    yield f"   - It {plain(bug.says.rstrip('.'))}. {plain(bug.sentence)}"
    yield f"   - Stockfish and python-chess: {bug.references}."


def plain(text: str) -> str:
    """Return text of a package as Markdown that shows it as it is, on one line."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", one_line(text, LONGEST))
