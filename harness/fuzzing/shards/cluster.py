"""The threads of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....generator.kernels.machine.control import Control
from ....generator.soaking import SoakResult
from ...cluster.client import Cluster
from ...cluster.handing import Handing, value_of
from ...cluster.remote import Site
from ...cluster.station import STATION
from ...engines.base import EngineCrash
from ...model.shutdown import POLL_SECONDS
from .base import Shard, play


class InCluster:
    """Has the workers of a cluster play."""

    is_here = False
    positions = 0

    def __init__(self, cluster: Cluster) -> None:
        """Take a cluster, which is closed in the end."""
        self._cluster = cluster
        self._handing: Handing[Shard] = Handing(cluster, _played)

    @property
    def are_busy(self) -> bool:
        """Whether any shard is under way."""
        return self._handing.is_busy

    def give(self, next_shard: Callable[[], Shard | None]) -> None:
        """Give each thread a shard."""
        self._handing.give(next_shard)

    def done(self) -> Iterator[tuple[Shard, SoakResult]]:
        """Yield the shards that are done within a moment. Raises ClusterError, EngineCrash."""
        for shard, done in self._handing.done(POLL_SECONDS):
            yield shard, value_of(done, EngineCrash)

    def news(self) -> list[str]:
        """Return what the user should know."""
        return self._cluster.news()

    def stop(self) -> None:
        """End the shards under way early."""
        self._handing.forget_kept()
        self._cluster.stop()

    def close(self) -> None:
        """Take back what is out, and disconnect."""
        self._cluster.close()


def _played(site: Site, shard: Shard) -> SoakResult:
    control = Control()
    with site.stopping(control.stop):
        result = play(shard, control)
    STATION.note(positions=result.positions)
    return result
