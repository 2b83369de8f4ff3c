"""Addresses of Dask schedulers: syntax, exposure to other machines, and connection errors."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address

from ...errors import UsageError, UserError

ENCRYPTED = ("tls", "wss")
"""Schemes that require a certificate from every participant."""
_ADDRESS = re.compile(
    r"(?P<scheme>tcp|tls|ws|wss)://(?:(?P<name>[^\s/:]+)|\[(?P<number>[0-9a-fA-F:.]+)\]):(?P<port>\d{1,5})"
)


def check_address(address: str) -> None:
    """Raise UsageError unless `address` has the form of a scheduler address."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found["port"]) < 1 << 16:
        raise UsageError(f"{address!r} is not the address of a scheduler: write tcp://HOST:8786")


def loopback_of(address: str) -> str | None:
    """Return the loopback address of a scheduler that only this machine can reach, or None."""
    found = _ADDRESS.fullmatch(address)
    assert found is not None, "check_address has accepted it"
    try:
        places = socket.getaddrinfo(found["name"] or found["number"], None, type=socket.SOCK_STREAM)
    except OSError:  # no such host; the connection will report it
        return None
    hosts = [str(place[4][0]) for place in places]
    return hosts[0] if all(ip_address(host.partition("%")[0]).is_loopback for host in hosts) else None


def check_reach(address: str, *, is_insecure: bool) -> None:
    """Raise UsageError if other machines could run code in a worker of this scheduler."""
    if is_insecure or address.partition(":")[0] in ENCRYPTED or loopback_of(address) is not None:
        return
    raise UsageError(
        f"{address} is not encrypted, so anyone who can reach this worker may run programs here: "
        "use tls:// with certificates ('Clusters' in the documentation), or add --insecure in a private network"
    )


class ClusterError(UserError):
    """The connection to the scheduler was lost, which ends a count; the message is one line."""


def no_scheduler(address: str) -> UsageError:
    """Return the error for an address without a scheduler."""
    return UsageError(f"no scheduler responds at {address}; to start one, run: dask scheduler")


def no_certificates(address: str) -> UsageError:
    """Return the error for missing TLS certificates."""
    return UsageError(f"{address} needs certificates: configure TLS of Dask ('Clusters' in the documentation)")
