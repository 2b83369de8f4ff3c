"""`--scheduler`: the cluster that does the work of a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...errors import concerning, require
from ..cluster.address import check_address, no_scheduler
from ..model.shutdown import Interrupt
from .output.console import wait_for

if TYPE_CHECKING:
    from ..cluster.executor import DaskExecutor


def check_cluster(address: str) -> None:
    """Raise UsageError where there is no package for clusters, or an address is none."""
    require("distributed", "cluster", "--scheduler")
    with concerning(address):
        check_address(address)


def join_cluster(address: str, interrupt: Interrupt, work: Callable[..., Any], *words: object) -> DaskExecutor:
    """Return what has `work` done, with these words, by the cluster at an address. Raises UsageError, Interrupted."""
    check_cluster(address)
    from ..cluster.executor import CONNECT_SECONDS, DaskExecutor

    with concerning(address):
        try:
            return wait_for(lambda: DaskExecutor(address, work, *words), interrupt, seconds=1.5 * CONNECT_SECONDS)
        except TimeoutError:  # something else answers there, or nothing does
            raise no_scheduler(address) from None
