"""What is simulated: curves over workers, the large counts of start, and where a cluster breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from perft_check.harness.counting.cutting import PIECE_SECONDS
from perft_check.harness.counting.piece_scheduler import ORDER_SECONDS

from .measured import MachineFigures
from .model import Crew, SimulatedOutcome
from .simulation import simulated
from .tree import SimulatedCut

WORKERS = tuple(2**power for power in range(12))
DEPTH, SPLITS = 13, (4, 5, 6, 7)
"""Of the curves."""
DEPTHS, LEAST_SPLIT, DEEPEST, CREWS = (12, 13, 14, 15), 6, 8, (16, 256, 4_096)
"""Of the large counts, with the plies at which they are cut."""
MINUTE = 60.0
ORDINARY = Crew(1, latency=1e-4, lifetime=30 * 86_400.0, restart=120.0, slow=0.01, factor=3.0)
"""A room of machines: each dies once a month, and one of a hundred takes three times as long."""
AWAY = replace(ORDINARY, latency=0.02)
"""Client, scheduler and workers on different continents."""
MANY = 100_000_000
POSITIONS_A_PIECE = 13_541
"""About as many as perft(13) has, cut at ply 8 into pieces of a minute."""
WIRE = 125e6
"""Bytes a second of a network of 1 Gbit/s."""
ORDERS_A_WORKER, LEAST_ORDERS = 8, 4_000
"""So many are simulated; a longer count goes on as the middle of it."""


@dataclass(frozen=True)
class CrewCase:
    """A count on a crew."""

    name: str
    pieces: int
    piece_seconds: float
    crew: Crew = ORDINARY
    order_bytes: int = 0
    """Of positions in an order, which client and scheduler send."""

    @property
    def bundled(self) -> int:
        """Pieces of an order."""
        return max(1, int(ORDER_SECONDS / self.piece_seconds))

    def on(self, workers: int) -> CrewCase:
        """Return the same with another number of workers."""
        return replace(self, crew=replace(self.crew, workers=workers))


@dataclass(frozen=True)
class Found:
    """What the simulation says of a case."""

    case: CrewCase
    outcome: SimulatedOutcome

    @property
    def seconds(self) -> float:
        """What all pieces take."""
        return self.outcome.seconds_of(self.case.pieces)

    @property
    def utilisation(self) -> float:
        """The share of the workers' time that goes into results."""
        return self.outcome.utilisation_of(self.case.pieces)

    @property
    def orders_a_second(self) -> float:
        """Orders that are carried out."""
        return self.utilisation * self.outcome.workers / self.case.piece_seconds / self.case.bundled


def found(case: CrewCase, measured: MachineFigures, seed: int) -> Found:
    """Simulate a case, or as much of it as has an end like the whole."""
    pieces = min(case.pieces, max(LEAST_ORDERS, ORDERS_A_WORKER * case.crew.workers) * case.bundled)
    costs, wire = measured.costs, case.order_bytes / WIRE
    costs = replace(costs, submit=costs.submit + wire, message=costs.message + 2 * wire / 3)
    seconds = measured.seconds(pieces, case.piece_seconds, seed)
    return Found(case, simulated(seconds, case.crew, costs, seed))


def of_cut(name: str, cut: SimulatedCut, workers: int = 1) -> CrewCase:
    """Return the case of a count of start."""
    return CrewCase(name, cut.pieces, cut.piece_seconds).on(workers)


def curves(measured: MachineFigures, seed: int) -> dict[str, list[Found]]:
    """Return what becomes of `DEPTH` on more and more workers, by where it is cut and how it is handed out."""
    cuts = {split: SimulatedCut(DEPTH, split, PIECE_SECONDS, measured) for split in SPLITS}
    cases = [of_cut(f"split {split}, {round(cut.piece_seconds, 1):,g} s", cut) for split, cut in cuts.items()]
    cases.append(of_cut(f"split {SPLITS[-1]}, 60 s", SimulatedCut(DEPTH, SPLITS[-1], MINUTE, measured)))
    return {case.name: [found(case.on(workers), measured, seed) for workers in WORKERS] for case in cases}


def plan(measured: MachineFigures, seed: int) -> Iterator[tuple[SimulatedCut, list[Found]]]:
    """Yield each depth, cut into pieces of a minute, with what it takes each crew."""
    for depth in DEPTHS:
        cuts = [SimulatedCut(depth, split, MINUTE, measured) for split in range(LEAST_SPLIT, DEEPEST + 1)]
        for cut in cuts:
            yield cut, [found(of_cut("", cut, workers), measured, seed) for workers in CREWS]


def limits(measured: MachineFigures, seed: int) -> Iterator[Found]:
    """Yield what breaks, and what becomes of it with something else in its place."""
    second, minute = CrewCase("pieces of 1 s", MANY, 1.0), CrewCase("pieces of 60 s", MANY, MINUTE)
    second_far, minute_far = (replace(case, name=f"{case.name}, far away", crew=AWAY) for case in (second, minute))
    full = CrewCase(
        f"pieces of 60 s, {POSITIONS_A_PIECE:,} positions", MANY, MINUTE, order_bytes=POSITIONS_A_PIECE * 32
    )
    chosen = replace(measured, choose=0.0)
    for case, workers in (
        *((second, workers) for workers in (64, 256, 512, 1_024)),
        *((minute, workers) for workers in (2_048, 4_096, 8_192)),
        (full, 2_048),
        (second_far, 64),
        (minute_far, 4_096),
    ):
        yield found(case.on(workers), measured, seed)
    for case, workers in ((second, 1_024), (minute, 8_192), (minute, 16_384), (full, 8_192)):
        yield found(replace(case, name=f"{case.name}, nothing to choose").on(workers), chosen, seed)


def mishaps(measured: MachineFigures, seed: int) -> Iterator[Found]:
    """Yield what failures, slow and hung workers do to a count of forty pieces a worker."""
    usual = replace(ORDINARY, workers=100, slow=0.0)
    crews = {
        "nothing goes wrong": replace(usual, lifetime=inf),
        "each dies once a day": replace(usual, lifetime=86_400.0),
        "each dies every four hours": replace(usual, lifetime=14_400.0),
        "5 % take three times as long": replace(usual, slow=0.05),
        "5 % take ten times as long": replace(usual, slow=0.05, factor=10.0),
        "1 % hang": replace(usual, hung=0.01),
        "10 % hang": replace(usual, hung=0.1),
    }
    for seconds in (60.0, 1_000.0, 10_000.0):
        for name, crew in crews.items():
            yield found(CrewCase(name, 40 * crew.workers, seconds, crew), measured, seed)
