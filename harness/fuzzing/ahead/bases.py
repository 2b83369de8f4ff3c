"""The positions from which the walks of a batch start: those that are known, and those that strategies make."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

from ....generator.line import Line
from ....generator.position import Position
from ....strategies.mixed import NAMES, lines
from ....strategies.seeds import smallest_positions, tricky_positions
from ....suites.bundled import BUNDLED, bundled_path
from ....suites.loader import load_suite
from ..batch import along
from ..mix import Turn

MADE = 12
"""Examples that each strategy makes for a batch. All together take some tenths of a second."""


@cache
def known_bases(chess960: bool) -> tuple[Position, ...]:
    """Return the positions of the bundled suites and of rare events, each once."""
    suites = (case.position for name in BUNDLED for case in load_suite(bundled_path(name)))
    known = (*smallest_positions().values(), *tricky_positions(), *suites)
    return tuple(dict.fromkeys(one for one in known if one.chess960 is chess960))


def made_bases(turns: Iterable[Turn], number: int) -> list[Position]:
    """Return positions that strategies make, always the same for one number."""
    drawn = ((turn, line) for turn in turns for line in _made(turn, number))
    ends = (along(line) if turn.strategy == "sequences" else (line,) for turn, line in drawn)
    return list(dict.fromkeys(end.position for some in ends for end in some))


def made_starts(turns: Iterable[Turn], number: int) -> list[Position]:
    """Return the positions from which the sequences among these strategies start."""
    sequences = (turn for turn in turns if turn.strategy == "sequences")
    return list(dict.fromkeys(line.base for turn in sequences for line in _made(turn, number)))


@lru_cache(maxsize=len(NAMES))
def _made(turn: Turn, number: int) -> tuple[Line, ...]:
    made: list[Line] = []

    @settings(
        max_examples=MADE,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @seed(number)
    @given(lines(turn.strategy, chess960=turn.chess960))
    def make(line: Line) -> None:
        made.append(line)

    make()
    return tuple(made)
