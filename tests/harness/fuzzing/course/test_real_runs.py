"""Real runs: what they say about CPU time holds against what the processes and the system say."""

from __future__ import annotations

import json
import re
import resource
import shlex
import sys
from pathlib import Path

import pytest
from helpers.program import Run, run_in
from helpers.terminal import on_a_terminal, plain
from perft_check.harness.engines import cpu_time

known = pytest.mark.skipif(not cpu_time.IS_KNOWN, reason="this system has no /proc")
MOVES = """\
import os, sys, time
import chess

def moves(fen):
    listed = [move.uci() for move in chess.Board(fen).legal_moves]
    with open(f"used-{os.getpid()}", "w") as file:
        file.write(str(time.process_time()))
    return listed

if __name__ == "__main__":
    print("\\n".join(f"{move} 1" for move in moves(sys.argv[2])))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MOVES)
    return tmp_path


def used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@known
@pytest.mark.parametrize("kind", ["python", "script"])
def test_the_share_of_the_engine_is_what_its_processes_have_used(folder: Path, kind: str) -> None:
    """A script is another process for each question."""
    engine = "python:mine:moves" if kind == "python" else f"script:{shlex.join([sys.executable, 'mine.py'])}"
    before = used_by_children()
    limits = ("--time", "5", "--depth", "1", "-j", "1")  # a run without --time tells no course
    done = run_in(folder, "fuzz", "-e", engine, "--careful", *limits, "--report", "json=-")
    whole = used_by_children() - before
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    course = found["course"]
    told = [float(file.read_text()) for file in folder.glob("used-*")]
    assert sum(told) - 0.02 * len(told) <= course["engine_cpu_seconds"] < course["cpu_seconds"] <= whole + 0.02
    assert course["engine_cpu_seconds"] > 0
    assert course["first_met"].keys() == {name for name, number in found["events"].items() if number}
    assert course["last_new_event"] == max(course["first_met"].values()) <= course["drawing_seconds"]


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


@known
def test_a_terminal_shows_what_is_new_and_the_share(folder: Path) -> None:
    arguments = ["fuzz", "-e", "python:mine:moves", "--careful", "-n", "40", "--depth", "1", "-j", "1", "--seed", "1"]
    status, drawn = on_a_terminal(arguments, folder, columns=140)
    assert status == 0
    text = "\n".join(plain(drawn))
    assert re.search(r"fuzzing: \d+ of 40 positions, .*, \d+ of 90 events, a new one \d s ago", text)
    assert re.search(r"^inside the engine: \d+ % of [\d.]+ s of CPU$", text, re.MULTILINE)
    assert re.search(r"^new events: [\d,.]+ a minute in the last \d+\.\d+ s, the last one after ", text, re.MULTILINE)
