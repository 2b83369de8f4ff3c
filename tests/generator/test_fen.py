"""FENs: which are accepted, which are rejected with which message, and round trips through reading and writing."""

from __future__ import annotations

import random
import re

import chess
import pytest
from helpers import oracle
from helpers.budget import CHESS960, budget
from helpers.each import check_each
from perft_check.generator import START_FEN, Color, FenError, Position

KINGS = "4k3/8/8/8/8/8/8/4K3"
CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R"
ROWS = "8/8/8/8/8/8/4K3"

NOT_STANDARD = "needs Chess960: in standard chess the king stands on e1 or e8 and the rooks in the corners"
NO_RIGHT = "is not a castling right: use KQkq, the files of the rooks, or '-'"
BAD = [
    # Number of fields.
    ("", "a FEN has six fields, or four without the counters, not 0"),
    (KINGS, "a FEN has six fields, or four without the counters, not 1"),
    (f"{KINGS} w - - 0", "a FEN has six fields, or four without the counters, not 5"),
    (f"{KINGS} w - - 0 1 e4 e5", "trailing text after the six fields: 'e4 e5'"),
    # Board.
    ("4k3 w - - 0 1", "the board has 1 rank instead of 8"),
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", "the board has 7 ranks instead of 8"),
    (f"{KINGS}/8 w - - 0 1", "the board has 9 ranks instead of 8"),
    ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 has 7 squares instead of 8: '4K2'"),
    (f"4k4/{ROWS} w - - 0 1", "rank 8 has 9 squares instead of 8: '4k4'"),
    (f"/{ROWS} w - - 0 1", "rank 8 has 0 squares instead of 8: ''"),
    (f"4k12/{ROWS} w - - 0 1", "rank 8 has two numbers in a row: '4k12'"),
    ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "'9' on rank 7 is neither a piece nor a digit from 1 to 8"),
    (f"4k2x/{ROWS} w - - 0 1", "'x' on rank 8 is neither a piece nor a digit from 1 to 8"),
    (
        f"4k2\N{BLACK CHESS QUEEN}/{ROWS} w - - 0 1",
        "'\N{BLACK CHESS QUEEN}' on rank 8 is neither a piece nor a digit from 1 to 8",
    ),
    (
        "4k3/8/8/8/8/8/8/4\N{KELVIN SIGN}3 w - - 0 1",
        "'\N{KELVIN SIGN}' on rank 1 is neither a piece nor a digit from 1 to 8",
    ),
    # Pieces.
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has 2 kings"),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "White has a pawn on a1: pawns cannot stand on a back rank"),
    ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "White has a pawn on h8: pawns cannot stand on a back rank"),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "Black has a pawn on a1: pawns cannot stand on a back rank"),
    # Side to move.
    (f"{KINGS} W - - 0 1", "the side to move must be 'w' or 'b', not 'W'"),
    ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "Black is in check from e7, but White is to move"),
    ("4k3/8/8/8/8/8/3p4/4K3 b - - 0 1", "White is in check from d2, but Black is to move"),
    ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", "Black is in check from e1, but White is to move"),
    # Castling.
    (f"{CASTLES} w KX - 0 1", f"'X' {NO_RIGHT}"),
    (f"{CASTLES} w -- - 0 1", f"'-' {NO_RIGHT}"),
    (f"{CASTLES} w K- - 0 1", f"'-' {NO_RIGHT}"),
    (f"{CASTLES} w \N{KELVIN SIGN} - 0 1", f"'\N{KELVIN SIGN}' {NO_RIGHT}"),
    (f"{CASTLES} w KK - 0 1", "castling right given twice: 'K' in 'KK'"),
    (f"{CASTLES} w KQH - 0 1", "castling right given twice: 'H' in 'KQH'"),
    (f"{KINGS} w K - 0 1", "castling right 'K' is not possible: White has no rook to the right of the king"),
    (f"{KINGS} w q - 0 1", "castling right 'q' is not possible: Black has no rook to the left of the king"),
    (f"{CASTLES} w C - 0 1", "castling right 'C' is not possible: White has no rook on c1"),
    (
        "4k2R/8/8/8/8/8/8/4K3 b k - 0 1",
        "castling right 'k' is not possible: Black has no rook to the right of the king",
    ),
    ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "castling right 'K' is not possible: White's king is on e2"),
    ("4k3/8/8/8/8/8/4K3/7R w H - 0 1", "castling right 'H' is not possible: White's king is on e2"),
    ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", f"castling field 'K' {NOT_STANDARD}"),
    ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", f"castling field 'G' {NOT_STANDARD}"),
    # En passant.
    (f"{KINGS} w - e9 0 1", "the en passant field must be a square or '-', not 'e9'"),
    (f"{KINGS} w - E6 0 1", "the en passant field must be a square or '-', not 'E6'"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "en passant square d5 must be on rank 6 when White is to move"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e6 0 1", "en passant square e6 must be on rank 3 when Black is to move"),
    ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "en passant square d6, but Black has no pawn on d5"),
    ("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "en passant square d6, but Black has no pawn on d5"),
    (
        "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
        "en passant square d6, but there is a piece on d6, which the pawn has passed",
    ),
    (
        "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "en passant square d6, but there is a piece on d7, where the pawn came from",
    ),
    # Counters.
    (f"{KINGS} w - - x 1", "the halfmove clock must be a whole number from 0 to 99999, not 'x'"),
    (f"{KINGS} w - - -1 1", "the halfmove clock must be a whole number from 0 to 99999, not '-1'"),
    (f"{KINGS} w - - 100000 1", "the halfmove clock must be a whole number from 0 to 99999, not '100000'"),
    (f"{KINGS} w - - 0 1.5", "the move number must be a whole number from 0 to 99999, not '1.5'"),
    (
        f"{KINGS} w - - 0 \N{ARABIC-INDIC DIGIT ONE}",
        "the move number must be a whole number from 0 to 99999, not '\N{ARABIC-INDIC DIGIT ONE}'",
    ),
]


