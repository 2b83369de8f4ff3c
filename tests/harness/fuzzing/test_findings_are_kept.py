"""Findings are kept in the corpus, and their commands replay them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock
from helpers.games import game_from
from helpers.planted import discrepancy_at, make_plan
from helpers.processes import restore_signals
from helpers.program import PROGRAM, WIDE, Run
from perft_check.harness.cli.actions import fuzz
from perft_check.harness.cli.program import run_command_line
from perft_check.harness.engines.asking.histories import parse_game
from perft_check.harness.engines.stdio.process import ProcessLimits
from perft_check.harness.fuzzing import corpus
from perft_check.harness.fuzzing.examining import replay_command
from perft_check.harness.fuzzing.plan import FuzzPlan
from perft_check.harness.model.results.verdict import ExitCode, Verdict
from perft_check.suites.case import SuiteError
from perft_check.suites.loader import load_suite

KINGS = game_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
FAULTY = "zoo:promotion-flags-joined"
FUZZED = ["fuzz", "-e", FAULTY, "--seed", "1", "-j", "1", "--strategy", "placements", "--corpus", "findings.epd"]


@pytest.mark.slow
def test_a_printed_finding_survives_sigkill(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, *FUZZED, "-n", "1000000"],
        cwd=tmp_path,
        env=os.environ | WIDE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=restore_signals,
    )
    assert process.stderr is not None
    found = next(line for line in process.stderr if line.startswith("suspect: "))
    process.kill()
    assert process.wait() == -signal.SIGKILL
    fen = found.rstrip().rpartition(": ")[2].partition(" moves ")[0]
    assert fen in [case.position.fen() for case in load_suite(tmp_path / "findings.epd")]


@pytest.mark.slow
def test_a_finished_run_stores_reduced_findings_only(fuzz: Run, tmp_path: Path) -> None:
    done = fuzz(*FUZZED[1:], "-n", "300", "-x")
    assert done.returncode == 1
    kept = [case.position.occupied.bit_count() for case in load_suite(tmp_path / "findings.epd")]
    assert done.stderr.count("suspect: ") >= len(kept) > 0
    assert max(kept) <= 7


@pytest.mark.slow
def test_a_corpus_that_cannot_be_written_is_reported_once(
    fuzz: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(corpus, "write_atomically", full)
    done = fuzz(*FUZZED[1:], "-n", "300", "-x")
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if "perft-check: " in line] == [
        "perft-check: cannot write findings.epd: No space left on device: findings are reported, but not stored"
    ]
    assert "promotion" in done.stdout
    assert not (tmp_path / "findings.epd").exists()


def test_a_lock_that_is_never_released_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(corpus, "LOCK_SECONDS", 0.0)
    path = tmp_path / "findings.epd"
    with FileLock(tmp_path / ".findings.epd.lock"), pytest.raises(SuiteError) as caught:
        corpus.Corpus(path).keep(discrepancy_at(KINGS, "x"), 1)
    assert str(caught.value) == f"cannot write {path}: another process keeps {tmp_path}/.findings.epd.lock locked"


LINE = game_from("b3k3/8/8/8/8/8/P7/4K2R w K - 0 1", "a2a3", "a8h1")
MINE = make_plan("uci:my engine", ("own:turbo",))
PLANS = {
    "our own": make_plan(),
    "a command with spaces": MINE,
    "two references": replace(MINE, references=("own", "python-chess")),
    "no reference": replace(MINE, references=(), self_consistency=True),
    "little memory": replace(MINE, limits=ProcessLimits(memory_bytes=512 << 20)),
}


def understood(command: str, monkeypatch: pytest.MonkeyPatch) -> tuple[FuzzPlan, str, bool]:
    """Return the plan, the game and the variant that the program reads from a command."""
    heard: list[tuple[FuzzPlan, str, bool]] = []

    def replayed_game(text: str, chess960: bool | None, plan: FuzzPlan, *, is_named: bool) -> ExitCode:
        heard.append((plan, text, bool(chess960)))
        return ExitCode.AGREE

    monkeypatch.setattr(fuzz, "replayed_game", replayed_game)
    program, *arguments = shlex.split(command)
    assert program == "perft-check"
    assert run_command_line(arguments) == 0
    return heard[0]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", PLANS)
def test_the_command_repeats_the_options_of_the_run(name: str, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PLANS[name]
    again, line, chess960 = understood(replay_command(plan, discrepancy_at(LINE, "planted"), depth), monkeypatch)
    assert asked(again) == asked(plan)
    assert again.depth == depth
    assert parse_game(line, chess960) == LINE


def asked(plan: FuzzPlan) -> tuple[object, ...]:
    return plan.engine, plan.references, plan.self_consistency, plan.limits


def test_the_command_for_a_chess960_position_has_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    line = game_from("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", chess960=True)
    _, text, chess960 = understood(replay_command(MINE, discrepancy_at(line, "planted"), 1), monkeypatch)
    assert chess960
    assert parse_game(text, True) == line


def test_the_command_for_a_timeout_has_the_same_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    discrepancy = discrepancy_at(LINE, "hangs", verdict=Verdict.TIMEOUT)
    plan, _, _ = understood(replay_command(replace(MINE, timeout=0.5), discrepancy, 1), monkeypatch)
    assert plan.timeout == 0.5
