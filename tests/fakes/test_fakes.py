"""Each fake starts and behaves according to its name, in bounded time."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import dialect, engine
from helpers.processes import PATIENCE

FOLDER = Path(engine.__file__).parent
HELLO = ["uci", "isready"]
COUNT = [*HELLO, "position startpos", "go perft 3"]

Started = subprocess.Popen[bytes]


@pytest.fixture
def processes() -> Iterator[list[Started]]:
    """Processes that are appended here are killed at the end of the test."""
    started: list[Started] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("mode", "lines"),
    [
        ("right", ["uciok", "readyok", "e2e4: 600", "Nodes searched: 8902"]),
        ("no-uciok", ["readyok", "Nodes searched: 8902"]),
        ("prints-nothing", ["uciok", "readyok"]),
        ("right-number-wrong-line", ["info string 8902 nodes maybe", "Nodes searched: 8903"]),
        ("slow", ["Nodes searched: 8902"]),
        ("contradicts", ["e2e4: 600", "Nodes searched: 8903"]),
        ("no-divide", ["uciok", "8902"]),
        ("crlf", ["uciok", "Nodes searched: 8902"]),
        ("no-last-newline", ["uciok", "Nodes searched: 8902"]),
    ],
)
def test_printed_answers(mode: str, lines: list[str]) -> None:
    answer = ask(mode, *COUNT).stdout.decode()
    assert {*lines} <= {*answer.splitlines()}
    assert answer.endswith("8902") == (mode == "no-last-newline")
    assert ("\r\n" in answer) == (mode == "crlf")
    assert ("uciok" in answer) == (mode != "no-uciok")
    assert ("Nodes searched" in answer) == (mode not in ("prints-nothing", "no-divide"))


def test_silent() -> None:
    assert ask("silent", *COUNT).stdout == b""


def test_right_counts_elsewhere_too() -> None:
    answer = ask(
        "right",
        "position startpos moves e2e4 e7e5",
        "go perft 2",
        "setoption name UCI_Chess960 value true",
        "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "go perft 1",
        "go perft 0",
    )
    assert b"e1h1: 1" in answer.stdout
    totals = [line.split()[-1] for line in answer.stdout.splitlines() if line.startswith(b"Nodes")]
    assert totals == [b"835", b"15", b"1"]


@pytest.mark.parametrize(("mode", "status"), [("crashes", -signal.SIGSEGV), ("exits", 3), ("exits-on-bad-fen", 1)])
def test_ends(mode: str, status: int) -> None:
    answer = ask(mode, *HELLO, f"position fen {engine.BAD_FEN}", "go perft 1")
    assert answer.returncode == status
    assert b"Nodes" not in answer.stdout


def test_bad_fens() -> None:
    questions = ["position startpos", "go perft 1", f"position fen {engine.BAD_FEN}", "go perft 1"]
    assert ask("ignores-bad-fen", *questions).stdout.count(b"Nodes searched: 20") == 2
    rejecting = ask("rejects-bad-fen", *questions).stdout
    assert b"invalid FEN" in rejecting
    assert rejecting.count(b"Nodes") == 1
    other = ["position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "go perft 1"]
    assert subprocess.run(command("exits-on-bad-fen", other[0][13:]), input="\n".join(other).encode()).returncode == 1


def test_crash_once(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    assert ask("crash-once", *COUNT, argument=str(flag)).returncode == -signal.SIGSEGV
    assert b"Nodes searched: 8902" in ask("crash-once", *COUNT, argument=str(flag)).stdout


def test_wrong_every_third() -> None:
    answer = ask("wrong-every-third", *["go perft 1"] * 6).stdout
    assert [int(line.split()[-1]) for line in answer.splitlines() if line.startswith(b"Nodes")] == [20, 20, 21] * 2


def test_bytes_that_are_not_text() -> None:
    garbage = ask("garbage", *COUNT).stdout
    assert len(garbage) > 65536
    assert b"Nodes" not in garbage
    strange = ask("not-utf8", *COUNT).stdout
    assert b"Nodes searched: 8902" in strange
    with pytest.raises(UnicodeDecodeError):
        strange.decode()


def test_stderr_flood() -> None:
    answer = ask("stderr-flood", *COUNT)
    assert b"Nodes searched: 8902" in answer.stdout
    assert len(answer.stderr) > 4_000_000


@pytest.mark.parametrize("mode", ["floods", "floods-one-line"])
def test_floods(mode: str, processes: list[Started]) -> None:
    process = start(processes, mode, *COUNT)
    assert process.stdout is not None
    text = process.stdout.read(1 << 20)
    assert len(text) == 1 << 20
    assert (text.count(b"\n") < 20) == (mode == "floods-one-line")


def test_closes_pipe(processes: list[Started]) -> None:
    process = start(processes, "closes-pipe", *COUNT)
    assert process.stdout is not None
    assert b"Nodes" not in process.stdout.read()
    assert process.poll() is None


def test_hangs_on_any_input(processes: list[Started]) -> None:
    process = start(processes, "hangs", *COUNT, "stop", "quit")
    assert process.stdout is not None
    while process.stdout.readline() != b"readyok\n":
        pass
    time.sleep(0.2)
    process.terminate()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.3)


def test_depth_0_searches(processes: list[Started]) -> None:
    process = start(processes, "depth-0-searches", "go perft 1", "go perft 0", "quit")
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(26)]
    assert b"Nodes searched: 20\n" in lines
    assert lines[-2].startswith(b"info depth 2")
    assert process.poll() is None


def test_leaves_children(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    answer = ask("leaves-children", *COUNT, argument=str(pids))
    assert b"Nodes searched: 8902" in answer.stdout
    near, far = map(int, pids.read_text(encoding="utf-8").split())
    try:
        assert os.getsid(near) == os.getsid(0)
        assert os.getsid(far) == far
    finally:
        for pid in (near, far):
            os.kill(pid, signal.SIGKILL)


def test_eats_memory() -> None:
    limited = subprocess.run(
        command("eats-memory"),
        input="\n".join(COUNT).encode(),
        capture_output=True,
        timeout=PATIENCE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20)),
    )
    assert b"MemoryError" in limited.stderr
    assert limited.returncode == 1


def test_unknown_mode_is_rejected() -> None:
    assert b"usage" in ask("none-such").stderr


QUESTIONS = {
    "ethereal": "perft {}", "reckless": "perft {}", "rubichess": "perft {}", "monty": "perft {}",
    "crafty": "perft {}", "pychess": "perft {}", "horsie": "perft {}", "motors": "splitperft {}",
    "juddperft": "dividefast {}", "octopus": "d {}",
    "goob": "perft {}", "bitboards": "perft {}", "pygmalion": "perft {}",
}  # fmt: skip
ANSWERS = {
    "stockfish": ["e2e4: 600", "", "Nodes searched: 8902"],
    "ethereal": ["8902"],
    "berserk": [" e2e4: 600", "Nodes: 8902"],
    "koivisto": ["e2e4 600", "nodes: 8902 nps: 8902000"],
    "viridithas": ["e2e4: 600", "info depth 3 nodes 8902 time 1 nps 8902000"],
    "reckless": [" 16     e2e4          600        0.000s         0.00 kN/s"],
    "obsidian": ["e2e4 -> 600", "nodes: 8902"],
    "rubichess": ["e2e4 : 600", "Total nodes: 8902"],
    "monty": ["e2e4: 600", "perft 3 time 0 nodes 8902 (8.90 Mnps)"],
    "crafty": ["total moves=8902  time=0.00"],
    "motors": ["e2e4\t600", "info depth 3 nodes 8902 time 1 nps 8902000"],
    "juddperft": ["e2-e4 600", "Perft 3: 8902"],
    "octopus": ["Pe2e4 600", "n = 8,902"],
    "pychess": ["   e2-e4        600       7060", " 3       8902  0.01    890200.00nps"],
    "stockdory": ["Nodes searched: 8,902"],
    "plentychess": ["e2e4: 600", "Perft: 8902 nodes in 0.001s => 8902000nps"],
    "stash": ["info nodes 8902"],
    "horsie": ["e2e4: 600", "Total: 8902"],
    "goob": ["  16 : e2e4 : 600", "Nodes Searched: 8902, Time: 0ms"],
    "aramis": ["Depth: 2 Nodes: 400 Time: 6.4e-05", "Depth: 3 Nodes: 8902 Time: 6.4e-05"],
    "bitboards": ["8902 nodes in 0ms"],
    "pygmalion": ["e2e4: 600", "Leafs: 8902"],
    "console": ["e2e4: 600", "", "Nodes searched: 8902"],
}


@pytest.mark.parametrize("name", dialect.DIALECTS)
def test_dialects(name: str) -> None:
    """The dialects are called in this process; another test starts the program."""
    speaker = dialect.DialectEngine(name)
    question = QUESTIONS.get(name, "go perft {}")
    setboard = name in ("crafty", "juddperft", "octopus", "pychess")
    position = "setboard" if setboard else "position fen"
    assert list(speaker.answer("uci"))[-1:] == ([] if setboard else ["uciok"])
    assert {*ANSWERS[name]} <= {*speaker.answer(question.format(3))}
    assert list(speaker.answer(f"{position} {engine.BAD_FEN}")) == []
    text = "\n".join(speaker.answer(question.format(2))).replace(",", "")
    assert "2039" in text


def test_peculiarities_of_dialects() -> None:
    assert list(dialect.DialectEngine("obsidian").answer("go perft 1")) == ["nodes: 20"]
    assert len([line for line in dialect.DialectEngine("pychess").answer("perft 2") if line.endswith("nps")]) == 2
    assert "Nodes: 48" in list(dialect.DialectEngine("berserk").answer(f"perft 1 {engine.BAD_FEN}"))
    with pytest.raises(IndexError, match="crashes"):
        list(dialect.DialectEngine("horsie").answer("perft 1"))


def test_dialect_as_a_program() -> None:
    castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    lines = ["uci", "position fen nonsense", castling, "perft 1", "setoption name UCI_Chess960 value true", castling]
    answer = subprocess.run(
        [sys.executable, FOLDER / "dialect.py", "monty"],
        input="\n".join([*lines, "perft 1", "quit"]),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout.splitlines()
    assert {"uciok", "e1g1: 1", "e1h1: 1"} <= {*answer}
    assert any(line.startswith("info string invalid position") for line in answer)


def test_perftree() -> None:
    arguments = ["2", engine.START, "e2e4 e7e5"]
    answer = subprocess.run(
        [sys.executable, FOLDER / "perftree.py", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    ).stdout.splitlines()
    assert "d1h5 26" in answer
    assert answer[-2:] == ["", "835"]


def command(mode: str, argument: str = "") -> list[str]:
    return [sys.executable, str(FOLDER / "engine.py"), mode, argument]


def ask(mode: str, *lines: str, argument: str = "") -> subprocess.CompletedProcess[bytes]:
    """Ask all questions at once and read the complete answers."""
    return subprocess.run(
        command(mode, argument), input="\n".join([*lines, ""]).encode(), capture_output=True, timeout=20
    )


def start(processes: list[Started], mode: str, *lines: str) -> Started:
    """Start a fake that does not end by itself, and ask it."""
    process = subprocess.Popen(command(mode), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    processes.append(process)
    assert process.stdin is not None
    process.stdin.write("\n".join([*lines, ""]).encode())
    process.stdin.flush()
    return process