def assert_refused(fen: str, message: str, *, chess960: bool | None) -> None:
    with pytest.raises(FenError, match=f"^{re.escape(message)}$"):
        Position.from_fen(fen, chess960=chess960)


def test_invalid_fens_are_rejected() -> None:
    check_each(lambda bad: assert_refused(*bad, chess960=False), BAD)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        (
            "4k3/8/8/8/8/8/8/R3K3 w K - 0 1",
            "castling right 'K' is not possible: White has no rook to the right of the king",
        ),
        (
            "4k2r/8/8/8/8/8/8/4K3 w q - 0 1",
            "castling right 'q' is not possible: Black has no rook to the left of the king",
        ),
        ("4k3/8/8/8/8/8/8/4KRR1 w FG - 0 1", "White has two castling rooks on the right of the king"),
        ("1rr1k3/8/8/8/8/8/8/4K3 w bc - 0 1", "Black has two castling rooks on the left of the king"),
        ("4k3/8/8/8/8/8/8/4KRR1 w KG - 0 1", "castling right given twice: 'G' in 'KG'"),
        ("4k3/8/8/8/8/8/4K3/5R2 w F - 0 1", "castling right 'F' is not possible: White's king is on e2"),
    ],
)
@pytest.mark.parametrize("chess960", [True, None])
def test_invalid_chess960_fens_are_rejected(fen: str, message: str, chess960: bool | None) -> None:
    assert_refused(fen, message, chess960=chess960)


def test_a_fen_error_is_a_value_error() -> None:
    assert issubclass(FenError, ValueError)


def test_start_position() -> None:
    assert START_FEN == chess.STARTING_FEN == Position.start().fen() == str(Position.start())
    assert Position.start() == Position.from_fen(START_FEN)


