"""The suites `mirrored` and `chess960-castling`: their coverage, and their generation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, product

import chess
import pytest
from pages.suites.castling import castling_text
from pages.suites.mirrored import mirrored_text
from perft_check.generator import perft
from perft_check.generator.types.moves import MoveKind
from perft_check.generator.types.pieces import Color
from perft_check.suites.bundled import SYSTEMATIC, bundled_path
from perft_check.suites.case import Case
from perft_check.suites.loader import load_suite

MIRRORED, CASTLING = (load_suite(bundled_path(name)) for name in SYSTEMATIC)
FILES = "abcdefgh"
COLORS = (Color.WHITE, Color.BLACK)


@pytest.mark.slow
@pytest.mark.parametrize("render", [mirrored_text, castling_text])
def test_the_files_are_what_the_tool_generates(render: Callable[[], str]) -> None:
    path = bundled_path(SYSTEMATIC[render is castling_text])
    assert path.read_text(encoding="utf-8") == render(), "run python -m tools.pages"


@pytest.mark.parametrize("suite", [MIRRORED.cases, CASTLING.cases], ids=SYSTEMATIC)
def test_kernels_agree_with_python_chess(suite: Sequence[Case]) -> None:
    for case in suite:
        for depth, nodes in case.counts:
            assert perft(case.position, depth, kernel="list") == nodes, case.name
            assert perft(case.position, depth, kernel="turbo") == nodes, case.name


@pytest.mark.parametrize("suite", [MIRRORED.cases, CASTLING.cases], ids=SYSTEMATIC)
def test_questions_are_small_and_unique(suite: Sequence[Case]) -> None:
    assert max(nodes for case in suite for _, nodes in case.counts) <= 1_000
    asked = [(case.position.fen().rsplit(" ", 2)[0], case.moves, case.max_depth) for case in suite]
    assert len(set(asked)) == len(asked) == len({case.name for case in suite})
    assert not [case.name for case in suite if case.position.oddities]


def _asked(kind: MoveKind) -> Iterator[tuple[Color, str, Case]]:
    """Yield the legal root moves of a kind in all cases, with their colors."""
    for case in MIRRORED:
        for move in case.position.legal_moves:
            if move.kind is kind:
                yield case.position.turn, move.uci(), case


def test_en_passant_from_and_to_every_file_for_both_colors() -> None:
    asked = {(color, move) for color, move, _ in _asked(MoveKind.EN_PASSANT)}
    for ranks, color in (("56", Color.WHITE), ("43", Color.BLACK)):
        moves = {f"{a}{ranks[0]}{b}{ranks[1]}" for a in FILES for b in FILES if abs(ord(a) - ord(b)) == 1}
        assert {move for one, move in asked if one is color} == moves


def test_every_promotion_with_and_without_capture_on_every_file_for_both_colors() -> None:
    asked = {(color, move) for color, move, _ in _asked(MoveKind.PROMOTION)}
    pairs = {(a, b) for a in FILES for b in FILES if abs(ord(a) - ord(b)) <= 1}
    for ranks, color in (("78", Color.WHITE), ("21", Color.BLACK)):
        moves = {f"{a}{ranks[0]}{b}{ranks[1]}{piece}" for a, b in pairs for piece in "nbrq"}
        assert {move for one, move in asked if one is color} >= moves


def test_castling_and_double_steps_everywhere_for_both_colors() -> None:
    castling = {(color, move) for color, move, _ in _asked(MoveKind.CASTLING)}
    assert castling >= {(color, f"e{rank}{to}{rank}") for color, rank in zip(COLORS, "18", strict=True) for to in "gc"}
    root = {(one.position.turn, move.uci()) for one in MIRRORED for move in one.position.legal_moves}
    for file in FILES:
        assert {(Color.WHITE, f"{file}2{file}4"), (Color.BLACK, f"{file}7{file}5")} <= root


def test_rooks_are_captured_on_every_corner_by_every_piece() -> None:
    found = set()
    for case in MIRRORED:
        rights = set(case.position.fen().split()[2])
        for right, corner in (("K", "h1"), ("Q", "a1"), ("k", "h8"), ("q", "a8")):
            if right in rights and case.position.turn is (Color.BLACK if right.isupper() else Color.WHITE):
                moves = [move for move in case.position.legal_moves if move.uci()[2:4] == corner]
                found |= {(corner, case.position.piece_at(move.origin)) for move in moves}
    assert {corner for corner, _ in found} == {"a1", "h1", "a8", "h8"}
    assert len(found) >= 5 * 4


KEYS: dict[str, Callable[[chess.Board], object]] = {
    "the right of h1": lambda board: (board.castling_rights & ~chess.BB_H1, board.ep_square),
    "the right of a1": lambda board: (board.castling_rights & ~chess.BB_A1, board.ep_square),
    "the right of h1, colors swapped": lambda board: (board.castling_rights & ~chess.BB_H8, board.ep_square),
    "the right of a1, colors swapped": lambda board: (board.castling_rights & ~chess.BB_A8, board.ep_square),
    "the en passant square": lambda board: board.castling_rights,
}
"""The parts of a hash key besides the pieces and the side to move, by the part that is left out."""


@pytest.mark.parametrize("missing", KEYS)
@pytest.mark.parametrize("least", [1, 2])
def test_an_incomplete_hash_key_miscounts_a_small_tree(missing: str, least: int) -> None:
    table: dict[object, int] = {}

    def count(board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        key = board.board_fen(), board.turn, KEYS[missing](board), depth
        if depth < least or key not in table:
            nodes = 0
            for move in list(board.legal_moves):
                board.push(move)
                nodes += count(board, depth - 1)
                board.pop()
            table[key] = nodes
        return table[key]

    wrong = set()
    for case in MIRRORED:
        if case.name.startswith("key without "):
            table.clear()
            ((depth, nodes),) = case.counts
            if count(chess.Board(case.position.fen()), depth) != nodes:
                wrong.add(case.name.removeprefix("key without "))
    assert wrong
    assert all(name.startswith(missing) for name in wrong), wrong


def test_castling_of_chess960_from_every_pair_of_files() -> None:
    pairs = set()
    for case in CASTLING:
        for move in case.position.legal_moves:
            if move.kind is MoveKind.CASTLING:
                pairs.add((case.position.turn, move.uci(chess960=True)))
    for color, rank in zip(COLORS, "18", strict=True):
        moves = {f"{king}{rank}{rook}{rank}" for king in "bcdefg" for rook in FILES if rook != king}
        assert {move for one, move in pairs if one is color} == moves
    assert {case.position.chess960 for case in CASTLING} == {True}


def test_every_castling_field_of_a_fen_occurs() -> None:
    rooks = chess.BB_CORNERS
    asked = {
        (board.turn, board.castling_xfen())
        for case in MIRRORED.cases
        for board in [chess.Board(case.position.fen())]
        if board.rooks & rooks == rooks and not case.moves
    }
    fields = {"".join(compress("KQkq", kept)) or "-" for kept in product((True, False), repeat=4)}
    assert asked >= set(product((True, False), fields))
