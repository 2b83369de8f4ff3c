"""Which positions show which faults by their counts, and from which depth on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ....suites.case import Case
from ...engines.our_processes import side_by_side
from ...model.shutdown import Interrupt
from ..catalogue import ZOO
from ..fault import Fault
from ..seeded.generator import Crash, Hang, IllegalMove

EVERYWHERE_NODES = 3_000
"""Every fault is put to every count up to this many nodes."""
ENOUGH = 6
"""A fault that so many positions have shown is put to no greater counts."""
FURTHER_NODES = 3_000_000
"""How many nodes of greater counts are spent on a fault that few positions have shown."""


@dataclass(frozen=True)
class Kills:
    """Where one fault shows."""

    fault: str
    depths: dict[str, int]
    """The least depth with a wrong count, by the name of the case."""


def visible(fault: Fault) -> bool:
    """Tell whether a fault can show in the count at a FEN."""
    return fault.is_served and not fault.control and fault.effect != "fen" and not fault.shows.moves


def kill(name: str, cases: Sequence[Case], always: frozenset[str]) -> Kills:
    """Put one fault to the counts of cases, as far as the limits allow; of Chess960 only where it is about that.

    Without limits are the cases named in `always` and the one in which the fault shows by design.
    """
    fault = ZOO[name]
    suitable = [case for case in cases if case.position.chess960 <= fault.shows.chess960]
    depths: dict[str, int] = {}
    left = FURTHER_NODES
    for case, depth, nodes in sorted(_counts(suitable), key=lambda count: count[2]):
        if case.name in depths:
            continue
        if nodes > EVERYWHERE_NODES and case.name not in {*always, demonstration_name(fault)}:
            if len(depths) >= ENOUGH or nodes > left:
                continue
            left -= nodes
        if is_wrong(fault, case, depth, nodes):
            depths[case.name] = depth
    return Kills(name, depths)


def demonstration_name(fault: Fault) -> str:
    """Return the name of the case in which a fault shows by design."""
    return f"zoo-{fault.name}"


def is_wrong(fault: Fault, case: Case, depth: int, nodes: int) -> bool:
    """Tell whether a new generator with the fault counts something else, or nothing at all."""
    generator, position = fault.seeded(), case.position
    fen = position.fen(castling="shredder" if position.chess960 else "xfen")
    try:
        board = generator.line(fen, (), position.chess960)
        total: int = sum(count for _, count in generator.divide(board, depth))
    except (Crash, Hang, IllegalMove, ValueError):
        return True
    return total != nodes


def _counts(cases: Sequence[Case]) -> Iterator[tuple[Case, int, int]]:
    for case in cases:
        for depth, nodes in case.counts:
            yield case, depth, nodes


def kill_all(
    faults: Sequence[Fault], cases: Sequence[Case], always: frozenset[str], jobs: int, interrupt: Interrupt
) -> Iterator[Kills]:
    """Put every fault to the cases as `kill` does, `jobs` at a time; yield each as it is done, in any order."""
    names = [fault.name for fault in faults]
    work = partial(kill, cases=cases, always=always)
    for _, kills in side_by_side(work, names, jobs, interrupt, lambda name: f"counting with {name}"):
        if kills is not None:
            yield kills
