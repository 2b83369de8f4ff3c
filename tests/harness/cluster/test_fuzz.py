"""`fuzz` on a cluster: the same finds as on one machine, whatever becomes of the workers."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from helpers.clusters import ClusterHere, begun
from helpers.processes import is_running, spawned_by, until
from helpers.program import run_in

pytestmark = pytest.mark.slow
FAULTY = "-e", "zoo:castling-from-check"
CAREFUL = "--careful", "--seed", "5", "-n", "600"
ENDLESS = "--careful", "-n", "1M", "--corpus", "finds.epd"


def report(folder: Path, name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / name).read_text())
    return document


def here(folder: Path, *words: str) -> dict[str, Any]:
    """Return the report of a run on this machine alone."""
    assert run_in(folder, "fuzz", *words, "--report", "here.json", "-q").returncode == 1
    return report(folder, "here.json")


def test_a_seed_gives_the_same_report(cluster: ClusterHere, tmp_path: Path) -> None:
    cluster.worker("one")
    cluster.worker("other")
    done = run_in(tmp_path, "fuzz", *FAULTY, *CAREFUL, "--report", "there.json", "--scheduler", cluster.address)
    assert done.returncode == 1
    assert "extra move: Castling out of check" in done.stdout
    assert report(tmp_path, "there.json") == here(tmp_path, *FAULTY, *CAREFUL)


@pytest.mark.parametrize("last", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_ends_and_one_that_hangs_change_nothing(
    cluster: ClusterHere, tmp_path: Path, last: signal.Signals
) -> None:
    ending, hanging = cluster.worker("ending"), cluster.worker("hanging")
    process = begun(tmp_path, "fuzz", *FAULTY, *CAREFUL, "--report", "there.json", "--scheduler", cluster.address)
    until(lambda: process.poll() is not None or all(spawned_by(one.pid) for one in (ending, hanging)))
    ending.send_signal(last)
    hanging.send_signal(signal.SIGSTOP)
    cluster.worker("late")
    stdout, _ = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "1 kind of fault of zoo:castling-from-check in 600 positions" in stdout
    assert report(tmp_path, "there.json") == here(tmp_path, *FAULTY, *CAREFUL)


def test_a_fault_is_kept_at_once(cluster: ClusterHere, tmp_path: Path) -> None:
    """... while its batch goes on; and the processes of a run end that nobody waits for any more."""
    worker = cluster.worker("one")
    process = begun(tmp_path, "fuzz", *FAULTY, *ENDLESS, "--scheduler", cluster.address)
    corpus = tmp_path / "finds.epd"
    until(lambda: process.poll() is not None or (corpus.exists() and ";D1 " in corpus.read_text()))
    assert process.poll() is None
    processes = spawned_by(worker.pid)
    assert processes
    process.send_signal(signal.SIGKILL)
    process.communicate()
    until(lambda: not any(map(is_running, processes)))
    assert worker.poll() is None
    again = run_in(tmp_path, "fuzz", *FAULTY, *CAREFUL, "-q", "--scheduler", cluster.address)
    assert again.returncode == 1


def test_a_soak_gives_the_same_report(cluster: ClusterHere, tmp_path: Path) -> None:
    cluster.worker("one")
    words = "fuzz", "--soak", "--seed", "3", "-n", "9M"
    done = run_in(tmp_path, *words, "--report", "there.json", "--scheduler", cluster.address)
    assert (done.returncode, run_in(tmp_path, *words, "--report", "here.json").returncode) == (0, 0)
    assert "no fault of own in 9,000,000 positions" in done.stdout
    assert report(tmp_path, "there.json") == report(tmp_path, "here.json")


def test_ctrl_c_reports_what_is_found(cluster: ClusterHere, tmp_path: Path) -> None:
    worker = cluster.worker("one")
    process = begun(tmp_path, "fuzz", *FAULTY, *ENDLESS, "--scheduler", cluster.address)
    until(lambda: process.poll() is not None or (tmp_path / "finds.epd").exists())
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "Castling out of check" in stdout
    assert worker.poll() is None
