"""The workers of a Dask cluster."""

from __future__ import annotations

from ...cluster.client import Cluster
from ...cluster.remote import Site
from ..model import Delivery, Order
from .remote import carry_out


class InCluster:
    """Hands orders out to the workers of a cluster."""

    is_here = False

    def __init__(self, cluster: Cluster) -> None:
        """Take a cluster, which is closed in the end."""
        self._cluster = cluster

    def capacity(self) -> int:
        """Return how many threads the workers have."""
        return self._cluster.capacity()

    def submit(self, order: Order) -> None:
        """Hand out an order."""
        self._cluster.submit(order.number, _carried_out, order)

    def deliveries(self, seconds: float) -> list[Delivery]:
        """Return what has been delivered. Raises ClusterError where all workers were refused."""
        return [one.value or Delivery(one.number, failure=one.failure) for one in self._cluster.done(seconds)]

    def news(self) -> list[str]:
        """Return what the user should know."""
        return self._cluster.news()

    def dismiss(self, worker: str) -> None:
        """Send a worker away."""
        self._cluster.dismiss(worker)

    def close(self) -> None:
        """Take back what is out, and disconnect."""
        self._cluster.close()


def _carried_out(site: Site, order: Order) -> Delivery:
    return carry_out(order, site.run)
