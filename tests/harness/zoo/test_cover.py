"""The greedy cover, on matrices small enough to be solved by hand."""

from __future__ import annotations

import random

from bundling.cover import CASE_COST, CountedPosition, count_covered, cover

ALL = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}


def option(place: str, depth: int, nodes: int, kills: str) -> CountedPosition:
    return CountedPosition(place, depth, nodes, frozenset(kills))


def chosen(choice: dict[str, CountedPosition]) -> list[tuple[str, int]]:
    return [(place, one.depth) for place, one in choice.items()]


def test_the_best_ratio_comes_first() -> None:
    options = [option("dear", 1, 9_500, "abcd"), option("first", 1, 500, "ab"), option("second", 1, 1_500, "cd")]
    # Values per cost: 4 for 10,000; 2 for 1,000; 2 for 2,000.
    assert chosen(cover(options, ALL, 1, {})) == [("first", 1), ("second", 1)]


def test_a_greater_depth_costs_what_it_adds() -> None:
    options = [option("one", 1, 0, "a"), option("one", 2, 600, "ab"), option("two", 1, 200, "b")]
    # After the first depth of one, b costs 600 more nodes there, and 200 nodes and a case elsewhere.
    assert chosen(cover(options, {"a": 1, "b": 1}, 1, {})) == [("one", 2)]


def test_covering_twice_takes_two_places() -> None:
    options = [option("one", 1, 0, "a"), option("one", 2, 10, "a"), option("two", 1, 5_000, "a")]
    choice = cover(options, {"a": 1}, 2, {})
    assert chosen(choice) == [("one", 1), ("two", 1)]
    assert count_covered(choice) == {"a": 2}


def test_fixed_options_stay_and_cost_no_budget() -> None:
    fixed = {"famous": option("famous", 3, 50_000, "a")}
    options = [option("famous", 3, 50_000, "a"), option("one", 1, 100, "ab"), option("two", 1, 101, "c")]
    choice = cover(options, ALL, 1, fixed, budget=2 * CASE_COST + 200)
    assert chosen(choice) == [("famous", 3), ("one", 1)]
    choice = cover(options, ALL, 1, fixed, budget=2 * CASE_COST + 201)
    assert chosen(choice) == [("famous", 3), ("one", 1), ("two", 1)]


def test_an_unnecessary_option_is_dropped() -> None:
    # The first has the best ratio. The others are needed for c and d, and then cover all that it covers.
    options = [option("first", 1, 0, "ab"), option("second", 1, 600, "ac"), option("third", 1, 700, "bd")]
    assert chosen(cover(options, ALL, 1, {})) == [("second", 1), ("third", 1)]


def test_higher_values_are_covered_first() -> None:
    options = [option("many", 1, 0, "abc"), option("one", 1, 0, "d")]
    values = {"a": 0.25, "b": 0.25, "c": 0.25, "d": 1.0}
    assert chosen(cover(options, values, 1, {}, budget=CASE_COST)) == [("one", 1)]


def test_the_order_of_the_options_does_not_matter() -> None:
    draw = random.Random(7)
    names = {f"n{number}": 1 / draw.randint(1, 3) for number in range(30)}
    options = [
        CountedPosition(f"place {number}", 1, draw.randint(1, 999), frozenset(draw.sample(sorted(names), 4)))
        for number in range(60)
    ]
    choice = cover(options, names, 2, {})
    assert all(
        count >= min(2, sum(name in one.kills for one in options)) for name, count in count_covered(choice).items()
    )
    for _ in range(3):
        draw.shuffle(options)
        assert chosen(cover(options, names, 2, {})) == chosen(choice)
