"""One seed gives the same reports, and a terminal shows the progress of a run."""

from __future__ import annotations

import json
import re
from pathlib import Path

from helpers.program import Run
from helpers.terminal import plain_lines, run_on_terminal


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


def test_a_terminal_shows_the_progress_of_a_run(tmp_path: Path) -> None:
    words = ["fuzz", "-e", "own", "--careful", "-n", "40", "--depth", "1", "-j", "1", "--seed", "1"]
    status, sampled = run_on_terminal(words, tmp_path, columns=140)
    assert status == 0
    text = "\n".join(plain_lines(sampled))
    assert re.search(r"fuzzing: \d+ of 40 positions, .*, \d+ of \d+ rare events occurred", text)
