"""The page of a bench: a bar for each engine and position, with its spread, and what each technique takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from ...harness.model.engine_names import introduce, short_names
from ...harness.model.results.bench import BenchFinished, Comparison, Speed
from ...harness.model.results.verdict import ExitCode, Verdict
from ..charts import bar
from ..terminal.bench import bench_table, heading, notes, ratio_cells, technique_table, verdict
from ..text import count
from .page import Page, page
from .parts import known_facts, status, table_of


@dataclass(frozen=True)
class SpeedBar:
    """How fast an engine counts a position: the figures, and the same as a bar."""

    name: str
    """The engine, or the position."""
    median: str
    """Millions of leaf nodes a second, or the verdict on an engine without a right count."""
    spread: str
    """The slowest and the fastest round."""
    drawing: Markup


@dataclass(frozen=True)
class BenchPosition:
    """The bars of one position."""

    title: str
    bars: tuple[SpeedBar, ...]


@dataclass(frozen=True)
class SpeedChange:
    """One engine held against another."""

    title: str
    verdict: str
    notes: tuple[str, ...]
    bars: tuple[SpeedBar, ...]


def pages(finished: BenchFinished) -> Page:
    """Return the page of a bench."""
    speeds = finished.speeds
    names, positions = short_names(one.engine for one in speeds), dict.fromkeys(one.position for one in speeds)
    return page(
        "bench",
        title="Bench",
        status=status(finished.exit_code, _sentence(finished), _STYLES.get(finished.exit_code, "red")),
        facts=known_facts([("engines", ", ".join(map(introduce, names))), ("positions", ", ".join(positions))]),
        comparison=_comparison(finished.comparison),
        speeds=table_of(bench_table(speeds), "Million leaf nodes a second") if speeds else None,
        positions=[_position([one for one in speeds if one.position == place], names) for place in positions],
        techniques=table_of(technique_table(finished), "What techniques take") if finished.techniques else None,
        notes=notes(finished),
    )


_STYLES = {ExitCode.AGREE: "green", ExitCode.NOTHING_TO_RUN: "yellow", ExitCode.INTERRUPTED: "yellow"}


def _sentence(finished: BenchFinished) -> str:
    """Return how many engines count right, in one line."""
    names = short_names(one.engine for one in finished.speeds)
    wrong = {names[one.engine] for one in finished.speeds if one.verdict is not Verdict.AGREE}
    positions = count(len({one.position for one in finished.speeds}), "position")
    if not wrong:
        return f"{count(len(names), 'engine')} timed on {positions}, every count is right"
    return f"{len(wrong)} of {count(len(names), 'engine')} failed, timed on {positions}: {', '.join(sorted(wrong))}"


def _comparison(compared: Comparison | None) -> SpeedChange | None:
    if compared is None:
        return None
    most = max(1.0, *(max(one.ratios) for one in compared.positions))
    bars = [
        SpeedBar(f"{one.position} {one.depth}", *ratio_cells(one), Markup(bar(one.ratios, most)))
        for one in compared.positions
    ]
    return SpeedChange(heading(compared), verdict(compared), compared.notes, tuple(bars))


def _position(speeds: list[Speed], names: Mapping[str, str]) -> BenchPosition:
    most = max((max(one.rounds) for one in speeds if one.rounds), default=1.0)
    first = speeds[0]
    return BenchPosition(
        f"{first.position}, depth {first.depth}: {first.nodes:,} nodes",
        tuple(_bar(names[one.engine], one, most) for one in speeds),
    )


def _bar(name: str, one: Speed, most: float) -> SpeedBar:
    if one.verdict is not Verdict.AGREE or not one.rounds:
        return SpeedBar(name, one.verdict.value, "", Markup())
    spread = f"{min(one.rounds):,.1f} to {max(one.rounds):,.1f}"
    return SpeedBar(name, f"{one.median:,.1f}", spread, Markup(bar(one.rounds, most)))
