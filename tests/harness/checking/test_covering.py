"""What suites reach in an engine whose branches are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers.games import case
from perft_check.errors import UsageError
from perft_check.generator import perft
from perft_check.generator.game import Game
from perft_check.harness.checking.covering import SuiteCoverage
from perft_check.harness.coverage.model import Counters, SourceLocation
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.engine import Engine
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.shutdown import Interrupt
from perft_check.suites.case import Suite

BRANCHES = ("counts", "in check", "castling", "en passant", "deep", "never")


class CountingOwnCode(OwnEngine):
    """perft-check's generator, with counters for some properties of the questions."""

    has_counters = True

    def __init__(self, fails: str = "") -> None:
        super().__init__("own")
        self.counters = np.zeros(len(BRANCHES), dtype=np.uint8)
        self.fails = fails

    def measure_coverage(self) -> CountingOwnCode:
        return self

    def locations(self) -> tuple[SourceLocation, ...]:
        return tuple(SourceLocation("own.c", number, name) for number, name in enumerate(BRANCHES, 1))

    def read(self) -> Counters:
        return self.counters.copy()

    def reset(self) -> None:
        self.counters[:] = 0

    def close(self) -> None:
        self.reset()

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        position = game.position
        has_castling, has_en_passant = position.castling != 0, position.en_passant is not None
        reached = (True, position.in_check, has_castling, has_en_passant, depth > 1, False)
        self.counters += np.array(reached, dtype=np.uint8)
        if self.fails and self.fails == position.fen():
            raise EngineCrash("own was killed by SIGSEGV")
        return super().perft(game, depth, call)


QUIET = case("quiet", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1, 2)
CHECK = case("check", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", 1)
CASTLING = case("castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1)
BOTH = case("both", "4k2r/8/8/8/8/8/8/4K2r w k - 0 1", 1)
SUITE = Suite("mine", (QUIET, CHECK, CASTLING, BOTH))


def measured(engine: Engine, suite: Suite = SUITE) -> SuiteCoverage:
    """Return the coverage of an engine by a suite."""
    coverage = SuiteCoverage(EngineSession(engine, CallRunner()), [suite])
    for progress in coverage.run():
        assert progress.counts == sum(len(one.counts) for one in suite)
    return coverage


def test_each_branch_is_reached_first_by_the_smallest_count() -> None:
    coverage = measured(CountingOwnCode())
    firsts = {BRANCHES[first.counter]: (str(first.game), first.depth) for first in coverage.summary.firsts}
    assert firsts == {
        "counts": (CHECK.position.fen(), 1),
        "in check": (CHECK.position.fen(), 1),
        "castling": (BOTH.position.fen(), 1),
        "deep": (QUIET.position.fen(), 2),
    }
    assert coverage.summary.reached_by_fuzzing == frozenset()
    assert set(BRANCHES) - firsts.keys() == {"en passant", "never"}
    finished = coverage.finish(Interrupt())
    assert (finished.positions, dict(finished.verdicts)) == (4, {Verdict.AGREE: 5})


def test_failures_are_reported_and_their_coverage_counts() -> None:
    wrong = replace(SUITE, cases=(*SUITE.cases[:3], replace(BOTH, counts=((1, 99),))))
    coverage = measured(CountingOwnCode(fails=CASTLING.position.fen()), wrong)
    finished = coverage.finish(Interrupt())
    assert dict(finished.verdicts) == {Verdict.AGREE: 3, Verdict.MISMATCH: 1, Verdict.CRASH: 1}
    nodes = perft(BOTH.position, 1)
    assert finished.failures == (
        "castling, depth 1: own was killed by SIGSEGV",
        f"both, depth 1: {nodes} nodes instead of 99",
    )
    assert BRANCHES.index("castling") in coverage.summary.reached


def test_an_engine_type_without_counters_is_refused_in_one_line() -> None:
    with pytest.raises(
        UsageError, match=r"^own: engines of this type have no coverage counters; see 'Coverage' in the documentation$"
    ):
        measured(OwnEngine("own"))


def test_an_engine_without_counters_is_refused_in_one_line() -> None:
    engine = CountingOwnCode()
    engine.counters = np.zeros(0, dtype=np.uint8)
    engine.perft = OwnEngine("own").perft  # type: ignore[method-assign]
    with pytest.raises(
        UsageError,
        match=r"^own has no coverage counters: compile it with them, as 'Coverage' in the documentation describes$",
    ):
        measured(engine)


def test_source_locations_are_kept_if_the_engine_reports_none_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = CountingOwnCode()
    coverage = measured(engine)
    monkeypatch.setattr(engine, "locations", lambda: ())
    assert len(coverage.summary.locations) == len(BRANCHES)
    assert len(coverage.summary.reached) == 4
