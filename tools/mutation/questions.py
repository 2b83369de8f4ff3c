"""The questions for mutants, with answers from published counts and python-chess.

A question is plain data, so that it does not depend on the imported generator.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import chess
from helpers import oracle
from helpers.gentype_oracle import decode, encode, expected_lists
from mutation.answers import ANSWERS
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

BACKENDS = ("pext", "magic")
KERNELS = ("turbo", "list", "two-plies")
BOARDS_OF_TWO_PLIES = 300
"""Number of boards of each variant."""

BLOCKED = "7k/7p/7P/8/8/p7/P7/K7 w - - 0 1"
"""A position with few leaf nodes after six plies."""


class Question(NamedTuple):
    """A question: its kind (a name in `ANSWERS`), its arguments, and the expected answer."""

    kind: str
    arguments: tuple[Any, ...]
    expected: Any

    def is_answered_correctly(self) -> bool:
        """Return True if the imported generator answers correctly."""
        return bool(ANSWERS[self.kind](*self.arguments) == self.expected)


def first_questions() -> list[Question]:
    """Return questions about the tables and the known positions, which include those of the rare events.

    These kill nearly all mutants that can be killed.
    """
    known = oracle.known_positions()
    boards = [*(position.board() for position in known), *_corners()]
    return [
        *_about_parts(),
        *chain.from_iterable(_about(board) for board in boards),
        *_counts(((shredder(p.board()), dict(enumerate(p.counts, 1))) for p in known), most=600),
    ]


def long_questions(boards: int) -> list[Question]:
    """Return questions about the bundled suites, and about random boards of standard chess and Chess960.

    Counts have at most 1,200 nodes. The best-known cases are also counted up to 100,000 nodes by the counting kernel,
    so that every kind of move occurs above the third ply.
    """
    cases = bundled_cases()
    return [
        *_about_two_plies(),
        *_counts(cases.items(), most=1_200),
        *_counts(bundled_cases("cpw").items(), most=100_000, kernels=("turbo",)),
        *chain.from_iterable(_about(board) for board in _random_boards(boards)),
        *(Question("patterns", (shredder(board), "pext"), _legal(board)) for board in _with_en_passant()),
        Question("soak", (tuple(cases), 10 * boards, 1), []),
    ]


def compiled_questions(boards: int) -> list[Question]:
    """Return the questions for compiled kernels: suites up to 100,000 nodes per case, random boards, and a soak."""
    cases = bundled_cases()
    return [
        *_counts(cases.items(), most=100_000),
        *chain.from_iterable(_about(board) for board in _random_boards(boards)),
        *(Question("patterns", (shredder(b), None), _legal(b)) for b in _random_boards(boards // 10)),
        Question("soak", (tuple(cases), 1_000_000, 1), []),
    ]


def _about_two_plies() -> Iterator[Question]:
    """Yield questions about perft 2 of many boards.

    Few boards are difficult for a kernel that counts all replies at once.
    """
    for seed, chess960 in ((171, False), (172, True)):
        for board in oracle.random_boards(seed, BOARDS_OF_TWO_PLIES, chess960=chess960):
            yield Question("count", (shredder(board), 2, "two-plies", "pext"), _two_plies(board))


def bundled_cases(name: str = "") -> dict[str, dict[int, int]]:
    """Return the cases of all bundled suites whose names begin with `name`, with their counts."""
    cases: dict[str, dict[int, int]] = {}
    for suite in BUNDLED:
        for case in load_suite(bundled_path(suite)).cases:
            if case.name.startswith(name):
                cases.setdefault(case.position.fen(castling="shredder"), {}).update(case.counts)
    return cases


def _with_en_passant() -> Iterator[chess.Board]:
    """Yield the known positions with an en passant square, for the question about all patterns.

    Only this question tries en passant captures by every pawn.
    """
    yield from (board for known in oracle.known_positions() if (board := known.board()).ep_square is not None)


def shredder(board: chess.Board) -> str:
    """Return the FEN with castling rights as files of rooks, which determines the variant."""
    return board.fen(en_passant="fen", shredder=True)


def _random_boards(number: int) -> Iterator[chess.Board]:
    half = number // 2
    return chain(oracle.random_boards(71, half, chess960=False), oracle.random_boards(72, number - half, chess960=True))


def _corners() -> Iterator[chess.Board]:
    """Yield the positions that were added because of earlier mutants."""
    with (oracle.DATA / "corners.csv").open(encoding="utf-8", newline="") as file:
        yield from (chess.Board(row["fen"], chess960=True) for row in csv.DictReader(file))


def _about_parts() -> Iterator[Question]:
    for backend in BACKENDS:
        yield Question("sliders", (backend,), True)
        # A position with a possible double push and pieces of each kind.
        fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1"
        yield Question("patterns", (fen, backend), _legal(chess.Board(fen, chess960=True)))
    yield Question("lines", (), True)
    yield Question("buffers", (BLOCKED, 6), list(range(6)))
    for kernel in KERNELS:
        yield Question("stop", (kernel,), True)
        yield Question("progress", (BLOCKED, 6, kernel), 144)
        for known in oracle.known_positions():
            if len(known.counts) > 3 and known.counts[3] < 2_000:
                yield Question("progress", (known.fen, 4, kernel), known.counts[3])


def _about(board: chess.Board) -> Iterator[Question]:
    """Yield the questions about a position: all lists, the boards after the moves, and the legality test."""
    fen, legal = shredder(board), tuple(_legal(board))
    expected = {int(gentype): sorted(moves) for gentype, moves in expected_lists(_twin(board)).items()}
    for backend in BACKENDS:
        yield Question("lists", (fen, tuple(expected), backend), expected)
    yield Question("children", (fen, legal), [_fen_after(board, move) for move in legal])
    yield Question("neighbours", (fen, _tempting(board), "magic"), list(legal))
    for kernel in KERNELS:
        yield Question("count", (fen, 1, kernel, "pext"), len(legal))
    replies = _two_plies(board)
    for kernel, backend in (("turbo", "magic"), *(("two-plies", backend) for backend in BACKENDS)):
        yield Question("count", (fen, 2, kernel, backend), replies)


def _counts(
    cases: Iterable[tuple[str, dict[int, int]]], most: int, kernels: tuple[str, ...] = KERNELS
) -> Iterator[Question]:
    """Yield the deepest count of each case with at most `most` nodes, for each kernel."""
    for fen, counts in cases:
        depth = max((depth for depth, nodes in counts.items() if nodes <= most), default=0)
        if depth:
            for kernel in kernels:
                backend = "magic" if kernel == "turbo" else "pext"
                yield Question("count", (fen, depth, kernel, backend), counts[depth])


def _two_plies(board: chess.Board) -> int:
    twin, nodes = _twin(board), 0
    for move in twin.legal_moves:
        twin.push(move)
        nodes += twin.legal_moves.count()
        twin.pop()
    return nodes


def _twin(board: chess.Board) -> chess.Board:
    return chess.Board(shredder(board), chess960=True)


def _legal(board: chess.Board) -> list[int]:
    twin = _twin(board)
    return sorted(encode(twin, move) for move in twin.legal_moves)


def _tempting(board: chess.Board) -> tuple[int, ...]:
    """Return the legal moves, and moves that might be accepted by mistake: pseudo-legal moves and castling."""
    twin = _twin(board)
    moves = {encode(twin, move) for move in twin.pseudo_legal_moves} | set(_legal(board))
    king = twin.king(twin.turn)
    assert king is not None
    own_rooks = twin.castling_rights & twin.occupied_co[twin.turn]
    return tuple(sorted(moves | {encode(twin, chess.Move(king, rook)) for rook in chess.scan_forward(own_rooks)}))


def _fen_after(board: chess.Board, code: int) -> str:
    after = _twin(board)
    after.push(decode(code))
    return shredder(after)
