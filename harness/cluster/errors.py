"""How a cluster can fail."""

from __future__ import annotations

from ...errors import Complaint, UsageError


class ClusterError(Complaint):
    """Work that cannot go on; the message is one line that says why."""


def no_scheduler(address: str) -> UsageError:
    """Return what to raise where there is no scheduler."""
    return UsageError(f"no scheduler answers at {address}: start one with dask scheduler")


def no_certificates(address: str) -> UsageError:
    """Return what to raise where Dask is not told the certificates for TLS."""
    return UsageError(f"{address} needs certificates: give Dask its TLS settings, as docs/cluster.md says")
