"""Every fault is found and correctly explained in its demonstration; controls are never reported."""

from __future__ import annotations

import pytest
from helpers import oracle
from helpers.asking import asking
from helpers.budget import CHESS960, budget
from helpers.demonstrations import CONTROLS, LISTED, SERVED, descent, game_of
from helpers.each import check_each
from perft_check.generator.game import Game
from perft_check.harness.engines.base import EngineCrash, EngineRejection, EngineTimeout
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.children import ChildFens
from perft_check.harness.model.results.finding import Cause
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.fault import PLAYED_MOVES, Fault

pytestmark = pytest.mark.slow  # most tests start processes

HIDDEN_STATE = {
    *("castling-check-unseen", "castling-rook-frozen", "stale-checkers"),
    *(name for name, one in ZOO.items() if one.fault_class == PLAYED_MOVES),
}
"""Faults of state that no FEN shows, such as in a piece list or in checkers."""

DROPS_MOVES = {"list-compacted-wrongly"}
"""Faults that are declared by another effect, and also drop moves, which they then refuse to play."""


def having(effect: str) -> list[Fault]:
    return [one for one in SERVED.values() if one.effect == effect]


def name_of(one: Fault) -> str:
    return one.name


def test_a_wrong_list_or_state_is_found_and_explained() -> None:
    def check(one: Fault) -> None:
        engine = ZooEngine(one.name)
        finding = descent(one, engine)
        assert finding is not None
        # One divide per ply, and one for the verification from a new FEN.
        assert finding.divides <= one.demonstration.depth + 1
        kinds = {move.kind for move in (*finding.wrong, *finding.state)}
        if one.effect == "state" or one.name in HIDDEN_STATE:
            assert finding.cause is Cause.STATE
            assert finding.base_moves
            assert finding.path or one.demonstration.moves, "the wrong move is below the position that was asked about"
            assert ("state" in kinds) != (one.name in HIDDEN_STATE)
        else:
            assert finding.cause is Cause.MOVES
            assert one.effect in kinds
            assert len(finding.path) >= min(2, one.demonstration.depth - 1), "the wrong move is two plies below"
        assert explains(one, {move.rule for move in (*finding.wrong, *finding.state)})
        assert all(move.sentence.endswith(".") for move in (*finding.wrong, *finding.state))

    check_each(check, LISTED.values(), name_of)


def test_an_incorrect_count_of_correct_moves_is_found() -> None:
    def check(one: Fault) -> None:
        finding = descent(one, ZooEngine(one.name))
        assert finding is not None
        known = {"stale-result": Cause.MOVES, "draw-ends-the-tree": Cause.MOVES, "right-lost-by-undo": Cause.UNDO}
        assert finding.cause is known.get(one.name, Cause.VANISHED)

    check_each(check, having("count"), name_of)


def test_a_wrong_fen_is_found_and_explained() -> None:
    def check(one: Fault) -> None:
        engine = ZooEngine(one.name)
        found = list(ChildFens(asking(engine))(Probe(game_of(one), 1)))
        rules = {move.rule for fault in found if fault.finding for move in fault.finding.state}
        assert explains(one, rules)
        assert descent(one, ZooEngine(one.name)) is None

    check_each(check, having("fen"), name_of)


def test_crashes_and_hangs_raise_errors() -> None:
    def check(one: Fault) -> None:
        engine = ZooEngine(one.name)
        with pytest.raises(EngineCrash if one.effect == "crash" else EngineTimeout):
            descent(one, engine)

    check_each(check, [*having("crash"), *having("hang")], name_of)


def explains(one: Fault, rules: set[str]) -> bool:
    """Return True if a rule is expected, or a special case of castling or en passant where that is expected."""
    general = tuple(f"{rule}-" for rule in one.rules if rule in ("castling", "en-passant"))
    return any(rule in one.rules or (general and rule.startswith(general)) for rule in rules)


@budget(60, 2_000)
@CHESS960
def test_controls_never_show(chess960: bool, number: int) -> None:
    engines = [ZooEngine(name) for name in CONTROLS]
    own, checks = OwnEngine("own"), [ChildFens(asking(engine)) for engine in engines]
    for turn, board in enumerate(oracle.random_boards(5, number, chess960=chess960)):
        line, depth = Game(oracle.position_of(board)), 2 if turn % 20 == 0 else 1
        right = own.divide(line, depth, EngineCall())
        for engine, check in zip(engines, checks, strict=True):
            got = engine.divide(line, depth, EngineCall())
            assert (got.counts, got.repeated) == (right.counts, right.repeated), engine.name
            if depth == 2:
                assert not list(check(Probe(line, 1)))


@budget(4, 100)
@CHESS960
def test_no_fault_fails_in_another_way_than_declared(chess960: bool, number: int) -> None:
    lines = [Game(oracle.position_of(board)) for board in oracle.random_boards(8, number, chess960=chess960)]
    for name, one in SERVED.items():
        engine = ZooEngine(name)
        for game in lines:
            try:
                engine.divide(game, 1, EngineCall())
                for move in game.position.legal_moves[:2]:
                    engine.divide(game.after(move), 1, EngineCall())
                    engine.fen(game.after(move), EngineCall())
            except EngineCrash:
                assert one.effect == "crash", name
            except EngineTimeout:
                assert one.effect == "hang", name
            except EngineRejection:
                assert one.effect in ("state", "missing", "count") or name in DROPS_MOVES, name
