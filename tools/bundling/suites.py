"""Choose the suites `smoke`, `special` and `chess960-special` by the faults that they show, and measure their strength.

A position kills a fault, as in mutation testing, if the faulty generator counts it incorrectly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import TypeVar

from perft_check.generator.position import Position
from perft_check.generator.reachability.classification import was_in_check_before_push
from perft_check.harness.shutdown import Interrupt
from perft_check.harness.worker_processes import spread
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.fault import Fault, is_held_out
from perft_check.harness.zoo.generator import Crash, Hang, IllegalMove
from perft_check.suites.bundled import RARE
from perft_check.suites.case import Case, Suite
from perft_check.suites.loader import load_suite
from perft_check.suites.making import distinct

from bundling.cover import Choice, CountedPosition, count_covered, cover
from bundling.generated import extend_counts, generate

_T = TypeVar("_T")

EVERYWHERE_NODES = 3_000
"""Every fault is tried on every count of up to this many nodes."""
ENOUGH = 6
"""A fault is tried on larger counts until this many positions have shown it."""
FURTHER_NODES = 3_000_000
"""Maximum nodes of larger counts for a fault."""


def visible(fault: Fault) -> bool:
    """Return True if a fault can show in the count at a FEN."""
    return (
        not fault.is_control and fault.effect != "fen" and not (fault.demonstration.moves or fault.demonstration.setup)
    )


def kill(name: str, cases: Sequence[Case], always: frozenset[str]) -> dict[str, int]:
    """Try a fault on the counts of cases, within the limits; return the cases that show it, with the smallest depth.

    The limits apply neither to the cases in `always` nor to the case made to show the fault. Chess960 is tried only for
    faults of Chess960.
    """
    fault = ZOO[name]
    suitable = [case for case in cases if case.position.chess960 <= fault.demonstration.chess960]
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
    return depths


def demonstration_name(fault: Fault) -> str:
    """Return the name of the case that was made to show a fault."""
    return f"zoo-{fault.name}"


def is_wrong(fault: Fault, case: Case, depth: int, nodes: int) -> bool:
    """Return True if a new generator with the fault counts incorrectly or fails."""
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
) -> Iterator[tuple[str, dict[str, int]]]:
    """Call `kill` for every fault with `try_each`."""
    return try_each(partial(kill, cases=cases, always=always), [fault.name for fault in faults], jobs, interrupt)


def try_each(
    work: Callable[[str], _T], faults: Iterable[str], jobs: int, interrupt: Interrupt
) -> Iterator[tuple[str, _T]]:
    """Try faults in processes; yield the name and the result of each, in any order."""
    for name, found in spread(work, faults, jobs, interrupt, lambda name: f"trying {name}"):
        if found is not None:
            yield name, found


FAMOUS = {"cpw-1-start": 3, "cpw-2-kiwipete": 2}
"""Well-known positions that are always in `smoke`, with their depths."""
SMOKE_TIMES, SPECIAL_TIMES = 2, 3
"""Number of positions in which each fault should show, so that no suite depends on one position."""
SMOKE_COST = 100_000
"""Maximum cost of the positions of `smoke`, not including the well-known ones."""
POOL_NODES = 150_000
"""Counts of more nodes are not chosen."""
RARE_NODES = 100_000
"""In `special`, the position of every rare event is counted up to this many nodes."""
FREE_NODES = 1_000
"""A chosen position is always counted at least to the last depth with at most this many nodes."""
PURPOSES = 4
"""Number of faults that the purpose of a case names."""

Matrix = Mapping[str, Mapping[str, int]]
"""For each fault, the names of the cases that show it, with the smallest depth."""


def families() -> dict[str, list[Fault]]:
    """Return the faults that can show in counts, by their families."""
    by_family: dict[str, list[Fault]] = {}
    for fault in filter(visible, ZOO.values()):
        by_family.setdefault(fault.family, []).append(fault)
    return by_family


def candidates(seed: int) -> list[Case]:
    """Return the positions to choose from, without duplicates, and with all counts that may be chosen.

    They are the positions of all suites and those made to show a fault, if all correct generators agree on them.
    """
    shown = [case for faults in families().values() for case in map(_demonstration, faults)]
    cases = filter(is_counted_alike, distinct([*generate(seed).all(), *shown]))
    return [as_written(case) for case in extend_counts(cases, POOL_NODES)]


def is_counted_alike(case: Case) -> bool:
    """Return True if all correct generators agree on the counts of a position.

    A correct generator may reject a position with more pieces than a game allows. It may also assume that a pawn that
    has just made a double push shields no king, because in a game the king cannot have been in check before the push.
    """
    position = case.position
    return not position.oddities and (position.en_passant is None or not was_in_check_before_push(position))


def _demonstration(fault: Fault) -> Case:
    position = Position.from_fen(fault.demonstration.fen, fault.demonstration.chess960)
    return Case(demonstration_name(fault), position, (), "zoo")


def as_written(case: Case) -> Case:
    """Return a case as it is read from a suite file, in which the castling field decides whether it is Chess960."""
    return replace(case, position=Position.from_fen(case.position.fen(), chess960=None))


@dataclass(frozen=True)
class Strength:
    """The size of a suite, and the number of fault families that it detects."""

    positions: int
    nodes: int
    families: int
    """The number of families that were tried."""
    killed: tuple[int, ...]
    """The numbers of families whose faults all show in at least one, two and three positions."""


class SuiteChooser:
    """Chooses suites from candidates, given the faults that each of them shows."""

    def __init__(self, cases: Sequence[Case], matrix: Matrix) -> None:
        self._cases = {case.name: case for case in cases}
        self._by_place = {case.name: _options_of(case, matrix) for case in cases}
        self._families = families()

    def smoke(self) -> Choice:
        """Return the famous positions, and the cheapest positions that detect every family, if possible twice."""
        return self._smoke(self._families, self._cases)

    def special(self) -> Choice:
        """Return the rare events and the cheapest positions that detect every family, three times if possible."""
        rare = {case.position.fen() for case in load_suite(RARE) if not case.position.chess960}
        fixed = {
            name: self._option(name, _depth_within(case, RARE_NODES))
            for name, case in self._cases.items()
            if case.position.fen() in rare
        }
        return cover(self._options(self._cases), _values(self._families), SPECIAL_TIMES, fixed)

    def cross_validate(self) -> tuple[Strength, Strength]:
        """Choose `smoke` with a third of the families held out; return its strength for the others and that third."""
        known = {name: faults for name, faults in self._families.items() if not is_held_out(name)}
        others = {name: faults for name, faults in self._families.items() if is_held_out(name)}
        hidden = {demonstration_name(fault) for faults in others.values() for fault in faults}
        choice = self._smoke(known, [name for name in self._cases if name not in hidden])
        return self._strength(choice, known), self._strength(choice, others)

    def strength(self, choice: Choice) -> Strength:
        """Return the strength of a choice for all families."""
        return self._strength(choice, self._families)

    def suites(self, smoke: Choice, special: Choice) -> dict[str, Suite]:
        """Return the choices as three suites: two of standard chess, and one with all positions of Chess960."""
        chosen = {"smoke": self._cases_of(smoke), "special": self._cases_of(special)}
        suites = {name: [case for case in cases if not case.position.chess960] for name, cases in chosen.items()}
        both = distinct([*chosen["special"], *chosen["smoke"]])
        suites["chess960-special"] = [case for case in both if case.position.chess960]
        return {name: Suite(name, tuple(cases)) for name, cases in suites.items()}

    def _cases_of(self, choice: Choice) -> list[Case]:
        """Return the cases of a choice, whose purposes name faults that they show."""
        purposes = purposes_of(choice)
        return [
            replace(self._cases[place].to_depth(option.depth), purpose=purposes[place])
            for place, option in choice.items()
        ]

    def _smoke(self, wanted: Mapping[str, Sequence[Fault]], places: Iterable[str]) -> Choice:
        fixed = {name: self._option(name, depth) for name, depth in FAMOUS.items()}
        return cover(self._options(places), _values(wanted), SMOKE_TIMES, fixed, SMOKE_COST)

    def _strength(self, choice: Choice, wanted: Mapping[str, Sequence[Fault]]) -> Strength:
        counts = count_covered({place: self._option(place, option.depth) for place, option in choice.items()})
        least = [min(counts[fault.name] for fault in faults) for faults in wanted.values()]
        killed = tuple(sum(count >= times for count in least) for times in (1, 2, 3))
        return Strength(len(choice), sum(option.nodes for option in choice.values()), len(wanted), killed)

    def _options(self, places: Iterable[str]) -> list[CountedPosition]:
        return [
            option
            for place in places
            for option in self._by_place[place]
            if option.depth >= _depth_within(self._cases[place], FREE_NODES)
        ]

    def _option(self, place: str, depth: int) -> CountedPosition:
        return self._by_place[place][depth - 1]


def _options_of(case: Case, matrix: Matrix) -> list[CountedPosition]:
    """Return the options of a case: to depth 1, to depth 2 and so on."""
    totals = accumulate(nodes for _, nodes in case.counts)
    return [
        CountedPosition(
            case.name, depth, total, frozenset(name for name in matrix if matrix[name].get(case.name, 99) <= depth)
        )
        for (depth, _), total in zip(case.counts, totals, strict=True)
    ]


def _depth_within(case: Case, max_nodes: int) -> int:
    """Return the greatest depth with at most `max_nodes` nodes, or 1 if there is none."""
    return max((depth for depth, nodes in case.counts if nodes <= max_nodes), default=1)


def _values(wanted: Mapping[str, Sequence[Fault]]) -> dict[str, float]:
    """Return the value of each fault: a family is worth 1, divided among its faults."""
    return {fault.name: 1 / len(faults) for faults in wanted.values() for fault in faults}


def purposes_of(choice: Choice) -> dict[str, str]:
    """Return for each case a text that names the faults that it shows, the rarest first."""
    counts: Counter[str] = count_covered(choice)
    return {place: _join_names(sorted(option.kills, key=lambda n: (counts[n], n))) for place, option in choice.items()}


def _join_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - PURPOSES} more" if len(names) > PURPOSES else ""
    return ", ".join(names[:PURPOSES]) + more
