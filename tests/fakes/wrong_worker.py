"""A worker that counts one leaf too many in each piece: `python wrong_worker.py worker ADDRESS ...`."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

from perft_check.__main__ import main
from perft_check.harness.counting.hand import Hand, carried_out
from perft_check.harness.counting.model import Delivery, Order


def wrongly_carried_out(hand: Hand, order: Order, worker: str) -> Delivery:
    delivery = carried_out(hand, order, worker)
    return replace(delivery, counted=[replace(one, nodes=one.nodes + 1) for one in delivery.counted])


if __name__ == "__main__":
    with patch("perft_check.harness.counting.workers.remote.carried_out", wrongly_carried_out):
        main()
