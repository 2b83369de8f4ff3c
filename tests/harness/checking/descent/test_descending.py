"""The descent from an incorrect count to the wrong move, from FENs and after moves that the engine plays.

`tests/harness/zoo` tests that the descent finds and explains every fault.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from helpers.asking import Answering, asking
from helpers.demonstrations import descent, game_of
from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking.descent.descending import descend
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.library import LibraryEngine
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.explaining import Rule
from perft_check.harness.model.results.finding import Cause
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine


@dataclass(frozen=True)
class DescribedDescent:
    """A descent, move by move."""

    cause: Cause
    path: tuple[str, ...]
    fen: str
    wrong: set[tuple[str, str]]
    """PieceType and text of the wrong moves."""
    base: str | None = None
    base_moves: tuple[str, ...] = ()
    state: tuple[tuple[str, str, str], ...] = ()
    """What is wrong in the engine's own FEN: kind, the move before it, and rule."""


WAYS = {
    "ep-pinned-along": DescribedDescent(
        cause=Cause.MOVES, path=("Kg8", "b4"), fen="6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 2", wrong={("missing", "c4b3")}
    ),
    "pins-forgotten": DescribedDescent(
        cause=Cause.MOVES,
        path=("Kc2", "Rh2"),
        fen="k7/8/8/8/8/8/2KN3r/8 w - - 2 2",
        wrong={("extra", f"d2{to}") for to in ("b1", "b3", "c4", "e4", "f1", "f3")},
    ),
    "hash-move-twice": DescribedDescent(
        cause=Cause.MOVES, path=("a7", "Kd7"), fen="8/P2k4/8/8/8/8/8/4K3 w - - 1 2", wrong={("duplicate", "a7a8q")}
    ),
    "right-survives-capture": DescribedDescent(
        cause=Cause.STATE,
        path=("a3", "Bxh1"),
        fen="4k3/8/8/8/8/P7/8/4K2b w - - 0 2",
        wrong={("extra", "e1g1")},
        base="4k3/1b6/8/8/8/P7/8/4K2R b K - 0 1",
        base_moves=("b7h1",),
        state=(("state", "b7h1", "castling-right-kept"),),
    ),
    "ep-square-outlives": DescribedDescent(
        cause=Cause.STATE,
        path=("d5", "Kd1", "d4"),
        fen="4k3/8/8/4P3/3p4/8/8/3K4 w - - 0 3",
        wrong={("extra", "e5d6")},
        base="4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        base_moves=("e1d1", "d5d4"),
        state=(("state", "d5d4", "en-passant-square"),),
    ),
    "castling-check-unseen": DescribedDescent(
        cause=Cause.STATE,
        path=("Kf7", "O-O+"),
        fen="8/pp3k2/8/8/8/8/8/5RK1 b - - 2 2",
        wrong={("extra", move) for move in ("a7a5", "a7a6", "b7b5", "b7b6")},
        base="8/pp3k2/8/8/8/8/8/4K2R w K - 1 2",
        base_moves=("e1g1",),
    ),
    "right-lost-by-undo": DescribedDescent(
        cause=Cause.UNDO, path=(), fen="4k3/8/8/8/8/8/P7/4K2R w K - 0 1", wrong={("undo", "e1g1")}
    ),
}


@pytest.mark.parametrize("name", WAYS)
def test_the_path_from_a_count_to_the_wrong_moves(name: str) -> None:
    finding, way = descent(ZOO[name], ZooEngine(name)), WAYS[name]
    assert finding is not None
    assert finding.cause is way.cause
    assert tuple(san for _, san in finding.path) == way.path
    assert finding.fen == way.fen
    assert {(move.kind, move.uci) for move in finding.wrong} == way.wrong
    assert (finding.base_fen, finding.base_moves) == (way.base, way.base_moves)
    assert tuple((move.kind, move.uci, move.rule) for move in finding.state) == way.state


def test_without_a_printed_fen_no_state_is_named() -> None:
    engine, own, fault = ZooEngine("right-survives-capture"), OwnEngine("own"), ZOO["right-survives-capture"]
    silent = Answering(lambda line, depth: engine.divide(line, depth, EngineCall()))
    finding = descend(game_of(fault), fault.demonstration.depth, asking(silent), asking(own))
    assert finding is not None
    assert (finding.cause, finding.base_moves, finding.state) == (Cause.STATE, ("b7h1",), ())
    assert [(move.kind, move.uci) for move in finding.wrong] == [("extra", "e1g1")]


def test_a_correct_engine_has_no_finding() -> None:
    engine = OwnEngine("own")
    assert descend(Game(Position.start()), 3, asking(engine), asking(engine)) is None


def test_an_illegal_move_that_both_sides_list_is_not_followed() -> None:
    def listing(count: int) -> EngineSession:
        return asking(Answering(lambda *_: Divide.of([("e2e5", count)])))

    finding = descend(Game(Position.start()), 2, listing(1), listing(2))
    assert finding is not None
    assert (finding.cause, finding.path, finding.wrong) == (Cause.COUNT, (), ())


OF_ONE_SIDE = "(kind == KING ? 0xFFull << (us ? 0 : 56) : 0)"
OF_BOTH = "(castles ? 0xFF000000000000FFull : kind == KING ? 0xFFull << (us ? 0 : 56) : 0)"


@needs_cc
def test_a_printed_fen_shows_which_part_of_the_state_is_incorrect(tmp_path: Path) -> None:
    """The engine takes no moves. Castling ends the rights of both sides."""
    generator = (EXAMPLES / "c" / "generator.h").read_text(encoding="utf-8")
    assert generator.count(OF_ONE_SIDE) == 1
    (tmp_path / "generator.h").write_text(generator.replace(OF_ONE_SIDE, OF_BOTH), encoding="utf-8")
    start = Game(Position.from_fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"))
    source = (EXAMPLES / "c" / "library.c").read_text(encoding="utf-8")
    with closing(LibraryEngine("lib", str(built(tmp_path, source)))) as engine:
        engine.start(EngineCall(PATIENCE))
        finding = descend(start, 2, asking(engine), asking(OwnEngine("own:turbo")))
    assert finding is not None
    assert finding.cause is Cause.STATE
    assert [(wrong.uci, wrong.rule) for wrong in finding.state] == [("e1g1", Rule.CASTLING_RIGHT_LOST.value)]
    assert finding.note == "the engine's FEN is r3k3/8/8/8/8/8/8/5RK1 b - - 1 1"
