"""The catalogue of rare events: the kernel's census agrees with python-chess in many positions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess
import numpy as np
import perft_check
import pytest
from helpers import oracle
from helpers.backends import EACH_BACKEND
from helpers.budget import CHESS960, budget
from helpers.each import check_each
from helpers.naive_events import naive_events
from perft_check.generator import Position
from perft_check.generator.events import Event, event_bits, events_of
from perft_check.generator.kernels.encoding import MAX_MOVES
from perft_check.generator.kernels.events.census import census
from perft_check.generator.kernels.tables import Backend, tables
from perft_check.strategies.common import smallest_positions

BAD = chess.STATUS_OPPOSITE_CHECK | chess.STATUS_INVALID_EP_SQUARE


def smallest() -> dict[Event, chess.Board]:
    """Return a small position for each event."""
    tabled = {known.name: known.board() for known in oracle.known_positions() if known.name in Event.__members__}
    fens = {event: smallest_positions()[event.label].fen() for event in Event if event.name not in tabled}
    others = {event.name: chess.Board(fen, chess960=event.chess960) for event, fen in fens.items()}
    boards = tabled | others
    return {event: boards[event.name] for event in Event}


SMALLEST = smallest()


def events_on(board: chess.Board) -> frozenset[Event]:
    return events_of(oracle.position_of(board))


def without_castling(board: chess.Board) -> chess.Board:
    copy = board.copy(stack=False)
    copy.castling_rights = chess.BB_EMPTY
    return copy


def test_each_event_occurs_in_its_smallest_position_and_its_color_flip() -> None:
    def check(event: Event) -> None:
        assert event in events_on(SMALLEST[event])
        assert event in events_on(SMALLEST[event].mirror())

    check_each(check, Event, lambda event: event.label)


def test_the_start_has_no_rare_event() -> None:
    assert events_of(Position.start()) == frozenset()


def test_bits_and_set_agree() -> None:
    for board in SMALLEST.values():
        bits = event_bits(oracle.position_of(board))
        assert bits == sum(1 << event for event in events_on(board))


def test_every_label_of_the_rare_suite_is_an_event() -> None:
    suite = Path(perft_check.__file__).with_name("suites") / "rare.epd"
    labels = [line.split('id "')[1].split('"')[0] for line in suite.read_text().splitlines() if 'id "' in line]
    assert len(labels) == len(set(labels)) > 90
    assert set(labels) <= {event.label for event in Event}


def test_each_event_has_its_own_sentence_and_bit() -> None:
    sentences = [event.sentence for event in Event]
    assert len(set(sentences)) == len(Event) == len(set(Event))
    assert all(sentence.endswith(".") and sentence.count(".") == 1 for sentence in sentences)
    assert all(0 <= event < 128 for event in Event)


@budget(1_000, 10_000)
def test_chess960_events_do_not_occur_in_standard_chess(number: int) -> None:
    for board in oracle.random_boards(31, number, chess960=False):
        assert not any(event.chess960 for event in events_on(board)), board.fen()


def assert_as_naive(boards: Iterator[chess.Board]) -> None:
    for board in boards:
        assert {event.name for event in events_on(board)} == naive_events(board), board.fen()


def test_events_of_smallest_positions() -> None:
    assert_as_naive(iter(SMALLEST.values()))
    assert_as_naive(board.mirror() for board in SMALLEST.values())
    assert_as_naive(without_castling(board).transform(chess.flip_horizontal) for board in SMALLEST.values())


@budget(500, 20_000)
@CHESS960
def test_events_of_random_positions(chess960: bool, number: int) -> None:
    assert_as_naive(oracle.random_boards(32, number, chess960=chess960))


@budget(500, 20_000)
def test_events_of_en_passant_positions(number: int) -> None:
    assert_as_naive(islice(en_passant_boards(random.Random(33)), number))


@pytest.mark.slow
@budget(500, 20_000)
def test_events_of_castling_positions(number: int) -> None:
    assert_as_naive(islice(back_rank_boards(random.Random(34)), number))


@pytest.mark.slow
@budget(1_000, 40_000)
def test_events_of_positions_near_the_smallest_ones(number: int) -> None:
    assert_as_naive(islice(neighbours(random.Random(39)), number))


def scattered(rng: random.Random, fixed: dict[chess.Square, chess.Piece], most: int) -> chess.Board:
    """Return a board with White to move: the given pieces, missing kings, and up to `most` others."""
    board = chess.Board(None, chess960=True)
    board.set_piece_map(fixed)
    free = [square for square in chess.SQUARES if square not in fixed]
    rng.shuffle(free)
    for color in chess.COLORS:
        if board.king(color) is None:
            board.set_piece_at(free.pop(), chess.Piece(chess.KING, color))
    for square in free[: rng.randint(1, most)]:
        kind = rng.choice((chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.PAWN))
        if kind != chess.PAWN or chess.square_rank(square) not in (0, 7):
            board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
    return board


def either_side(rng: random.Random, board: chess.Board) -> chess.Board:
    return board if rng.random() < 0.5 else board.mirror()


def en_passant_boards(rng: random.Random) -> Iterator[chess.Board]:
    """Yield boards with one or two pawns that stand ready to capture en passant."""
    while True:
        file = rng.randrange(8)
        beside = [other for other in (file - 1, file + 1) if 0 <= other < 8]
        takers = rng.sample(beside, rng.randint(1, len(beside)))
        fixed = {chess.square(taker, 4): chess.Piece(chess.PAWN, chess.WHITE) for taker in takers}
        fixed[chess.square(file, 4)] = chess.Piece(chess.PAWN, chess.BLACK)
        board = scattered(rng, fixed, 6)
        board.ep_square = chess.square(file, 5)
        passed = chess.BB_SQUARES[board.ep_square] | chess.BB_SQUARES[board.ep_square + 8]
        if not board.was_into_check() and not board.occupied & passed:
            yield either_side(rng, board)


def back_rank_boards(rng: random.Random) -> Iterator[chess.Board]:
    """Yield boards with kings and rooks that may still castle, and with pawns about to promote."""
    while True:
        king, left, right = rng.choice(((4, 0, 7), (4, 0, 7), tuple(rng.sample(range(8), 3))))
        fixed = {chess.square(file, 0): chess.Piece(chess.ROOK, chess.WHITE) for file in (left, right)}
        fixed[chess.square(king, 0)] = chess.Piece(chess.KING, chess.WHITE)
        if rng.random() < 0.5:
            fixed |= {square ^ 56: chess.Piece(piece.piece_type, chess.BLACK) for square, piece in fixed.items()}
        if rng.random() < 0.5:
            file = rng.randrange(8)
            fixed[chess.square(file, 6)] = chess.Piece(chess.PAWN, chess.WHITE)
        board = scattered(rng, fixed, 8)
        rights = {square for square, piece in fixed.items() if piece.piece_type == chess.ROOK}
        board.castling_rights = sum(chess.BB_SQUARES[square] for square in rights if rng.random() < 0.8)
        board.castling_rights = board.clean_castling_rights()
        if not board.was_into_check():
            yield either_side(rng, board)


def neighbours(rng: random.Random) -> Iterator[chess.Board]:
    """Yield smallest positions with one to three pieces added, removed or moved."""
    boards = list(SMALLEST.values())
    while True:
        board = rng.choice(boards).copy(stack=False)
        for _ in range(rng.randint(1, 3)):
            change_one_piece(rng, board)
        board.castling_rights = board.clean_castling_rights()
        if not board.status() & BAD:
            yield either_side(rng, board)


def change_one_piece(rng: random.Random, board: chess.Board) -> None:
    """Remove a piece from the board or take a new one, and place it on a free square or discard it."""
    old, new = rng.choice(chess.SQUARES), rng.choice(chess.SQUARES)
    new_piece = chess.Piece(rng.choice(chess.PIECE_TYPES[:5]), rng.random() < 0.5)
    piece = board.piece_at(old) or new_piece
    if piece.piece_type == chess.KING or board.piece_at(new) is not None:
        return
    board.remove_piece_at(old)
    is_misplaced = piece.piece_type == chess.PAWN and chess.square_rank(new) in (0, 7)
    if rng.random() < 0.8 and not is_misplaced:
        board.set_piece_at(new, piece)


def census_bits(board: chess.Board, backend: Backend) -> int:
    moves = np.empty(MAX_MOVES, dtype=np.uint16)
    low, high = census(tables(backend), oracle.position_of(board).board, np.uint64(moves.ctypes.data))
    return int(low) | int(high) << 64


@EACH_BACKEND
def test_both_slider_back_ends(backend: Backend) -> None:
    for board in SMALLEST.values():
        assert census_bits(board, backend) == event_bits(oracle.position_of(board)), board.fen()
