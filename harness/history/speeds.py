"""The speed of engines over the runs of a history."""

from __future__ import annotations

from collections.abc import Sequence

from .model import KeptRun, SpeedLine, SpeedsOverTime


def speeds_over_time(runs: Sequence[KeptRun], engines: Sequence[str] = ()) -> SpeedsOverTime:
    """Return the speeds of engines, by default of all: of each the runs with the settings of its newest one.

    Only such runs count the same, so that their speeds can be compared.
    """
    timed = [run for run in runs if run.is_whole and run.speed is not None]
    wanted = dict.fromkeys(engines or [run.origin.engine for run in timed])
    lines = tuple(line for engine in wanted if (line := _line(timed, engine)).runs)
    of_wanted = sum(run.origin.engine in wanted for run in runs)
    return SpeedsOverTime(lines, of_wanted - sum(len(line.runs) for line in lines))


def _line(timed: Sequence[KeptRun], engine: str) -> SpeedLine:
    mine = [run for run in timed if run.origin.engine == engine]
    return SpeedLine(engine, tuple(run for run in mine if _measures(run) == _measures(mine[-1])))


def _measures(run: KeptRun) -> object:
    """What two runs must have in common for their speeds to be comparable."""
    return dict(run.origin.settings), run.origin.machine, run.planned
