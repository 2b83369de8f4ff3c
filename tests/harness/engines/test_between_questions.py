"""An engine whose process has ended by itself between two questions has crashed: no new process hides that."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from helpers.fakes import quirky
from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.processes import children_of, processes_called_with, until
from perft_check.generator import Line, Position
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.registry import open_engine

START = Line(Position.start())
CALLABLE = """
import chess
class Board(chess.Board):
    def __init__(self, fen=chess.STARTING_FEN): super().__init__(fen)
"""
WORDS = {"uci": "quirks.py", "lib": "libmade.so", "python": "boards"}
"""What the command line of a process has."""


def spec_of(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return an engine of a kind that is right."""
    if kind == "uci":
        return quirky()
    if kind == "lib":
        return f"lib:{built(folder, EXAMPLES / 'c' / 'library.c', '-O2')}"
    (folder / "boards.py").write_text(CALLABLE)
    monkeypatch.chdir(folder)
    return "python:boards:Board"


@pytest.mark.parametrize("kind", ["uci", pytest.param("lib", marks=needs_cc), "python"])
def test_a_process_that_ends_between_questions_has_crashed(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(spec_of(kind, tmp_path, monkeypatch))
    engine.start(EngineCall())
    assert engine.perft(START, 2, EngineCall()) == 400
    (process,) = set(children_of(os.getpid())) & set(processes_called_with(WORDS[kind]))
    os.kill(process, signal.SIGKILL)
    until(lambda: os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT), "its end")
    with pytest.raises(EngineCrash, match="was killed by SIGKILL"):
        engine.perft(START, 2, EngineCall())
    assert engine.perft(START, 2, EngineCall()) == 400
    engine.close()


def test_one_that_was_stopped_is_started_again() -> None:
    engine, call = open_engine(quirky()), EngineCall()
    engine.start(EngineCall())
    engine.perft(START, 1, call)
    call.stop()
    assert engine.perft(START, 2, EngineCall()) == 400
    engine.close()
