"""Runs that are kept: a list, one of them, two compared, and the speed over many, drawn by plotext."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import nextafter
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from ...harness.history.comparing import names_of
from ...harness.history.model import (
    Change,
    ChangeKind,
    KeptCase,
    KeptRun,
    RunsCompared,
    RunShown,
    RunsListed,
    SpeedLine,
    SpeedsOverTime,
)
from ...harness.model.command_lines import divide_command
from ...harness.model.engine_names import introduce
from ...harness.model.machine import readable
from ...harness.model.results.verdict import ExitCode, Verdict
from ...suites.case import label
from ..text import again, count, duration, speed
from .parts.layout import Facts, Indented
from .parts.table import ReportTable

SHOWN = 20
"""Changes of one kind that are shown unless all are asked for."""
LEFT_OUT = "another machine or other settings than the newest run, an early end, or too little to time"
"""Why runs are not among the speeds over time."""
_STYLES = {
    ChangeKind.NEWLY_BROKEN: "bold red",
    ChangeKind.FIRST_BROKEN: "bold red",
    ChangeKind.STILL_BROKEN: "yellow",
    ChangeKind.NEWLY_RIGHT: "bold green",
    ChangeKind.LESS_COMPARED: "yellow",
    ChangeKind.SLOWER: "yellow",
    ChangeKind.FASTER: "green",
}
_ENDS: dict[int, str] = {
    ExitCode.INTERRUPTED: "interrupted",
    ExitCode.INTERNAL_ERROR: "our fault",
    ExitCode.NOTHING_TO_RUN: "not whole",
}
"""Ends of runs that the numbers of positions do not show."""


def render_list(listed: RunsListed) -> RenderableType:
    """Return a row for each run."""
    if not listed.runs:
        return Text("no run")
    table = ReportTable()
    table.add_columns("run", justify="right")
    table.add_columns("began", "engine")
    table.add_columns("digest", turn=1)
    table.add_columns("commit", turn=6)
    table.add_columns("positions", justify="right", turn=4)
    table.add_columns("agree", justify="right", turn=5)
    table.add_columns("fail", justify="right")
    table.add_columns("nodes", justify="right", turn=3)
    table.add_columns("time", justify="right", turn=2)
    table.add_columns("speed", justify="right")
    table.add_columns("end")
    names = names_of(listed.runs)
    for run in listed.runs:
        table.add_row(*_row(run, names[run.origin.identity]))
    if not listed.earlier:
        return table
    more = f"{count(listed.earlier, 'earlier run')}: --last {listed.earlier + len(listed.runs)} lists all"
    return Group(table, Text(more, style="dim"))


def _row(run: KeptRun, engine: str) -> Iterable[str | Text]:
    origin = run.origin
    yield str(run.number)
    yield readable(origin.began)[: -len(":00")]
    yield engine
    yield (origin.digest or "-")[:12]
    yield (origin.commit or "-")[:8]
    yield f"{run.planned:,}"
    yield Text(f"{run.agree:,}", style="green" if run.agree else "dim")
    yield Text(f"{run.fail:,}", style="bold red" if run.fail else "dim")
    yield f"{run.nodes:,}"
    yield duration(run.seconds)
    yield speed(run.nodes, run.engine_seconds) or "-"
    yield _ENDS.get(run.exit_code, "")


def end_of(run: KeptRun) -> str:
    """Return how a run ended, in words where its positions do not say it."""
    return _ENDS.get(run.exit_code, f"exit {run.exit_code}")


def render_run(shown: RunShown) -> RenderableType:
    """Return the facts about a run, and a row for each position."""
    return Group(Facts(_facts(shown.run)), _cases(shown.cases))


def _facts(run: KeptRun) -> Iterable[tuple[str, str]]:
    origin = run.origin
    yield "run", f"{run.number}, {readable(origin.began)} UTC, perft-check {run.version}"
    yield "engine", introduce(origin.engine)
    if origin.digest:
        yield "digest", origin.digest
    if origin.commit:
        yield "commit", origin.commit
    yield "machine", origin.machine
    for name, value in origin.settings.items():
        yield option(name), describe_setting(value)
    yield "positions", f"{run.planned:,}, of which {run.agree:,} agree and {run.fail:,} fail; {end_of(run)}"
    rate = speed(run.nodes, run.engine_seconds)
    yield "nodes", f"{run.nodes:,} in {duration(run.seconds)}{f', {rate}' if rate else ''}"


def _cases(cases: Sequence[KeptCase]) -> RenderableType:
    if not cases:
        return Text("no position was begun")
    table = ReportTable(ruled=True)
    table.add_columns("position")
    table.add_columns("depth", justify="right", turn=4)
    table.add_columns("nodes", justify="right", turn=3)
    table.add_columns("time", justify="right", turn=1)
    table.add_columns("speed", justify="right", turn=2)
    table.add_columns("verdict")
    table.add_columns("what")
    for case in cases:
        figures = (str(case.depth), f"{case.nodes:,}", duration(case.seconds), speed(case.nodes, case.seconds) or "-")
        table.add_row(label(case.suite, case.name), *figures, case.verdict.value, case.what)
    return table


def render_comparison(compared: RunsCompared, verbose: bool = False) -> RenderableType:
    """Return both runs, what differs in how they ran, the changes kind by kind, and one line that sums them up."""
    parts: list[RenderableType] = [Facts([("before", title(compared.before)), ("after", title(compared.after))])]
    parts += [Text(line, style="yellow") for line in cautions(compared)]
    for kind in ChangeKind:
        if changes := compared.of(kind):
            parts += [Text(), Text(f"{kind.value}: {len(changes):,}", style=_STYLES[kind])]
            parts += _changes(changes if verbose else changes[:SHOWN], compared.after.origin.engine)
            if len(changes) > SHOWN and not verbose:
                parts.append(Indented(Text(f"and {len(changes) - SHOWN:,} more: --verbose shows all", style="dim")))
    return Group(*parts, Text(), Text(sentence(compared), style="bold"))


def title(run: KeptRun) -> str:
    """Return a run in one line: its number, when it was, of which engine."""
    origin = run.origin
    made_of = [f"{name} {text[:12]}" for name, text in (("digest", origin.digest), ("commit", origin.commit)) if text]
    return ", ".join([f"run {run.number}", f"{readable(origin.began)} UTC", introduce(origin.engine), *made_of])


def cautions(compared: RunsCompared) -> Iterable[str]:
    """Yield what keeps the two runs from being comparable, a line each."""
    one, other = compared.before, compared.after
    if one.origin.identity != other.origin.identity:
        yield "the engines have different names"
    if one.origin.machine != other.origin.machine:
        yield f"the machines differ, so speeds do not compare: {one.origin.machine}; {other.origin.machine}"
    for name, values in compared.different_settings.items():
        yield f"the settings differ: {option(name)} {' before, '.join(map(describe_setting, values))} after"
    for run in (one, other):
        if not run.is_whole:
            yield f"run {run.number} did not come to its end: {end_of(run)}"


def option(name: str) -> str:
    """Return the name of a setting as users write it."""
    return name.replace("_", "-")


def describe_setting(value: Any) -> str:
    """Return the value of a setting."""
    if value is None:
        return "by default"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _changes(changes: Sequence[Change], engine: str) -> list[RenderableType]:
    commands = map(again, commands_of(changes, engine))
    return [Indented(changes_table(changes)), *map(Indented, commands)]


def changes_table(changes: Sequence[Change]) -> ReportTable:
    """Return a row for each position that differs between two runs."""
    table = ReportTable()
    table.add_columns("position")
    table.add_columns("before", turn=1)
    table.add_columns("after")
    table.add_columns("speed", justify="right")
    table.add_columns("what")
    for one in changes:
        pace = "-" if one.pace is None else f"{one.pace:.3g} times"
        what = one.after.what if one.after else ""
        table.add_row(label(one.case.suite, one.case.name), state(one.before), state(one.after), pace, what)
    return table


def commands_of(changes: Sequence[Change], engine: str) -> Iterator[str]:
    """Yield the commands that show the new mismatches."""
    return (_command(one.after, engine) for one in changes if one.after and _is_new_mismatch(one))


def _is_new_mismatch(change: Change) -> bool:
    new = change.kind in (ChangeKind.NEWLY_BROKEN, ChangeKind.FIRST_BROKEN)
    return new and change.after is not None and change.after.verdict is Verdict.MISMATCH


def _command(case: KeptCase, engine: str) -> str:
    reference = "python-chess" if engine.startswith("own") else "own:turbo"
    return divide_command(case.fen, case.depth, engine, reference, case.chess960)


def state(case: KeptCase | None) -> str:
    """Return how a position ended, in a few words: "agree to depth 5, 0.20 s"."""
    if case is None:
        return "not in the run"
    if case.verdict is Verdict.AGREE:
        return f"agree to depth {case.depth}, {duration(case.seconds)}"
    return f"{case.verdict.value} at depth {case.depth}" if case.depth else case.verdict.value


def sentence(compared: RunsCompared) -> str:
    """Return what has changed in one line."""
    numbers = [f"{len(changes):,} {kind.value}" for kind in ChangeKind if (changes := compared.of(kind))]
    pace = "" if compared.pace is None else f"; {compared.pace:.3g} times the speed of run {compared.before.number}"
    return f"{', '.join([*numbers, f'{compared.same:,} unchanged'])}{pace}"


MOST_COLUMNS, ROWS = 100, 12
MOST_TICKS = 6


def render_speeds(speeds: SpeedsOverTime) -> RenderableType:
    """Return a chart for each engine, and how many runs are left out."""
    charts = [part for line in speeds.lines for part in (SpeedChart(line), Text())]
    if not speeds.left_out:
        return Group(*charts[:-1])
    return Group(*charts, Text(f"{count(speeds.left_out, 'run')} left out: {LEFT_OUT}", style="dim"))


class SpeedChart:
    """The runs of one engine from left to right, millions of leaf nodes a second from 0 up."""

    def __init__(self, line: SpeedLine) -> None:
        self._line = line

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        runs = self._line.runs
        first, last = readable(runs[0].origin.began), readable(runs[-1].origin.began)
        yield Text(f"{self._line.name}: million leaf nodes a second", style="bold", overflow="fold")
        yield Text(self._draw(min(MOST_COLUMNS, options.max_width), options.ascii_only), no_wrap=True)
        yield Text(f"runs {runs[0].number} to {runs[-1].number}, {first} to {last} UTC", style="dim")

    def _draw(self, columns: int, ascii_only: bool) -> str:
        import plotext

        speeds, numbers = self._line.speeds, [run.number for run in self._line.runs]
        places = list(range(len(speeds)))
        ticks = sorted({places[round(step * (len(places) - 1) / (MOST_TICKS - 1))] for step in range(MOST_TICKS)})
        figure = plotext.figure
        figure.clear()
        figure.theme("colorless")
        figure.axes(not ascii_only)
        figure.plot_size(columns, ROWS)
        figure.ruler("y", 0).lim(0, max(speeds) * 1.1)
        figure.ruler("x", 0).lim(-0.5, nextafter(len(speeds) - 0.5, 0))
        figure.ruler("x", 0).ticks(ticks, [str(numbers[tick]) for tick in ticks])
        signal = figure.signal(places, list(speeds), marker="*" if ascii_only else "braille")
        figure.draw(signal.lines() if len(speeds) > 1 else signal)
        lines = plotext.uncolorize(str(figure.build())).splitlines()
        figure.clear()
        return "\n".join(line.rstrip() for line in lines)
