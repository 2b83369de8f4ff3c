"""`run` on a cluster: the same results as on one machine; and which workers take part in a run."""

from __future__ import annotations

import json
import math
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from helpers.clusters import ClusterHere, begun
from helpers.fakes import COUNTING_PROGRAM
from helpers.processes import children_of, spawned_by, until
from helpers.program import Run, run_in, wrong
from perft_check import errors
from perft_check.harness.cluster.client import Cluster
from perft_check.harness.cluster.executor import DaskExecutor
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.model.shutdown import Interrupt
from perft_check.harness.work.pool import do_task_in_process, spread

pytestmark = pytest.mark.slow
SPEC = f"cmd:{sys.executable} engine.py {{fen}} {{depth}}"


def report(path: Path) -> Any:
    """Return what a report says, but for the times."""
    return json.loads(path.read_text(), object_hook=lambda fields: fields | {"seconds": 0})


def test_the_results_are_the_same(cluster: ClusterHere, tmp_path: Path) -> None:
    """To the letter, also which failures are explained, and which are only counted."""
    cluster.worker("one")
    cluster.worker("other")
    words = "run", "-e", "zoo:castling-from-check", "-s", "special", "-s", "chess960", "--max-nodes", "20000"
    there = run_in(tmp_path, *words, "--report", "there.json", "--scheduler", cluster.address)
    here = run_in(tmp_path, *words, "--report", "here.json")
    assert (there.returncode, here.returncode) == (1, 1)
    assert "Castling out of check" in there.stdout
    assert report(tmp_path / "there.json") == (at_home := report(tmp_path / "here.json"))
    assert [bool(result["like"]) for result in at_home["results"]].count(True) > 0


def test_workers_without_the_engine_and_with_another_build_get_nothing(cluster: ClusterHere, tmp_path: Path) -> None:
    for name in ("same", "other"):
        (tmp_path / name).mkdir()
    for folder in (tmp_path, tmp_path / "same"):
        (folder / "engine.py").write_text(COUNTING_PROGRAM)
    (tmp_path / "other" / "engine.py").write_text(f"{COUNTING_PROGRAM}# mended\n")
    for name in ("same", "other"):
        cluster.worker(name, folder=tmp_path / name)
    done = run_in(tmp_path, "run", "-e", SPEC, "-s", "smoke", "--max-nodes", "500", "--scheduler", cluster.address)
    assert f"worker other has another build of {SPEC}: it gets nothing" in " ".join(done.stderr.split())
    assert done.returncode == 0
    assert "36 positions agree" in done.stdout


def test_a_run_ends_where_no_worker_can_take_part(cluster: ClusterHere, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "engine.py").write_text(COUNTING_PROGRAM)
    cluster.worker("one")
    done = run_in(tmp_path / "here", "run", "-e", SPEC, "-s", "smoke", "--scheduler", cluster.address)
    assert done.returncode == 3
    assert "perft-check: no worker is left: one has another build of cmd:" in " ".join(done.stderr.split())


def test_the_scheduler_is_killed_and_started_again(cluster: ClusterHere, tmp_path: Path) -> None:
    cluster.end()
    scheduler = cluster.scheduler()
    worker = cluster.worker("one")
    (tmp_path / "engine.py").write_text(COUNTING_PROGRAM)
    process = begun(tmp_path, "run", "-e", SPEC, "-s", "smoke", "--max-nodes", "500", "--scheduler", cluster.address)
    until(lambda: process.poll() is not None or children_of(worker.pid))
    scheduler.send_signal(signal.SIGKILL)
    scheduler.wait()
    cluster.scheduler()
    stdout, stderr = process.communicate(timeout=200)
    assert process.returncode == 0, stdout + stderr
    assert "36 positions agree" in stdout
    assert f"the scheduler at {cluster.address} answers again" in stderr


def test_work_is_spread(cluster: ClusterHere) -> None:
    worker = cluster.worker("one")
    here = Cluster(cluster.address, {})
    tasks = [3, 7, 11]
    executor = partial(DaskExecutor, here, do_task_in_process, closes_cluster=False)
    done = dict(spread(math.factorial, tasks, Interrupt(), str, open_executor=executor, tell=print))
    assert done == {task: math.factorial(task) for task in tasks}
    with pytest.raises(EngineCrash, match=r"^working on -1: .* ValueError: factorial"):
        list(spread(math.factorial, [-1], Interrupt(), "working on {}".format, open_executor=executor, tell=print))
    here.close()
    until(lambda: not spawned_by(worker.pid))


def test_a_run_waits_for_workers(cluster: ClusterHere, tmp_path: Path) -> None:
    """... at the beginning, and where the only one leaves."""
    commands = [
        ("run", "-s", "smoke"),
        ("fuzz", "--careful", "-n", "40", "--seed", "1"),
        ("fuzz", "--soak", "-n", "1k", "--seed", "1"),
        ("count", "startpos", "7", "--split", "3", "--positions", "20"),
    ]
    waiting = [begun(tmp_path, *words, "--scheduler", cluster.address) for words in commands]
    told = f"no worker of this version is there: start one with perft-check worker {cluster.address}"
    for process in waiting:
        assert process.stderr is not None
        assert any(told in line for line in process.stderr)
    first = cluster.worker("first")
    until(lambda: list(tmp_path.glob("*.ledger")))
    first.send_signal(signal.SIGTERM)
    first.wait()
    cluster.worker("second")
    for process in waiting:
        _, stderr = process.communicate(timeout=200)
        assert process.returncode == 0, stderr


@pytest.mark.parametrize("words", [("run",), ("fuzz",), ("fuzz", "--soak"), ("count", "startpos", "4")])
def test_without_dask(run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda _name: None)
    said = wrong(run, *words, "--scheduler", "tcp://127.0.0.1:9")
    assert said.startswith("--scheduler needs distributed, which is not here: pip install 'distributed>=")
    assert "perft-check" not in said  # which is on no index yet


def test_what_does_not_fit_together(run: Run) -> None:
    said = wrong(run, "run", "--scheduler", "tcp://127.0.0.1:9", "--jobs", "2")
    assert said == "--scheduler works with what the workers have: leave out --jobs"
    said = wrong(run, "fuzz", "--scheduler", "nonsense")
    assert said == "'nonsense' is no address of a scheduler: write tcp://HOST:8786"
