"""Addresses of schedulers: what they may be, who reaches those that connect to them, and what can be wrong there."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address

from ...errors import UsageError, UserError

ENCRYPTED = ("tls", "wss")
"""Schemes of addresses behind which everybody presents a certificate."""
_ADDRESS = re.compile(
    r"(?P<scheme>tcp|tls|ws|wss)://(?:(?P<name>[^\s/:]+)|\[(?P<number>[0-9a-fA-F:.]+)\]):(?P<port>\d{1,5})"
)


def check_address(address: str) -> None:
    """Raise UsageError for what cannot be the address of a scheduler."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise UsageError(f"{address!r} is no address of a scheduler: write tcp://HOST:8786")


def loopback_of(address: str) -> str | None:
    """Return the loopback address at which a scheduler is reached from this machine alone, None where it is not one."""
    found = _ADDRESS.fullmatch(address)
    assert found is not None, "it is checked"
    try:
        places = socket.getaddrinfo(found["name"] or found["number"], None, type=socket.SOCK_STREAM)
    except OSError:  # there is no such host, which the connection will report
        return None
    hosts = [str(place[4][0]) for place in places]
    return hosts[0] if all(ip_address(host.partition("%")[0]).is_loopback for host in hosts) else None


def check_reach(address: str, *, is_insecure: bool) -> None:
    """Raise UsageError where anybody who reaches this machine could run programs in a worker of this scheduler."""
    if is_insecure or address.partition(":")[0] in ENCRYPTED or loopback_of(address) is not None:
        return
    raise UsageError(
        f"{address} is not encrypted: whoever reaches this worker could run programs here; "
        "use tls:// with certificates (docs/cluster.md), or give --insecure in a network of your own"
    )


class ClusterError(UserError):
    """Work that cannot go on; the message is one line that says why."""


def no_scheduler(address: str) -> UsageError:
    """Return what to raise where there is no scheduler."""
    return UsageError(f"no scheduler answers at {address}: start one with dask scheduler")


def no_certificates(address: str) -> UsageError:
    """Return what to raise where Dask is not told the certificates for TLS."""
    return UsageError(f"{address} needs certificates: give Dask its TLS settings, as docs/cluster.md says")
