"""What all workers have in common."""

from __future__ import annotations

from typing import Protocol

from ..model import Delivery, Order


class Workers(Protocol):
    """Those who carry out orders."""

    is_here: bool
    """Whether all of them are on this machine."""

    def capacity(self) -> int:
        """Return how many orders are carried out at once; 0 while nobody is there."""

    def submit(self, order: Order) -> None:
        """Hand out an order."""

    def deliveries(self, seconds: float) -> list[Delivery]:
        """Return what has been delivered, waiting so long for the first. Raises CountError where nobody is left."""

    def news(self) -> list[str]:
        """Return what the user should know, each line once."""

    def dismiss(self, worker: str) -> None:
        """Hand out nothing more to a worker."""

    def close(self) -> None:
        """End the orders under way, whose deliveries nobody wants."""
