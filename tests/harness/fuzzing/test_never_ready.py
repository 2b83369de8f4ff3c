"""Time and memory of a run are bounded, even if the engine does not get ready or does not answer."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.fakes import ahead
from helpers.games import game_from
from helpers.planted import discrepancy_at, examiner_of, make_plan
from helpers.program import Run, run_in
from perft_check.harness.fuzzing.batch import MOST_SIGNATURES, BatchResult
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.examining import MOST_HISTORIES
from perft_check.harness.fuzzing.model import Discrepancy, Hit
from perft_check.harness.fuzzing.processes.messages import BatchDone, BatchProgress
from perft_check.harness.fuzzing.processes.schedule import BatchSchedule

ENGINE = """
import sys, time

def say(text):
    for character in text + "\\n":
        sys.stdout.write(character)
        sys.stdout.flush()
        time.sleep({nap})

for line in sys.stdin:
    if line.startswith("uci"): say("uciok")
    elif line.startswith("isready"): say("readyok")
    elif line.startswith("go"): {go}
"""
SLOW = {
    "trickles": ENGINE.format(nap=0.1, go="[say(f'{file}2{file}3: 1') for file in 'abcdefgh']"),
    "says-hello-for-ever": ENGINE.format(nap=0.2, go="say('never')").replace('"uciok"', '"id name " * 1000'),
    "thinks": ENGINE.format(nap=0, go="time.sleep(100)"),
}
COMMANDS = {
    "fuzz --time 2 -j 1": (4, "nothing was examined"),
    "fuzz --time 2 -j 2": (4, "nothing was examined"),
    "run -s smoke --time 2": (4, "out of time: 0 of 36 positions agree, 0 % of the nodes counted"),
}
PAIRS = [(name, words) for number, name in enumerate(SLOW) for words in list(COMMANDS)[number::2]]
"""Each command with two kinds of slow engines or one."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "words"), PAIRS)
def test_a_command_ends_if_the_engine_is_not_ready(name: str, words: str, run: Run, tmp_path: Path) -> None:
    status, last = COMMANDS[words]
    (tmp_path / "engine.py").write_text(SLOW[name])
    engine = f"uci:{shlex.join([sys.executable, 'engine.py'])}"
    done = run(*words.split(), "-e", engine, "--timeout", "1000", COLUMNS="300")
    assert done.returncode == status, done.stdout + done.stderr
    assert (done.stdout or done.stderr).splitlines()[-1].startswith(last)
    said = "engine.py was not ready in time: give it more with --time\n"
    assert said in done.stderr or not words.startswith("fuzz")


@pytest.mark.nightly
@pytest.mark.slow
def test_compilation_does_not_count_toward_the_time(tmp_path: Path) -> None:
    """This includes runs for which only the kernels that generate blocks of positions are not compiled yet."""
    kernels = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    engine = ahead("one-line-at-a-time")
    assert run_in(tmp_path, "fuzz", "-e", engine, "--careful", "-n", "20", "-q", **kernels).returncode == 0
    names = {file.name.partition(".")[2].partition("-")[0] for file in (tmp_path / "kernels").rglob("*.kernel")}
    assert names
    assert "sample_block" not in names
    done = run_in(tmp_path, "fuzz", "-e", engine, "--time", "5", **kernels)
    assert done.returncode in (0, 1), done.stdout + done.stderr  # it is odd, and may be wrong
    assert "nothing was examined" not in done.stdout


KINGS = game_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
LETTERS = str.maketrans("0123456789", "abcdefghij")


def hit(number: int) -> Hit:
    """Return a hit with a separate signature."""
    return Hit(discrepancy_at(KINGS, str(number).translate(LETTERS)), "walks", 1)


def with_hits(batch: int, *numbers: int) -> BatchResult:
    result = BatchResult(batch)
    result.strategies["walks"] = 1
    for number in numbers:
        result.note(hit(number))
    return result


def test_the_number_of_signatures_is_bounded() -> None:
    one, two = with_hits(0, *range(MOST_SIGNATURES + 10)), with_hits(1, *range(300, MOST_SIGNATURES + 300))
    assert len(one.first) == len(one.hits) == len(one.hit_counts) == len(two.first) == MOST_SIGNATURES
    one.add(two)
    assert len(one.first) == len(one.hits) == len(one.hit_counts) == MOST_SIGNATURES
    assert [one.hit_counts[hit(number).discrepancy.signature] for number in (0, 299, 300, MOST_SIGNATURES - 1)] == [
        1,
        1,
        2,
        2,
    ]


def test_the_number_of_reported_signatures_is_bounded() -> None:
    batches = BatchSchedule(make_plan(examples=None))
    assert batches.next() is not None
    told = [
        hit for number in range(0, 1000, 100) for hit in batches.note(BatchProgress(0, 1, hits(number, number + 100)))
    ]
    assert told == list(hits(0, MOST_SIGNATURES))


def hits(first: int, end: int) -> tuple[Hit, ...]:
    return tuple(hit(number) for number in range(first, end))


def test_finished_batches_are_merged() -> None:
    """Batches finish in any order. Those before the first unfinished one are merged; the sum is always the same."""
    batches = BatchSchedule(replace(make_plan(examples=None)))
    jobs = [batches.next() for _ in range(50)]
    order = [*range(1, 50, 2), *range(48, -1, -2)]
    for done, number in enumerate(order, 1):
        job = jobs[number]
        assert job is not None
        batches.finish(BatchDone(with_hits(job.batch, number % 3)))
        assert batches.examples == batches.merge().examples == done
    assert not batches._results
    assert sorted(batches.merge().hit_counts.values()) == [16, 17, 17]


class Various:
    """A check that finds a new signature each time."""

    name = "planted"

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        self._asked += 1
        yield hit(self._asked).discrepancy


def test_the_number_of_histories_is_bounded() -> None:
    examiner = examiner_of(Various())
    lengths = [len(examiner.examine(KINGS, 1)[0].history) for _ in range(MOST_HISTORIES + 5)]
    assert lengths == [*range(1, MOST_HISTORIES + 1), 0, 0, 0, 0, 0]
