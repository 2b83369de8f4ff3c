"""Which workers take part in a count on a cluster, and what happens if there are none."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from helpers.clusters import ClusterHere, begun
from helpers.fakes import COUNTING_PROGRAM
from helpers.processes import until
from helpers.program import Run, run_in, wrong
from perft_check import errors

pytestmark = pytest.mark.slow
SPEC = f"cmd:{sys.executable} engine.py {{fen}} {{depth}}"
COUNT = "count", "startpos", "3", "--split", "1", "--positions", "5", "-e", SPEC


def test_a_worker_with_another_build_of_the_engine_gets_nothing(cluster: ClusterHere, tmp_path: Path) -> None:
    for name in ("same", "other"):
        (tmp_path / name).mkdir()
    for folder in (tmp_path, tmp_path / "same"):
        (folder / "engine.py").write_text(COUNTING_PROGRAM)
    (tmp_path / "other" / "engine.py").write_text(f"{COUNTING_PROGRAM}# mended\n")
    for name in ("same", "other"):
        cluster.worker(name, folder=tmp_path / name)
    done = run_in(tmp_path, *COUNT, "--scheduler", cluster.address)
    assert f"worker other has another build of {SPEC}: it gets nothing" in " ".join(done.stderr.split())
    assert (done.returncode, done.stdout) == (0, "8902\n")


def test_a_count_ends_if_no_worker_can_take_part(cluster: ClusterHere, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "engine.py").write_text(COUNTING_PROGRAM)
    cluster.worker("one")
    done = run_in(tmp_path / "here", *COUNT, "--scheduler", cluster.address)
    assert (done.returncode, done.stdout) == (3, "")
    assert "perft-check: no worker is left: one has another build of cmd:" in " ".join(done.stderr.split())


def test_a_count_waits_for_workers(cluster: ClusterHere, tmp_path: Path) -> None:
    """... at the beginning, and when the only one leaves."""
    words = "count", "startpos", "7", "--split", "3", "--positions", "20", "--scheduler", cluster.address
    process = begun(tmp_path, *words)
    told = f"no worker of this version is there: start one with perft-check worker {cluster.address}"
    assert process.stderr is not None
    assert any(told in line for line in process.stderr)
    first = cluster.worker("first")
    until(lambda: list(tmp_path.glob("*.ledger")))
    first.send_signal(signal.SIGTERM)
    first.wait()
    cluster.worker("second")
    stdout, stderr = process.communicate(timeout=200)
    assert (process.returncode, stdout) == (0, "3195901860\n"), stderr


def test_without_dask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda _name: None)
    said = wrong(run, "count", "startpos", "4", "--scheduler", "tcp://127.0.0.1:9")
    assert said.startswith("--scheduler needs distributed, which is not here: pip install 'distributed>=")
    assert "perft-check" not in said  # which is on no index yet
