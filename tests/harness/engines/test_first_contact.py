"""The first contact with engines of all types: correct ones pass, and the reports about others are clear."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.fakes import written_engine
from helpers.processes import PATIENCE, is_running, until
from helpers.program import Run
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.stdio.lines import is_rejection
from perft_check.harness.engines.stdio.output import LastWords
from perft_check.harness.engines.stdio.process import Process, ProcessLimits
from perft_check.harness.engines.stdio.transcript import Transcript

SUITE = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039\n"
)

MINE = """
import json
import sys
import chess

def moves(fen): return list(chess.Board(fen, chess960=True).legal_moves)
def texts(fen): return [move.uci() for move in moves(fen)]
def count(fen, depth): return leaves(chess.Board(fen, chess960=True), depth)
def divide(fen, depth, moves):
    board = chess.Board(fen, chess960=True)
    for move in moves: board.push_uci(move)
    pairs = []
    for move in list(board.legal_moves):
        board.push(move); pairs.append((move.uci(), leaves(board, depth - 1))); board.pop()
    return pairs
class Board(chess.Board): pass
def depth_first(depth, fen): return count(fen, depth)
def plies_first(plies, fen, moves): return divide(fen, plies, moves)
def generated(fen, depth, moves=()):
    for text, nodes in divide(fen, depth, moves): yield chess.Move.from_uci(text), nodes
class Tuples:
    def __init__(self, fen): self.board = chess.Board(fen, chess960=True)
    def moves(self):
        named = ((chess.square_name(move.from_square), chess.square_name(move.to_square), move.promotion)
                 for move in self.board.legal_moves)
        return [(*squares, chess.piece_symbol(kind) if kind else None) for *squares, kind in named]
    def do(self, move): self.board.push_uci("".join(filter(None, move)))
    def undo(self): self.board.pop()
def on_board(board: chess.Board, depth: int) -> int: return leaves(board, depth)
def fen_left_out(depth, fen=None, verbose=False): return count(fen or chess.STARTING_FEN, depth)
def by_keyword(fen, *, depth): return count(fen, depth)
async def later(fen, depth): return count(fen, depth)
def as_json(fen, depth): return json.dumps({"total": count(fen, depth)})
def named(fen, depth): return 0.5, count(fen, depth)
def decorated(*arguments, **named): return count(*arguments, **named)
def raises(fen, depth): return fen.legal_moves
def leaves(board, depth):
    if depth == 0: return 1
    total = 0
    for move in list(board.legal_moves):
        board.push(move); total += leaves(board, depth - 1); board.pop()
    return total
def refuses(fen, depth): raise ValueError("invalid FEN")
def four(a, b, c, d): return 0
NUMBER = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "suite.epd").write_text(SUITE)
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "name",
    [
        *("moves", "texts", "count", "divide", "Board", "depth_first", "plies_first", "generated", "Tuples"),
        *("on_board", "fen_left_out", "decorated"),
    ],
)
def test_correct_python_callables_of_every_form_agree(run: Run, name: str) -> None:
    done = run("-e", f"python:mine:{name}", "-s", "suite.epd")
    assert (done.returncode, "all 2 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["run", "divide startpos 2"])
def test_a_callable_that_fails_everywhere_is_reported_in_a_line(run: Run, command: str) -> None:
    done = run(*command.split(), "-e", "python:mine:raises")
    assert (done.returncode, done.stdout) == (3, "")
    *_, line = done.stderr.splitlines()
    assert line.startswith("perft-check: python:mine:raises fails in every position: AttributeError (mine.py:")
    assert line.endswith("'str' object has no attribute 'legal_moves'")


@pytest.mark.usefixtures("folder")
def test_a_callable_can_run_in_another_python(run: Run) -> None:
    done = run("-e", f"python[{sys.executable}]:mine:count", "-s", "suite.epd")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mine:four", "four(a, b, c, d) has unsupported parameters: write f(fen) -> moves"),
        ("mine:by_keyword", "by_keyword(fen, *, depth) has unsupported parameters: write f(fen) -> moves"),
        ("mine:nosuch", "module mine has no attribute 'nosuch'"),
        ("nosuch:divide", "cannot import nosuch: ModuleNotFoundError: No module named 'nosuch'"),
        ("mine", ""),
        ("mine:NUMBER", "NUMBER of mine is not callable: write f(fen) -> moves"),
    ],
)
def test_a_callable_that_cannot_be_called_is_a_usage_error(run: Run, name: str, message: str) -> None:
    done = run("divide", "startpos", "1", "-e", f"python:{name}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"perft-check: engine 'python:{name}': {message}")
    assert done.stderr.count("\n") == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "result"), [("later", "<coroutine object later"), ("as_json", "'{\"total\": 20}'"), ("named", "0.5")]
)
def test_a_result_of_an_unknown_type_is_named(run: Run, name: str, result: str) -> None:
    done = run("divide", "startpos", "1", "-e", f"python:mine:{name}", COLUMNS="300")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"perft-check: python:mine:{name} fails in every position: returned {result}" in done.stderr.splitlines()[-1]
    assert "expected a count" in done.stderr


