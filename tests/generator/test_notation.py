"""UCI in both castling notations, and SAN, compared with python-chess."""

from __future__ import annotations

import re

import chess
import pytest
from helpers import oracle
from helpers.budget import CHESS960, budget
from perft_check.generator import Move, Position

START = Position.start()
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
ROOKS = "6k1/8/8/R6R/8/8/8/R3K3 w - - 0 1"
PROMOTES = "3n4/4P3/8/8/8/8/k7/4K3 w - - 0 1"


@budget(100, 2_000)
@CHESS960
def test_uci_of_legal_moves(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(41, number, chess960=chess960):
        position = oracle.position_of(board)
        moves = {move.uci(chess960): move for move in position.legal_moves}
        assert sorted(moves) == sorted(board.uci(move) for move in board.legal_moves)
        for move in position.legal_moves:
            for text in {move.uci(chess960=True), move.uci(chess960)}:
                assert position.parse_uci(text) == move, (board.fen(), text)


@budget(100, 2_000)
@CHESS960
def test_san_of_legal_moves(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(42, number, chess960=chess960):
        position = oracle.position_of(board)
        for move in list(board.legal_moves):
            ours, san = position.parse_uci(oracle.text_of(board, move)), board.san(move)
            assert position.san(ours) == san, board.fen()
            assert position.parse_san(san) == ours, (board.fen(), san)


@pytest.mark.slow
def test_san_in_known_positions() -> None:
    def check(known: oracle.Known) -> None:
        board, position = known.board(), known.position()
        expected = {oracle.text_of(board, move): board.san(move) for move in board.legal_moves}
        assert {move.uci(chess960=True): position.san(move) for move in position.legal_moves} == expected
        read = {text: position.parse_san(san).uci(chess960=True) for text, san in expected.items()}
        assert read == {text: text for text in expected}

    oracle.check_each_known(check)


@pytest.mark.parametrize(
    ("fen", "texts", "move"),
    [
        (CASTLES, ("e1g1", "e1h1"), "e1h1"),
        (CASTLES, ("e1c1", "e1a1"), "e1a1"),
        (CASTLES.replace(" w ", " b "), ("e8c8", "e8a8"), "e8a8"),
        # In Chess960 f1g1 is a king step; castling to g1 must be written as king takes rook.
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", ("f1g1",), "f1g1"),
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", ("f1h1",), "f1h1"),
        # From b1 the king cannot step to g1.
        ("4k3/8/8/8/8/8/8/1K5R w H - 0 1", ("b1g1", "b1h1"), "b1h1"),
        (PROMOTES, ("e7d8n",), "e7d8n"),
    ],
)
def test_uci_reads_both_castling_notations(fen: str, texts: tuple[str, ...], move: str) -> None:
    position = Position.from_fen(fen, chess960=None)
    for text in texts:
        assert position.parse_uci(text).uci(chess960=True) == move


@pytest.mark.parametrize(
    ("fen", "text", "move"),
    [
        (START.fen(), "Nf3", "g1f3"),
        (START.fen(), "Nf3!?", "g1f3"),
        (CASTLES, "O-O", "e1h1"),
        (CASTLES, "0-0-0", "e1a1"),
        (CASTLES, "O-O+", "e1h1"),
        (ROOKS, "R5a3", "a5a3"),
        (ROOKS, "Rad5", "a5d5"),
        (ROOKS, "Rh5d5", "h5d5"),
        (PROMOTES, "exd8=N", "e7d8n"),
        (PROMOTES, "e8Q", "e7e8q"),
    ],
)
def test_san_reads_more_than_it_writes(fen: str, text: str, move: str) -> None:
    assert Position.from_fen(fen).parse_san(text).uci(chess960=True) == move


@pytest.mark.parametrize(
    "text", ["", "e2", "e2e4e", "e2e9", "i2e4", "E2E4", "e2-e4", "e7e8k", "e7e8Q", "0000", "O-O", "e2e4 "]
)
def test_malformed_uci_is_rejected(text: str) -> None:
    message = f"{text!r} is not a move in UCI notation, such as e2e4 or e7e8q"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        START.parse_uci(text)


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (START.fen(), "e2e5"),
        (START.fen(), "e1g1"),
        (START.fen(), "e2e4q"),
        (PROMOTES, "e7e8"),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"),
    ],
)
def test_uci_of_illegal_moves_is_rejected(fen: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'{text} is not legal in {fen}')}$"):
        Position.from_fen(fen).parse_uci(text)


@pytest.mark.parametrize("text", ["", "e2e4e", "Pe4", "nf3", "e9", "O-O-O-O", "Nf3 e5", "e8=K", "+", "--"])
def test_malformed_san_is_rejected(text: str) -> None:
    message = f"{text!r} is not a move in algebraic notation, such as Nf3 or exd8=Q"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        START.parse_san(text)


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (START.fen(), "Nf4"),
        (START.fen(), "O-O"),
        (START.fen(), "e4=Q"),
        (START.fen(), "Nbf3"),
        (PROMOTES, "e8"),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3"),
    ],
)
def test_san_of_illegal_moves_is_rejected(fen: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'{text} is not legal in {fen}')}$"):
        Position.from_fen(fen).parse_san(text)


@pytest.mark.parametrize(("text", "choices"), [("Rd5", {"Rad5", "Rhd5"}), ("Ra3", {"R1a3", "R5a3"})])
def test_ambiguous_san_is_rejected(text: str, choices: set[str]) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'{text} is ambiguous in {ROOKS}: ')}") as caught:
        Position.from_fen(ROOKS).parse_san(text)
    assert set(str(caught.value).rpartition(": ")[2].split(", ")) == choices


def test_san_of_an_illegal_move_cannot_be_written() -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'e2e5 is not legal in {START.fen()}')}$"):
        START.san(Move.make(12, 36))


def test_castling_notation_follows_the_position() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    for chess960, text in ((False, "e1g1"), (True, "e1h1")):
        position = Position.from_fen(fen, chess960=chess960)
        assert position.parse_uci("e1h1").uci(position.chess960) == text
        assert position.san(position.parse_uci("e1h1")) == "O-O"


@pytest.mark.parametrize(
    ("fen", "castles"),
    [(CASTLES, {"e1g1", "e1h1", "e1c1", "e1a1"}), ("1r3k1r/8/8/8/8/8/8/1R3K1R w BHbh - 0 1", {"f1h1", "f1c1", "f1b1"})],
)
def test_exactly_the_legal_moves_are_parsed(fen: str, castles: set[str]) -> None:
    position = Position.from_fen(fen, chess960=None)
    board = chess.Board(fen, chess960=True)
    steps = {move.uci() for move in board.legal_moves if not board.is_castling(move)}
    squares, pieces = chess.SQUARE_NAMES, ("", "n", "b", "r", "q")
    texts = [origin + target + piece for origin in squares for target in squares for piece in pieces]
    assert {text for text in texts if _is_read(position, text)} == steps | castles


def _is_read(position: Position, text: str) -> bool:
    try:
        position.parse_uci(text)
    except ValueError:
        return False
    return True
