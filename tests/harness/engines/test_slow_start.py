"""Engines that take seconds to start: the time limit begins when they read their input.

A program that is started for each question is started only as often as needed.
"""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import WIDE, called_in
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.engines import usual_commands
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession, TimeLimit
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine

START = 2.5
"""Seconds that the engines take to start: more than the time limit for an answer in any step of probing."""
NOTES_ITS_START = f"""
import sys, time
from pathlib import Path
with open(Path(__file__).with_suffix(".starts"), "a") as starts:
    starts.write("started\\n")
time.sleep(START)
sys.path.insert(0, {str(FAKES.parent)!r})
import chess
from fakes.uci_engine import UciEngine
"""
ENGINE = f"""{NOTES_ITS_START}
class Mine(UciEngine):
    prints_moves = False

    def hear(self, line):
        global READY
        words = line.split()
        if words == ["isready"] and UCI:
            time.sleep(READY)
            READY = 0
        if words[0] == "perft" and not UCI:
            self.answer(int(words[1]))
        elif UCI or words[0] == "position":
            super().hear(line)

Mine().serve()
"""
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def engine_in(folder: Path, start: float = START, ready: float = 0.0, *, uci: bool = True) -> Path:
    """Write an engine and return its path."""
    path = folder / "slow.py"
    constants = f"START, READY, UCI = {start}, {ready}, {uci}\n"
    path.write_text(constants + ENGINE)
    return path


def starts_of(path: Path) -> int:
    """Return the number of times that the engine was started."""
    return len(path.with_suffix(".starts").read_text().split())


@pytest.mark.slow
@pytest.mark.parametrize("before", ["uci:", ""])
@pytest.mark.parametrize("seconds", [1.0, 10.0])
def test_slow_start_happens_once(tmp_path: Path, before: str, seconds: float) -> None:
    path = engine_in(tmp_path)
    with closing(open_engine(f"{before}{sys.executable} {path}")) as engine:
        client = EngineSession(engine, CallRunner(), TimeLimit(seconds))
        client.start()
        assert client.perft(Game(Position.from_fen(KIWIPETE)), 2) == 2039
    assert starts_of(path) == 1


@pytest.mark.slow
def test_engine_with_late_uciok_is_a_uci_engine(tmp_path: Path) -> None:
    path = engine_in(tmp_path, start=0.0, ready=2.2)
    with closing(open_engine(f"{sys.executable} {path}")) as engine:
        engine.start(EngineCall(60))
        assert engine.spec == f"{sys.executable} {path}"
        assert engine.descriptor is not None
        assert engine.descriptor.uci


@pytest.mark.slow
def test_slow_engine_without_uci_is_understood(tmp_path: Path) -> None:
    path = engine_in(tmp_path, uci=False)
    with closing(open_engine(f"{sys.executable} {path}")) as engine:
        client = EngineSession(engine, CallRunner(), TimeLimit(10.0))
        client.start()
        assert client.perft(Game(Position.from_fen(KIWIPETE)), 2) == 2039
    assert starts_of(path) <= 5


@pytest.mark.slow
def test_restarted_process_has_the_complete_time_limit(tmp_path: Path) -> None:
    path = engine_in(tmp_path)
    with closing(open_engine(f"uci:{sys.executable} {path}")) as engine:
        client = EngineSession(engine, CallRunner(), TimeLimit(2.0))
        client.start()
        engine.close()
        assert client.perft(Game(Position.from_fen(KIWIPETE)), 2) == 2039
        assert client.find_depth_limit(3) is None
        assert client.try_depth(3) is None


SILENT = """
import sys, time
from pathlib import Path

def note(what):
    with open(Path(__file__).with_suffix(".lives"), "a") as lives:
        lives.write(what + "\\n")

note("starts")
for line in sys.stdin:
    note(line.strip())
note("input ends")
"""


@pytest.mark.slow
@pytest.mark.parametrize("seconds", ["0.5", "3"])
def test_silent_engine_has_had_the_reported_time(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], seconds: str
) -> None:
    program = tmp_path / "silent.py"
    program.write_text(SILENT)
    words = ["run", "-s", "smoke", "--timeout", seconds, "-e", f"uci:{sys.executable} {program}"]
    done = called_in(tmp_path, capfd, *words, **WIDE)
    advice = f"perft-check doctor -e '{sys.executable} {program}'"
    refusal = f"silent.py does not answer 'uci' with 'uciok' within {seconds} seconds; try: {advice}"
    assert (done.returncode, done.stderr) == (3, f"perft-check: {refusal}\n")
    # A second process shows whether it answers at the end of its input, and a third one has the full time.
    lives = ["starts", "uci", "starts", "uci", "input ends", "starts", "uci"]
    assert program.with_suffix(".lives").read_text().splitlines() == lives


PROGRAM = f"""{NOTES_ITS_START}
if len(sys.argv) < 4 or sys.argv[1] != "perft":
    sys.exit("wrong arguments")
mine = UciEngine()
mine.prints_moves = LISTS
mine.set_up(chess.Board(sys.argv[3]), " ".join(sys.argv[4:]).split())
mine.answer(int(sys.argv[2]))
"""


def program_in(folder: Path, *, start: float = 0.0, lists: bool = False) -> str:
    """Write a program that is started for each question, and return its command."""
    path = folder / "called.py"
    path.write_text(f"START, LISTS = {start}, {lists}\n{PROGRAM}")
    return shlex.join([sys.executable, str(path)])


@pytest.mark.slow
@pytest.mark.parametrize(("lists", "words", "starts"), [(False, "", 2), (True, "", 2), (True, " {moves?}", 3)])
def test_program_is_started_only_as_often_as_needed(tmp_path: Path, lists: bool, words: str, starts: int) -> None:
    program = program_in(tmp_path, lists=lists)
    with closing(open_engine(f"cmd:{program} perft {{depth}} {{fen}}{words}")) as engine:
        client = EngineSession(engine, CallRunner(), TimeLimit(60.0))
        client.start()
        assert starts_of(tmp_path / "called.py") == starts
        assert client.perft(Game(Position.from_fen(KIWIPETE)), 2) == 2039


@pytest.mark.slow
def test_doctor_waits_for_a_slow_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(usual_commands, "TRY_SECONDS", 0.2)
    monkeypatch.setattr(usual_commands, "SLOW_START", 0.2)
    program = program_in(tmp_path, start=0.6)
    done = called_in(tmp_path, capfd, "doctor", "-e", program, **WIDE)
    assert done.returncode == 0, done
    assert done.stdout.splitlines()[-1] == f"use it as -e {shlex.quote(f'cmd:{program} perft {{depth}} {{fen}}')}"
    assert " s to start, so trying all formats may take " in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run -s smoke", "divide kiwipete 2", "count startpos 2", "fuzz --examples 10"])
def test_hanging_program_is_refused_with_its_time(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = program_in(tmp_path, start=1000)
    words = [*command.split(), "--timeout", "1", "-e", f"cmd:{program} perft {{depth}} {{fen}}"]
    done = called_in(tmp_path, capfd, *words, **WIDE)
    said = "perft-check: called.py has not answered within 1 second at depth 3 or at depth 2; try: "
    assert (done.returncode, done.stderr.splitlines()[-1].startswith(said)) == (3, True), done
    assert starts_of(tmp_path / "called.py") == 2