@pytest.mark.usefixtures("folder")
def test_a_callable_that_raises_value_error_about_the_fen_rejects_it(run: Run) -> None:
    done = run("-e", "python:mine:refuses", "-s", "suite.epd", "--report", "json=-")
    assert {one["verdict"] for one in json.loads(done.stdout)["results"]} == {"rejected position"}


def test_a_callable_does_not_import_modules_of_perft_check(run: Run, folder: Path) -> None:
    (folder / "process.py").write_text("NUMBER = 20\n")
    (folder / "yours.py").write_text("import process\ndef count(fen, depth): return process.NUMBER\n")
    done = run("perft", "startpos", "1", "-e", "python:yours:count")
    assert (done.returncode, done.stdout) == (0, "20\n"), done.stderr


def test_a_program_that_is_not_python_is_reported(run: Run) -> None:
    done = run("perft", "startpos", "1", "-e", "python[echo]:mine:count")
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (3, "", False)
    assert "python:mine:count answers " in done.stderr


def test_long_lines_are_read_quickly() -> None:
    """With patterns that backtrack, each of them took minutes."""
    for line in (" " * 60_000, "e2e4" + " " * 60_000 + "x", "bad " * 15_000, "fen " * 15_000, "1 " * 30_000):
        assert not Transcript(3, None).add(line)
        assert not is_rejection(line)


@pytest.mark.parametrize(
    ("stderr", "line"),
    [
        ("thread 'main' panicked at src/main.rs:3:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
         "thread 'main' panicked at src/main.rs:3:5: index out of bounds"),
        ("Traceback (most recent call last):\n  File \"x\", line 1\nKeyError: 'e2e5'\nleaving\n", "KeyError: 'e2e5'"),
        ("terminate called after throwing an instance of 'std::x'\n  what():  map::at\n", "what():  map::at"),
        ("panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nexit status 2\n",
         "panic: runtime error: index out of range"),
        ("thread 'main' (23487) panicked at a.rs:1:85:\nindex 71 out of bounds\nstack backtrace:\n   3: a::main\n",
         "thread 'main' panicked at a.rs:1:85: index 71 out of bounds"),
        ("AddressSanitizer:DEADLYSIGNAL\n==25539==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008\n"
         "    #0 0x55e in main a.c:4:9\n\nAddressSanitizer can not provide additional info.\n"
         "SUMMARY: AddressSanitizer: SEGV a.c:4:9 in main\n==25539==ABORTING\n",
         "SUMMARY: AddressSanitizer: SEGV a.c:4:9 in main"),
        ("==7==ERROR: MemorySanitizer: out of memory\n==7==ABORTING\n", "ERROR: MemorySanitizer: out of memory"),
        ("a.c:3:7: runtime error: index 64 out of bounds for type 'int[64]'\nbye\n",
         "a.c:3:7: runtime error: index 64 out of bounds for type 'int[64]'"),
        ("Exception in thread \"main\" java.lang.IllegalStateException: board broken\n\tat A.main(A.java:1)\n"
         "Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 77 out of bounds\n\tat A.f(A.java:1)\n",
         "Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 77 out of bounds"),
        ("loading tables\n/a.js:1\nthrow new Error('bad square')\n    ^\n\nError: bad square\n"
         "    at f (/a.js:1:54)\n\nNode.js v20.20.2\n", "Error: bad square"),
        ("/b.js:1\nnull.x\n     ^\n\nTypeError: Cannot read properties of null\n    at b.js:1:6\n\nNode.js v20\n",
         "TypeError: Cannot read properties of null"),
        ("Traceback (most recent call last):\n  File \"a\"\nIndexError: list index\n\nThe above exception was ...\n\n"
         "Traceback (most recent call last):\n  File \"a\"\nException: bad square\n", "Exception: bad square"),
        ("one\ntwo\n", "two"),
        ("", ""),
    ],
)  # fmt: skip
def test_telling_line_of_stderr(stderr: str, line: str) -> None:
    words = LastWords()
    words.take(stderr.encode())
    assert words.telling_line() == line


