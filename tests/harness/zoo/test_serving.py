"""Faults as processes: their commands, findings through the harness, crashes and hangs."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import replace

import pytest
from helpers.demonstrations import descent, game_of
from helpers.program import PROGRAM, Run
from perft_check.errors import UsageError
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.cli.actions import zoo
from perft_check.harness.engines.base import EngineCrash, EngineRejection, EngineTimeout
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.stdio.descriptor import UCI_CASE, Descriptor
from perft_check.harness.engines.types.stdin_engine import StdinEngine
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine

pytestmark = pytest.mark.slow  # each test starts a process

SERVE = [*PROGRAM, "zoo", "serve"]
SEEN_OUTSIDE = [
    "chess960-rook-toggled-off",
    "right-lost-by-undo",
    "ep-pinned-along",
    "hash-move-twice",
    *(pytest.param(name, marks=pytest.mark.long) for name in ("castling-check-unseen", "right-survives-capture")),
    *("startpos-without-rights", "new-game-rights-survive", "fen-adds-rights", "position-told-twice"),
]
"""Faults of states, counts, lists, duplicate moves and setups."""
CASE = UCI_CASE.replace("{command}", "go perft {depth}")


def ask(name: str, *commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SERVE, name], input="\n".join(commands) + "\n", capture_output=True, text=True, timeout=60, check=False
    )


def engine_of(name: str) -> StdinEngine:
    return StdinEngine(name, Descriptor(name, (*SERVE, name), CASE))


def test_the_program_speaks_uci() -> None:
    done = ask(
        "right-survives-capture",
        "uci",
        "isready",
        "position startpos moves e2e4",
        "go perft 2",
        "position fen 4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1 moves a2a3 b7h1",
        "d",
        "go perft 1",
        "position startpos moves e2e5",
        "position fen 8/8/8 w",
        "go perft 1",
        "position startpos",
        "go perft 0",
        "quit",
    )
    answer = done.stdout.splitlines()
    assert done.returncode == 0
    assert {"uciok", "readyok", "a7a6: 30", "Nodes searched: 600"} <= {*answer}
    assert "Fen: 4k3/8/8/8/8/P7/8/4K2b w K - 0 2" in answer
    assert "e1g1: 1" in answer
    assert sum(line.startswith("Nodes searched") for line in answer) == 3
    assert "Nodes searched: 1" in answer
    assert "info string illegal move e2e5" in answer
    assert any(line.startswith("info string invalid fen") for line in answer)


def test_castling_is_printed_as_uci_chess960_requires() -> None:
    position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    name = "control-other-order"
    answer = ask(name, position, "go perft 1", "setoption name UCI_Chess960 value true", position, "go perft 1")
    castling = [line for line in answer.stdout.splitlines() if line.startswith(("e1g1", "e1h1"))]
    assert castling == ["e1g1: 1", "e1h1: 1"]


@pytest.mark.parametrize("name", SEEN_OUTSIDE)
def test_a_served_fault_gives_the_same_finding_as_the_engine_in_process(name: str) -> None:
    """The finding must be the same, except for a FEN that the process prints after a setup."""
    fault, engine = ZOO[name], engine_of(name)
    try:
        finding = descent(fault, engine)
    finally:
        engine.close()
    inside = descent(fault, ZooEngine(name))
    assert finding is not None
    assert inside is not None
    assert finding == (replace(inside, note=finding.note) if fault.demonstration.setup else inside)
    rules = {move.rule for move in (*finding.wrong, *finding.state)}
    assert fault.demonstration.setup or rules <= {*fault.rules}


def test_a_crash_ends_the_process_with_a_message() -> None:
    done = ask("ep-square-crashes", "position fen 4k3/7p/8/8/4P3/8/8/4K3 b - e3 0 1", "go perft 1")
    assert (done.returncode, done.stdout, done.stderr) == (134, "", "crashed: square index 64\n")


def test_a_crash_and_a_hang_raise_different_errors() -> None:
    for name, error in (("ep-square-crashes", EngineCrash), ("tables-never-ready", EngineTimeout)):
        engine = engine_of(name)
        with pytest.raises(error):
            engine.divide(game_of(ZOO[name]), 1, EngineCall(5))
        engine.close()


def test_a_position_that_is_refused_silently_is_rejected() -> None:
    """The harness sets up a known position before each one, so the count of that position shows the refusal."""
    engine = engine_of("stale-result")
    try:
        with pytest.raises(EngineRejection, match="counts another position: it has refused this one without a word"):
            engine.perft(game_of(ZOO["stale-result"]), 1, EngineCall(30))
        assert engine.perft(Game(Position.start()), 1, EngineCall(30)) == 20
    finally:
        engine.close()


def test_faults_start_without_the_compiler() -> None:
    modules = [f"perft_check.harness.{name}" for name in ("cli.app", "cli.actions.serving", "zoo.serve")]
    program = f"import sys, {', '.join(modules)}; print('numba' in sys.modules)"
    done = subprocess.run([PROGRAM[0], "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


def test_every_fault_can_be_shown(capfd: pytest.CaptureFixture[str]) -> None:
    for name, fault in ZOO.items():
        zoo.show(name)
        shown = capfd.readouterr().out
        assert fault.story.split()[0] in shown
        assert fault.demonstration.fen in shown


def test_the_list_names_all_of_a_class(capfd: pytest.CaptureFixture[str]) -> None:
    zoo.list_faults("pins")
    assert [line.split()[0] for line in capfd.readouterr().out.splitlines()[1:]] == [
        name for name, fault in ZOO.items() if fault.fault_class == "pins"
    ]
    zoo.list_faults(None)
    assert len(capfd.readouterr().out.splitlines()) == len(ZOO) + 1
    with pytest.raises(UsageError, match="no class 'bishops'"):
        zoo.list_faults("bishops")


@pytest.mark.parametrize(
    ("name", "command"),
    [
        (
            "ep-pinned-along",
            "perft-check divide '7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1' 3 -e zoo:ep-pinned-along -a own:turbo",
        ),
        (
            "castling-not-found",
            "perft-check fuzz --replay '4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1' "
            "-e zoo:castling-not-found -a own:turbo",
        ),
        (
            "inner-right-not-printed",
            "perft-check fuzz --replay '4krr1/8/8/8/8/8/8/4K3 w f - 0 1' "
            "-e zoo:inner-right-not-printed -a own:turbo --chess960",
        ),
        (
            "fen-adds-rights",
            "perft-check fuzz --replay '4k3/8/8/8/8/8/8/4K2R w - - 0 1 setup after-another' "
            "-e zoo:fen-adds-rights -a own:turbo",
        ),
    ],
)
def test_the_command_that_shows_a_fault(name: str, command: str, run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    zoo.show(name)
    assert capfd.readouterr().out.splitlines()[-1] == f"see       {command}"
    done = run(*shlex.split(command)[1:])
    assert done.returncode in (1, 3)


def test_an_answer_about_the_previous_position_is_one_rejection(run: Run) -> None:
    spec = f"uci:{shlex.join([*SERVE, 'stale-result'])}"
    done = run("fuzz", "--replay", "k7/8/8/2p5/8/8/7P/K7 w - c6 0 1", "-e", spec, "-a", "own:turbo")
    assert done.returncode == 3, done.stdout
    assert [line for line in done.stdout.splitlines() if line[:2] in ("1.", "2.")] == ["1. rejected position"]
