"""A process that ends between two questions is a crash, which a restart must not hide."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from helpers.fakes import quirky, written_engine
from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.processes import children_of, processes_called_with, until
from helpers.program import Run
from perft_check.generator import Game, Position
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine

START = Game(Position.start())
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CALLABLE = """
import chess
class Board(chess.Board):
    def __init__(self, fen=chess.STARTING_FEN): super().__init__(fen)
"""
ENDS_AFTER_AN_ANSWER = """
class Mine(UciEngine):
    prints_moves = False
    def answer(self, depth):
        super().answer(depth)
        sys.exit(STATUS)

Mine().serve()
"""
WORDS = {"uci": "quirks.py", "lib": "libmade.so", "python": "boards"}
"""Text in the command line of the process."""


def spec_of(engine_type: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the SPEC of a correct engine of this type."""
    if engine_type == "uci":
        return quirky()
    if engine_type == "lib":
        return f"lib:{built(folder, EXAMPLES / 'c' / 'library.c', '-O2')}"
    (folder / "boards.py").write_text(CALLABLE)
    monkeypatch.chdir(folder)
    return "python:boards:Board"


@pytest.mark.parametrize("engine_type", ["uci", pytest.param("lib", marks=needs_cc), "python"])
def test_process_ending_between_questions_is_a_crash(
    engine_type: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(spec_of(engine_type, tmp_path, monkeypatch))
    engine.start(EngineCall())
    assert engine.perft(START, 2, EngineCall()) == 400
    (process,) = set(children_of(os.getpid())) & set(processes_called_with(WORDS[engine_type]))
    os.kill(process, signal.SIGKILL)
    until(lambda: os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT), "its end")
    with pytest.raises(EngineCrash, match="was killed by SIGKILL"):
        engine.perft(START, 2, EngineCall())
    assert engine.perft(START, 2, EngineCall()) == 400
    engine.close()


def test_program_ending_normally_after_each_answer_is_restarted(run: Run, tmp_path: Path) -> None:
    engine = written_engine(tmp_path / "engine.py", ENDS_AFTER_AN_ANSWER.replace("STATUS", ""))
    (tmp_path / "suite.epd").write_text(f"{Position.start()} ;D1 20 ;D2 400\n{KIWIPETE} ;D1 48 ;D2 2039\n")
    done = run("run", "-s", "suite.epd", "-e", engine, COLUMNS="300")
    assert (done.returncode, "all 2 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize("prints_moves", [False, True])
def test_program_failing_after_each_answer_is_a_crash(prints_moves: bool, run: Run, tmp_path: Path) -> None:
    source = ENDS_AFTER_AN_ANSWER.replace("STATUS", "7").replace("False", str(prints_moves))
    engine = written_engine(tmp_path / "engine.py", source)
    (tmp_path / "suite.epd").write_text(f"{Position.start()} ;D1 20 ;D2 400\n")
    done = run("run", "-s", "suite.epd", "-e", engine, COLUMNS="300")
    assert done.returncode == 3
    assert "engine.py exited with status 7" in done.stdout
    done = run("doctor", "-e", engine, COLUMNS="300")
    assert done.returncode == 3
    assert "crash: engine.py exited with status 7" in done.stdout
    assert "from depth 2 on" not in done.stdout


def test_stopped_engine_is_restarted() -> None:
    engine, call = open_engine(quirky()), EngineCall()
    engine.start(EngineCall())
    engine.perft(START, 1, call)
    call.stop()
    assert engine.perft(START, 2, EngineCall()) == 400
    engine.close()
