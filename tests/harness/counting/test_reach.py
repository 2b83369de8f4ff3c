"""Who reaches a worker can run programs in it: it listens on the loopback address, or for those with a certificate."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from ipaddress import IPv4Address, ip_address
from pathlib import Path

import pytest
from helpers.clusters import cluster_in
from helpers.program import Run
from perft_check.harness.counting.address import check_reach, loopback_of

pytestmark = pytest.mark.slow
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


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="sockets are looked up in /proc")
def test_a_worker_on_the_loopback_address_listens_there_alone(tmp_path: Path) -> None:
    with cluster_in(tmp_path) as cluster:
        found = listening(cluster.worker("one").pid)
    assert found
    assert all(one.is_loopback for one in found)


@pytest.mark.parametrize("address", OPEN)
def test_a_worker_of_another_machine_wants_certificates(address: str, run: Run) -> None:
    done = run("worker", address)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        rf"perft-check: {re.escape(address)} is not encrypted, so anyone who can reach this worker may "
        r"run programs here: use tls:// with certificates \(docs/cluster\.md\), "
        r"or add --insecure in a private network\n",
        done.stderr,
    )


@pytest.mark.parametrize("address", ["tls://192.0.2.1:8786", "wss://192.0.2.1:8786"])
def test_certificates_or_the_word_of_the_user_are_enough(address: str) -> None:
    check_reach(address, is_insecure=False)
    check_reach(address.replace("tls", "tcp"), is_insecure=True)


def test_addresses_of_this_machine_alone_are_known() -> None:
    for address in ("tcp://127.0.0.1:1", "tcp://127.8.9.1:1", "ws://localhost:1", "tcp://[::1]:1"):
        host = loopback_of(address)
        assert host is not None
        assert ip_address(host).is_loopback
    for address in (*OPEN, "tcp://127.0.0.1.invalid:1"):
        assert loopback_of(address) is None
