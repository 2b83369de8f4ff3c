"""Choose cheap positions that cover all names, here those of faults, by a greedy weighted set cover with pruning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import fsum

CASE_COST = 500
"""The cost of a position in addition to its nodes, for setup, question and report."""


@dataclass(frozen=True)
class CountedPosition:
    """An option to choose: a position counted to a depth. At most one option of each position is chosen."""

    place: str
    """The name of the position."""
    depth: int
    """The maximum depth; all smaller depths are counted as well."""
    nodes: int
    """The sum of the nodes of all depths."""
    kills: frozenset[str]
    """The names that the option covers, including those that smaller depths cover."""
    case_cost: int = CASE_COST
    """The cost in addition to the nodes."""

    @property
    def cost(self) -> int:
        """The total cost of the option."""
        return self.case_cost + self.nodes


Choice = dict[str, CountedPosition]
"""The chosen options by position, in the order of choice."""


def cover(
    options: Iterable[CountedPosition],
    values: Mapping[str, float],
    times: int,
    fixed: Choice,
    budget: int | None = None,
) -> Choice:
    """Return a cheap choice that covers every name of `values` in `times` positions, if possible.

    All names are covered once, then twice, and so on. Each step chooses the option with the most value for its cost;
    name and depth break ties. Finally, options that later options have made unnecessary are removed, except those in
    `fixed`.
    `budget` limits the cost of all options that are not fixed.
    """
    useful = [_only(option, values) for option in options]
    chosen = {place: _only(option, values) for place, option in fixed.items()}
    limit = None if budget is None else budget + _cost(chosen)
    for wanted in range(1, times + 1):
        while (best := _best(useful, values, wanted, chosen, limit)) is not None:
            chosen[best.place] = best
    return _prune(chosen, useful, times, fixed)


def count_covered(choice: Choice) -> Counter[str]:
    """Return the number of positions that cover each name."""
    return Counter(name for option in choice.values() for name in option.kills)


def _only(option: CountedPosition, values: Mapping[str, float]) -> CountedPosition:
    return replace(option, kills=option.kills & values.keys())


def _cost(chosen: Choice) -> int:
    return sum(option.cost for option in chosen.values())


def _best(
    options: list[CountedPosition], values: Mapping[str, float], times: int, chosen: Choice, limit: int | None
) -> CountedPosition | None:
    """Return the option with the best ratio of added value to added cost, or None if no option adds value."""
    counts, spent = count_covered(chosen), _cost(chosen)
    best: tuple[float, CountedPosition] | None = None
    for option in sorted(options, key=lambda option: (option.place, option.depth)):
        present = chosen.get(option.place)
        kept = present.kills if present else frozenset()
        cost = option.cost - (present.cost if present else 0)
        # The order of a set varies, so the sum must be exact.
        value = fsum(values[name] for name in option.kills - kept if counts[name] < times)
        if value == 0 or (limit is not None and spent + cost > limit):
            continue
        if best is None or value / cost > best[0]:
            best = value / cost, option
    return None if best is None else best[1]


def _prune(chosen: Choice, options: list[CountedPosition], times: int, fixed: Choice) -> Choice:
    """Remove or shorten options that the others make unnecessary, the most expensive first."""
    pruned = dict(chosen)
    for place, option in sorted(chosen.items(), key=lambda item: (-item[1].cost, item[0])):
        least = fixed[place].depth if place in fixed else 0
        shorter = [one for one in options if one.place == place and least <= one.depth < option.depth]
        counts = count_covered(pruned)
        for other in [None] * (place not in fixed) + sorted(shorter, key=lambda one: one.depth):
            lost = option.kills - (other.kills if other else frozenset())
            if all(counts[name] > times for name in lost):
                if other is None:
                    del pruned[place]
                else:
                    pruned[place] = other
                break
    return pruned
