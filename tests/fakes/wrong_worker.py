"""A worker that counts one leaf too many in each piece: `python wrong_worker.py worker ADDRESS ...`."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

from perft_check.__main__ import main
from perft_check.harness.counting.model import Delivery, Order
from perft_check.harness.counting.piece_counter import PieceCounter, carry_out


def carry_out_wrongly(counter: PieceCounter, order: Order, worker: str) -> Delivery:
    delivery = carry_out(counter, order, worker)
    return replace(delivery, counted=[replace(one, nodes=one.nodes + 1) for one in delivery.counted])


if __name__ == "__main__":
    with patch("perft_check.harness.counting.piece_counter.carry_out", carry_out_wrongly):
        main()
