"""Blocks of positions: exactly the incorrect answers of a library are doubtful, and failures do not end a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from helpers.libraries import EXAMPLES, built, needs_cc, questions
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types import library as kinds_library
from perft_check.harness.engines.types.library import LibraryEngine
from perft_check.suites.bundled import bundled_path
from perft_check.suites.loader import load_suite

CASTLES = "5rk1/8/8/8/8/8/8/4K2R w K - 0 1"
"""A position in which castling is illegal because the king passes an attacked square. With -DWRONG, the example
lists it."""
MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
LISTS = """
#include "library.c"
#undef perft_check_divide
int64_t perft_check_divide(const char *fen, int depth, perft_check_move *out, size_t room) {
    Board b;
    int64_t n = correct_divide(fen, depth, out, room);
    read_fen(&b, fen);
    switch (b.half) { %s }
    return n;
}
"""
RENAMED = "-Dperft_check_divide=correct_divide"
WRONG_LISTS = (
    "return n - 1;",
    "return -1;",
    "return room + 1;",
    "return INT64_MIN;",
    "out[1] = out[0];",
    "out[0].count = 2;",
    "out[0].count += 1ull << 32;",
    "out[0].move[4] = 'q';",
    "out[0].move[4] = 'k';",
    "out[0].move[2] = 'i';",
    "out[0].move[1] = 0;",
    'strcpy(out[0].move, "a1a1");',
    'strcpy(out[0].move, "E1E2");',
    'strcpy(out[0].move, "0000");',
    'strcpy(out[0].move, "e1e2 ");',
    'strcpy(out[0].move, "e1e2qq");',
    "memset(out, 'x', 16 * n);",
    "memset(out, 0, 16 * n);",
    "memset(out, 255, 16 * n);",
)
"""Statements that make a correct list incorrect."""

pytestmark = needs_cc


def of_suite(name: str) -> list[Position]:
    return [case.position for case in load_suite(bundled_path(name)).cases]


@contextmanager
def loaded(library: Path) -> Iterator[LibraryEngine]:
    with closing(LibraryEngine("lib", str(library))) as engine:
        engine.start(EngineCall(PATIENCE))
        yield engine


def example(folder: Path, *flags: str) -> Path:
    return built(folder, EXAMPLES / "c" / "library.c", "-O2", *flags)


def doubts(engine: LibraryEngine, asked: PositionBatch, seconds: float = PATIENCE) -> list[int]:
    found: list[int] = engine.ask(asked, EngineCall(seconds)).tolist()
    return found


@pytest.mark.slow
def test_correct_answers_are_not_doubtful(tmp_path: Path) -> None:
    positions = of_suite("smoke") + of_suite("chess960")
    with loaded(example(tmp_path)) as engine:
        for depth in (1, 2):
            assert doubts(engine, questions(positions[:90], [depth] * 90)) == []
        assert doubts(engine, questions(positions, [1 + number % 2 for number in range(len(positions))])) == []
        many = positions * 40  # more than the initial size of the memory
        assert doubts(engine, questions(many, [1] * len(many))) == []
        assert doubts(engine, questions(positions[:1], [1])) == []
        assert doubts(engine, questions([Position.from_fen(MATE)], [1])) == []
        assert doubts(engine, questions([], [])) == []


def test_a_library_without_divide_is_asked_for_its_legal_moves(tmp_path: Path) -> None:
    wrong, right = Position.from_fen(CASTLES), Position.start()
    with loaded(example(tmp_path, "-DWRONG", RENAMED)) as engine:
        assert "divide" not in engine.offers
        assert doubts(engine, questions([right, wrong, right], [1, 1, 2])) == [1]
        assert len(engine.divide(Game(wrong), 1, EngineCall(PATIENCE)).counts) == 13  # including illegal castling
        assert engine.divide(Game(right), 2, EngineCall(PATIENCE)).is_total_only


def test_exactly_the_incorrect_answers_are_doubtful(tmp_path: Path) -> None:
    right, wrong = [one for one in of_suite("smoke") if not one.castling], Position.from_fen(CASTLES)
    positions = [wrong, *right[:5], wrong, *right[5:], wrong]
    places = [0, 6, len(positions) - 1]
    with loaded(example(tmp_path, "-DWRONG")) as engine:
        for depth in (1, 2):
            assert doubts(engine, questions(positions, [depth] * len(positions))) == places


def lists(folder: Path, *changes: str) -> Path:
    """Build the example so that `changes[i]` is applied to its lists if the halfmove clock is i + 1."""
    cases = "".join(f"case {number}: {change} break;" for number, change in enumerate(changes, 1))
    return built(folder, LISTS % cases, "-I", str(EXAMPLES / "c"), RENAMED)


def clocked(number: int) -> Position:
    return Position.from_fen(f"4k3/8/8/8/8/8/8/4K2R w K - {number} 1")


def test_every_type_of_incorrect_list_is_doubtful(tmp_path: Path) -> None:
    numbers = range(1, len(WRONG_LISTS) + 1)
    positions = [position for number in numbers for position in (clocked(0), clocked(number))]
    with loaded(lists(tmp_path, *WRONG_LISTS)) as engine:
        assert doubts(engine, questions(positions, [1] * len(positions))) == [2 * number - 1 for number in numbers]


def test_text_after_the_terminating_zero_is_ignored(tmp_path: Path) -> None:
    with loaded(lists(tmp_path, "for (int i = 0; i < n; i++) out[i].move[6] = out[i].move[7] = 'x';")) as engine:
        assert doubts(engine, questions([clocked(1)] * 2, [1, 1])) == []


@pytest.mark.parametrize(
    ("body", "seconds", "after"),
    [
        ("abort();", PATIENCE, [5, 6]),
        pytest.param("pause();", 2.0, [4, 5, 6, 7], marks=pytest.mark.slow),
    ],
)
def test_the_position_of_a_failure_is_doubtful_and_the_next_ones_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, seconds: float, after: list[int]
) -> None:
    """After two crashes the rest of `PART` positions is doubtful, after two hangs the rest of the block."""
    monkeypatch.setattr(kinds_library, "PART", 4)
    text = f"""
    #include "perft_check.h"
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>
    int64_t perft_check_perft(const char *fen, int depth) {{
        if (strstr(fen, "4K2R w K")) {body}
        return strstr(fen, "4K3") ? 6 : 20;
    }}
    """
    start, fails = Position.start(), Position.from_fen(CASTLES)
    wrong = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")  # which has five moves
    with loaded(built(tmp_path, text)) as engine:
        assert doubts(engine, questions([start, fails, start, wrong, start], [1] * 5), seconds) == [1, 3]
        assert engine.failed == [1]
        rest = [start, fails, fails, start, start, wrong, fails, start]
        assert doubts(engine, questions(rest, [1] * 8), seconds) == [1, 2, 3, *after]


def test_castling_is_expected_in_the_notation_of_the_library(tmp_path: Path) -> None:
    as_rook = 'for (int i = 0; i < n; i++) if (!strcmp(out[i].move, "e1g1")) strcpy(out[i].move, "e1h1");'
    with loaded(built(tmp_path, LISTS % f"default: {as_rook}", "-I", str(EXAMPLES / "c"), RENAMED)) as engine:
        assert engine.castles_to_rook
        assert doubts(engine, questions([clocked(0)], [1], castles_to_rook=True)) == []
        assert doubts(engine, questions([clocked(0)], [1], castles_to_rook=False)) == [0]


def test_a_stopped_call_ends_the_block(tmp_path: Path) -> None:
    call = EngineCall()
    call.stop()
    with loaded(example(tmp_path)) as engine:
        assert engine.ask(questions([Position.start()], [6]), call).tolist() == []
