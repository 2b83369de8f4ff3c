"""`--scheduler`: the cluster that does the work of a command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from ...errors import concerning, require
from ..cluster.address import check_address, no_scheduler
from ..model.shutdown import Interrupt
from .output.console import wait_for

if TYPE_CHECKING:
    from ..cluster.client import Cluster


def check_cluster(address: str) -> None:
    """Raise UsageError where there is no package for clusters, or an address is none."""
    require("distributed", "cluster", "--scheduler")
    with concerning(address):
        check_address(address)


def join_cluster(
    address: str, engines: Iterable[str], interrupt: Interrupt, builds: Mapping[str, str] | None = None
) -> Cluster:
    """Return the cluster at an address, whose workers have the same builds of engines, or those that are given.

    Raises UsageError, Interrupted.
    """
    check_cluster(address)
    from ..cluster.client import CONNECT_SECONDS, Cluster, builds_here

    wanted = {**builds_here(engines), **(builds or {})}
    with concerning(address):
        try:
            return wait_for(partial(Cluster, address, wanted), interrupt, seconds=1.5 * CONNECT_SECONDS)
        except TimeoutError:  # something else answers there, or nothing does
            raise no_scheduler(address) from None
