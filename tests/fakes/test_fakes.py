"""Fake engines are as odd as their names say; tests that expect no finding would not notice otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fakes import engine
from helpers.processes import PATIENCE

ROOT = Path(__file__).parents[2]
MISBEHAVING = ROOT / "benchmarks" / "robustness" / "misbehaving.py"
KIWIPETE = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def ask(program: Path, mode: str, *lines: str) -> subprocess.CompletedProcess[bytes]:
    """Ask all questions at once and read the complete answers."""
    command = [sys.executable, str(program), mode]
    return subprocess.run(command, input="\n".join([*lines, ""]).encode(), capture_output=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("mode", "end"),
    [
        ("right", b"a2a4: 44\n\nNodes searched: 2039\n\n"),
        ("no-divide", b"readyok\n2039\n"),
        ("no-last-newline", b"\nNodes searched: 2039"),
        ("silent", b""),
    ],
)
def test_answers_of_fake_engines(mode: str, end: bytes) -> None:
    answer = ask(Path(engine.__file__), mode, "uci", "isready", KIWIPETE, "go perft 2")
    assert answer.stdout.endswith(end)
    assert (answer.stdout == b"") == (mode == "silent")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("carriage-returns", b"e2a6: 1\r\n"),
        ("invalid-utf-8-when-it-counts", b"\xff\xfe\n"),
        ("no-root-moves", b"readyok\nNodes searched: 48\n"),
    ],
)
def test_answers_of_misbehaving_engines(name: str, part: bytes) -> None:
    assert part in ask(MISBEHAVING, name, "uci", "isready", KIWIPETE, "go perft 1").stdout


def test_a_flood_on_stderr() -> None:
    assert len(ask(MISBEHAVING, "stderr-of-4-megabytes", "uci").stderr) > 4_000_000
