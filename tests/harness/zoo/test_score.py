"""Hunts detect faults but not controls, and the score summarizes their outcomes."""

from __future__ import annotations

from math import inf
from unittest.mock import Mock

import pytest
from helpers.made_outcomes import BUDGET, OUTCOMES, detected, missed, score_of
from perft_check.errors import UserError
from perft_check.harness.zoo import hunt as hunting
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.fault import is_held_out
from perft_check.harness.zoo.hunt import hunt
from perft_check.harness.zoo.score import Hunt, curve, family_seconds, sum_outcomes

FAULTS = [fault for fault in ZOO.values() if not fault.is_control]


@pytest.mark.parametrize(
    ("fault", "strategy"),
    [
        ("pins-forgotten", "fuzz"),
        ("pins-forgotten", "walks"),
        ("king-beside-king", "smoke"),
        pytest.param("chess960-uncovers-king", "fuzz", marks=pytest.mark.long),
        ("pins-forgotten", "cpw"),
        pytest.param("pins-forgotten", "served", marks=pytest.mark.slow),
    ],
)
def test_a_fault_is_detected(fault: str, strategy: str) -> None:
    outcome = hunt(Hunt(fault, strategy, 1, 60.0))
    assert outcome.detected
    assert outcome.explained is True
    assert outcome.pieces is not None
    assert outcome.positions > 0


def test_an_engine_that_fails_to_start_is_detected_if_its_fault_can_cause_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunting, "fuzz", Mock(side_effect=UserError("has not answered within 10 seconds")))
    outcome = hunt(Hunt("tables-never-ready", "served", 1, 60.0))
    assert (outcome.detected, outcome.positions, outcome.explained) == (True, 0, None)
    with pytest.raises(UserError, match="within 10 seconds"):
        hunt(Hunt("pins-forgotten", "served", 1, 60.0))


def test_a_control_is_not_detected() -> None:
    outcome = hunt(Hunt("control-ep-only-if-legal", "fuzz", 1, 2.0))
    assert (outcome.detected, outcome.explained) == (False, None)
    assert outcome.positions > 0


def test_about_a_third_of_the_families_is_held_out() -> None:
    families = {fault.family for fault in FAULTS}
    assert 0.28 < sum(map(is_held_out, families)) / len(families) < 0.38
    kept, tuned = ("capture-promotion-stage", "castle-clear-source"), ("adjacent-kings", "attack-mask")
    assert [is_held_out(family) for family in (*kept, *tuned)] == [True, True, False, False]


def test_shares_and_medians() -> None:
    row = sum_outcomes(outcome for outcome in OUTCOMES if outcome.hunt.strategy == "fuzz")
    assert (row.faults, row.detected) == (3, 1.5)
    assert (row.families, row.families_detected, row.explained) == (3, 2, 2 / 3)
    # Six hunts, three of them with a detection: the lower median is the third of 0.5, 0.7, 2.0, and of 40, 40, 60.
    assert (row.seconds, row.positions, row.nodes, row.pieces) == (2.0, 60, 0, 4)


def test_there_is_no_median_below_half_of_the_detections() -> None:
    row = sum_outcomes([detected("pins-forgotten", 1.0), missed("pins-forgotten", 2), missed("pins-forgotten", 3)])
    assert (row.seconds, row.positions, row.nodes, row.families_detected) == (None, None, None, 0)
    assert (row.detected, row.explained, row.pieces) == (1 / 3, 1.0, 4)


@pytest.mark.parametrize(
    ("outcomes", "seconds"),
    [
        # The slowest fault of the family, with the better half of the seeds.
        ([detected("king-beside-king", 1.0), detected("castling-beside-king", 3.0)], 3.0),
        ([detected("king-beside-king", 1.0), missed("castling-beside-king")], inf),
        (
            [
                *(detected("king-beside-king", 1.0, 1), missed("castling-beside-king", 1)),
                *(missed("king-beside-king", 2), detected("castling-beside-king", 1.0, 2)),
            ],
            inf,
        ),
        (
            [
                *(detected("king-beside-king", 1.0, 1), missed("castling-beside-king", 1)),
                *(detected("king-beside-king", 4.0, 2), detected("castling-beside-king", 2.0, 2)),
            ],
            4.0,
        ),
        ([detected("king-beside-king", second, seed) for seed, second in enumerate((5.0, 1.0, 3.0), 1)], 3.0),
        # An incomplete seed does not count.
        (
            [
                *(detected("king-beside-king", 2.0, 1), detected("castling-beside-king", 3.0, 1)),
                detected("king-beside-king", 1.0, 2),
            ],
            3.0,
        ),
    ],
)
def test_a_family_is_detected_with_its_slowest_fault(outcomes: list[object], seconds: float) -> None:
    assert family_seconds(outcomes) == {"adjacent-kings": seconds}  # type: ignore[arg-type]


def test_the_points_of_the_curve() -> None:
    score = score_of(*OUTCOMES)
    assert {name: one.curve for name, one in score.strategies.items()} == {
        "fuzz": ((0.5, 1), (2.0, 2)),
        "smoke": ((3.0, 1),),
    }
    assert (score.families, list(score.strategies)) == (3, ["fuzz", "smoke"])


def test_simultaneous_detections_are_one_point_and_late_ones_count_at_the_end() -> None:
    together = [
        detected("pins-forgotten", 1.0),
        detected("king-beside-king", 1.0),
        detected("castling-from-check", 10.4),
    ]
    assert curve(together, BUDGET) == ((1.0, 2), (10.0, 3))
    assert curve([missed("pins-forgotten")], BUDGET) == ()
