"""Many FENs at once: whatever the text, the compiled reader and writer give what `Position` gives one by one."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from helpers import oracle
from helpers.budget import budget, properties
from hypothesis import given
from hypothesis import strategies as st
from perft_check.generator import START_FEN, FenError, Position
from perft_check.generator.chess960 import chess960_start
from perft_check.generator.fens import (
    BLOCK,
    positions_of,
    read_fens,
    read_states,
    states_of,
    write_fens,
    write_states,
)
from perft_check.generator.kernels.fen.reading import CHESS960 as NEEDS_CHESS960
from perft_check.generator.kernels.fen.reading import DOUBTFUL, STANDARD
from perft_check.generator.notation.fen import CastlingStyle
from perft_check.strategies import positions

CHESS960 = pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
STRANGE = (
    "  \t\n\r\0/-0123456789kqKQabhABHpnbrqkPNBRQKwbWxX_@[`{~\x7f\x85\xa0é\N{KELVIN SIGN}\N{FULLWIDTH DIGIT ONE}\ud800"
)
"""Letters to put into a FEN, most of them where they do not belong."""


def one_by_one(fens: list[str], chess960: bool | None) -> list[Position | str]:
    def read(fen: str) -> Position | str:
        try:
            return Position.from_fen(fen, chess960)
        except FenError as error:
            return str(error)

    return list(map(read, fens))


def check_same(fens: list[str], variants: tuple[bool | None, ...] = (False, True, None)) -> None:
    for chess960 in variants:
        at_once = [str(read) if isinstance(read, FenError) else read for read in read_fens(fens, chess960)]
        assert at_once == one_by_one(fens, chess960)


def is_plain(fen: str) -> bool:
    """Tell whether the compiled reader reads a FEN on its own."""
    return int(read_states(f"{fen}\n".encode())[1][0]) != DOUBTFUL


def mutated(rng: random.Random, fen: str) -> str:
    """Return a FEN with one to three changes: of a letter, of a field, of the order of the fields."""
    for _ in range(rng.randint(1, 3)):
        place, letter = rng.randrange(len(fen) + 1), rng.choice(STRANGE)
        fields = fen.split(" ")
        field = rng.randrange(len(fields))
        fen = rng.choice(
            (
                fen[:place] + fen[place + 1 :],
                fen[:place] + letter + fen[place:],
                fen[:place] + letter + fen[place + 1 :],
                fen[:place] + fen[place : place + 1] + fen[place:],
                " ".join(fields[:field] + fields[field + 1 :]),
                " ".join([*fields[:field], fields[field][::-1], *fields[field + 1 :]]),
                " ".join([*fields[:field], rng.choice(fields), *fields[field + 1 :]]),
            )
        )
    return fen


@properties(80)
@given(positions(impossible=True), st.randoms(use_true_random=False))
def test_a_fen_of_a_position_and_its_mutants(position: Position, rng: random.Random) -> None:
    styles = [position.fen(), position.fen(castling="shredder")]
    assert [write_fens([position])[0], write_fens([position], "shredder")[0]] == styles
    assert all(map(is_plain, styles))
    check_same(styles)
    check_same([mutated(rng, fen) for fen in styles for _ in range(10)])


@pytest.mark.long
@properties(20_000)
@given(positions(impossible=True), st.randoms(use_true_random=False))
def test_many_positions_and_mutants(position: Position, rng: random.Random) -> None:
    check_same([mutated(rng, position.fen()) for _ in range(50)])


@pytest.mark.slow
@budget(2_000, 50_000)
@CHESS960
def test_reads_and_writes_as_python_chess(chess960: bool, number: int) -> None:
    boards = [board.copy(stack=False) for board in oracle.random_boards(54, number, chess960=chess960)]
    for shredder in (False, True):
        fens = [board.fen(en_passant="fen", shredder=shredder) for board in boards]
        states, marks = read_states("".join(f"{fen}\n" for fen in fens).encode())
        assert all(marks != DOUBTFUL)
        read = read_fens(fens, chess960)
        assert read == [Position.from_fen(fen, chess960) for fen in fens]
        style: CastlingStyle = "shredder" if shredder else "xfen"
        assert write_fens(read, style) == fens  # type: ignore[arg-type]  # none of them is a FenError
        assert write_states(states, style).decode().splitlines() == fens


def test_states_lead_back() -> None:
    read = [known.position() for known in oracle.known_positions()]
    states = states_of(read)
    assert positions_of(states, [position.chess960 for position in read]) == read
    assert [tuple(map(int, position.board)) for position in read] == [tuple(map(int, words[:12])) for words in states]
    assert np.array_equal(states, read_states("".join(f"{position.fen()}\n" for position in read).encode())[0])


def test_marks() -> None:
    fens = [START_FEN, chess960_start(0).fen(), "4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/8 w - - 0 1", ""]
    states, marks = read_states("".join(f"{fen}\n" for fen in fens).encode())
    assert [int(mark) for mark in marks] == [STANDARD, NEEDS_CHESS960, STANDARD, DOUBTFUL, DOUBTFUL]
    assert not states[3:].any()


def castling_fields(rng: random.Random, files: str) -> list[str]:
    """Return castling fields of a start whose rooks stand on two files: both notations, mixed, in parts, wrong."""
    left, right = files[0], files[1]
    letters = [
        "KQkq",
        (right + left).upper() + right + left,
        f"K{left.upper()}{right}q",
        "".join(rng.sample("KQkq", 4)),
    ]
    parts = ["".join(rng.sample(field, rng.randint(1, 4))) for field in letters]
    return ["-", *letters, *parts, "KK", f"K{right.upper()}", "ABCDEFGH", "qkI", f"{right}{right}", "--", "K-"]


@pytest.mark.slow
def test_castling_of_all_starts_of_chess960() -> None:
    rng = random.Random(55)
    fens = []
    for number in range(960):
        board, *rest = chess960_start(number, rng.randrange(960)).fen().split()
        rank = board.rpartition("/")[2]
        files = "".join("abcdefgh"[file] for file, piece in enumerate(rank) if piece == "R")
        fens += [" ".join([board, "w", field, *rest[2:]]) for field in rng.sample(castling_fields(rng, files), 3)]
    check_same(fens)


def test_castling_with_more_rooks_and_moved_kings() -> None:
    ranks = ["R1R1K1RR", "RRRRKRRR", "1R1RKR1R", "KR5R", "R5RK", "4K3", "R2BKQ1R", "RQ2KB1R", "rR2K1Rr"]
    fields = [
        "K",
        "Q",
        "KQ",
        *"ABCDEFGH",
        "AH",
        "HA",
        "BG",
        "CK",
        "FG",
        "GK",
        "AB",
        "kq",
        "k",
        "h",
        "Kk",
        "I",
        "X",
        "1",
    ]
    fens = [f"4k3/8/8/8/8/8/8/{rank} w {field} - 0 1" for rank in ranks for field in fields]
    fens += [f"{rank.swapcase()}/8/8/8/8/8/8/4K3 w {field.swapcase()} - 0 1" for rank in ranks for field in fields]
    fens += [f"4k3/8/8/8/8/8/{rank}/8 w {field} - 0 1" for rank in ranks for field in fields]
    check_same(fens)


def test_every_en_passant_square() -> None:
    boards = [
        "4k3/8/8/pPpPpPpP/PpPpPpPp/8/8/4K3",  # every double step may have been made
        "4k3/8/8/8/PPPPPPPP/8/8/4K3",
        "4k3/8/8/pppppppp/8/8/8/4K3",
        "4k3/p1p1p1p1/1n1n1n1n/pppppppp/PPPPPPPP/N1N1N1N1/1P1P1P1P/4K3",
        "r3k2r/8/8/8/8/8/8/R3K2R",
    ]
    squares = [file + rank for file in "abcdefgh" for rank in "12345678"]
    wrong = ["i3", "a9", "a0", "A3", "3a", "a33", "--", "e", "-e3", "e3-"]
    check_same([f"{board} {turn} - {square} 0 1" for board in boards for turn in "wb" for square in squares + wrong])


def test_a_passed_square_where_nobody_may_take_is_kept() -> None:
    fen = "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"
    assert is_plain(fen)
    (position,) = read_fens([fen])
    assert position == Position.from_fen(fen)
    assert write_fens([Position.from_fen(fen)]) == [fen]
    assert read_states(f"{fen}\n".encode())[0][0][10] == 0


def test_counters() -> None:
    numbers = [
        "0",
        "1",
        "00",
        "007",
        "99999",
        "100000",
        "099999",
        "000001",
        "9" * 30,
        "-1",
        "+1",
        "1.5",
        "x",
        "1e3",
        "²",
    ]
    tails = [f" {first} {second}" for first in numbers for second in numbers]
    tails += ["", " ", " 0", " 0 ", "  0   1  ", " 0 1 2", " 0 1 ;", "\t0\t1", " 0 1\r", " 0 1\n", "\n0 1", " 0 1\x0b"]
    check_same([f"4k3/8/8/8/8/8/8/4K3 b - -{tail}" for tail in tails])


def test_ranks() -> None:
    ranks = [
        "8",
        "7",
        "9",
        "44",
        "4p3",
        "4p4",
        "pppppppp",
        "ppppppppp",
        "1p1p1p1p",
        "11111111",
        "p8",
        "8p",
        "",
        "0",
        "7p1",
    ]
    others = ["4k3", "8", "8", "8", "8", "8", "8", "4K3"]
    boards = ["/".join([*others[:place], rank, *others[place + 1 :]]) for place in range(8) for rank in ranks]
    boards += ["/".join(others[:number]) for number in range(8)] + ["/".join([*others, "8"]), "4k3/8/8/8/8/8/8/4K3/"]
    boards += [
        "/".join([*others[:place], rank, *others[place + 1 :]]) for place in (1, 6) for rank in ("3K4", "3k4", "kK6")
    ]
    check_same([f"{board} {turn} - - 0 1" for board in boards for turn in "wbx"])


def test_checks_of_the_side_that_has_moved() -> None:
    fens = []
    for place in range(64):
        for piece in "PNBRQKpnbrqk":
            for king in (27, 0):
                squares = ["1"] * 64
                squares[king], squares[(king + 19) % 64], squares[place] = "k", "K", piece
                rows = ("".join(squares[start : start + 8]) for start in range(0, 64, 8))
                board = "/".join(row.replace("11111111", "8").replace("1" * 7, "7") for row in rows)
                fens += [f"{shortened(board)} {turn} - - 0 1" for turn in "wb"]
    check_same(fens, (None,))


def shortened(board: str) -> str:
    for gap in range(7, 1, -1):
        board = board.replace("1" * gap, str(gap))
    return board


def test_texts_that_are_no_lines() -> None:
    texts = [
        "",
        "\n",
        "\n\n",
        f"{START_FEN}\n",
        f"\n{START_FEN}",
        START_FEN.replace(" ", "\n"),
        "\ud800",
        "é" * 500,
        "\0",
    ]
    check_same(texts)
    check_same([START_FEN, *texts, START_FEN])


def test_no_fens_at_all() -> None:
    assert (read_fens([]), write_fens([])) == ([], [])
    assert write_states(read_states(b"")[0]) == b""


def test_more_than_a_block() -> None:
    fens = [START_FEN.replace(" 0 1", f" 0 {number}") for number in range(1, BLOCK + 3)]
    fens[BLOCK - 1] = "bad"
    read = read_fens(fens)
    assert str(read.pop(BLOCK - 1)) == "a FEN has six fields, or four without the counters, not 1"
    assert [position.fullmove for position in read if isinstance(position, Position)] == [
        *range(1, BLOCK),
        *range(BLOCK + 1, BLOCK + 3),
    ]
    assert (
        write_fens([position for position in read if isinstance(position, Position)])
        == fens[: BLOCK - 1] + fens[BLOCK:]
    )


PLAIN = """\
from perft_check.generator import Position
from perft_check.generator.fens import read_fens, write_fens

fens = ["r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 7 99999", "4k3/8/8/8/8/8/4K3 w - -"]
print(*write_fens([read for read in read_fens(fens, None) if isinstance(read, Position)]), sep="\\n")
print(read_fens(fens)[2])
"""


def test_as_plain_python() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run([sys.executable, "-c", PLAIN], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == [
        "r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1",
        "4k3/8/8/8/8/8/8/4KR1R w F - 7 99999",
        "the board has 7 ranks instead of 8",
    ]
