"""Engines that take seconds to start: the time for their answers begins once they read."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import pytest
from perft_check.generator.line import Line
from perft_check.generator.position import Position
from perft_check.harness.asking.client import CallRunner, EngineClient, TimeLimit
from perft_check.harness.engines.base import EngineTimeout
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.registry import open_engine

START = 2.5
"""Seconds that the engines take to start: more than any step of the inquiry lets them have for an answer."""
ENGINE = """
import sys, time
from pathlib import Path
with open(Path(__file__).with_suffix(".starts"), "a") as starts:
    starts.write("started\\n")
time.sleep(START)
import chess

def count(board, depth):
    total = 0 if depth else 1
    for move in board.legal_moves if depth else ():
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total

board = chess.Board()
for line in sys.stdin:
    words = line.split() or [""]
    match words:
        case ["uci"] if UCI: print("uciok")
        case ["isready"] if UCI:
            time.sleep(READY)
            READY = 0
            print("readyok")
        case ["position", "startpos"]: board = chess.Board()
        case ["position", "fen", *rest]:
            end = rest.index("moves") if "moves" in rest else len(rest)
            board = chess.Board(" ".join(rest[:end]))
            for text in rest[end + 1 :]:
                board.push_uci(text)
        case ["go", "perft", depth] if UCI: print(f"Nodes searched: {count(board, int(depth))}")
        case ["perft", depth] if not UCI: print(f"nodes {count(board, int(depth))}")
        case ["quit"]: break
    sys.stdout.flush()
"""
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def engine_in(folder: Path, start: float = START, ready: float = 0.0, *, uci: bool = True) -> Path:
    """Write an engine, and return its path."""
    path = folder / "slow.py"
    constants = f"START, READY, UCI = {start}, {ready}, {uci}\n"
    path.write_text(constants + ENGINE)
    return path


def starts_of(path: Path) -> int:
    """Return how often the engine was started."""
    return len(path.with_suffix(".starts").read_text().split())


@pytest.mark.slow
@pytest.mark.parametrize("before", ["uci:", ""])
@pytest.mark.parametrize("seconds", [1.0, 10.0])
def test_an_engine_that_starts_slowly_is_started_once(tmp_path: Path, before: str, seconds: float) -> None:
    path = engine_in(tmp_path)
    with closing(open_engine(f"{before}{sys.executable} {path}")) as engine:
        client = EngineClient(engine, CallRunner(), TimeLimit(seconds))
        client.start()
        assert client.perft(Line(Position.from_fen(KIWIPETE)), 2) == 2039
    assert starts_of(path) == 1


@pytest.mark.slow
def test_an_engine_that_is_ready_late_is_started_once(tmp_path: Path) -> None:
    path = engine_in(tmp_path, start=0.0, ready=2.2)
    with closing(open_engine(f"{sys.executable} {path}")) as engine:
        engine.start(EngineCall(60))
        assert engine.spec == f"{sys.executable} {path}"
    assert starts_of(path) == 1


@pytest.mark.slow
def test_an_engine_without_uci_that_starts_slowly_is_understood(tmp_path: Path) -> None:
    path = engine_in(tmp_path, uci=False)
    with closing(open_engine(f"{sys.executable} {path}")) as engine:
        client = EngineClient(engine, CallRunner(), TimeLimit(10.0))
        client.start()
        assert client.perft(Line(Position.from_fen(KIWIPETE)), 2) == 2039
    assert starts_of(path) <= 5


@pytest.mark.slow
def test_a_process_that_is_started_again_has_the_whole_time_for_its_answer(tmp_path: Path) -> None:
    path = engine_in(tmp_path)
    with closing(open_engine(f"uci:{sys.executable} {path}")) as engine:
        client = EngineClient(engine, CallRunner(), TimeLimit(2.0))
        client.start()
        engine.close()
        assert client.perft(Line(Position.from_fen(KIWIPETE)), 2) == 2039
        assert client.find_depth_limit(3) is None
        assert client.try_depth(3) is None


@pytest.mark.slow
@pytest.mark.parametrize("before", ["uci:", ""])
def test_an_engine_that_reads_nothing_is_refused_at_its_first_start(tmp_path: Path, before: str) -> None:
    path = engine_in(tmp_path, start=1000)
    with closing(open_engine(f"{before}{sys.executable} {path}")) as engine, pytest.raises(EngineTimeout) as caught:
        engine.start(EngineCall(1.0))
    assert str(caught.value) == "slow.py does not answer 'uci' by 'uciok' within 5 seconds"
    assert starts_of(path) == 1
