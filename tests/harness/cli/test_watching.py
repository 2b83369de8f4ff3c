"""`run --watch`: a changed engine is asked again, with what failed last time first."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from helpers.processes import restore_signals, until
from helpers.program import PROGRAM, Run
from perft_check.generator.position import Position
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run as run_plan
from perft_check.harness.cli import watching
from perft_check.harness.engines.kinds.own import OwnEngine
from perft_check.harness.model.results.events import CaseStarted
from perft_check.harness.model.shutdown import Interrupt
from perft_check.suites.case import Case, Suite

SERVES = "#!/bin/sh\nexec {python} -m perft_check zoo serve {fault}\n"
SUITE = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n5rk1/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 12\n"


def put(engine: Path, fault: str) -> None:
    """Put an engine in the place of the last one, as a compiler does."""
    text = SERVES.format(python=PROGRAM[0], fault=fault)
    new = engine.with_suffix(".new")
    new.write_text(text)
    new.chmod(0o755)
    new.replace(engine)


@pytest.mark.slow
def test_each_change_is_a_run_and_ctrl_c_ends_with_the_last_status(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    (tmp_path / "own.epd").write_text(SUITE)
    put(engine, "perft-drifts")
    program = subprocess.Popen(
        [*PROGRAM, "run", "-e", "./engine", "-s", "own.epd", "--watch", "-q", "--no-explain"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "1000"},
        preexec_fn=restore_signals,
    )
    assert program.stdout is not None
    assert program.stderr is not None
    told: list[str] = []
    threading.Thread(target=lambda: told.extend(program.stderr), daemon=True).start()  # type: ignore[arg-type]
    assert program.stdout.readline().startswith("not tried: counts deeper than 1, ")
    assert program.stdout.readline().startswith("all 2 positions agree")
    until(lambda: told.count("watching engine, own.epd: Ctrl-C ends\n") == 1)
    put(engine, "castling-through-attack")
    assert program.stdout.readline().startswith("MISMATCH  own:")
    until(lambda: told.count("watching engine, own.epd: Ctrl-C ends\n") == 2)
    program.send_signal(signal.SIGINT)
    assert program.wait(60) == 1


def test_cases_that_go_first() -> None:
    cases = tuple(Case(f"case {number}", Position.start(), ((1, 20),), "made.epd:1") for number in range(4))
    plan = RunPlan(lambda: OwnEngine("own"), (Suite("made", cases),), first=frozenset({("made", "case 2")}))
    begun = [event.name for event in run_plan(plan, Interrupt()) if isinstance(event, CaseStarted)]
    assert begun == ["case 2", "case 0", "case 1", "case 3"]


def test_an_engine_without_a_file_is_not_watched(run: Run) -> None:
    done = run("run", "-e", "own", "--watch")
    line = "perft-check: --watch: own has no file that could change: give a program, as ./my-engine\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)


def test_without_watchfiles(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "find_spec", lambda _name: None)
    line = "perft-check: --watch waits with watchfiles, which is not here: pip install watchfiles\n"
    assert run("run", "-e", "own", "--watch").stderr == line
