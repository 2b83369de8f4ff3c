"""Forty faults behind conditions: each shows in its position, in C and in Python, and in no position of `smoke`.

The usual run tests each fault in one of the two languages, the nightly run in both.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conditional_faults import HEADERS, ConditionalFault, faults, sources
from helpers.libraries import needs_cc
from measure import FLAGS, build
from perft_check.generator import Position, perft
from perft_check.suites.bundled import bundled_path
from perft_check.suites.loader import load_suite

Counter = Callable[[str, int], int]
FAULTS = faults()
MOST_NODES = {"c": 1_000_000, "python": 300}
LANGUAGES = [pytest.param("c", marks=needs_cc), "python"]


def counter(folder: Path, language: str, source: str) -> Counter:
    """Compile a source; return a function that counts the leaf nodes of a FEN to a depth."""
    return _c_counter(folder, source) if language == "c" else _python_counter(source)


def _c_counter(folder: Path, source: str) -> Counter:
    (folder / "engine.c").write_text(source, encoding="utf-8")
    command = ["cc", "-O1", "-shared", "-fPIC", "-I", str(HEADERS), "-o", str(folder / "engine.so")]
    subprocess.run([*command, str(folder / "engine.c")], check=True)
    count = ctypes.CDLL(str(folder / "engine.so")).perft_check_perft
    count.restype = ctypes.c_int64
    return lambda fen, depth: int(count(fen.encode(), depth))


def _python_counter(source: str) -> Counter:
    names: dict[str, Any] = {}
    exec(source, names)

    def below(board: Any, depth: int) -> int:
        moves = board.legal_moves()
        if depth == 1:
            return len(moves)
        nodes = 0
        for move in moves:
            board.push(move)
            nodes += below(board, depth - 1)
            board.pop()
        return nodes

    return lambda fen, depth: below(names["MailboxPosition"](fen), depth)


def wrong_cases(count: Counter, most: int) -> list[str]:
    """Return the cases of `smoke` with an incorrect count, among counts of at most `most` leaf nodes."""
    cases = load_suite(bundled_path("smoke")).cases
    counts = [(case, depth, nodes) for case in cases for depth, nodes in case.counts if nodes <= most]
    return [case.name for case, depth, nodes in counts if count(case.position.fen(), depth) != nodes]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_generators_without_a_fault_are_correct(tmp_path: Path, language: str) -> None:
    count = counter(tmp_path, language, sources()[language])
    assert wrong_cases(count, MOST_NODES[language]) == []
    for fault in FAULTS:
        assert count(fault.fen, fault.depth) == perft(Position.from_fen(fault.fen), fault.depth), fault.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "language"),
    [
        pytest.param(
            fault,
            language,
            id=f"{fault.name}-{language}",
            marks=[needs_cc] * (language == "c") + [pytest.mark.long] * ((number + (language == "c")) % 2),
        )
        for number, fault in enumerate(FAULTS)
        for language in ("c", "python")
    ],
)
def test_a_fault_shows_in_its_position_and_not_in_smoke(tmp_path: Path, fault: ConditionalFault, language: str) -> None:
    count = counter(tmp_path, language, fault.source(language))
    position = Position.from_fen(fault.fen)
    if fault.lists == 1:
        assert wrong_cases(count, MOST_NODES[language]) == []
    before = {count(fault.fen, 1) for _ in range(fault.lists - 1)}
    assert before <= {perft(position, 1)}
    depths = range(1, fault.depth + 1)
    assert [depth for depth in depths if count(fault.fen, depth) != perft(position, depth)] == [fault.depth]


@pytest.mark.slow
@pytest.mark.parametrize("compiler", sorted(FLAGS))
def test_a_library_counts_its_branches(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"not installed: {compiler}")
    assert build(faults()[0], tmp_path, "c", compiler) == "lib:./libengine.so"
    library = ctypes.CDLL(str(tmp_path / "libengine.so"))
    assert library.perft_check_perft(faults()[0].fen.encode(), 1) > 0
    assert library.perft_check_coverage_branches() > 100
