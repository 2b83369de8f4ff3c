"""From a wrong count to the wrong move and the rule: every seeded fault, through a real process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from faulty.generators import FAULTS, Fault
from perft_check.generator import Position
from perft_check.generator.line import Line
from perft_check.harness.descent import descend
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.descriptor import UCI_CASE, Descriptor
from perft_check.harness.engines.own import OwnEngine
from perft_check.harness.engines.stdin_engine import StdinEngine
from perft_check.harness.events import Cause, Finding
from perft_check.harness.task import Task

SERVE = Path(__file__).parents[1] / "faulty" / "serve.py"
CASE = UCI_CASE.replace("{command}", "go perft {depth}")


def found(fault: Fault) -> Finding:
    engine = StdinEngine(fault.name, Descriptor(fault.name, (sys.executable, str(SERVE), fault.name), CASE))
    reference = OwnEngine("own:turbo")
    try:
        finding = descend(
            Line(Position.from_fen(fault.fen, fault.chess960)),
            fault.depth,
            lambda setup, depth: engine.divide(setup, depth, Task(30)),
            lambda setup, depth: reference.divide(setup, depth, Task()),
            lambda setup: engine.fen(setup, Task(30)),
        )
    finally:
        engine.close()
    assert finding is not None
    return finding


HIDDEN_STATE = {"castling_check_unseen", "castling_rook_frozen", "stale_checkers"}
"""Faults of a state that no FEN shows: a list of pieces, checkers that were not computed."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda fault: fault.name)
def test_a_seeded_fault_is_found_and_explained(fault: Fault) -> None:
    finding = found(fault)
    # No more divides than plies, and one for the verification from a fresh FEN.
    assert finding.divides <= fault.depth + 1
    rules = {move.rule for move in (*finding.wrong, *finding.state)}
    kinds = {move.kind for move in (*finding.wrong, *finding.state)}
    if fault.kind == "state" or fault.name in HIDDEN_STATE:
        assert finding.cause is Cause.STATE
        assert finding.base_moves
        assert ("state" in kinds) != (fault.name in HIDDEN_STATE)
        assert finding.path, "the wrong move is below the position that was asked about"
    else:
        assert finding.cause is Cause.MOVES
        assert fault.kind in kinds
        assert len(finding.path) >= 2, "the wrong move is two plies below"
    assert any(_is_kind_of(rule, fault.rules) for rule in rules), f"{sorted(rules)} for {fault.story}"
    assert all(move.sentence.endswith(".") for move in (*finding.wrong, *finding.state))


def _is_kind_of(rule: str, expected: tuple[str, ...]) -> bool:
    """Tell whether a rule is one of those expected, or a special case of castling or en passant as such."""
    return rule in expected or any(rule.startswith(f"{one}-") for one in expected if one in ("castling", "en-passant"))


def test_there_are_many_faults() -> None:
    assert len(FAULTS) >= 25


def test_an_engine_that_is_right_has_no_fault() -> None:
    engine = OwnEngine("own")
    finding = descend(
        Line(Position.start()),
        3,
        lambda setup, depth: engine.divide(setup, depth, Task()),
        lambda setup, depth: engine.divide(setup, depth, Task()),
        lambda setup: Line(setup.position).position.fen(),
    )
    assert finding is None


def test_a_move_that_both_list_but_nobody_can_play_is_not_followed() -> None:
    def listing(count: int) -> Divide:
        return Divide.of([("e2e5", count)])

    finding = descend(Line(Position.start()), 2, lambda *_: listing(1), lambda *_: listing(2), lambda _: None)
    assert finding is not None
    assert (finding.cause, finding.path, finding.wrong) == (Cause.COUNT, (), ())
