"""Suites from positions of the user: FENs, games, stdin."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.program import WIDE, Run, wrong
from perft_check.generator import START_FEN
from perft_check.suites.loader import load_suite
from perft_check.suites.making import suite_of_positions

PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
GAME = '[Event "x"]\n\n1. e4 e5 2. Nf3 (2. f4) *\n\n[Event "y"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e3 *\n'


def test_positions_are_counted_and_deduplicated(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(f"# mine\nstartpos\n{PAWN} ;what ever\n\nstart\nstartpos moves e2e4\n")
    done = run("suites", "make", "mine.epd", "--from", "mine.txt", "--depth", "2", **WIDE)
    assert (done.returncode, done.stdout) == (
        0,
        "wrote 3 positions, 6 counts to mine.epd (1 of 4 given positions are repeated)\n",
    )
    assert [(case.position.fen(), case.counts) for case in load_suite(tmp_path / "mine.epd")] == [
        (START_FEN, ((1, 20), (2, 400))),
        (PAWN, ((1, 6), (2, 30))),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", ((1, 20), (2, 600))),
    ]


def test_games_provide_every_position_of_their_main_lines(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(GAME)
    counts = [case.counts[0][1] for case in suite_of_positions(str(file), "games", 1)]
    assert counts == [20, 20, 29, 29, 6, 5]


MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


def test_mates_and_stalemates_are_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(f"{MATE}\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n{PAWN}\n")
    done = run("suites", "make", "mine.epd", "--from", "mine.txt", "--depth", "2", **WIDE)
    assert (done.returncode, done.stdout) == (0, "wrote 3 positions, 4 counts to mine.epd\n")
    assert [case.counts for case in load_suite(tmp_path / "mine.epd")] == [((1, 0),), ((1, 0),), ((1, 6), (2, 30))]


@pytest.mark.parametrize(
    ("text", "fens"),
    [
        (f'["{PAWN}", "{START_FEN}"]', [PAWN, START_FEN]),
        (f'[{{"fen": "{PAWN}"}}, {{"fen": "{START_FEN}", "name": "start"}}]', [PAWN, START_FEN]),
        (f"name;fen\na;{PAWN}\nb;{START_FEN}\n", [PAWN, START_FEN]),
        (f"id a\nepd {PAWN}\nperft 1 6\n", [PAWN]),
        (f"\ufeff{PAWN} ;D1 6\nstartpos\n", [PAWN, START_FEN]),
    ],
)
def test_positions_of_other_formats_are_read(tmp_path: Path, text: str, fens: list[str]) -> None:
    (tmp_path / "mine").write_text(text)
    suite = suite_of_positions(str(tmp_path / "mine"), "mine", 1)
    assert [case.position.fen() for case in suite] == fens


def test_large_counts_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("startpos\n")
    (case,) = suite_of_positions(str(file), "mine", 4, max_nodes=400)
    assert case.counts == ((1, 20), (2, 400))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "startpos\nhello\n",
            "--from mine.txt:2: no position named 'hello': give a FEN (quoted in a shell), or a name",
        ),
        (f'["{PAWN}", "startpos"]', "--from mine.txt:1: '\"startpos\"' next to positions is not understood"),
        (f"fen,eval\n{PAWN},0.3\n", "--from mine.txt:1: the columns of the table: 'eval' is unknown"),
        ("startpos moves e2e5\n", "--from mine.txt:1: 'e2e5', move 1 of 1, is not legal for White"),
        ("# nothing\n", "--from mine.txt: it has no positions; write one FEN per line, or give games as PGN"),
        ('[Event "x"]\n\n1. e4 e5 2. Ke3 *\n', "--from mine.txt: game 1: illegal san"),
        (
            '[Event "x"]\n\n1. e4 *\n\n[Event "y"]\n\n1. e4 -- 2. d4 *\n',
            "--from mine.txt: game 2: it contains a null move (--), which is not legal in chess: remove the game",
        ),
        ('[Event "x"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*\n', "--from mine.txt: game 1: White has no king"),
        (
            '[Event "x"]\n[Variant "Atomic"]\n\n1. e4 e5 *\n',
            "--from mine.txt: game 1: its variant is Atomic, not chess: remove the game",
        ),
    ],
)
def test_bad_input_is_reported_in_one_line(run: Run, tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "mine.txt").write_text(text)
    assert wrong(run, "suites", "make", "mine.epd", "--from", "mine.txt", **WIDE).startswith(complaint)
    assert not (tmp_path / "mine.epd").exists()


def test_positions_have_to_be_named(run: Run) -> None:
    said = "suites make needs positions: add --from FILE, or --from - for stdin"
    assert wrong(run, "suites", "make", "mine.epd", "--depth", "3") == said
