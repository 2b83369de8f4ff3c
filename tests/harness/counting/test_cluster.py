"""Counts on a Dask cluster: real schedulers and workers on this machine, of which some die, lie or come late."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from helpers.clusters import LocalCluster, cluster_in, start_command
from helpers.ledgers import head, is_complete, result_count, workers
from helpers.processes import until
from helpers.program import Run, run_in, wrong

pytestmark = pytest.mark.slow
LEDGER = "a.ledger"
START_8 = "84998978956\n"


def counting(cluster: LocalCluster, folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start a count, and return when it has some results."""
    process = start_command(folder, "count", *words, "--ledger", LEDGER, "--scheduler", cluster.address)
    until(lambda: result_count(folder / LEDGER) > 0 or process.poll() is not None)
    return process


def told(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    stdout, stderr = process.communicate(timeout=200)
    return process.returncode, stdout, stderr


@pytest.mark.nightly
def test_one_worker_is_killed_and_one_comes_late(cluster: LocalCluster, tmp_path: Path) -> None:
    first = cluster.worker("first")
    cluster.worker("second")
    process = counting(cluster, tmp_path, "startpos", "8", "--split", "4")
    first.send_signal(signal.SIGKILL)
    cluster.worker("late", is_awaited=False)
    assert told(process)[:2] == (0, START_8)
    assert is_complete(tmp_path / LEDGER)
    assert "second" in workers(tmp_path / LEDGER)


def test_a_scheduler_that_dies_ends_the_run_and_the_same_command_goes_on(cluster: LocalCluster, tmp_path: Path) -> None:
    cluster.end()
    scheduler = cluster.scheduler()
    worker = cluster.worker("one")
    words = "startpos", "8", "--split", "4"
    process = counting(cluster, tmp_path, *words)
    scheduler.send_signal(signal.SIGKILL)
    status, stdout, stderr = told(process)
    assert (status, stdout) == (3, "")
    assert stderr.splitlines()[-1] == (
        f"perft-check: the scheduler at {cluster.address} no longer answers: run the same command again to continue; "
        "all results are kept"
    )
    assert worker.wait(60) == 3
    assert cluster.said("one").endswith(f"one: lost the scheduler at {cluster.address}\n")
    before = result_count(tmp_path / LEDGER)
    assert before > 0
    cluster.scheduler()
    cluster.worker("two")
    assert told(counting(cluster, tmp_path, *words))[:2] == (0, START_8)
    assert is_complete(tmp_path / LEDGER)
    assert workers(tmp_path / LEDGER)["one"] == before


@pytest.mark.nightly
def test_a_client_that_is_killed_goes_on(cluster: LocalCluster, tmp_path: Path) -> None:
    cluster.worker("one")
    process = counting(cluster, tmp_path, "startpos", "7", "--split", "3", "-e", "own", "--positions", "8")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = result_count(tmp_path / LEDGER)
    done = run_in(tmp_path, "count", "startpos", "7", "--ledger", LEDGER, "--scheduler", cluster.address, "-e", "own")
    assert (done.returncode, done.stdout) == (0, "3195901860\n")
    assert 0 < before < head(tmp_path / LEDGER)["pieces"]
    assert is_complete(tmp_path / LEDGER)


def test_a_worker_of_another_version_gets_nothing(cluster: LocalCluster, tmp_path: Path) -> None:
    cluster.plain_worker("old", "--resources", "perft-check-0.0.1-feed=1")
    cluster.plain_worker("plain")
    until(lambda: all("Registered to" in cluster.said(name) for name in ("old", "plain")))
    cluster.worker("ours")
    done = run_in(
        tmp_path, "count", "startpos", "7", "--split", "4", "--ledger", LEDGER, "--scheduler", cluster.address
    )
    assert (done.returncode, done.stdout) == (0, "3195901860\n")
    assert workers(tmp_path / LEDGER).keys() == {"ours"}


def test_ctrl_c_leaves_the_workers(cluster: LocalCluster, tmp_path: Path) -> None:
    worker = cluster.worker("one")
    process = counting(cluster, tmp_path, "startpos", "9", "--split", "4")
    process.send_signal(signal.SIGINT)
    status, stdout, stderr = told(process)
    assert (status, stdout) == (130, "")
    assert stderr.endswith("run the same command to continue\n")
    assert worker.poll() is None
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 130
    assert list(tmp_path.glob("perft-check-*")) == []


def test_what_is_no_scheduler_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        done = run_in(tmp_path, "count", "startpos", "5", "--scheduler", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"perft-check: no scheduler responds at {address}; to start one, run: dask scheduler\n")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_tls_lets_nobody_in_without_a_certificate(tmp_path: Path) -> None:
    certificate, key = (str(tmp_path / name) for name in ("cert.pem", "key.pem"))
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    tls = {f"DASK_DISTRIBUTED__COMM__TLS__{role}__CERT": certificate for role in ("SCHEDULER", "WORKER", "CLIENT")}
    tls |= {name.replace("CERT", "KEY"): key for name in tls}
    with cluster_in(tmp_path, **tls, DASK_DISTRIBUTED__COMM__TLS__CA_FILE=certificate) as cluster:
        cluster.worker("one")
        given = "count", "startpos", "6", "--split", "3", "--scheduler", cluster.address, "--ledger", LEDGER
        stranger = run_in(tmp_path, *given)
        assert (stranger.returncode, stranger.stdout) == (2, "")
        assert f"{cluster.address} needs certificates" in stranger.stderr
        assert "needs certificates" in run_in(tmp_path, "worker", cluster.address).stderr
        done = run_in(tmp_path, *given, **cluster.variables)
    assert (done.returncode, done.stdout) == (0, "119060324\n")
    assert workers(tmp_path / LEDGER).keys() == {"one"}


def test_wrong_addresses(run: Run, tmp_path: Path) -> None:
    assert wrong(run, "worker", "nonsense") == "'nonsense' is not the address of a scheduler: write tcp://HOST:8786"
    assert wrong(run, "count", "startpos", "5", "--scheduler", "nonsense").startswith(
        "'nonsense' is not the address of a scheduler: write tcp://HOST:8786"
    )
    assert wrong(run, "count", "startpos", "5", "--scheduler", "tcp://127.0.0.1:9", "--threads", "2") == (
        "--scheduler uses the resources of its workers: leave out --threads"
    )
    assert list(tmp_path.iterdir()) == []
