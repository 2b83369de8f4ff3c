"""Which positions show which faults by a wrong count, and from which depth on.

A position kills a fault, as mutation testing says, when a count of the faulty generator is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from ....suites.case import Case
from ...model.shutdown import Interrupt
from ...work.spreading import Spread
from ..catalogue import ZOO
from ..fault import Fault
from ..seeded.generator import Crash, Hang, IllegalMove

EVERYWHERE_NODES = 3_000
"""Every fault is tried on every count of up to this many nodes."""
ENOUGH = 6
"""A fault that this many positions have shown is tried on no greater counts."""
FURTHER_NODES = 3_000_000
"""How many nodes of greater counts are spent on a fault that fewer positions have shown."""


@dataclass(frozen=True)
class Kills:
    """The positions that show one fault."""

    fault: str
    depths: dict[str, int]
    """The least depth with a wrong count, by the name of the case."""


def visible(fault: Fault) -> bool:
    """Tell whether a fault can show in the count at a FEN."""
    return (
        fault.is_served and not fault.control and fault.effect != "fen" and not (fault.shows.moves or fault.shows.setup)
    )


def kill(name: str, cases: Sequence[Case], always: frozenset[str]) -> Kills:
    """Try one fault on the counts of cases, as far as the limits allow.

    The limits do not apply to the cases named in `always` and to the one made to show the fault.
    Chess960 is tried only for faults of Chess960.
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
    """Return the name of the case that is made to show a fault."""
    return f"zoo-{fault.name}"


def is_wrong(fault: Fault, case: Case, depth: int, nodes: int) -> bool:
    """Tell whether a new generator with the fault counts wrongly, or fails."""
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
    faults: Sequence[Fault], cases: Sequence[Case], always: frozenset[str], spread: Spread, interrupt: Interrupt
) -> Iterator[Kills]:
    """Try every fault as `kill` does, in processes; yield the results as they come, in any order."""
    names = [fault.name for fault in faults]
    work = partial(kill, cases=cases, always=always)
    for _, kills in spread(work, names, interrupt, lambda name: f"counting with {name}"):
        if kills is not None:
            yield kills
