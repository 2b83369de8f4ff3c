"""Findings are stored before they are printed, and an error while storing them does not end the run."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock
from helpers.games import game_from
from helpers.planted import discrepancy_at
from helpers.processes import restore_signals
from helpers.program import PROGRAM, WIDE, Run
from perft_check.harness.fuzzing import corpus
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
