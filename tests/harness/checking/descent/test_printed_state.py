"""An engine that takes no moves but prints the FEN after one: the FEN shows which part of the state is incorrect."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.checking.descent.descending import descend
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.library import LibraryEngine
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.explaining import Rule
from perft_check.harness.model.results.finding import Cause

OF_ONE_SIDE = "(kind == KING ? 0xFFull << (us ? 0 : 56) : 0)"
OF_BOTH = "(castles ? 0xFF000000000000FFull : kind == KING ? 0xFFull << (us ? 0 : 56) : 0)"


@needs_cc
def test_castling_that_ends_the_rights_of_both_sides(tmp_path: Path) -> None:
    generator = (EXAMPLES / "c" / "generator.h").read_text(encoding="utf-8")
    assert generator.count(OF_ONE_SIDE) == 1
    (tmp_path / "generator.h").write_text(generator.replace(OF_ONE_SIDE, OF_BOTH), encoding="utf-8")
    caller, start = CallRunner(), Game(Position.from_fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"))
    source = (EXAMPLES / "c" / "library.c").read_text(encoding="utf-8")
    with closing(LibraryEngine("lib", str(built(tmp_path, source)))) as engine:
        engine.start(EngineCall(PATIENCE))
        finding = descend(start, 2, EngineSession(engine, caller), EngineSession(OwnEngine("own:turbo"), caller))
    assert finding is not None
    assert finding.cause is Cause.STATE
    assert [(wrong.uci, wrong.rule) for wrong in finding.state] == [("e1g1", Rule.CASTLING_RIGHT_LOST.value)]
    assert finding.note == "the engine's FEN is r3k3/8/8/8/8/8/8/5RK1 b - - 1 1"
