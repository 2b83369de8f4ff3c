"""Hash keys: what a key leaves out is found and named, and correct keys are not accused."""

from __future__ import annotations

import json
import shlex
import sys

import pytest
from helpers.fakes import FAKES
from helpers.program import Run
from perft_check.harness.engines.stdio.displays import read_key

EXPECTED = {
    "no-king": "king",
    "colors-alike": "the key leaves out the color of a ",
    "rook-is-queen": "the key leaves out the type of a ",
    "no-files": "",
    "no-turn": "the key leaves out the side to move",
    "no-rights": "",
    "one-word-for-rights": "",
    "no-en-passant": "",
    "counts-moves": "the key is not updated by a move",
    "en-passant-victim-stays": "the key is not updated by a capture en passant",
    "captured-piece-stays": "the key is not updated by a ",
    "promoted-pawn-stays": "the key is not updated by a promotion",
    "castled-rook-stays": "the key is not updated by castling",
    "right-of-captured-rook-stays": "the key is not updated by a move that ends a castling right",
}
"""Faults of `fakes/keyed.py` with words of the finding; empty if the position decides what is seen first."""


def keyed(fault: str) -> str:
    """Return the engine with this fault."""
    return "uci:" + shlex.join([sys.executable, str(FAKES / "keyed.py"), fault])


@pytest.mark.slow
@pytest.mark.parametrize("fault", EXPECTED)
def test_a_fault_of_keys_is_found(fuzz: Run, fault: str) -> None:
    done = fuzz("-e", keyed(fault), "-n", "40", "--seed", "1", "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    findings = json.loads(done.stdout)["findings"]
    assert {one["check"] for one in findings} == {"keys"}
    assert any(EXPECTED[fault] in one["finding"]["note"] for one in findings), findings


@pytest.mark.slow
@pytest.mark.parametrize("habit", ["none", "useless-en-passant"])
def test_correct_keys_are_not_accused(fuzz: Run, habit: str) -> None:
    done = fuzz("-e", keyed(habit), "-n", "60", "--seed", "1", "-j", "1")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Key: 8F8F01D4562F59FB", "8F8F01D4562F59FB"),
        ("Hash key = 0x463b96181691fc9c", "463B96181691FC9C"),
        ("zobrist: 5060803636482931868", "5060803636482931868"),
        ("  Zobrist Hash : 00ab12cd34ef5678", "AB12CD34EF5678"),
        ("Hash: 16", None),
        ("Checkers: e4", None),
        ("Fen: 8/8/8/8/8/8/8/K1k5 w - - 0 1", None),
    ],
)
def test_keys_are_read_as_engines_write_them(line: str, key: str | None) -> None:
    assert read_key([line]) == key
