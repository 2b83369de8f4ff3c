"""Planted discrepancies: a check that reports them, an examiner, and a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from perft_check.generator.game import Game
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.fuzzing.checks.base import Check, Probe
from perft_check.harness.fuzzing.corpus import Corpus
from perft_check.harness.fuzzing.examining import Examiner
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.plan import FuzzPlan
from perft_check.harness.model.results.finding import Cause, Finding, WrongMove
from perft_check.harness.model.results.verdict import Verdict

Predicate = Callable[[Game], bool]


def make_plan(
    engine: str = "own",
    references: tuple[str, ...] = ("python-chess",),
    examples: int | None = 100,
    fail_fast: bool = False,
    timeout: float = 10.0,
) -> FuzzPlan:
    return FuzzPlan(
        engine=engine,
        references=references,
        seed=1,
        examples=examples,
        seconds=None,
        strategies=("placements",),
        variants=(False,),
        depth=2,
        fail_fast=fail_fast,
        timeout=timeout,
    )


def discrepancy_at(game: Game, rule: str, kind: str = "extra", verdict: Verdict = Verdict.MISMATCH) -> Discrepancy:
    """Return a discrepancy of the check `planted`, with one wrong move that breaks `rule`."""
    if verdict.is_engine_failure:
        return Discrepancy("planted", verdict, game, None, rule)
    wrong = WrongMove("a1a2", None, kind, rule, rule, "It is planted.", ())
    position = game.position
    finding = Finding(cause=Cause.MOVES, fen=position.fen(), chess960=position.chess960, wrong=(wrong,))
    return Discrepancy("planted", verdict, game, finding)


def add_to_corpus(path: Path, discrepancy: Discrepancy, depth: int) -> bool:
    """Add a reduced discrepancy to a corpus file; return True if the file has changed."""
    return Corpus(path).keep_reduced(discrepancy, depth, None)


class Planted:
    """A check that reports a discrepancy of each rule whose predicate holds, and counts its calls."""

    name = "planted"

    def __init__(
        self, rules: Mapping[str, Predicate], verdict: Verdict = Verdict.MISMATCH, least_depth: int = 1
    ) -> None:
        self._rules, self._verdict, self._least_depth = rules, verdict, least_depth
        self.asked = 0

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        self.asked += 1
        for rule, holds in self._rules.items() if probe.depth >= self._least_depth else ():
            if holds(probe.game):
                yield discrepancy_at(probe.game, rule, verdict=self._verdict)


def examiner_of(check: Check) -> Examiner:
    return Examiner([check], [], CallRunner())
