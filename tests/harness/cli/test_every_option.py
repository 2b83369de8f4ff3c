"""Options that no other test uses, and positions after moves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from helpers.fakes import fake
from helpers.libraries import build_covered_library
from helpers.program import WIDE, Run, wrong
from helpers.screens import Screen
from perft_check.generator import Position

KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
CASTLING_IN_CHESS960 = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"


@pytest.fixture
def sent(tmp_path: Path) -> Path:
    """The file in which the engine notes what it is sent."""
    return tmp_path / "sent"


@pytest.fixture
def engine(sent: Path) -> tuple[str, ...]:
    """The words that name an engine with options, one of which is set."""
    return "-e", fake("offers-options", str(sent)), "-o", "Hash=32", "--name", "mine", "--no-config"


def test_an_option_of_the_engine_is_set_whatever_the_command(run: Run, engine: tuple[str, ...], sent: Path) -> None:
    for words, told in (
        (("divide", "startpos", "1", "--alone", "--explain", "none"), "\n20\n"),
        (("bench", "-p", "startpos", "--depth", "2", "--rounds", "1"), "\nmine "),
        (("fuzz", "-n", "10", "-j", "1", "--seed", "1", "--strategy", "games", "-q"), " of mine "),
        (("doctor",), "mine ("),
        (("run", "-s", "smoke", "--filter", "cpw-1", "-q"), "mine at "),
        (("count", "startpos", "2", "--split", "1", "--ledger", "one", "--quiet"), ""),
    ):
        sent.unlink(missing_ok=True)
        assert told in f"\n{run(*words, *engine).stdout}", words
        assert "setoption name Hash value 32" in sent.read_text(), words


def test_a_count_of_chess960_with_a_table(run: Run) -> None:
    words = ("count", CASTLING_IN_CHESS960, "3", "--split", "1", "--hash", "1M", "--quiet", "--chess960")
    assert run(*words, "--ledger", "960").stdout == run("perft", CASTLING_IN_CHESS960, "3").stdout


def test_impossible_positions_are_drawn(run: Run) -> None:
    done = run("fuzz", "-e", "own", "-n", "20", "-j", "1", "--seed", "1", "--impossible", "-q")
    assert (done.returncode, done.stdout) == (0, "no fault of own found in 20 positions\n")


def test_a_suite_is_made_without_larger_counts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kings").write_text(f"{KINGS}\n")
    assert run("suites", "make", "made.epd", "--from", "kings", "--depth", "3", "--max-nodes", "25").returncode == 0
    assert (tmp_path / "made.epd").read_text().splitlines()[-1].startswith(f"{KINGS} ;D1 5 ;D2 25")
    assert ";D3" not in (tmp_path / "made.epd").read_text()


def test_a_worker_looks_at_its_address_first(run: Run) -> None:
    words = ("worker", "nowhere", "--threads", "1", "--hash", "1M", "--name", "one", "--insecure", "--no-config")
    assert wrong(run, *words).startswith("'nowhere' is not the address of a scheduler")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
def test_what_a_part_of_the_quick_suites_reaches(run: Run, tmp_path: Path) -> None:
    build_covered_library(tmp_path)
    limits = ("--quick", "--filter", "cpw-1", "--max-depth", "2", "--max-nodes", "20", "--standard")
    done = run("cover", "-e", "lib:./libmine.so", "--name", "mine", *limits, "--memory", "4000", "-q", "--no-config")
    assert (done.returncode, done.stdout.endswith(" branches of mine reached by 1 position\n")) == (0, True), done


@pytest.mark.slow
def test_the_explorer_takes_what_other_commands_take(tmp_path: Path, engine: tuple[str, ...], sent: Path) -> None:
    (tmp_path / "perft-check.toml").write_text("broken")
    words = ("explore", CASTLING_IN_CHESS960, "--depth", "1", "--chess960", "--light", "--memory", "4000")
    with Screen([*words, *engine], tmp_path) as screen:
        assert screen.shows("mine")
        screen.press("q")
        assert screen.status() == 0
    assert "setoption name Hash value 32" in sent.read_text()


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
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2: similar legal moves: g1f3, g1h3, g1e2, g2g3\n"
    )
