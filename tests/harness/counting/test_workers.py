"""Which workers take part in a count on a cluster, and what happens if there are none."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from helpers.clusters import LocalCluster, start_command
from helpers.fakes import COUNTING_PROGRAM
from helpers.processes import until
from helpers.program import Run, run_in, wrong
from perft_check import errors

pytestmark = pytest.mark.slow
SPEC = f"cmd:{sys.executable} engine.py {{fen}} {{depth}}"
COUNT = "count", "startpos", "3", "--split", "1", "--positions", "5", "-e", SPEC


def test_a_worker_with_another_build_of_the_engine_is_named(cluster: LocalCluster, tmp_path: Path) -> None:
    for name in ("here", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "here" / "engine.py").write_text(COUNTING_PROGRAM)
    (tmp_path / "other" / "engine.py").write_text(f"{COUNTING_PROGRAM}# mended\n")
    other = cluster.worker("other", folder=tmp_path / "other")
    done = run_in(tmp_path / "here", *COUNT, "--scheduler", cluster.address)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"the first 3 pieces have failed: other has another build of {SPEC}" in done.stderr
    other.kill()
    other.wait()
    cluster.worker("same", folder=tmp_path / "here")
    done = run_in(tmp_path / "here", *COUNT, "--scheduler", cluster.address)
    assert (done.returncode, done.stdout) == (0, "8902\n"), done


def test_a_worker_without_the_engine_is_named(cluster: LocalCluster, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "engine.py").write_text(COUNTING_PROGRAM)
    cluster.worker("one")
    done = run_in(tmp_path / "here", *COUNT[:-1], "lib:./engine.so", "--scheduler", cluster.address)
    assert (done.returncode, done.stdout) == (3, "")
    assert ": one cannot take part: " in done.stderr.splitlines()[-1]


def test_a_count_waits_for_workers(cluster: LocalCluster, tmp_path: Path) -> None:
    """... at the beginning, and when the only one leaves."""
    words = "count", "startpos", "7", "--split", "3", "--positions", "20", "--scheduler", cluster.address
    process = start_command(tmp_path, *words)
    told = f"no worker of this version has joined yet: start one with perft-check worker {cluster.address}"
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
    assert said.startswith("--scheduler needs distributed, which is not installed: pip install 'distributed>=")
    assert "perft-check" not in said  # which is on no index yet
