"""The CPU time of a run and the engine's share of it."""

from __future__ import annotations

import json
import re
import resource
import time
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.planted import make_plan
from helpers.program import Run
from helpers.terminal import plain_lines, run_on_terminal
from perft_check.harness.fuzzing import campaign
from perft_check.harness.fuzzing.model import CpuUse, FuzzFinished
from perft_check.harness.shutdown import Interrupt


def test_the_share_of_the_engine() -> None:
    assert CpuUse(10.0, 7.5).engine_share == 0.75
    assert CpuUse(2.0).engine_share is None
    assert CpuUse(0.0, 0.0).engine_share is None


MOVES = """\
import os, time
import chess

def moves(fen):
    listed = [move.uci() for move in chess.Board(fen).legal_moves]
    with open(f"used-{os.getpid()}", "w") as file:
        file.write(str(time.process_time()))
    return listed
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MOVES)
    return tmp_path


def used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.slow
def test_the_cpu_time_of_the_engine_is_that_of_its_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    *_, last = campaign.fuzz(replace(make_plan("python:mine:moves", ("own:turbo",), 12), depth=1), Interrupt())
    assert isinstance(last, FuzzFinished)
    cpu = last.cpu
    assert cpu.engine_cpu_seconds is not None
    told = [float(file.read_text()) for file in folder.glob("used-*")]
    assert last.coverage.examples == 12
    assert 0 < sum(told) - 0.03 * len(told) <= cpu.engine_cpu_seconds < cpu.cpu_seconds
    assert cpu.cpu_seconds <= time.process_time() + used_by_children()
    assert not last.depends_on_time


def test_one_seed_gives_the_same_bytes_in_every_report(fuzz: Run, tmp_path: Path) -> None:
    kinds = ("json", "jsonl", "md", "html")
    reports = [word for kind in kinds for word in ("--report", kind)]
    sampled = ("--strategy", "placements", "--strategy", "walks", "--depth", "1")
    written = []
    for seed, jobs in (("5", "1"), ("5", "2"), ("6", "1")):
        done = fuzz("-e", "own:turbo", "-n", "30", "--seed", seed, "-j", jobs, *sampled, *reports)
        assert done.returncode == 0, done.stderr
        written.append([done.stdout.encode()] + [(tmp_path / f"perft-check.{kind}").read_bytes() for kind in kinds])
    assert written[0] == written[1]
    one, other = json.loads(written[0][1]), json.loads(written[2][1])
    assert (one.pop("seed"), other.pop("seed")) == (5, 6)
    assert one != other
    assert "course" not in one


def test_a_terminal_shows_new_events_and_the_share_of_the_engine(folder: Path) -> None:
    engine = ("-e", "python:mine:moves", "--careful")
    words = ["fuzz", *engine, "-n", "40", "--depth", "1", "-j", "1", "--seed", "1", "-v"]
    status, sampled = run_on_terminal(words, folder, columns=140)
    assert status == 0
    text = "\n".join(plain_lines(sampled))
    assert re.search(r"fuzzing: \d+ of 40 positions, .*, \d+ of \d+ rare events occurred", text)
    assert re.search(r"positions a second, [\d.]+ s; \d+ % of CPU time in the engine$", text, re.MULTILINE)
