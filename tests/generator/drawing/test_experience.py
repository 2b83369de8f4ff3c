"""What one drawer has learned, and another one goes on with."""

from __future__ import annotations

import numpy as np
from perft_check.generator import Position
from perft_check.generator.drawing.drawer import Drawer
from perft_check.generator.drawing.experience import Experience, experience_of
from perft_check.generator.fens import states_of, write_states
from perft_check.generator.kernels.drawing.schedule import NO_PAIR
from perft_check.strategies.drawing import tricky_positions

START = Position.start()
BASES = [position for position in tricky_positions() if not position.chess960][:40]


def known(*positions: Position) -> Experience:
    return experience_of(states_of(positions))


def fens(experience: Experience) -> list[str]:
    return write_states(experience.states).decode().splitlines()


def after(before: Experience, seed: int, number: int = 400) -> Experience:
    """Return the experience of a drawer that has drawn so many positions."""
    drawer = Drawer([START], seed, before=before)
    assert len(drawer.draw(number)) == number
    return before.with_learned(drawer.collect_learned())


def test_what_was_met_adds_up() -> None:
    one = after(known(*BASES), 1)
    two = after(one, 2)
    alone = Drawer([START], 2, before=one)
    drawn = alone.draw(400)
    events = np.unpackbits(drawn.events.view(np.uint8), axis=1, bitorder="little").sum(axis=0)[: one.met.shape[0]]
    assert (two.met.diagonal() - one.met.diagonal() == events).all()
    assert (alone.times_met == two.met.diagonal()).all()


def test_bases_stay_and_those_with_new_pairs_come_behind_them() -> None:
    one = after(known(*BASES), 1)
    two = after(one, 2)
    assert fens(one)[: len(BASES)] == [position.fen() for position in BASES]
    assert fens(two)[: len(one)] == fens(one)
    assert len(BASES) < len(one) < len(two)
    for number in range(len(BASES), len(two)):
        high, low = divmod(int(two.pairs_of[number]), two.met.shape[0])
        assert two.met[high, low] > 0
        assert number < len(one) or one.met[high, low] == 0


def test_visits_count_on() -> None:
    one = after(known(*BASES), 1)
    two = after(one, 2)
    assert (two.visits[: len(one)] >= one.visits).all()
    assert one.visits[: len(BASES)].min() > 0  # the first round visits all
    assert (one.pairs_of[: len(BASES)] != NO_PAIR).sum() > len(BASES) // 2


def test_of_two_drawers_that_have_met_the_same_pair_one_base_is_taken() -> None:
    before = known(*BASES)
    drawers = [Drawer([START], 1, before=before) for _ in range(2)]
    for drawer in drawers:
        drawer.draw(400)
    first, second = (drawer.collect_learned() for drawer in drawers)
    both = before.with_learned(first).with_learned(second)
    assert len(both) == len(before) + len(first.found_pairs)
    assert (both.met == first.met + second.met).all()


def test_a_base_that_only_one_drawer_had_is_passed_on_if_it_shows_a_new_pair() -> None:
    drawer = Drawer(BASES, 1, before=known(START))
    drawer.draw(400)
    passed_on = set(fens(known(START).with_learned(drawer.collect_learned())))
    assert START.fen() in passed_on
    assert 5 < len(passed_on & {position.fen() for position in BASES}) <= len(BASES)


def test_the_position_of_a_line_is_the_one_that_was_drawn() -> None:
    """Bases have other numbers than those of the experience."""
    drawer = Drawer([START], 3, before=after(known(*BASES), 1))
    drawn = drawer.draw(200)
    assert all(drawer.line(drawn, index).position.fen() == drawn.fen(index) for index in range(200))
