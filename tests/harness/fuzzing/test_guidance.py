"""Coverage guidance: which games first reach branches, and from which bases walks start."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from helpers.libraries import EXAMPLES, built
from helpers.program import Run
from numpy.typing import NDArray
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.coverage.model import EQUAL, SOMEWHERE, BlockCoverage, FirstReached, SourceLocation
from perft_check.harness.fuzzing import guidance as guidance_module
from perft_check.harness.fuzzing.guidance import MOST_BLOCKS_LOCATING, Guidance, GuidedBases

needs_clang = pytest.mark.skipif(shutil.which("clang") is None, reason="no clang")
FLAGS = ("-g", "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp")
FENS = ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", "4k3/8/8/8/8/8/8/4K2Q w - - 0 1")
ONE, OTHER, THIRD = (Position.from_fen(fen) for fen in FENS)
BRANCHES = 2
COMPARISON = 8 * BRANCHES


class FakeCounters:
    """Counters that a test sets."""

    def __init__(self, *counters: int) -> None:
        self.counters = np.array(counters, dtype=np.uint8)

    def locations(self) -> tuple[SourceLocation | None, ...]:
        return tuple(SourceLocation("a.c", line) for line in range(1, len(self.counters) + 1))

    def read(self) -> NDArray[np.uint8]:
        return self.counters

    def reset(self) -> None:
        self.counters[:] = 0


def guidance(*counters: int) -> tuple[Guidance, FakeCounters]:
    source = FakeCounters(*counters)
    return Guidance(source, source.locations(), easy_blocks=0), source


def test_positions_of_a_block_that_reach_something_become_bases() -> None:
    known, _ = guidance(0, 0)
    lines = [Game(ONE), Game(OTHER), Game(THIRD)]
    features = ((0, 0), (8, 2), (9, 2))
    known.note_block(BlockCoverage(BRANCHES, features), lambda index: (lines[index], 3), by_suite=True)
    assert known.collect_new() == (FirstReached(0, Game(ONE), 3, True), FirstReached(1, Game(THIRD), 3, True))
    assert known.collect_new() == ()
    assert known.bases(False).positions == [ONE, THIRD]
    assert known.bases(True).positions == []


def test_positions_of_the_first_blocks_are_recorded_but_do_not_become_bases() -> None:
    source = FakeCounters(0, 0)
    known = Guidance(source, source.locations(), easy_blocks=2)
    lines = [Game(ONE), Game(OTHER), Game(THIRD)]
    for feature, position, by_suite in ((0, 0, True), (1, 1, False), (8, 2, False)):
        block = BlockCoverage(BRANCHES, ((feature, position),))
        known.note_block(block, lambda index: (lines[index], 1), by_suite=by_suite)
    assert [first.game for first in known.collect_new()] == [Game(ONE), Game(THIRD)]
    assert known.bases(False).positions == [THIRD]


def test_a_game_examined_alone_becomes_a_base_if_it_reaches_something() -> None:
    known, source = guidance(1, 0)
    known.note_game(Game(ONE), 2, by_suite=False)
    known.note_game(Game(OTHER), 2, by_suite=False)
    source.counters[1] = 1
    known.note_game(Game(THIRD), 2, by_suite=False)
    assert known.bases(False).positions == [ONE, THIRD]


def test_a_branch_that_no_game_reaches_alone_is_attributed_to_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(1000)
    monkeypatch.setattr(guidance_module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    known, _ = guidance(0, 0)
    known.note_block(BlockCoverage(BRANCHES, ((8, SOMEWHERE),)), lambda _index: (Game(ONE), 1), by_suite=False)
    asked: list[Game] = []
    for _ in range(MOST_BLOCKS_LOCATING + 1):
        assert known.collect_new() == ()
        lines = iter([(Game(ONE), 1), (Game(OTHER), 2)])
        known.locate(lines, lambda line, _depth: asked.append(line), by_suite=False)
    assert known.collect_new() == (FirstReached(1, asked[-1], 1),)


def test_bases_of_other_processes_are_used_and_not_reported_again() -> None:
    known, _ = guidance(0, 0)
    known.adopt([FirstReached(0, Game(ONE), 1), FirstReached(0, Game(OTHER), 1)])
    assert known.bases(False).positions == [ONE]
    assert known.collect_new() == ()


def picked(bases: GuidedBases) -> list[int]:
    """Return how often each of the three positions is picked in a hundred tries."""
    counts = Counter(str(one) for _ in range(100) for one in bases.pick(1))
    return [counts[str(one)] for one in (ONE, OTHER, THIRD)]


NEAR, NEARER, SAME = COMPARISON + 10, COMPARISON + 12, COMPARISON + EQUAL
REPLACED = {
    "a position by a nearer one": ((ONE, NEAR, False), (OTHER, NEARER, False)),
    "a tree by a position that is as near": ((ONE, NEARER, True), (OTHER, NEARER, False)),
    "an equal tree by a near position": ((ONE, SAME, True), (OTHER, NEARER, False)),
}
"""Bases with the nearest comparison of each, and whether it is of a tree."""


@pytest.mark.parametrize("name", REPLACED)
def test_a_base_is_replaced_by_a_nearer_one(name: str) -> None:
    bases = GuidedBases()
    for position, feature, is_tree in REPLACED[name]:
        bases.add(position, BRANCHES, [feature], is_tree=is_tree)
    one, other, _ = picked(bases)
    assert other > 10 * one


def test_a_base_with_a_fault_is_picked_less_often_even_if_it_is_listed_twice() -> None:
    bases = GuidedBases()
    for position in (ONE, OTHER, ONE):
        bases.add(position, BRANCHES, [0])
    bases.discourage([ONE, THIRD], 64)
    one, other, _ = picked(bases)
    assert 10 < one < other / 2


def example(folder: Path, *flags: str) -> Path:
    text = '#include "library.c"\n#include "perft_check_coverage.h"\n'
    return built(folder, text, "-O2", "-I", str(EXAMPLES / "c"), *flags, compiler="clang")


@needs_clang
@pytest.mark.slow
def test_a_guided_run_finds_a_fault(run: Run, tmp_path: Path) -> None:
    engine = f"lib:{example(tmp_path, *FLAGS, '-DWRONG')}"
    words = "-n", "2000", "-j", "2", "--report", "json=run.json", "--seed", "1"
    done = run("fuzz", "-e", engine, "--coverage", *words)
    assert done.returncode == 1, done
    code = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["code"]
    assert code["by_suites"] + code["by_fuzzing"] > 0


@pytest.mark.slow
@needs_clang
def test_an_engine_without_counters_is_fuzzed_with_a_notice(run: Run, tmp_path: Path) -> None:
    engine = f"lib:{built(tmp_path, EXAMPLES / 'c' / 'library.c', '-O2')}"
    done = run("fuzz", "-e", engine, "--coverage", "-n", "50", "-j", "1", "--seed", "1")
    assert done.returncode == 0
    assert "has no coverage counters; to add them, see 'Coverage' in the documentation" in " ".join(done.stderr.split())


@pytest.mark.slow
def test_a_run_without_examples_reports_no_code_coverage(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sleeps.py").write_text("import time\ndef count(fen, depth):\n    time.sleep(1000)\n")
    words = "--coverage", "--time", "2", "--timeout", "1000", "-j", "1"
    done = run("fuzz", "-e", "python:sleeps:count", *words)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (4, "nothing was examined"), done
    assert "reached" not in done.stdout


@pytest.mark.slow
def test_a_type_of_engine_without_counters_gets_a_notice(run: Run) -> None:
    done = run("fuzz", "-e", "own:move-table", "--coverage", "-n", "30", "-j", "1", "--seed", "1")
    assert done.returncode == 0
    assert "engines of this type have no coverage counters" in " ".join(done.stderr.split())
