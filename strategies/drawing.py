"""What all strategies here share: how they draw, compile what they need, and accept a position."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator import validation
from ..generator.events import events_of
from ..generator.position import Position
from ..generator.reachability.labels import is_impossible
from ..generator.validation import FenError

T = TypeVar("T")


class DrawFunction(Protocol):
    """What `st.composite` hands to a strategy function: one value of a strategy, please."""

    def __call__(self, strategy: SearchStrategy[T], /) -> T:
        """Return a value of `strategy`."""


@cache
def below(number: int) -> SearchStrategy[int]:
    """Return the strategy of whole numbers from 0 to `number` - 1; the same object each time."""
    return st.integers(0, number - 1)


def draw_some(strategy: SearchStrategy[T], number: int, with_seed: int) -> list[T]:
    """Return so many values of a strategy, always the same for one seed."""
    drawn: list[T] = []

    @settings(
        max_examples=number,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @seed(with_seed)
    @given(strategy)
    def keep(value: T) -> None:
        drawn.append(value)

    keep()
    return drawn


def choose(draw: DrawFunction, options: Sequence[T]) -> T:
    """Return one of `options`, which shrinks towards the first; no draw where there is only one."""
    return options[0] if len(options) == 1 else options[draw(below(len(options)))]


COUNTERS: SearchStrategy[tuple[int, int]] = st.sampled_from(
    [(0, 1), (0, 20), (1, 20), (7, 35), (49, 60), (50, 60), (98, 80), (99, 80), (100, 80), (63, 90), (64, 120)]
)
"""Halfmove clock and move number, up to the limit of the fifty-move rule."""
EXTREME_COUNTERS: SearchStrategy[tuple[int, int]] = st.sampled_from(
    [(101, 80), (149, 120), (150, 5899), (127, 255), (128, 256), (255, 1023), (0, 1024), (0, 9999)]
)
"""Beyond the fifty-move and the seventy-five-move rule, and at the limits of small integers."""


def when_ready(strategy: SearchStrategy[T]) -> SearchStrategy[T]:
    """Return the strategy, which compiles what it needs when a test that draws from it begins."""

    def compile_first() -> SearchStrategy[T]:
        _compile()
        return strategy

    return st.deferred(compile_first)


@cache
def _compile() -> None:
    from ..generator.movelist import MoveList
    from ..generator.types.moves import GenType

    start = Position.start()
    MoveList(start, GenType.QUIET_CHECKS)
    start.play(start.legal_moves[0])
    events_of(start)


def accept_position(position: Position, impossible: bool) -> Position | None:
    """Return the position if a FEN can say it and, unless `impossible`, it is not impossible; else None."""
    try:
        validation.check_pieces(position.pieces)
        validation.check_side_not_to_move(position.pieces, position.turn)
    except FenError:
        return None
    return None if not impossible and is_impossible(position) else position
