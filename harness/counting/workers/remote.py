"""What a worker of a cluster does: it carries out orders with engines that it opens once."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from math import inf

from .... import __version__
from ....generator.kernels.machine.folders import source_digest
from ...engines.kinds.own import ALONE, Means
from ..hand import Hand, carried_out, open_hand
from ..model import Delivery, Order


def resource() -> str:
    """Return what workers of this version have, and orders of it need: another version gets none of them."""
    return f"{PREFIX}{__version__}-{source_digest()}"


PREFIX = "perft-check-"


@dataclass
class Station:
    """The engines of one worker process, and what it has done."""

    name: str = ""
    means: Means = ALONE
    pieces: int = 0
    nodes: int = 0
    busy_seconds: float = 0.0
    is_dismissed: bool = False
    """Whether it was found to count wrong."""
    _hands: dict[str, Hand] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def hand(self, engine: str) -> Hand:
        """Return who counts with an engine."""
        with self._lock:
            if engine not in self._hands:
                self._hands[engine] = open_hand(engine, self.means, inf)
            return self._hands[engine]

    def carry_out(self, order: Order) -> Delivery:
        """Carry out an order."""
        began = time.perf_counter()
        delivery = carried_out(self.hand(order.engine), order, self.name)
        with self._lock:
            self.pieces += len(delivery.counted)
            self.nodes += sum(one.nodes for one in delivery.counted)
            self.busy_seconds += time.perf_counter() - began
        return delivery

    def metrics(self) -> dict[str, float]:
        """Return what the dashboard shows of this worker."""
        speed = self.nodes / self.busy_seconds if self.busy_seconds else 0.0
        return {"pieces": self.pieces, "nodes": float(self.nodes), "nodes_a_second": speed}

    def stop(self) -> None:
        """End the counts under way."""
        for hand in self._hands.values():
            hand.stop()


STATION = Station()
"""That of this process: the cluster calls functions only."""


def carry_out(order: Order) -> Delivery:
    """Carry out an order in a worker."""
    return STATION.carry_out(order)


def be_dismissed() -> None:
    """Have a worker not come back when it is sent away."""
    STATION.is_dismissed = True
