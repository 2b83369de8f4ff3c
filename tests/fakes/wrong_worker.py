"""A worker that counts one leaf too many in each piece: `python wrong_worker.py worker ADDRESS ...`."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

from perft_check.__main__ import main
from perft_check.harness.counting.model import Delivery, Order
from perft_check.harness.counting.piece_counter import PieceCounter, carry_out


def carry_out_wrongly(counter: PieceCounter, order: Order, worker: str) -> Delivery:
    delivery = carry_out(counter, order, worker)
    assert delivery.counted is not None
    origin, counted = delivery.counted
    return replace(delivery, counted=(origin, replace(counted, nodes=counted.nodes + 1)))


if __name__ == "__main__":
    with patch("perft_check.harness.counting.piece_counter.carry_out", carry_out_wrongly):
        main()
