"""Sequences in a run: each of their positions is examined, and is a base of walks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from helpers.fuzz_report import reported_findings
from helpers.planted import examiner_of, make_plan
from helpers.program import Run
from helpers.sampling import examples_of
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.fuzzing.batch import BatchContext
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.hypothesis_batch import HypothesisBatch, prefixes
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.pipelined_batch import EXAMPLES_PER_STRATEGY, generate_bases, generate_starts
from perft_check.harness.fuzzing.plan import BatchAssignment
from perft_check.strategies.mixed import strategy_named

PLAYED = Game.from_uci(Position.from_fen("4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1"), "b7h1 h5h1")


class RecordingCheck:
    """A check that finds nothing and records the games that it examines."""

    name = "notes"

    def __init__(self) -> None:
        self.asked: list[Game] = []

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        self.asked.append(probe.game)
        yield from ()


def test_the_prefixes_of_a_game() -> None:
    assert list(map(str, prefixes(PLAYED))) == [
        "4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1 moves b7h1 h5h1",
        "4k3/8/8/8/8/8/8/4K2R b - - 0 2",
        "4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1 moves b7h1",
        "4k3/8/8/7R/8/8/8/4K2b w - - 0 2",
        "4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1",
    ]


def test_a_batch_examines_each_position_of_a_sequence() -> None:
    recorder, size = RecordingCheck(), 60
    plan = replace(make_plan(), strategies=("sequences",))
    batch = HypothesisBatch(BatchContext(plan, BatchAssignment(0, 0, size), examiner_of(recorder), lambda _hits: None))
    batch.run()
    assert batch.result.strategies == {"sequences": size}
    asked = set(recorder.asked)
    assert len(asked) == size
    whole = [game for game in asked if game.moves and asked.issuperset(prefixes(game))]
    assert len({game.base for game in whole}) >= 4
    assert any(len(game.moves) > 2 for game in whole)


def test_each_position_of_a_sequence_is_a_base_of_walks() -> None:
    for chess960 in (False, True):
        games = examples_of(strategy_named("sequences", chess960=chess960), EXAMPLES_PER_STRATEGY, seed=7)
        plan = replace(make_plan("own:turbo", ("own:turbo",)), variants=(chess960,), strategies=("sequences",))
        bases = generate_bases(plan, chess960, 7)
        assert set(bases) == {each.position for game in games for each in prefixes(game)}
        assert len(bases) > 3 * EXAMPLES_PER_STRATEGY
        starts = generate_starts(replace(plan, strategies=("walks", "sequences")), chess960, 7)
        assert starts == list(dict.fromkeys(game.base for game in games))


def test_a_right_inherited_by_another_rook_is_found_quickly(fuzz: Run) -> None:
    options = ["--strategy", "sequences", "-n", "20", "--seed", "1", "-j", "1", "--fail-fast"]
    done = fuzz("-e", "zoo:right-by-rook-presence", *options)
    assert done.returncode == 1, done.stderr
    assert any("right" in finding.title.lower() for finding in reported_findings(done.stdout)), done.stdout


@pytest.mark.slow
def test_a_correct_engine_plays_all_sequences(fuzz: Run) -> None:
    done = fuzz("-e", "python-chess", "--strategy", "sequences", "-n", "120", "--seed", "2", "-j", "1", "--chess960")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("no fault of python-chess in 120 positions\n")
