"""Real runs: what they say about CPU time holds against what the processes and the system say."""

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
from helpers.terminal import on_a_terminal, plain
from perft_check.harness.fuzzing import campaign
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.model.shutdown import Interrupt

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
def test_the_share_of_the_engine_is_what_its_processes_have_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    *_, last = campaign.fuzz(replace(make_plan("python:mine:moves", ("own:turbo",), 12), depth=1), Interrupt())
    assert isinstance(last, FuzzFinished)
    course = last.timeline
    assert course is not None
    assert course.engine_cpu_seconds is not None
    told = [float(file.read_text()) for file in folder.glob("used-*")]
    assert last.coverage.examples == 12
    assert 0 < sum(told) - 0.03 * len(told) <= course.engine_cpu_seconds < course.cpu_seconds
    assert course.cpu_seconds <= time.process_time() + used_by_children()
    assert dict(course.events).keys() == dict(last.coverage.events).keys()
    assert course.last_new_event == max(dict(course.events).values()) <= course.seconds
    assert last.reported_timeline is None


def test_one_seed_gives_the_same_bytes_in_every_report(fuzz: Run, tmp_path: Path) -> None:
    kinds = ("json", "jsonl", "md", "html")
    reports = [word for kind in kinds for word in ("--report", kind)]
    written = []
    for jobs in ("1", "2"):
        done = fuzz("-e", "own:turbo", "-n", "30", "--seed", "5", "--depth", "1", "-j", jobs, *reports)
        assert done.returncode == 0, done.stderr
        written.append([(tmp_path / f"perft-check.{kind}").read_bytes() for kind in kinds])
    assert written[0] == written[1]
    assert "course" not in json.loads(written[0][0])


def test_a_terminal_shows_what_is_new_and_the_share(folder: Path) -> None:
    arguments = [
        "fuzz",
        "-e",
        "python:mine:moves",
        "--careful",
        "-n",
        "40",
        "--depth",
        "1",
        "-j",
        "1",
        "--seed",
        "1",
        "-v",
    ]
    status, drawn = on_a_terminal(arguments, folder, columns=140)
    assert status == 0
    text = "\n".join(plain(drawn))
    assert re.search(r"fuzzing: \d+ of 40 positions, .*, \d+ of \d+ rare events met, the last new one \d s ago", text)
    assert re.search(r"^inside the engine: \d+ % of [\d.]+ s of CPU time$", text, re.MULTILINE)
    assert re.search(
        r"^rare events met for the first time: [\d,.]+ a minute in the last \d+\.\d+ s, the last one after ",
        text,
        re.MULTILINE,
    )
