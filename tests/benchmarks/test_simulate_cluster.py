"""The simulation of a cluster does what can be told without one, and draws what it finds."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from xml.etree import ElementTree

import numpy as np
import pytest
from cluster.cases import ORDINARY, CrewCase, found
from cluster.measured import kept
from cluster.model import Costs, Crew
from cluster.picture import picture
from cluster.simulation import simulated
from cluster.tree import GAMES, POSITIONS, SimulatedCut
from perft_check.harness.counting.piece_scheduler import ORDER_SECONDS

DRAWN = kept().seconds(1_500, 5.0, 1)
"""Seconds of pieces, distributed as those that were measured."""


def test_one_worker_is_always_busy() -> None:
    outcome = simulated(DRAWN, Crew(1))
    assert outcome.utilisation == pytest.approx(1)
    assert (outcome.orders, outcome.repeated) == (1_500, 0)


@pytest.mark.parametrize(("pieces", "workers"), [(7, 3), (1_000, 7), (99, 100), (64, 64), (65, 64)])
def test_equal_pieces_are_done_in_rounds(pieces: int, workers: int) -> None:
    assert simulated(np.ones(pieces), Crew(workers)).seconds == ceil(pieces / workers)


def test_small_pieces_go_out_together() -> None:
    outcome = simulated(np.full(10_000, ORDER_SECONDS / 100), Crew(1))
    assert 100 < outcome.orders < 200
    assert outcome.utilisation == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
def test_no_piece_is_lost_or_kept_twice(seed: int) -> None:
    crew = Crew(30, latency=0.01, lifetime=200, restart=30, slow=0.1, factor=10, hung=0.2)
    outcome = simulated(DRAWN, crew, costs=kept().costs, seed=seed)
    assert (outcome.kept, outcome.most_kept) == (1_500, 1)
    assert outcome.orders > 1_500
    assert outcome.utilisation < 0.75


def test_the_only_worker_may_die_again_and_again() -> None:
    outcome = simulated(np.ones(100), Crew(1, lifetime=10, restart=5))
    assert (outcome.kept, outcome.most_kept) == (100, 1)
    assert 0.3 < outcome.utilisation < 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    "costs", [Costs(message=ORDER_SECONDS / 64 / 3), Costs(submit=ORDER_SECONDS / 64), Costs(take=ORDER_SECONDS / 64)]
)
def test_a_server_that_is_too_slow_is_the_limit(costs: Costs) -> None:
    """It serves 64 workers: half as many do not notice, and of twice as many half are idle."""
    piece = ORDER_SECONDS / 10
    used = {
        workers: simulated(np.full(400 * workers, piece), Crew(workers), costs=costs).utilisation_of(10**9)
        for workers in (16, 32, 128, 256)
    }
    assert used == pytest.approx({16: 1, 32: 1, 128: 1 / 2, 256: 1 / 4}, abs=0.04)


def test_who_is_far_away_has_an_order_that_waits() -> None:
    assert simulated(np.ones(2_000), Crew(50, latency=0.1)).utilisation_of(10**9) == pytest.approx(1, abs=0.01)


def test_the_scheduler_chooses_among_all_workers() -> None:
    """An order costs it more the more there are: twice as many carry out half as many orders."""
    rates = {
        workers: workers * simulated(np.ones(20 * workers), Crew(workers), Costs(choose=1e-4)).utilisation_of(10**9)
        for workers in (50, 200, 400)
    }
    assert rates == pytest.approx({50: 50, 200: 50, 400: 25}, rel=0.05)


def test_the_same_seed_gives_the_same_outcome() -> None:
    crew = Crew(20, lifetime=500, slow=0.1)
    assert simulated(DRAWN, crew, seed=2) == simulated(DRAWN, crew, seed=2) != simulated(DRAWN, crew, seed=3)


def test_a_longer_count_goes_on_as_the_middle_of_a_shorter_one() -> None:
    case = CrewCase("", 20_000, 1.0, replace(ORDINARY, workers=16))
    part = found(case, kept(), 1)
    whole = simulated(kept().seconds(20_000, 1.0, 1), case.crew, costs=kept().costs)
    assert part.outcome.pieces < whole.pieces
    assert part.seconds == pytest.approx(whole.seconds, rel=0.03)


def test_the_cut_of_a_large_count() -> None:
    assert len(GAMES) == 16
    assert GAMES[14] > 2**64 > GAMES[13]
    cut = SimulatedCut(13, 6, 60.0, kept())
    assert cut.pieces == ceil(POSITIONS[6] / cut.size)
    assert cut.piece_seconds == pytest.approx(60, rel=0.05)
    assert cut.ledger_bytes > 32 * POSITIONS[6]


def test_the_picture_has_a_curve_for_each_name() -> None:
    drawn = picture("Used", {"<one>": [(1, 1.0), (4, 0.5)], "two": [(1, 1.0), (4, 0.25)]})
    root = ElementTree.fromstring(drawn)
    assert len(root.findall("{*}path")) == 2
    assert "<one>: 50 % of 4 workers" in "".join(root.itertext())
