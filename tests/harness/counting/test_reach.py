"""Workers of distributed counts: how they are reached, how orders are sized, and how they end."""

from __future__ import annotations

import os
import re
import signal
import sys
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import pytest
from helpers.clusters import LocalCluster, cluster_in, start_command
from helpers.fakes import COUNTING_PROGRAM
from helpers.processes import until
from helpers.program import Run, run_in, wrong
from perft_check import errors
from perft_check.harness.counting.dask_worker import check_reach, loopback_of

SPEC = f"cmd:{sys.executable} engine.py {{fen}} {{depth}}"
COUNT = "count", "startpos", "3", "--split", "1", "--positions", "5", "-e", SPEC


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_worker_without_the_engine_is_named(cluster: LocalCluster, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "engine.py").write_text(COUNTING_PROGRAM)
    cluster.worker("one")
    done = run_in(tmp_path / "here", *COUNT[:-1], "lib:./engine.so", "--scheduler", cluster.address)
    assert (done.returncode, done.stdout) == (3, "")
    assert ": one cannot take part: " in done.stderr.splitlines()[-1]


@pytest.mark.slow
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


@pytest.mark.slow
def test_without_dask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda _name: None)
    said = wrong(run, "count", "startpos", "4", "--scheduler", "tcp://127.0.0.1:9")
    assert said.startswith("--scheduler needs distributed, which is not installed: pip install 'distributed>=")
    assert "perft-check" not in said  # which is on no index yet


OPEN = ["tcp://192.0.2.1:8786", "ws://192.0.2.1:8786", "tcp://0.0.0.0:8786", "tcp://[2001:db8::1]:8786"]


def listening(pid: int) -> set[IPv4Address]:
    """Return the addresses at which a process listens, as the kernel of the system says."""
    sockets = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # it was closed meanwhile
            sockets.add(os.readlink(link))
    assert not any(_is_listening(line, sockets) for line in _lines("tcp6")), "it listens to IPv6 as well"
    lines = [line for line in _lines("tcp") if _is_listening(line, sockets)]
    return {IPv4Address(bytes.fromhex(line[1].partition(":")[0])[::-1]) for line in lines}


def _lines(kind: str) -> list[list[str]]:
    return [line.split() for line in Path(f"/proc/net/{kind}").read_text(encoding="ascii").splitlines()[1:]]


def _is_listening(line: list[str], sockets: set[str]) -> bool:
    return line[3] == "0A" and f"socket:[{line[9]}]" in sockets


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="sockets are looked up in /proc")
def test_a_worker_on_the_loopback_address_listens_there_alone(tmp_path: Path) -> None:
    with cluster_in(tmp_path) as cluster:
        found = listening(cluster.worker("one").pid)
    assert found
    assert all(one.is_loopback for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("address", OPEN)
def test_a_worker_of_another_machine_wants_certificates(address: str, run: Run) -> None:
    done = run("worker", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        rf"perft-check: {re.escape(address)} is not encrypted, so anyone who can reach this worker may "
        r"run programs here: use tls:// with certificates \('Clusters' in the documentation\), "
        r"or add --insecure in a private network\n",
        done.stderr,
    )


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tls://192.0.2.1:8786", "wss://192.0.2.1:8786"])
def test_certificates_or_the_word_of_the_user_are_enough(address: str) -> None:
    check_reach(address, is_insecure=False)
    check_reach(address.replace("tls", "tcp"), is_insecure=True)


@pytest.mark.slow
def test_addresses_of_this_machine_alone_are_known() -> None:
    for address in ("tcp://127.0.0.1:1", "tcp://127.8.9.1:1", "ws://localhost:1", "tcp://[::1]:1"):
        host = loopback_of(address)
        assert host is not None
        assert ip_address(host).is_loopback
    for address in (*OPEN, "tcp://127.0.0.1.invalid:1"):
        assert loopback_of(address) is None
