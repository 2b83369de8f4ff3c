"""Addresses of Dask schedulers: their form, whether others can reach a worker there, and errors of a connection."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address

from ...errors import UsageError, UserError

ENCRYPTED = ("tls", "wss")
"""Schemes of addresses at which every participant presents a certificate."""
_ADDRESS = re.compile(
    r"(?P<scheme>tcp|tls|ws|wss)://(?:(?P<name>[^\s/:]+)|\[(?P<number>[0-9a-fA-F:.]+)\]):(?P<port>\d{1,5})"
)


def check_address(address: str) -> None:
    """Raise UsageError if a text cannot be the address of a scheduler."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise UsageError(f"{address!r} is no address of a scheduler: write tcp://HOST:8786")


def loopback_of(address: str) -> str | None:
    """Return the loopback address of a scheduler that only this machine reaches, or None."""
    found = _ADDRESS.fullmatch(address)
    assert found is not None, "check_address has accepted it"
    try:
        places = socket.getaddrinfo(found["name"] or found["number"], None, type=socket.SOCK_STREAM)
    except OSError:  # no such host; the connection will report it
        return None
    hosts = [str(place[4][0]) for place in places]
    return hosts[0] if all(ip_address(host.partition("%")[0]).is_loopback for host in hosts) else None


def check_reach(address: str, *, is_insecure: bool) -> None:
    """Raise UsageError if others could run programs in a worker of this scheduler."""
    if is_insecure or address.partition(":")[0] in ENCRYPTED or loopback_of(address) is not None:
        return
    raise UsageError(
        f"{address} is not encrypted: whoever reaches this worker could run programs here; "
        "use tls:// with certificates (docs/cluster.md), or give --insecure in a network of your own"
    )


class ClusterError(UserError):
    """A count that cannot go on; the message is one line that says why."""


def no_scheduler(address: str) -> UsageError:
    """Return the error to raise if there is no scheduler."""
    return UsageError(f"no scheduler answers at {address}: start one with dask scheduler")


def no_certificates(address: str) -> UsageError:
    """Return the error to raise if Dask has no certificates for TLS."""
    return UsageError(f"{address} needs certificates: give Dask its TLS settings, as docs/cluster.md says")
