"""Input without measure is told in a line that a person can read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from helpers.processes import PATIENCE
from helpers.program import PROGRAM, Run

LONG = "x" * 20_000


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        (["perft", "8/" * 10_000 + " w - - 0 1", "2"], ": the board has 10001 ranks instead of 8"),
        (["perft", "8/8/8/8/8/8/8/" + "Q" * 20_000 + " w - - 0 1", "2"], "QQQ'"),
        (["divide", LONG, "2"], ": give a FEN in quotes, or a name such as startpos or kiwipete"),
        (["moves", "startpos", "--type", LONG], "LEGAL"),
        (["run", "-s", LONG], ": File name too long"),
        (["run", "-e", f"uci:{LONG}"], ""),
        (["run", "--report", LONG], ""),
        (["fuzz", "--replay", f"startpos moves {LONG}"], ": legal moves are a3, b3, c3, d3"),
        (["zoo", "show", LONG], ""),
        ([f"--{LONG}"], ""),
        (["run", LONG], ""),
    ],
    ids=lambda value: value[0][:8] if isinstance(value, list) else "",
)
def test_long_arguments(run: Run, arguments: list[str], end: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) in [(2, ""), (3, "")]
    (line,) = done.stderr.splitlines()
    assert len(line) <= 1_020
    assert line.endswith(end), line


def test_a_long_command_for_a_served_fault(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "zoo", "serve", "promotion-no-bishop"],
        input=b"\xff\nisready\n" + b"x" * 200_000,
        cwd=tmp_path,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"readyok\n")
    told = b"perft-check: stdin has a line of more than 100,000 characters: write one command per line\n"
    assert done.stderr == told
