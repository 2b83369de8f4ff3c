"""The expected moves of each GenType, from python-chess and the documented definition, and positions to test.

A pseudo-legal move may leave the king in check, but castling is listed only if it is legal. Moves are UCI texts, with
castling as king takes rook.
"""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import chess
from perft_check.generator import GenType, Move, Position

from . import gentype_oracle
from .each import check_each

DATA = Path(__file__).parents[1] / "generator" / "data"


def expected_moves(board: chess.Board, gentype: GenType) -> Counter[str]:
    """Return the moves of a GenType. Raises KeyError if it is not applicable."""
    return expected_lists(board)[gentype]


def expected_lists(board: chess.Board) -> dict[GenType, Counter[str]]:
    """Return the moves of every GenType that is applicable in a position."""
    twin = chess.Board(board.fen(en_passant="fen", shredder=True), chess960=True)
    lists = gentype_oracle.expected_lists(twin)
    return {gentype: Counter(Move(code).uci(chess960=True) for code in codes) for gentype, codes in lists.items()}


def text_of(board: chess.Board, move: chess.Move) -> str:
    return board.uci(move, chess960=True)


class Known(NamedTuple):
    """A known position; `counts` has its perft 1, perft 2, ..."""

    name: str
    fen: str
    chess960: bool
    counts: tuple[int, ...]

    def board(self) -> chess.Board:
        return chess.Board(self.fen, chess960=self.chess960)

    def position(self) -> Position:
        return Position.from_fen(self.fen, chess960=self.chess960)


@cache
def known_positions() -> tuple[Known, ...]:
    """Return the well-known positions, then those with rare events."""
    with (DATA / "positions.tsv").open(encoding="utf-8", newline="") as file:
        positions = [
            Known(row["name"], row["fen"], row["kind"] == "chess960", tuple(map(int, row["counts"].split())))
            for row in csv.DictReader(file, delimiter="\t")
        ]
    with (DATA / "events.csv").open(encoding="utf-8", newline="") as file:
        events = [
            Known(row["event"], row["fen"], row["chess960"] == "1", (int(row["perft1"]),))
            for row in csv.DictReader(file)
        ]
    return (*positions, *events)


def check_each_known(check: Callable[[Known], None]) -> None:
    """Check every known position in one test."""
    check_each(check, known_positions(), lambda known: f"{known.name} ({known.fen})")


class KnownCount(NamedTuple):
    """A known position with one of its counts."""

    known: Known
    depth: int
    nodes: int

    def __str__(self) -> str:
        return f"{self.known.name} depth {self.depth} ({self.known.fen})"


def known_counts(most: int, more_than: int = -1, least_depth: int = 1) -> list[KnownCount]:
    """Return the counts of known positions within these bounds."""
    return [
        KnownCount(known, depth, nodes)
        for known in known_positions()
        for depth, nodes in enumerate(known.counts, 1)
        if depth >= least_depth and more_than < nodes <= most
    ]


def position_of(board: chess.Board) -> Position:
    """Convert a python-chess board to a `Position`, through its FEN."""
    return Position.from_fen(board.fen(en_passant="fen", shredder=board.chess960), chess960=board.chess960)


def board_of(position: Position) -> chess.Board:
    """Convert a `Position` to a python-chess board, through its FEN."""
    return chess.Board(position.fen(castling="shredder"), chess960=position.chess960)


def random_boards(seed: int, count: int, *, chess960: bool) -> Iterator[chess.Board]:
    """Yield `count` boards from random games, from short walks from known positions, and with scattered pieces.

    The yielded board changes as its game proceeds: copy it to keep it.
    """
    return islice(_walks(random.Random(seed), chess960), count)


def _walks(rng: random.Random, chess960: bool) -> Iterator[chess.Board]:
    seeds = [known for known in known_positions() if known.chess960 == chess960]
    while True:
        source = rng.random()
        if source < 0.1:
            yield from walk(rng, start_board(rng, chess960), 160)
        elif source < 0.6:
            yield from walk(rng, rng.choice(seeds).board(), 8)
        else:
            yield from walk(rng, scattered_board(rng, chess960), 3)


def walk(rng: random.Random, board: chess.Board, plies: int) -> Iterator[chess.Board]:
    """Yield the board before each of up to `plies` random moves."""
    for _ in range(plies):
        yield board
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(rng.choice(moves))


def start_board(rng: random.Random, chess960: bool) -> chess.Board:
    """Return a starting position. Half of those of Chess960 have a different array for each side."""
    if not chess960:
        return chess.Board()
    white, black = rng.randrange(960), rng.randrange(960)
    rows = [
        chess.Board.from_chess960_pos(number).board_fen().split("/")[-1]
        for number in (white, rng.choice((white, black)))
    ]
    return chess.Board(f"{rows[1].lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rows[0]} w KQkq - 0 1", chess960=True)


def scattered_board(rng: random.Random, chess960: bool) -> chess.Board:
    """Return a board with up to 22 random pieces, reachable or not, on which the opponent is not in check."""
    while True:
        board = chess.Board(None, chess960=chess960)
        for square in rng.sample(chess.SQUARES, rng.randint(2, 20)):
            kind = rng.choice((1, 1, 1, 2, 3, 4, 5))
            if kind == chess.PAWN and chess.square_rank(square) in (0, 7):
                kind = chess.ROOK
            board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
        # Half of the Chess960 kings are on their back rank.
        ranks = (range(8), range(56, 64)) if chess960 and rng.random() < 0.5 else (range(64), range(64))
        white, black = (rng.choice(squares) for squares in ranks)
        board.set_piece_at(white, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(black, chess.Piece(chess.KING, chess.BLACK))
        board.turn = rng.random() < 0.5
        if white == black or board.was_into_check():
            continue
        if chess960:
            white_rooks, black_rooks = (board.rooks & board.occupied_co[color] for color in chess.COLORS)
            board.castling_rights = white_rooks & chess.BB_RANK_1 | black_rooks & chess.BB_RANK_8
            board.castling_rights = board.clean_castling_rights()
        passed = _passed_squares(board)
        if passed:
            board.ep_square = rng.choice(passed)
        return board


def _passed_squares(board: chess.Board) -> list[chess.Square]:
    """Return the squares that an enemy pawn may just have passed with a double push."""
    back = 8 if board.turn else -8
    rank = chess.BB_RANK_5 if board.turn else chess.BB_RANK_4
    pawns = board.pawns & board.occupied_co[not board.turn] & rank
    return [
        pawn + back
        for pawn in chess.scan_forward(pawns)
        if not board.occupied & (chess.BB_SQUARES[pawn + back] | chess.BB_SQUARES[pawn + 2 * back])
    ]
