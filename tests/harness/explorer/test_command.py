"""How `perft-check explore` starts: on a terminal, after a run, and by mistake."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import Run, run_in
from helpers.screens import Screen

EP = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"
BROKEN = "uci:" + shlex.join([sys.executable, str(FAKES / "one_bug.py"), "uci", "castling-through-attack"])


def test_explore_needs_a_terminal(run: Run) -> None:
    done = run("explore", "kiwipete")
    assert (done.returncode, done.stdout) == (2, "")
    line = "perft-check: explore needs a terminal: do not redirect stdin or stdout\n"
    assert done.stderr == line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["8/8 w"], "bad FEN '8/8 w'"),
        (["nowhere.json"], "cannot read nowhere.json: No such file or directory"),
        (["kiwipete", "--depth", "0"], "--depth"),
        (["kiwipete", "-e", "own", "-a", "own"], "own would be compared with itself: name another engine with -a"),
    ],
)
def test_bad_input_is_one_line_and_status_2(run: Run, arguments: list[str], message: str) -> None:
    done = run("explore", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_missing_engine_is_reported(tmp_path: Path) -> None:
    """The error is printed before the screen changes."""
    with Screen(["explore", "kiwipete", "-e", "./nobody"], tmp_path) as screen:
        assert screen.status() == 2
        assert "engine './nobody': there is no file ./nobody" in " ".join(screen.text.split())


@pytest.mark.slow
def test_copied_texts_are_printed_at_the_end(tmp_path: Path) -> None:
    """Some terminals do not support copying."""
    with Screen(["explore", EP, "--depth", "2"], tmp_path) as screen:
        assert screen.shows("depth 2")
        screen.press("c")
        assert screen.shows("fen copied")
        screen.press("q")
        assert screen.status() == 0
        assert EP in screen.text


@pytest.mark.slow
def test_help_names_the_options() -> None:
    done = run_in(Path(), "explore", "--help")
    assert "--light" in done.stdout
    assert "explore" in run_in(Path(), "--help").stdout
