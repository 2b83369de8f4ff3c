"""Markdown, for issues, job summaries and pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.engines.spec import full_name, short_names
from ...harness.fuzzing.model import FuzzFinished, causes_of_findings
from ...harness.model.capabilities import UntriedCapability, sentence_of
from ...harness.model.results.bench import BenchFinished, Comparison
from ...harness.model.results.events import RunFinished
from ...harness.model.results.finding import Difference, Finding
from ...harness.model.results.positions import DivideFinished
from ...harness.model.results.verdict import Verdict
from ...harness.zoo.score import GROUPS, Score, ScoreRow, StrategyScore
from ...suites.case import label
from ..content import bench
from ..content.fuzz import figures_of_coverage, speed_facts
from ..content.run import suite_table
from ..failure import Failure, divide_commands, failure_of_case, failure_of_finding
from ..finding import claim, names_of, remarks
from ..table import ReportTable
from ..text import count, figure, one_line, percent, short, visible
from .base import Format

T = TypeVar("T")

_FIGURE = re.compile(r"-$|[\d,.]+(?: ?%| \w+/?\w*)?(?: \([\d.]+ ?%\))?$|\d+ of \d+")
"""A right-aligned cell: a number, possibly with a unit or a percentage."""
LONGEST_TEXT = 2_000

WORDS = """\
*Detected*: a wrong answer was reported. *Explained*: the share of detections that name a correct rule, among faults
that break a rule of chess.

A family is *detected* at a given time if all its faults were detected by then with at least half of the seeds. Faults
of a family that occur only in Chess960 count as a separate family under *Chess960*, so that groups and classes may add
up to more than the number of families. The fuzzer was *tuned on* two thirds of the families; the other third, chosen
by a hash of their names, was *held out*.

