"""Commands from the help of a console are used, but none that may write files."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import Run
from perft_check.harness.engines.stdio.help_texts import cases_in


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("  newpos FEN      set up a position\n  perftsplit N    count nodes\n", "newpos {fen}\nperftsplit {depth}"),
        ("* `sf fen` : sets the board\n* `p depth` : perft\n", "sf {fen}\np {depth}"),
        ("movegen <depth> - count leaf nodes\nplace <fen> - put pieces on the board", "place {fen}\nmovegen {depth}"),
        ("best <depth> <fen>\ndivide <fen> <depth>", "divide {fen} {depth}"),
        ("Commands: new, setboard FEN, perft, quit", "setboard {fen}\nperft {depth}"),
        ("Commands: new, put FEN, countmoves [depth]", "put {fen}\ncountmoves {depth}"),
        ("perft <depth>\nstop", "position fen {fen}\nperft {depth}"),
    ],
)
def test_cases_from_a_help_text(text: str, first: str) -> None:
    assert cases_in(text.splitlines())[0] == first


@pytest.mark.parametrize(
    "text",
    ["", "I do not know help", "save <file>  save the position\nquit", "perftfile FILE   perft of a file\nperft_log N"],
)
def test_commands_that_may_write_files_are_never_tried(text: str) -> None:
    assert cases_in(text.splitlines()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manner", "case"),
    [
        ("table", "newpos {fen} / perftsplit {depth}"),
        ("list", "place {fen} / countmoves {depth}"),
        ("whole", "nodes {depth} {fen}"),
    ],
)
def test_console_is_asked_by_commands_from_its_help(manner: str, case: str, run: Run, tmp_path: Path) -> None:
    spec = shlex.join([sys.executable, str(FAKES / "console.py"), manner])
    done = run("doctor", "-e", spec)
    assert (done.returncode, done.stderr) == (0, ""), done
    said = {line[:20].strip(): line for line in done.stdout.splitlines()}
    assert said["asked by"].endswith(f"  {case}")
    assert said["kiwipete 2"].endswith("correct: 2,039")
    assert not (tmp_path / "saved").exists()
