"""How `perft-check explore` starts: on a terminal, after a run, and by mistake."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import Run, check_mistakes, wrong
from helpers.screens import Screen

EP = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"
BROKEN = "uci:" + shlex.join([sys.executable, str(FAKES / "one_bug.py"), "uci", "castling-through-attack"])


MISTAKES = {
    "explore '8/8 w'": "... bad FEN '8/8 w'",
    "explore nowhere.json": "no position named 'nowhere.json'",
    "explore kiwipete --depth 0": "... --depth",
    "explore kiwipete -e own -a own": "... own would be compared with itself: name another engine with -a",
    "explore kiwipete": "explore needs a terminal: do not redirect stdin or stdout",
}
"""Command lines with mistakes, and what is said about them."""


def test_bad_input_is_one_line_and_status_2(run: Run) -> None:
    check_mistakes(run, MISTAKES)


@pytest.mark.parametrize("name", ["report.json", "mine.epd"])
def test_a_file_is_no_position(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(f"{EP} ;D1 1\n")
    said = f"{name} is a file, not a position: give a quoted FEN, or a name such as kiwipete"
    assert wrong(run, "explore", name) == said


def test_a_name_takes_precedence_over_a_folder(run: Run, tmp_path: Path) -> None:
    """A folder called kiwipete does not hide the position."""
    (tmp_path / "kiwipete").mkdir()
    assert wrong(run, "explore", "kiwipete").startswith("explore needs a terminal")


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
