"""What a worker does with an order: it carries it out with engines that it opens once."""

from __future__ import annotations

from math import inf

from ...cluster.station import STATION
from ..hand import Hand, carried_out, open_hand
from ..model import Delivery, Order


def carry_out(order: Order, run: str = "") -> Delivery:
    """Carry out an order in this process. Raises UsageError where there is no such engine, HandStopped."""
    delivery = carried_out(_hand(run, order.engine), order, STATION.name)
    STATION.note(pieces=len(delivery.counted), nodes=sum(one.nodes for one in delivery.counted))
    return delivery


def _hand(run: str, engine: str) -> Hand:
    return STATION.kept(run, engine, lambda: open_hand(engine, STATION.means, inf))


def get_ready(engine: str) -> None:
    """Load or compile one of our kernels before the first order comes."""
    open_hand(engine, STATION.means, inf).ready()
