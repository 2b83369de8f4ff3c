"""Keep what was found: a suite file to which every find is added, and which `run` takes as it is."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ...atomic import write_atomically
from ...generator.counting import perft
from ...suites.case import Case, SuiteError
from ...suites.loader import load_suite
from ...suites.writer import format_case
from .checks.base import line_of
from .model import Fault

HEADER = "# Positions that perft-check fuzz has found; run them with: perft-check run --suite FILE\n"
MOST_NODES = 1_000_000
"""Counts beyond the depth that shows the fault are written up to so many nodes."""
DEEPEST = 3


def check_corpus(path: Path) -> None:
    """See whether finds can be added to a file. Raises SuiteError."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise SuiteError(f"--corpus {path}: give a file in a folder that is there")
    if path.exists() and path.stat().st_size and _text(path).strip() != HEADER.strip():
        load_suite(path)


def add_to_corpus(path: Path, fault: Fault, depth: int) -> bool:
    """Add the place of a fault, to be counted to where it shows; tell whether it was new.

    The file is replaced at once and as a whole. Raises SuiteError where that is impossible.
    """
    line = format_case(_case(fault, depth))
    before = _text(path) if path.exists() else HEADER
    position = line.split(" ;", 1)[0]
    if any(other.split(" ;", 1)[0] == position for other in before.splitlines()):
        return False
    if before and not before.endswith("\n"):
        before += "\n"
    try:
        write_atomically(path, f"{before}{line}\n".encode())
    except OSError as error:
        raise SuiteError(f"cannot write {path}: {error.strerror}") from None
    return True


def _case(fault: Fault, depth: int) -> Case:
    """Return the case of a fault: its moves are not written, so the counts reach below them."""
    base = line_of(fault.place).base
    counts: list[tuple[int, int]] = []
    needed = len(fault.place.moves) + depth
    for plies in range(1, max(needed, DEEPEST) + 1):
        nodes = perft(base, plies)
        if plies > needed and nodes > MOST_NODES:
            break
        counts.append((plies, nodes))
        if nodes == 0:
            break
    key = hashlib.sha256(str(fault.place).encode()).hexdigest()[:6]
    return Case(f"{fault.name} {key}", base, tuple(counts), "fuzz")


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror}") from None
