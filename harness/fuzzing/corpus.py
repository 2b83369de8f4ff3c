"""The corpus: a suite file to which every find is added, and which `perft-check run` can run."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ...atomic import write_atomically
from ...generator.line import Line
from ...suites.case import Case, SuiteError
from ...suites.loader import COMMENTS, has_blocks, load_suite
from ...suites.writer import format_case
from ..engines.kinds.python_chess import PythonChessEngine
from ..engines.task import Task
from .model import Discrepancy

HEADER = "# Positions that perft-check fuzz has found; run them with: perft-check run --suite FILE\n"
MOST_NODES = 20_000
"""The limit for counts beyond the depth that shows the discrepancy."""
DEEPEST = 3
"""Positions are counted to this depth, if the limit of nodes allows it."""


def check_corpus(path: Path) -> None:
    """Check that finds can be added to a file. Raises SuiteError."""
    if (path.exists() and not path.is_file()) or not path.absolute().parent.is_dir():
        raise SuiteError(f"--corpus {path}: give a file in a folder that is there")
    lines = [line for line in _lines(path) if line.strip() and not line.startswith(COMMENTS)]
    if has_blocks(lines):
        raise SuiteError(f"--corpus {path}: finds are EPD lines, and this file is in the format of .perft files")
    if lines:
        load_suite(path)


def add_to_corpus(path: Path, discrepancy: Discrepancy, depth: int) -> bool:
    """Add the position of a discrepancy, with counts deep enough to show it; tell whether the file has changed.

    A line of the file with the same position and fewer counts is replaced. The file is replaced at
    once and as a whole. Raises SuiteError where that is impossible.
    """
    case = _case(discrepancy, depth)
    line = format_case(case) + "\n"
    lines = _lines(path) or [HEADER]
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    place = next((number for number, other in enumerate(lines) if _position(other) == _position(line)), len(lines))
    if place < len(lines) and f";D{case.max_depth} " in lines[place]:
        return False
    lines[place : place + 1] = [line]
    try:
        write_atomically(path, "".join(lines).encode())
    except OSError as error:
        raise SuiteError(f"cannot write {path}: {error.strerror}") from None
    return True


def _position(line: str) -> str:
    return line.split(";", 1)[0].strip()


def _case(discrepancy: Discrepancy, depth: int) -> Case:
    """Return a case counted by python-chess, deep enough that the counts cover the moves of the line."""
    line = discrepancy.line
    needed = len(line.moves) + depth
    counts: list[tuple[int, int]] = []
    for plies in range(1, max(needed, DEEPEST) + 1):
        if plies > needed and counts[-1][1] > MOST_NODES:
            break
        nodes = PythonChessEngine().perft(Line(line.base), plies, Task())
        counts.append((plies, nodes))
        if nodes == 0:
            break
    key = hashlib.sha256(str(line).encode()).hexdigest()[:6]
    return Case(f"{discrepancy.name} {key}", line.base, tuple(counts), "fuzz")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode().splitlines(keepends=True) if path.exists() else []
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SuiteError(f"--corpus {path}: finds can be added to UTF-8 files only; save it in that encoding") from None
