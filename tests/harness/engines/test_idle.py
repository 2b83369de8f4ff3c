"""Engines that do not answer the first question are reported with their output, even without a time limit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from helpers.fakes import written_engine
from helpers.program import Done, Run
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine

pytestmark = pytest.mark.slow  # each test starts engines

ENGINE = """
import threading, time

def say(*lines):
    print(*lines, sep="\\n", flush=True)

class Mine(UciEngine):
    prints_moves = False

    def hear(self, line):
        def tell(depth):
            self.answer(int(depth))
            sys.stdout.flush()

        match line.split():
            case ["isready"]:
                time.sleep(READY)
                say("readyok")
            case ["uci"] | ["position", *_]:
                super().hear(line)
            case CASE

Mine().serve()
"""
NO_WAY = "does not count, or in no known way, when sent go perft 2, perft 2, divide 2"

Perft = Callable[..., Done]


def engine_of(folder: Path, case: str, ready: str = "0", notes: str = "") -> str:
    """Return an engine that also executes the commands of a `case`, and is ready after some seconds."""
    program = ENGINE.replace("CASE", case).replace("READY", ready)
    return written_engine(folder / "it.py", program.replace("        match", f"        {notes}\n        match"))


@pytest.fixture
def perft(run: Run, tmp_path: Path) -> Perft:
    """Count the starting position, without a time limit, with an engine that has the given additional behavior."""
    return lambda case: run("perft", "startpos", "3", "-e", engine_of(tmp_path, case))


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ('["go", *_]: sys.exit(3)', "exited with status 3"),
        ('["go", *_]: sys.exit("no such position")', "exited with status 1: no such position"),
        (
            "_: tell(1)",
            "does not count 8902 nodes in the starting position when sent go perft 3; it said 'Nodes searched: 20'",
        ),
        ('["go", *_]: say("what?")', f"{NO_WAY}: {{name}} does not answer, and is ready for more; it said 'what?'"),
        ("[]: pass", f"{NO_WAY}: {{name}} does not answer, and is ready for more"),
    ],
)
def test_message_for_an_engine_that_does_not_count(perft: Perft, tmp_path: Path, case: str, message: str) -> None:
    done = perft(case)
    name = "it.py"
    assert (done.returncode, done.stdout) == (3, "")
    advice = f"perft-check doctor -e '{sys.executable} {tmp_path / 'it.py'}'"
    assert done.stderr == f"perft-check: {name} {message.format(name=name)}; try: {advice}\n"


@pytest.mark.parametrize(
    "case",
    [
        '["divide", depth]: tell(depth)',
        '["go", "perft", "3"]: sys.exit(3)\n            case ["perft", depth]: tell(depth)',
        # It counts in another thread, so it is always ready.
        '["go", "perft", depth]: threading.Timer(1.0, tell, [depth]).start()',
        # It does not read while it counts.
        '["go", "perft", depth]: time.sleep(3.0); tell(depth)',
        # The answer to the first command has the count among a varying number of other numbers.
        '["go", "perft", depth]: n = self.count(self.board, int(depth)); say("7 " * (n % 5) + str(n) + " 5" * (n % 4))'
        '\n            case ["perft", depth]: tell(depth)',
    ],
)
def test_unusual_uci_engine_is_understood(perft: Perft, case: str) -> None:
    done = perft(case)
    assert (done.returncode, done.stdout) == (0, "8902\n"), done.stderr


@pytest.mark.parametrize(
    ("case", "asked"),
    [
        ("['go', *_]: time.sleep(60)", ["go perft 3", "perft 3", "divide 3", "go perft 2"]),  # it never ends
        ("['go' | 'perft' | 'divide', *_]: time.sleep(60)", ["go perft 3", "perft 3", "divide 3", "go perft 2"]),
        (
            "['go', 'perft', '3']: time.sleep(60)\n            case ['go', *_]: tell(2)",
            ["go perft 3", "perft 3", "divide 3"],
        ),
    ],
)
def test_silent_busy_engine_is_not_asked_other_commands(run: Run, tmp_path: Path, case: str, asked: list[str]) -> None:
    engine = engine_of(tmp_path, case, notes="print(line.strip(), file=open('asked', 'a'))")
    done = run("perft", "startpos", "2", "--timeout", "2", "-e", engine)
    counted = [line for line in (tmp_path / "asked").read_text().splitlines() if "perft" in line or "divide" in line]
    assert counted[: len(asked)] == asked
    assert "perft 2" not in counted
    assert done.returncode == (0 if len(asked) == 3 else 3), done.stderr


def test_late_readyok_does_not_answer_the_next_isready(tmp_path: Path) -> None:
    """The late `readyok` could be mistaken for the one after the FEN."""
    fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1"
    case = f'["d"]: say("Fen: {fen}")\n            case ["go", "perft", depth]: time.sleep(1.5); tell(depth)'
    with closing(open_engine(engine_of(tmp_path, case, ready="0.3"))) as engine:
        engine.start(EngineCall())
        assert [engine.fen(Game(Position.start()), EngineCall()) for _ in range(2)] == [fen, fen]
