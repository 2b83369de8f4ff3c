"""How many pieces an order has."""

from __future__ import annotations

from perft_check.harness.counting.piece_scheduler import OrderSizing


def test_an_order_grows_with_what_is_known_and_shrinks_at_the_end() -> None:
    sizing = OrderSizing()  # orders of 0.3 s, two for each worker
    assert sizing.size(left=1_000, capacity=4) == 1
    sizing.learn(seconds=0.6, pieces=40)
    assert sizing.size(left=1_000, capacity=4) == 20
    sizing.learn(seconds=1.4, pieces=40)  # the mean is 0.8 * 15 ms + 0.2 * 35 ms = 19 ms
    assert sizing.size(left=1_000, capacity=4) == 15
    assert sizing.size(left=80, capacity=4) == 10
    assert sizing.size(left=1, capacity=0) == 1
    for _ in range(60):
        sizing.learn(seconds=0.0, pieces=40)
    assert sizing.size(left=1_000_000, capacity=4) == 10_000
