"""Runs compared: two of them position by position, and the speed of engines over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..model.engine_names import given_name, short_names
from .model import (
    Change,
    ChangeKind,
    KeptCase,
    KeptRun,
    Noise,
    RunsCompared,
    RunShown,
    SpeedLine,
    SpeedsOverTime,
    pace_of,
)

LEAST_SECONDS = 0.5
"""Less time than this says nothing about the speed of a run."""

Key = tuple[str, str, str, bool, int]
"""Suite, name and position, and the how many-th of those that have all of that in common."""


def compare(before: RunShown, after: RunShown, noise: Noise) -> RunsCompared:
    """Return what has changed from one run to the other."""
    earlier, later = _by_key(before.cases), _by_key(after.cases)
    changes = [
        Change(kind, earlier.get(key), later.get(key))
        for key in dict.fromkeys([*later, *earlier])
        if (kind := _kind(earlier.get(key), later.get(key), noise)) is not None
    ]
    in_both = earlier.keys() & later.keys()
    changed = sum(one.before is not None and one.after is not None for one in changes)
    order = list(ChangeKind)
    return RunsCompared(
        before=before.run,
        after=after.run,
        changes=tuple(sorted(changes, key=lambda one: order.index(one.kind))),
        same=len(in_both) - changed,
        pace=_pace((earlier[key], later[key]) for key in in_both),
        noise=noise,
    )


def latest_two(
    runs: Sequence[KeptRun], before: KeptRun | None, after: KeptRun | None
) -> tuple[KeptRun | None, KeptRun | None]:
    """Return the runs to compare where not both are given: the newest one, and the one of its engine before it."""
    if after is None:
        mine = [run for run in runs if before is None or run.origin.identity == before.origin.identity]
        after = mine[-1] if mine else None
    if before is None and after is not None:
        earlier = [run for run in runs if run.number < after.number and run.origin.identity == after.origin.identity]
        before = earlier[-1] if earlier else None
    return before, after


def _by_key(cases: Iterable[KeptCase]) -> Mapping[Key, KeptCase]:
    times: Counter[tuple[str, str, str, bool]] = Counter()
    found: dict[Key, KeptCase] = {}
    for case in cases:
        place = (case.suite, case.name, case.fen, case.chess960)
        found[(*place, times[place])] = case
        times[place] += 1
    return found


def _kind(before: KeptCase | None, after: KeptCase | None, noise: Noise) -> ChangeKind | None:
    """Return how a position differs, None where it does not, or is only in the later run and right."""
    agreed_before = before.agreed_depth if before else 0
    agreed_after = after.agreed_depth if after else 0
    broken_before = before is not None and before.verdict.is_failure
    if after is not None and after.verdict.is_failure:
        if broken_before:
            return ChangeKind.STILL_BROKEN
        return ChangeKind.NEWLY_BROKEN if agreed_before >= max(1, after.depth) else ChangeKind.FIRST_BROKEN
    if before is not None and broken_before and after is not None and agreed_after >= before.depth:
        return ChangeKind.NEWLY_RIGHT
    if before is not None and (broken_before or agreed_after < agreed_before):
        return ChangeKind.LESS_COMPARED
    return None if before is None or after is None else _speed(before, after, noise)


def _speed(before: KeptCase, after: KeptCase, noise: Noise) -> ChangeKind | None:
    pace = pace_of(before, after)
    if pace is None or abs(after.seconds - before.seconds) <= noise.seconds:
        return None
    if pace * noise.ratio < 1:
        return ChangeKind.SLOWER
    return ChangeKind.FASTER if pace > noise.ratio else None


def _pace(pairs: Iterable[tuple[KeptCase, KeptCase]]) -> float | None:
    """Return the later speed as a multiple of the earlier one, over all that both counted."""
    timed = [(before.seconds, after.seconds) for before, after in pairs if pace_of(before, after) is not None]
    earlier, later = (sum(seconds) for seconds in zip(*timed, strict=True)) if timed else (0.0, 0.0)
    return earlier / later if min(earlier, later) >= LEAST_SECONDS else None


def speeds_over_time(runs: Sequence[KeptRun], engines: Sequence[str] = ()) -> SpeedsOverTime:
    """Return the speeds of engines, by default of all: of each the runs with the settings of its newest one.

    Only such runs count the same, so that their speeds can be compared.
    """
    timed = [run for run in runs if run.is_whole and run.speed is not None]
    of_identity: dict[str, list[KeptRun]] = {}
    for run in of_engines(timed, engines):
        of_identity.setdefault(run.origin.identity, []).append(run)
    names = names_of(timed)
    lines = tuple(SpeedLine(names[identity], _comparable(mine)) for identity, mine in of_identity.items())
    of_wanted = sum(run.origin.identity in of_identity for run in runs)
    return SpeedsOverTime(lines, of_wanted - sum(len(line.runs) for line in lines))


def of_engines(runs: Sequence[KeptRun], engines: Sequence[str]) -> Sequence[KeptRun]:
    """Return the runs of some engines, each by its SPEC or the name that it was given; without any, those of all."""
    return [run for run in runs if not engines or {run.origin.engine, run.origin.identity} & {*engines}]


def names_of(runs: Iterable[KeptRun]) -> Mapping[str, str]:
    """Return the names of the engines of runs, as they are shown, by what identifies them."""
    engines = {run.origin.identity: run.origin.engine for run in runs}
    short = short_names(one for one in engines.values() if given_name(one) is None)
    return {identity: given_name(spec) or short[spec] for identity, spec in engines.items()}


def _comparable(runs: Sequence[KeptRun]) -> tuple[KeptRun, ...]:
    return tuple(run for run in runs if _measures(run) == _measures(runs[-1]))


def _measures(run: KeptRun) -> object:
    """What two runs must have in common for their speeds to be comparable."""
    return dict(run.origin.settings), run.origin.machine, run.planned
