"""`perft-check uci` as a process: how it starts, how it ends, and who can talk to it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import chess
import chess.engine
import pytest
from helpers.processes import PATIENCE, has_loaded, restore_signals
from helpers.program import PROGRAM, STOCKFISH, Run, needs_stockfish, wrong
from perft_check.harness.uci import BANNER, GREETING
from perft_check.platforms.processes import IS_POSIX
from perft_check.suites.bundled import bundled_path
from perft_check.suites.loader import load_suite
from perft_check.suites.positions import resolve_position

UCI = [*PROGRAM, "uci"]
SPEC = f"uci:{shlex.join(UCI)}"
NAMES = ("startpos", "kiwipete", "cpw-3", "cpw-4", "cpw-5", "cpw-6")
DEPTHS = (1, 2, 3)


def started(command: Sequence[str] = UCI) -> subprocess.Popen[str]:
    """Start an engine, with signals as a terminal leaves them."""
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        preexec_fn=restore_signals,
    )


def told(engine: subprocess.Popen[str], *lines: str) -> None:
    assert engine.stdin is not None
    engine.stdin.write("".join(f"{line}\n" for line in lines))
    engine.stdin.flush()


def heard(engine: subprocess.Popen[str], lines: int) -> list[str]:
    assert engine.stdout is not None
    return [engine.stdout.readline() for _ in range(lines)]


def ended(engine: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Return the status of an engine that ends, and what it has still said."""
    stdout, stderr = engine.communicate(timeout=PATIENCE)
    return engine.returncode, stdout, stderr


def test_it_greets_before_it_loads_the_generator_and_quits_without() -> None:
    engine = started()
    told(engine, "uci", "isready")
    greeting = [*BANNER.splitlines(keepends=True), *GREETING.splitlines(keepends=True), "readyok\n"]
    assert heard(engine, len(greeting)) == greeting
    assert not has_loaded(engine.pid, "llvmlite")
    assert not has_loaded(engine.pid, "numpy")
    told(engine, "go perft 1")
    heard(engine, 20 + len("\nN\n\n".splitlines()))
    assert has_loaded(engine.pid, "llvmlite")
    told(engine, "quit")
    assert ended(engine) == (0, "", "")


def test_ctrl_c_and_a_reader_that_goes_end_it_whatever_it_does() -> None:
    for asked in (["isready"], ["go perft 99", "isready"]):
        engine = started()
        told(engine, *asked)
        assert heard(engine, 2)[1] == "readyok\n"
        engine.send_signal(signal.SIGINT)
        assert ended(engine) == (130, "", "")
    engine = started()
    told(engine, "go perft 99", "isready")
    heard(engine, 2)
    assert engine.stdout is not None
    engine.stdout.close()
    if not IS_POSIX:  # only a write tells it there
        told(engine, "isready")
    assert engine.stderr is not None
    assert engine.stderr.read() == ""
    assert engine.wait(PATIENCE) == 141


def test_streams_that_are_closed_or_full_are_no_traceback() -> None:
    done = subprocess.run([*UCI], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, BANNER, "")
    shell = f"{shlex.join(UCI)} <&-"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, BANNER, "")
    if os.path.exists("/dev/full"):
        shell = f"{shlex.join(UCI)} >/dev/full"
        done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
        said = "perft-check: cannot write the output: No space left on device\n"
        assert (done.returncode, done.stderr) == (2, said)


def test_only_kernels_of_perft_check_count(run: Run) -> None:
    said = "Invalid value for '--engine' / '-e': 'stockfish' is not one of own, own:turbo, own:two-plies"
    assert wrong(run, "uci", "-e", "stockfish") == said
    done = subprocess.run([*UCI, "-e", "own"], input="perft 3\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nNodes searched: 8902\n\n")


def test_python_chess_connects_and_is_not_left_waiting() -> None:
    with chess.engine.SimpleEngine.popen_uci(UCI, timeout=PATIENCE) as engine:
        assert engine.id["name"].startswith("perft-check ")
        assert {name: option.type for name, option in engine.options.items()} == {
            "Threads": "spin",
            "Hash": "spin",
            "UCI_Chess960": "check",
        }
        engine.configure({"Hash": 64, "Threads": 2})
        engine.ping()
        for board in (chess.Board(), chess.Board.from_chess960_pos(3)):
            assert engine.play(board, chess.engine.Limit(time=60)).move == chess.Move.null()
        with engine.analysis(chess.Board()) as analysis:
            assert analysis.wait().move == chess.Move.null()
        engine.ping()


def shown(engine: subprocess.Popen[str]) -> list[str]:
    """Return the answer to `d`, without a key."""
    told(engine, "d")
    lines = heard(engine, 21)
    while not lines[-1].startswith("Checkers: "):
        lines += heard(engine, 1)
    return [line for line in lines if not line.startswith("Key: ")]


def counted(engine: subprocess.Popen[str], depth: int) -> list[str]:
    """Return the answer to a count, its root moves in a fixed order."""
    told(engine, f"go perft {depth}")
    lines = heard(engine, 2)
    while not lines[-2].startswith("Nodes searched: "):
        lines += heard(engine, 1)
    return sorted(lines[:-3]) + lines[-3:]


@needs_stockfish
def test_transcripts_are_those_of_stockfish() -> None:
    """Each engine is asked alone: Stockfish shows a position at once, also while it counts another one."""
    chess960 = [case.position for case in load_suite(bundled_path("chess960")).cases[::12]]
    assert len(chess960) == 12
    engines = started(), started([STOCKFISH or ""])
    assert [len(heard(engine, 1)) for engine in engines] == [1, 1]  # the name
    for position in [resolve_position(name) for name in NAMES] + chess960:
        castling = position.legal_moves[-1].uci(position.chess960)  # if there is any
        line = f"position fen {position.fen()}"
        for engine in engines:
            told(engine, f"setoption name UCI_Chess960 value {str(position.chess960).lower()}", line)
        ours, theirs = ([shown(one), *(counted(one, depth) for depth in DEPTHS)] for one in engines)
        assert ours == theirs
        for engine in engines:
            told(engine, f"{line} moves {castling}")
        ours, theirs = ([shown(one), counted(one, 2)] for one in engines)
        assert ours == theirs
    for engine in engines:
        told(engine, "quit")
        assert ended(engine) == (0, "", "")


@pytest.mark.slow
def test_it_stands_in_for_stockfish_in_our_own_commands(run: Run) -> None:
    for suite in ("smoke", "special", "chess960-special"):
        done = run("-e", SPEC, "-s", suite, "--max-nodes", "20000")
        assert done.returncode == 0, done.stdout
    done = run("divide", "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1", "3", "-e", "zoo:ep-pinned-along", "-a", SPEC)
    assert done.returncode == 1, done.stdout
    done = run("divide", "kiwipete", "4", "-e", SPEC, "-a", "own:turbo")
    assert done.returncode == 0, done.stdout
    done = run("fuzz", "-e", SPEC, "-n", "80", "--seed", "1")
    assert done.returncode == 0, done.stdout


PAGE = Path(__file__).parents[3] / "docs" / "uci.md"
SHOWN = re.compile(r"^```text\n\$ printf '(?P<input>.*)' \| perft-check uci\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)


def test_the_session_of_the_page_is_what_the_engine_prints() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sessions = list(SHOWN.finditer(page))
    assert len(sessions) == page.count("| perft-check ") == 1
    for session in sessions:
        lines = session["input"].replace(r"\n", "\n")
        done = subprocess.run([*PROGRAM, "uci"], input=lines, capture_output=True, text=True, check=True)
        assert done.stdout == session["output"]
