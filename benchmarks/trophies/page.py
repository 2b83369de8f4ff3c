"""Write the page of trophies from the stored results: tables of packages and of engines, and each bug."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from confirming import ConfirmedBug
from perft_check.reports.text import count, one_line
from sources import Source

LONGEST = 200
"""Maximum length of a cell or a sentence that comes from a package."""
COMPILED = ("C", "C++", "Rust")
"""Languages whose compilers can add coverage counters."""
SHORT = 10
"""Number of digits of a commit hash that are shown."""

INTRODUCTION = """\
# Trophies

`perft-check fuzz` was run against published generators, {seconds:g} s each, with the adapters of
[Engines](../../docs/engines.md). It found {bugs} in {wrong} of {packages} packages.

    python benchmarks/trophies/hunt.py --folder ~/trophies

generates this page. It installs the packages of `benchmarks/trophies/packages.toml` in the folder, fuzzes each with
`--seed 1`, and stores the results there. Times were measured on a shared machine with two cores.

A bug is listed if python-chess {python_chess} and {stockfish} both contradict the package, in a position of standard
chess that looks reachable in a game, and if new processes reproduced it. Positions are minimized. Findings that the
fuzzer attributes to one cause are counted as one bug, but one mistake in a program may still appear as several. Draws
by dead position or by the fifty-move rule, and limits that a package documents, are left out.
"""

FROM_SOURCES = """\
## From public sources

`perft-check fuzz` was also run against engines and libraries that were built from public repositories, at most
{seconds:g} s each, under the same conditions. It found {bugs} in {wrong} of {sources} engines. Because their code,
programs and adapters are not stored here, the command above does not generate this part; the results are in
`benchmarks/trophies/sources.jsonl`.

Bugs that evidently stem from one mistake were merged by hand; the table shows what was left out, and why.
"""

BOTH_WAYS = """\
### With and without coverage

{tried} engines in C, C++ and Rust were also built with the counters of [Coverage](../../docs/coverage.md). One process
fuzzed each of them until the first bug, for at most 60 s, with and without `--coverage`, on a busy machine. No bug was
found in {nothing} of them. The first questions are the same in both cases: bugs found within fewer than 166 positions
were found before coverage guided the fuzzer.{untried}
"""
UNTRIED = "\nEngines in these languages that were not compared in this way: {}."


@dataclass(frozen=True)
class Result:
    """The result of fuzzing one package."""

    name: str
    version: str
    registry: str
    positions: int
    bugs: tuple[ConfirmedBug, ...]
    note: str = ""
    """Why nothing was examined, or what was left out."""


@dataclass(frozen=True)
class Conditions:
    """The conditions of all results."""

    seconds: float
    python_chess: str
    stockfish: str


def page(results: list[Result], sources: list[Source], conditions: Conditions) -> str:
    """Return the page as Markdown, with the packages that have the most bugs first."""
    ordered = sorted(results, key=lambda result: (-len(result.bugs), result.registry, result.name.lower()))
    figures = {
        "bugs": count(sum(len(result.bugs) for result in results), "bug"),
        "wrong": sum(bool(result.bugs) for result in results),
        "packages": len(results),
    }
    introduction = INTRODUCTION.format(**figures, **vars(conditions))
    of_packages = [introduction, *_table(ordered), *(line for result in ordered for line in _section(result))]
    return "\n".join([*of_packages, *_from_sources(sources)])


def _from_sources(sources: list[Source]) -> Iterator[str]:
    if not sources:
        return
    ordered = sorted(sources, key=lambda source: (-len(source.bugs), source.language, source.name.lower()))
    figures = {
        "bugs": count(sum(len(source.bugs) for source in sources), "bug"),
        "wrong": sum(bool(source.bugs) for source in sources),
        "sources": len(sources),
        "seconds": max(source.seconds for source in sources),
    }
    yield FROM_SOURCES.format(**figures)
    yield "| engine | in | repository | asked | positions | bugs | first after | |"
    yield "| --- | --- | --- | --- | ---: | ---: | ---: | --- |"
    for source in ordered:
        where = f"{plain(source.repository)} {source.commit[:SHORT]}"
        asked = (plain(source.name), source.language, where, plain(source.asked), f"{source.positions:,}")
        yield f"| {' | '.join([*asked, *_found(source.bugs), plain(source.note)])} |"
    yield ""
    yield from _both_ways([source for source in ordered if source.language in COMPILED])
    for source in ordered:
        yield from _bugs(f"### {plain(source.name)} ({source.language})", source.bugs)


def _both_ways(sources: list[Source]) -> Iterator[str]:
    tried = [source for source in sources if source.found]
    if not tried:
        return
    found = [source for source in tried if any(source.found.values())]
    untried = UNTRIED.format(len(sources) - len(tried)) if len(sources) > len(tried) else ""
    yield BOTH_WAYS.format(tried=len(tried), nothing=len(tried) - len(found), untried=untried)
    yield "| engine | in | without | positions | with `--coverage` | positions |"
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for source in found:
        firsts = (source.found[how] for how in ("without", "with"))
        cells = [cell for first in firsts for cell in ((f"{first[0]:.1f} s", f"{first[1]:,}") if first else ("-", "-"))]
        yield f"| {' | '.join([plain(source.name), source.language, *cells])} |"
    yield ""


def _table(results: list[Result]) -> Iterator[str]:
    yield "| package | from | positions | bugs | first after | |"
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for result in results:
        asked = (plain(f"{result.name} {result.version}"), result.registry, f"{result.positions:,}")
        yield f"| {' | '.join([*asked, *_found(result.bugs), plain(result.note)])} |"
    yield ""


def _found(bugs: tuple[ConfirmedBug, ...]) -> tuple[str, str]:
    """Return the table cells with the number of bugs and the seconds until the first bug."""
    first = min((bug.seconds for bug in bugs if bug.seconds is not None), default=None)
    return str(len(bugs)), "-" if first is None else f"{first:.0f} s"


def _section(result: Result) -> Iterator[str]:
    yield from _bugs(f"## {plain(result.name)} {result.version} ({result.registry})", result.bugs)


def _bugs(heading: str, bugs: tuple[ConfirmedBug, ...]) -> Iterator[str]:
    if not bugs:
        return
    yield heading
    yield ""
    for number, bug in enumerate(bugs, 1):
        yield from _bug(number, bug)
    yield ""


def _bug(number: int, bug: ConfirmedBug) -> Iterator[str]:
    moves = f" after {' '.join(bug.moves)}" if bug.moves else ""
    after = "" if bug.seconds is None else f", after {bug.seconds:.0f} s"
    yield f"{number}. **{plain(bug.title)}**{after}, in {count(bug.examples, 'position')}"
    yield f"   - `{bug.fen}`{moves}"
    yield f"   - It {plain(bug.says.rstrip('.'))}. {plain(bug.sentence)}"
    yield f"   - Stockfish and python-chess: {bug.references}."


def plain(text: str) -> str:
    """Escape text from a package for one line of Markdown."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", one_line(text, LONGEST))
