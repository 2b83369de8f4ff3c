"""Moves behind a position, on the command lines of `perft`, `divide` and `moves`."""

from __future__ import annotations

import json

import pytest
from helpers.program import WIDE, Run
from perft_check.generator import Position

BASE = "4k3/1b6/8/7R/8/8/8/4K2R b K - 0 1"
"""The rook on h1 is taken, another comes to its place: a generator that keeps the right castles with it."""
PLAYED = f"{BASE} moves b7h1 h5h1 e8e7"
KEEPS = "zoo:right-by-rook-presence"


def test_the_count_is_that_after_the_moves(run: Run) -> None:
    for arguments in (["startpos", "2", "--moves", "e4 e7e5"], ["position startpos moves e2e4 e7e5", "2"]):
        assert run("perft", *arguments).stdout == "835\n"
    told = json.loads(run("perft", "startpos", "1", "--moves", "1. Nf3", "--json").stdout)
    assert (told["fen"], told["nodes"]) == ("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1", 20)
    assert run("perft", "startpos", "1", "--moves", "e4", "--stats").returncode == 0


def test_the_engine_plays_the_moves(run: Run) -> None:
    """It counts the position right from its FEN, and wrong once it has played its way there."""
    assert run("perft", "8/4k3/8/8/8/8/8/4K2R w - - 1 3", "1", "-e", KEEPS).stdout == "14\n"
    played = run("perft", BASE, "1", "--moves", "Bxh1 Rxh1 Ke7", "-e", KEEPS, **WIDE)
    assert (played.returncode, played.stdout) == (1, "15\n")
    assert f"perft-check divide '{PLAYED}' 1 -e {KEEPS} -a own:turbo" in played.stderr


def test_a_difference_is_followed_from_the_moves(run: Run) -> None:
    done = run("divide", PLAYED, "1", "-e", KEEPS, **WIDE)
    assert done.returncode == 1
    assert "wrong state after b7h1 (captures a rook): Castling right is kept too long" in done.stdout
    assert f"played from {BASE} by b7h1 h5h1 e8e7" in done.stdout
    assert done.stdout.count(f"reproduce: perft-check divide '{PLAYED}' 1 -e {KEEPS} -a own:turbo") == 2


def test_an_engine_contradicts_itself_after_moves(run: Run) -> None:
    done = run("divide", BASE, "2", "--moves", "b7h1 h5h1", "-e", KEEPS, "--self-consistency")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == f"{KEEPS} contradicts itself"


def test_moves_are_listed_after_moves(run: Run) -> None:
    done = run("moves", "startpos", "--moves", "e4 e5", "--json")
    assert json.loads(done.stdout)["fen"] == Position.start().fen().replace(
        "pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"
    )


@pytest.mark.parametrize("command", [["perft", "startpos", "1"], ["divide", "startpos", "1"], ["moves", "startpos"]])
def test_a_wrong_move_is_reported_in_one_line(run: Run, command: list[str]) -> None:
    done = run(*command, "--moves", "e2e4 e7e5 g1g3", **WIDE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "perft-check: 'g1g3', move 3 of 3, is not legal for White in "
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2: similar moves are g1f3, g1h3, g1e2, g2g3\n"
    )