Medians are over all hunts. A hunt without a detection counts as infinitely long. The median of an even number of hunts
is the lower of the two in the middle. A dash means that fewer than half of the hunts detected anything, or that there
is nothing to count. Suites do not depend on seeds, so each suite hunts once. A seed always generates the same
positions. The seconds, and detections just before the time limit, depend on the machine and its load."""

KEPT_ASIDE = """\
The strategies and their shares were chosen without looking at the held-out families. The checks were not: missing
checks were added for all families. The figures of the held-out families therefore show how well the generated
positions generalize to other faults, not how well the checks do."""


def _score(score: Score) -> str:
    """Return a detection score."""
    parts = ["# Detection", _introduction(score)]
    parts += [
        WORDS,
        "## Families detected",
        _by_group(score, lambda row: f"{_of(row)} ({percent(row.families_detected / row.families)})"),
        KEPT_ASIDE,
        "## Detections explained by a correct rule",
        _by_group(score, lambda row: percent(row.explained)),
        "## Families detected, by class",
        _by_class(score),
        "## Fault by fault",
        *_by_fault(score),
    ]
    return "\n\n".join(parts) + "\n"


def _run(finished: RunFinished) -> str:
    """Return the suites and causes of a run, with the simplest example of each cause."""
    started, agree = finished.started, finished.count(Verdict.AGREE)
    against = f" against {', '.join(map(_introduce, started.references))}" if started.references else ""
    head = f"{agree:,} of {count(started.positions, 'position')} agree, {short(finished.nodes)} nodes{against}."
    causes = causes_of_run(finished.failures)
    examples = [
        f"### {_plain(group.title)}\n\n{_describe(failure_of_case(group.simplest, finished))}" for group in causes
    ]
    examples += [
        f"### {result.verdict.value}: {_plain(result.name)}\n\n{_describe(failure_of_case(result, finished))}"
        for result in finished.not_reproduced
    ]
    parts = [_table_of(suite_table(finished))] if finished.results else []
    if finished.fixed:
        parts.append("### No longer failing\n\n" + "\n".join(f"- {_plain(one)}" for one in finished.fixed))
    known = finished.count(Verdict.KNOWN)
    if known or finished.fixed:
        new = count(len(finished.failures), "new failure")
        parts.append(f"Compared with the baseline: {new}, {known} known, {len(finished.fixed)} fixed.")
    table = _causes(causes, lambda one: label(one.suite, one.name), is_baseline_used=bool(known or finished.fixed))
    parts += [table, *examples]
    return _document(f"# perft-check: {_introduce(started.engine)}", head, *_not_tried(finished.untried), *parts)


def _describe(failure: Failure) -> str:
    """Describe a failure: the position, the error, and the commands that reproduce it."""
    position, *facts = failure.facts
    finding = failure.finding
    why = [_plain(failure.message)] if finding is None else _describe_finding(finding)
    return "\n\n".join(filter(None, [_code(position), *map(_plain, facts), *why, *map(_command, failure.commands)]))


def _divide(finished: DivideFinished) -> str:
    """Return the differences between an engine and its references, and their cause."""
    names = short_names(one.engine for one in finished.divides)
    engines = ", ".join(f"{_plain(names[one.engine])} {one.total:,}" for one in finished.divides)
    facts = [_code(finished.fen), _engines(names), f"Depth {finished.depth}: {engines}."]
    facts += map(_difference_table, finished.differences)
    if finished.finding is not None:
        facts += [f"### {_plain(finished.finding.headline_with_move)}", *_describe_finding(finished.finding)]
    commands = map(_command, divide_commands(finished))
    return _document("# perft-check divide", *filter(None, facts), *commands)


def _introduce(engine: str) -> str:
    return _plain(full_name(engine))


def _engines(engines: Iterable[str]) -> str:
    return f"Engines: {', '.join(map(_introduce, engines))}."


def _difference_table(difference: Difference) -> str:
    """Return a table of the root moves that differ, or a sentence if none does."""
    engine, reference = map(_plain, names_of(difference))
    if not difference.differs:
        return f"No difference from {reference}."
    rows = [[_code_cell(one.uci), figure(one.got), figure(one.expected)] for one in difference.moves]
    return _table(["move", engine, reference], rows)


def _fuzz(finished: FuzzFinished) -> str:
    """Return the causes of a fuzzing run with their simplest findings, and the speed if it depends on time."""
    started = finished.started
    head = f"{count(finished.coverage.examples, 'position')} examined, seed {started.seed}."
    causes = causes_of_findings(finished.findings)
    findings = [
        f"### {_plain(group.title)}\n\n{_describe(failure_of_finding(group.simplest, finished))}" for group in causes
    ]
    parts = [f"- {name}: {value}" for name, value in speed_facts(finished)]
    if finished.code is not None:
        figures = figures_of_coverage(finished.code)
        parts.append("\n".join(f"- {name}: {value}" for name, value in figures))
    parts += [_causes(causes, lambda one: str(one.discrepancy.game)), *findings]
    return _document(f"# perft-check fuzz: {_introduce(started.engine)}", head, *_not_tried(finished.untried), *parts)


def _not_tried(untried: Sequence[UntriedCapability]) -> list[str]:
    return [f"Not tried: {_plain(sentence_of(untried))}."] if untried else []


def _describe_finding(finding: Finding) -> list[str]:
    """Return the position that shows a fault, the remarks, and a sentence for each wrong move."""
    moves = [f"- {_plain(claim(move))}: {_escape(move.sentence)}" for move in (*finding.state, *finding.wrong)]
    return [f"In {_code(finding.fen)}:", *map(_plain, remarks(finding)), "\n".join(moves)]


def _causes(causes: Sequence[CauseGroup[T]], name: Callable[[T], str], *, is_baseline_used: bool = False) -> str:
    if not causes:
        return "No failure is new." if is_baseline_used else "No faults."
    rows = [[_plain(group.title), f"{group.positions:,}", _code_cell(name(group.simplest))] for group in causes]
    return _table(["cause", "positions", "first example"], rows)


def _plain(text: str) -> str:
    """Escape text so that Markdown shows it literally on one line."""
    return re.sub(r"^(:|[-+=]+(?=\s|$))|^(\d+)(?=[.)])", r"\2\\\1", _escape(text))


def _escape(text: str) -> str:
    """Escape text so that Markdown shows it literally, except at the beginning of a line."""
    return re.sub(r"([\\`*_|<>\[\]#~$&])", r"\\\1", one_line(text, LONGEST_TEXT))


def _code(text: str) -> str:
    """Return text as inline code."""
    shown = one_line(text, LONGEST_TEXT)
    fence = _fence(shown, 1)
    return f"{fence}{shown}{fence}" if fence == "`" else f"{fence} {shown} {fence}"


def _code_cell(text: str) -> str:
    """Return inline code for a table cell, which a vertical bar would end even in code."""
    return _code(text).replace("|", "\\|")


def _command(line: str) -> str:
    fence = _fence(line, 3)
    return f"{fence}\n{visible(line)}\n{fence}"


def _fence(text: str, minimum: int) -> str:
    """Return a fence with more backticks than any run of backticks in the text."""
    return "`" * max([minimum, *(len(run) + 1 for run in re.findall("`+", text))])


def _document(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def _introduction(score: Score) -> str:
    faults = len({outcome.hunt.fault for outcome in score.outcomes})
    seeds = count(score.seeds, "seed")
    at_once = " or ".join(map(str, score.jobs))
    in_parallel = f"; {at_once} run in parallel" if score.jobs else ""
    done = len(score.outcomes)
    unfinished = f"\n\n**Unfinished**: {done:,} of {score.planned:,} hunts are done." if done < score.planned else ""
    return (
        "This page shows how many faults of the zoo are detected. Each fault is hunted separately: "
        f"{count(faults, 'fault')} of {count(score.families, 'family', 'families')}, with {seeds}. Each hunt takes at "
        f"most {score.budget:g} s{in_parallel}.{unfinished}\n\nGenerated by\n\n    {score.command}"
    )


def _of(row: ScoreRow) -> str:
    return f"{row.families_detected} of {row.families}"


def _by_group(score: Score, cell: Callable[[ScoreRow], str]) -> str:
    titles = [title for title in GROUPS if any(title in one.groups for one in score.strategies.values())]
    rows = [
        [name, *(cell(one.groups[title]) if title in one.groups else "-" for title in titles)]
        for name, one in score.strategies.items()
    ]
    return _table(["strategy", *titles], rows)


def _by_class(score: Score) -> str:
    titles = sorted({theme for one in score.strategies.values() for theme in one.classes}, key=str.casefold)
    rows = [
        [title, *(_of(one.classes[title]) if title in one.classes else "-" for one in score.strategies.values())]
        for title in titles
    ]
    return _table(["class", *score.strategies], rows)


def _by_fault(score: Score) -> list[str]:
    """Return a table of detected and missed faults for each strategy."""
    return [part for name, one in score.strategies.items() for part in (f"### {name}", _faults(one))]


def _faults(strategy: StrategyScore) -> str:
    titles = ["fault", "detected", "positions", "nodes", "seconds", "pieces", "explained"]
    return _table(titles, [[f"`{name}`", *_figures(one.row)] for name, one in strategy.faults_by_class.items()])


def _figures(row: ScoreRow) -> list[str]:
    return [
        percent(row.detected),
        figure(row.positions),
        figure(row.nodes or None),
        "-" if row.seconds is None else f"{row.seconds:.2f}",
        figure(row.pieces),
        percent(row.explained),
    ]


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rows = [*rows]
    columns = zip(*rows, strict=True) if rows else titles
    rule = ["--:" if number and all(map(_FIGURE.match, cells)) else "---" for number, cells in enumerate(columns)]
    return _lines([titles, rule, *rows])


def _table_of(wide: ReportTable) -> str:
    """Convert a table of a terminal report to Markdown."""
    titles = [_escape(column.title) for column in wide.columns]
    rule = ["--:" if column.justify == "right" else "---" for column in wide.columns]
    return _lines([titles, rule, *([_escape(str(cell)) for cell in row.cells] for row in wide.rows)])


def _lines(rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _bench(finished: BenchFinished) -> str:
    """Return the speeds of engines, and the comparison if there is one."""
    if finished.speeds:
        engines = _engines(short_names(one.engine for one in finished.speeds))
        parts = [engines, "Million leaf nodes per second:", _table_of(bench.bench_table(finished.speeds))]
    else:
        parts = ["Nothing was timed."]
    return _document("# perft-check bench", *parts, *(_comparison(finished.comparison) if finished.comparison else []))


def _comparison(compared: Comparison) -> list[str]:
    table = _table_of(bench.ratio_table(compared))
    return [f"## {_plain(bench.heading(compared))}", f"**{_plain(bench.verdict(compared))}**", table]


MARKDOWN = Format(
    "md",
    ".md",
    {
        RunFinished: _run,
        FuzzFinished: _fuzz,
        DivideFinished: _divide,
        BenchFinished: _bench,
        Score: _score,
    },
)
