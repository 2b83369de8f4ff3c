"""Hand-made outcomes of hunts for faults of the zoo."""

from __future__ import annotations

from perft_check.harness.zoo import catalogue as catalogue  # adds the faults to the zoo
from perft_check.harness.zoo import score
from perft_check.harness.zoo.score import Hunt, Outcome, Score

BUDGET = 10.0


def detected(
    fault: str, seconds: float, seed: int = 1, strategy: str = "fuzz", *, positions: int = 40, explained: bool = True
) -> Outcome:
    """Return the outcome of a hunt that detected the fault."""
    return Outcome(Hunt(fault, strategy, seed, BUDGET), True, positions, 0, seconds, explained, 4)


def missed(fault: str, seed: int = 1, strategy: str = "fuzz") -> Outcome:
    """Return the outcome of a hunt that did not detect the fault."""
    return Outcome(Hunt(fault, strategy, seed, BUDGET), False, 900, 5000, BUDGET + 0.2, None, None)


OUTCOMES = (
    detected("pins-forgotten", 0.5),
    detected("king-beside-king", 2.0, explained=False),
    missed("chess960-uncovers-king"),
    detected("pins-forgotten", 0.7, seed=2, positions=60),
    missed("king-beside-king", seed=2),
    missed("chess960-uncovers-king", seed=2),
    detected("pins-forgotten", 3.0, strategy="smoke"),
    missed("king-beside-king", strategy="smoke"),
    missed("chess960-uncovers-king", strategy="smoke"),
)
"""Three faults of three families, two seeds of the fuzzer, and a suite."""


def score_of(*outcomes: Outcome, planned: int | None = None) -> Score:
    """Return the score of outcomes; `planned` is by default their number."""
    command = "perft-check zoo score --seeds 2 --results score.jsonl"
    return score.score_of(
        outcomes, planned=planned or len(outcomes), seeds=2, budget=BUDGET, jobs=(2,), command=command
    )