@pytest.mark.parametrize(
    ("fen", "written"),
    [
        (f"{KINGS} w - -", f"{KINGS} w - - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        (f"  {KINGS}   b  - -  3 9\n", f"{KINGS} b - - 3 9"),
        (f"{KINGS} w - - 0 0", f"{KINGS} w - - 0 1"),
        (f"{KINGS} w - - 007 10", f"{KINGS} w - - 7 10"),
        (f"{KINGS} w - - 99999 99999",) * 2,
        (f"{CASTLES} w HAha - 0 1", f"{CASTLES} w KQkq - 0 1"),
        (f"{CASTLES} w qK - 0 1", f"{CASTLES} w Kq - 0 1"),
        # The en passant square is kept as given, even if no pawn can capture there.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",) * 2,
    ],
)
def test_standard_fens_are_read(fen: str, written: str) -> None:
    assert Position.from_fen(fen).fen() == written


@pytest.mark.parametrize(
    ("fen", "xfen", "shredder"),
    [
        # KQkq are the outermost rooks; inner ones need their files.
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "KQkq", "GBgb"),
        ("4k3/8/8/8/8/8/8/1RR1KRR1 w KQ - 0 1", "KQ", "GB"),
        ("4k3/8/8/8/8/8/8/1RR1KRR1 w FC - 0 1", "FC", "FC"),
        ("4k3/8/8/8/8/8/8/1RR1KRR1 w KC - 0 1", "KC", "GC"),
        ("4k3/8/8/8/8/8/8/1RR1KRR1 w GB - 0 1", "KQ", "GB"),
        ("rr2k3/8/8/8/8/8/8/4K3 w b - 0 1", "b", "b"),
        # An opponent's rook further out does not count.
        ("4k3/8/8/8/8/8/8/4KR1r b K - 0 1", "K", "F"),
        ("rk2r3/8/8/8/8/8/8/4K3 w ak - 0 1", "kq", "ea"),
    ],
)
def test_chess960_castling_fields(fen: str, xfen: str, shredder: str) -> None:
    position = Position.from_fen(fen, chess960=True)
    assert position.fen().split()[2] == xfen
    assert position.fen(castling="shredder").split()[2] == shredder


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [
        (START_FEN, False),
        (f"{CASTLES} w HAha - 0 1", False),
        (f"{KINGS} w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/5K1R w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", True),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", True),
        ("1r2k3/8/8/8/8/8/8/4K2R w Kq - 0 1", True),
    ],
)
def test_chess960_is_recognized_by_the_castling_rights(fen: str, chess960: bool) -> None:
    assert Position.from_fen(fen, chess960=None).chess960 is chess960
    assert Position.from_fen(fen, chess960=True).chess960


@pytest.mark.slow
@budget(1_000, 20_000)
@CHESS960
def test_round_trip_of_random_positions(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(51, number, chess960=chess960):
        xfen, shredder = (board.fen(en_passant="fen", shredder=shredder) for shredder in (False, True))
        for fen in (xfen, shredder):
            position = Position.from_fen(fen, chess960=chess960)
            assert position.fen() == xfen
            assert position.fen(castling="shredder") == shredder
            assert (position.turn is Color.WHITE) is board.turn
            assert position.occupied == board.occupied
            assert position.checkers == board.checkers_mask()
            assert position.in_check is board.is_check()


@budget(1_000, 20_000)
@CHESS960
def test_legal_en_passant_of_random_positions(chess960: bool, number: int) -> None:
    for board in oracle.random_boards(52, number, chess960=chess960):
        fen = oracle.position_of(board).fen(en_passant="legal")
        assert fen == board.fen(en_passant="legal")


def test_known_positions() -> None:
    def check(known: oracle.Known) -> None:
        board, position = known.board(), known.position()
        assert position.fen() == board.fen(en_passant="fen")
        assert position.fen(castling="shredder", en_passant="legal") == board.fen(en_passant="legal", shredder=True)

    oracle.check_each_known(check)


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "-"),
        # Capturing would open the rook's rank, the captured pawn's diagonal, or the capturing pawn's file.
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "-"),
        ("6b1/8/8/3pP3/8/1K6/8/4k3 w - d6 0 1", "-"),
        ("k3r3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "-"),
    ],
)
def test_legal_en_passant(fen: str, legal: str) -> None:
    position = Position.from_fen(fen)
    assert position.fen(en_passant="legal").split()[3] == legal
    assert position.fen() == fen


@pytest.mark.parametrize(
    ("fen", "oddities"),
    [
        (START_FEN, []),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", ["Black has 9 pawns"]),
        ("4k3/8/8/8/8/N7/NNNNNNNN/NNNNNNNK w - - 0 1", ["White has 17 pieces"]),
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNQ w - - 0 1", ["White has more promoted pieces than missing pawns"]),
        ("4k3/8/8/8/8/8/PPPPPPP1/RNBQKBNQ w - - 0 1", []),
        ("4k3/8/8/8/4r3/2n5/3p4/4K3 w - - 0 1", []),
        ("4k3/8/8/8/4r3/5n2/3p4/4K3 w - - 0 1", ["White is in check from 3 pieces"]),
        ("8/8/8/8/3rKr2/8/8/k7 w - - 0 1", ["White is in check from two sides of one line"]),
        ("4k3/8/8/8/8/5n2/3p4/4K3 w - - 0 1", []),
    ],
)
def test_oddities(fen: str, oddities: list[str]) -> None:
    assert Position.from_fen(fen).oddities == oddities


@CHESS960
def test_positions_from_games_have_no_oddities(chess960: bool) -> None:
    rng = random.Random(53)
    for _ in range(10):
        for board in oracle.walk(rng, oracle.start_board(rng, chess960), 150):
            assert oracle.position_of(board).oddities == []