DIES = """
class Dies(UciEngine):
    def position(self, fen, moves):
        if fen.endswith("w K - 0 1"):
            print({last!r}, flush=True)
            os._exit(1)
        super().position(fen, moves)

Dies().serve()
"""


@pytest.mark.parametrize(
    ("last", "message"),
    [
        ("info string error: no rook on h1", "dies.py exited with status 1: info string error: no rook on h1"),
        ("Assertion `sq < 64' failed.", "dies.py exited with status 1: Assertion `sq < 64' failed."),
        ("a2a3: 1", "dies.py exited with status 1"),
    ],
)
def test_last_line_of_stdout_explains_a_crash(run: Run, tmp_path: Path, last: str, message: str) -> None:
    engine = written_engine(tmp_path / "dies.py", DIES.format(last=last))
    done = run("divide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1", "-e", engine)
    assert done.returncode == 3, done
    assert message in [line.removeprefix("perft-check: ") for line in done.stderr.splitlines()]


def test_earlier_answers_do_not_explain_a_crash() -> None:
    script = "input(); print('error: no rook on h1', flush=True); input(); raise SystemExit(1)"
    process = Process("it", [sys.executable, "-c", script], ProcessLimits())
    call = EngineCall(PATIENCE)
    process.begin_question()
    process.send(["count"], call)
    assert process.read(call) == "error: no rook on h1"
    process.begin_question()
    process.send(["count"], call)
    with pytest.raises(EngineCrash, match=r"^it exited with status 1$"):
        process.read(call)


def test_end_of_engine_whose_child_holds_the_pipe_is_a_crash(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\nsys.exit(7)\n"
    )
    done = run("divide", "startpos", "1", "-e", f"uci:{sys.executable} ends.py", "--timeout", "60")
    assert (done.returncode, done.stdout) == (3, "")
    advice = f"try: perft-check doctor -e '{sys.executable} ends.py'"
    assert done.stderr.endswith(f"ends.py exited with status 7; {advice}\n")


KILLED_WHILE_STARTING = """
import os, signal, subprocess, sys
from perft_check.platforms import orphans
orphans.note_start("starting")
subprocess.Popen([sys.executable, "waits.py"], start_new_session=True, env=os.environ | {orphans.MARK: "starting"})
while not (os.path.exists("pid") and open("pid").read().endswith("\\n")):
    pass
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it is found in /proc")
def test_no_engine_survives_sigkill_during_its_start(folder: Path) -> None:
    """The watchdog does not have the PID yet."""
    (folder / "waits.py").write_text("import os, time\nopen('pid', 'w').write(f'{os.getpid()}\\n')\ntime.sleep(600)\n")
    assert subprocess.run([sys.executable, "-c", KILLED_WHILE_STARTING], check=False).returncode == -signal.SIGKILL
    until(lambda: not is_running(int((folder / "pid").read_text())))
