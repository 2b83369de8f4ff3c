"""Hand-made results of each kind that has an HTML report, and the same with hostile texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from helpers.made_coverage import CODE
from helpers.made_results import FEN, WRONG
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.fuzzing.model import Coverage, Discrepancy, FuzzFinding, FuzzFinished, FuzzStarted, Hit
from perft_check.harness.model.results.bench import BenchFinished, Comparison, Speed, SpeedRatio, TechniqueCost
from perft_check.harness.model.results.events import CaseResult, RunFinished, RunStarted, SuiteTotal
from perft_check.harness.model.results.finding import Cause, Difference, Finding, RootMove
from perft_check.harness.model.results.positions import DivideFinished, EngineDivide, ReferenceVote
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.zoo.score import Score

ROOT = "6k1/8/8/8/2p5/8/BP6/6K1 w - - 0 1"
EXTRA = replace(WRONG, uci="c4c3", san=None, kind="extra", rule="pinned", title="Pinned piece leaves its line")
FINDING = Finding(cause=Cause.MOVES, path=(("b2b4", "b4"),), fen=FEN, chess960=False, wrong=(WRONG, EXTRA))
STATE = replace(
    FINDING,
    cause=Cause.STATE,
    base_fen="4k3/1b6/8/8/8/8/8/4K2R b K - 0 1",
    base_moves=("b7h1",),
    state=(replace(WRONG, uci="b7h1", san="Bxh1", kind="state", rule="castling-right-kept", title="Right is kept"),),
)
DIFFERENCE = Difference(
    "odd", "own", ROOT, False, 2, 1256, 1257, (RootMove("b2b4", "b4", 7, 8), RootMove("b2b3", "b3", 8, 7))
)


def case(name: str, verdict: Verdict, *, suite: str = "made", **more: Any) -> CaseResult:
    """Return the result of a case of a suite."""
    is_correct = verdict is Verdict.AGREE
    made: dict[str, Any] = {
        "source": f"{suite}.epd:3",
        "fen": ROOT,
        "chess960": False,
        "depth": 2,
        "expected": 1257,
        "got": 1257 if is_correct else 1256,
        "references": () if is_correct else (("own", 1257),),
        "nodes": 1300,
        "seconds": 0.25,
    }
    return CaseResult(name=name, suite=suite, verdict=verdict, **(made | more))


def run_of(*results: CaseResult) -> RunFinished:
    """Return a run with these cases."""
    suites = dict.fromkeys(result.suite for result in results)
    sizes = tuple(SuiteTotal(name, sum(one.suite == name for one in results), 9, 9000) for name in suites)
    return RunFinished(RunStarted("0.1.0", "odd", ("own",), sizes), results, 2.5)


RUN = run_of(
    case("start", Verdict.AGREE),
    case("pawn", Verdict.MISMATCH, message="-1 nodes", difference=DIFFERENCE, finding=FINDING),
    case("other-pawn", Verdict.MISMATCH, message="-1 nodes", difference=DIFFERENCE, finding=FINDING),
    case("rook", Verdict.MISMATCH, message="-1 nodes", difference=DIFFERENCE, finding=STATE),
    case("broken", Verdict.CRASH, suite="more", got=None, message="odd exited with status 3", seconds=0.125),
    case("once", Verdict.NOT_REPRODUCED, suite="more", got=None, at_first=Verdict.CRASH, replay="asked.replay"),
)
DIVIDE = DivideFinished(
    ROOT,
    False,
    2,
    (
        EngineDivide("odd", (("b2b3", 8), ("b2b4", 7), ("g1f1", 1241)), 1256),
        EngineDivide("own", (("b2b3", 7), ("b2b4", 8), ("g1f1", 1241)), 1256),
        EngineDivide("other", (("b2b3", 7), ("b2b4", 8), ("g1f1", 1241)), 1256),
    ),
    (DIFFERENCE, replace(DIFFERENCE, reference="other")),
    FINDING,
    ReferenceVote(("odd",), True),
)
AGREES = Difference("odd", "own", ROOT, False, 1, 1, 1, ())
AGREEING = DivideFinished(
    ROOT, False, 1, (EngineDivide("odd", (("b2b3", 1),), 1), EngineDivide("own", (("b2b3", 1),), 1)), (AGREES,)
)
_FOUND = Discrepancy("moves", Verdict.MISMATCH, Game(Position.from_fen(FEN)), FINDING)
_CRASHED = Discrepancy("fen", Verdict.CRASH, Game(Position.from_fen(ROOT)), None, "odd exited with status 3")
FUZZ = FuzzFinished(
    FuzzStarted("0.1.0", "odd", ("own",), ("moves", "fen"), 7, ("walks", "games"), 2400, (0, 1, 2, 3)),
    (
        FuzzFinding(_FOUND, Hit(_FOUND, "walks", 31), 12, 9, "perft-check fuzz --replay A", plausible_count=12),
        FuzzFinding(_CRASHED, Hit(_CRASHED, "games", 80), 1, 5, "perft-check fuzz --replay B"),
    ),
    Coverage(((0, 1234), (2, 5)), (("walks", 1400), ("games", 1000))),
    60.0,
)
TIMED_FUZZ = replace(FUZZ, depends_on_time=True)
COVERED_FUZZ = replace(TIMED_FUZZ, code=CODE)
BENCH = BenchFinished(
    (
        Speed("own", "kiwipete", 4, 4_085_603, (100.0, 150.5, 160.0)),
        Speed("own:linked-list", "kiwipete", 4, 4_085_603, (50.25, 60.0, 70.0)),
        Speed("odd", "kiwipete", 4, 4_085_603, (), Verdict.CRASH),
    ),
    (TechniqueCost("linked-list", 2048),),
    comparison=Comparison(
        "own", "old", (SpeedRatio("kiwipete", 4, (0.9, 0.95, 0.97, 0.93, 0.96, 0.94, 0.92, 0.98)),), 0.95
    ),
)
RESULTS: dict[str, Any] = {
    "run": RUN,
    "divide": DIVIDE,
    "fuzz": FUZZ,
    "timed fuzz": TIMED_FUZZ,
    "covered fuzz": COVERED_FUZZ,
}
"""One result of each kind."""

HOSTILE = (
    '</script><script>hit=1</script></style></title><img src=x onerror="hit=1">"\'><svg onload=hit=1>'
    "javascript:hit=1 {{ 7 * 7 }} {% raw %} --><!-- ]]> &lt;b&gt; "
    "\0 \x1b[31m \ud800 \u2028 \u202e rtl \ufeff \U0001f600"
)
"""A hostile name of an engine or a file."""
TRUSTED = ("kind", "theme", "check", "command")
"""Fields that contain only texts of perft-check, or that must stay readable."""


def poisoned(result: Any) -> Any:
    """Return a result in which the texts from engines and files are hostile."""
    if isinstance(result, Score):
        return replace(result, strategies={f"{name}{HOSTILE}": one for name, one in result.strategies.items()})
    return _poisoned(result)


def _poisoned(value: Any) -> Any:
    match value:
        case str():
            return value + HOSTILE
        case tuple():
            return tuple(map(_poisoned, value))
        case Mapping():
            return {_poisoned(key): one for key, one in value.items()}
        case Game():
            return value
    if not is_dataclass(value) or isinstance(value, type):
        return value
    trusted = {*TRUSTED, *(["fen"] if isinstance(value, CaseResult) else [])}
    return replace(
        value, **{one.name: _poisoned(getattr(value, one.name)) for one in fields(value) if one.name not in trusted}
    )
