"""Faults in perft-check's kernels are found; they are planted in a copy of the package."""

from __future__ import annotations

import shutil
from pathlib import Path

import chess
import perft_check
import pytest
from helpers.fuzz_report import reported_findings
from helpers.headlines import without_moves
from helpers.program import WIDE, run_in
from perft_check.suites.loader import load_suite

PACKAGE = Path(perft_check.__file__).parent
PINS = ("generate.py", "return bool(line(tables, king, origin) & bit(target) != ZERO)", "return True")
EN_PASSANT = (
    "counting/last_ply.py",
    "if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):",
    "if True:",
)
BOTH_PINS = ("safety.py", "pins |= path | ONE << square", "pins |= ZERO")


def broken(folder: Path, *edits: tuple[str, str, str]) -> None:
    """Copy the package into a folder, with faults."""
    unused = shutil.ignore_patterns("tests", "benchmarks", "docs", ".*", "__pycache__", "*.egg-info", "build")
    shutil.copytree(PACKAGE, folder / "perft_check", ignore=unused)
    for name, right, wrong in edits:
        file = folder / "perft_check" / "generator" / "kernels" / name
        source = file.read_text()
        assert right in source
        file.write_text(source.replace(right, wrong))


def fuzzed(folder: Path, *arguments: str, status: int = 1) -> str:
    """Return the report of the copy, whose kernels run as plain Python."""
    # A separate cache, so that other sources do not replace the kernels of all tests.
    own = {"NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(folder)}
    environment = own | WIDE
    done = run_in(folder, "fuzz", *arguments, "--seed", "1", "-j", "1", **environment)
    assert done.returncode == status, done.stderr[-2000:] + done.stdout
    assert "Traceback" not in done.stderr
    return done.stdout


# The edit that breaks a kernel, the arguments of the fuzzer, the title of the finding, and the most pieces it may have.
FAULTS: dict[str, tuple[tuple[str, str, str], list[str], str, int]] = {
    "pinned pieces in the list kernel": (
        PINS,
        ["-x", "-n", "500", "--strategy", "placements", "--depth", "1", "--fail-fast"],
        "extra move: Pinned piece leaves its line",
        5,
    ),
    "en passant in the counting kernel": (
        EN_PASSANT,
        ["-e", "own:turbo", "-a", "own", "-x", "-n", "1000", "--strategy", "mutations", "--standard", "--fail-fast"],
        "",  # the kernel lists no moves
        8,
    ),
}
SLOW = ("en passant in the counting kernel",)
"""Only one of many positions shows these faults; `test_a_fault_of_the_counting_kernel_is_found` uses a known one."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in SLOW)) for name in FAULTS])
def test_a_broken_kernel_is_found(name: str, tmp_path: Path) -> None:
    edit, arguments, title, pieces = FAULTS[name]
    broken(tmp_path, edit)
    finding = reported_findings(fuzzed(tmp_path, *arguments))[0]
    assert without_moves(finding.title).startswith(title)
    assert finding.pieces <= pieces
    again = fuzzed(tmp_path, *finding.replay[1:])
    assert f"1. {finding.title}" in again


@pytest.mark.slow
def test_a_fault_of_the_counting_kernel_is_found(tmp_path: Path) -> None:
    """The counts are incorrect one ply down, where the kernel lists no moves."""
    broken(tmp_path, EN_PASSANT)
    report = fuzzed(tmp_path, "--replay", "8/6Q1/5Q2/8/k1p4R/8/1P6/K7 w - - 0 1", "-e", "own:turbo")
    assert report.startswith("1. below b2b4 the engine contradicts itself (6 in the divide, 5 after playing it")


@pytest.mark.slow
def test_the_corpus_of_a_broken_kernel_has_correct_counts(tmp_path: Path) -> None:
    """The counts come from python-chess, because perft-check's generator may be incorrect."""
    broken(tmp_path, BOTH_PINS)
    only = ["--strategy", "placements", "--standard", "--depth", "1"]
    fuzzed(tmp_path, *only, "-x", "-n", "500", "--corpus", "c.epd")
    for case in load_suite(tmp_path / "c.epd"):
        board = chess.Board(case.position.fen())
        assert dict(case.counts)[1] == board.legal_moves.count()
