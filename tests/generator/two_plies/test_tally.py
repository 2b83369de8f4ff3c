"""64 counters in four words against a list of 64 numbers."""

from __future__ import annotations

import random

from helpers import two_plies
from helpers.two_plies import NOTHING, word
from perft_check.generator.kernels.counting.two_plies.tally import Counters


def test_each_counter_counts_its_square() -> None:
    rng = random.Random(1)
    for _ in range(20):
        counters, numbers = Counters(NOTHING, NOTHING, NOTHING, NOTHING), [0] * 64
        for _ in range(rng.randrange(16)):
            squares = rng.getrandbits(64)
            counters = two_plies.add_counts(counters, word(squares))
            numbers = [number + (squares >> square & 1) for square, number in enumerate(numbers)]
        some = rng.getrandbits(64)
        assert [two_plies.number_of(counters, word(square)) for square in range(64)] == numbers
        assert two_plies.total_of(counters, word(some)) == sum(n for s, n in enumerate(numbers) if some >> s & 1)
        assert two_plies.some_of(counters) == sum(1 << square for square, number in enumerate(numbers) if number)
