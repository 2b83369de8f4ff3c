"""Functions shared by several strategies, and the well-known positions from which they start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator import validation
from ..generator.events import events_of
from ..generator.position import Position
from ..generator.reachability.classification import is_impossible
from ..generator.reachability.retro import rights_from_corner
from ..generator.validation import FenError
from ..suites.bundled import KNOWN, RARE, WALKS
from ..suites.loader import load_suite

T = TypeVar("T")


class DrawFunction(Protocol):
    """The type of `draw`, which `st.composite` passes to a strategy function."""

    def __call__(self, strategy: SearchStrategy[T], /) -> T:
        """Draw an example from a strategy."""


@cache
def below(number: int) -> SearchStrategy[int]:
    """Return a strategy for integers from 0 to `number` - 1. For the same number, it is always the same object."""
    return st.integers(0, number - 1)


def generate_examples(strategy: SearchStrategy[T], number: int, with_seed: int) -> list[T]:
    """Return `number` examples of a strategy; the same seed gives the same examples."""
    examples: list[T] = []

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
        examples.append(value)

    keep()
    return examples


def choose(draw: DrawFunction, options: Sequence[T]) -> T:
    """Draw one of `options`, shrinking toward the first; if there is only one, nothing is drawn."""
    return options[0] if len(options) == 1 else options[draw(below(len(options)))]


COUNTERS: SearchStrategy[tuple[int, int]] = st.sampled_from(
    [(0, 1), (0, 20), (1, 20), (7, 35), (49, 60), (50, 60), (98, 80), (99, 80), (100, 80), (63, 90), (64, 120)]
)
"""Pairs of a halfmove clock, up to the limit of the fifty-move rule, and a move number."""
EXTREME_COUNTERS: SearchStrategy[tuple[int, int]] = st.sampled_from(
    [(101, 80), (149, 120), (150, 5899), (127, 255), (128, 256), (255, 1023), (0, 1024), (0, 9999)]
)
"""Pairs with values beyond the fifty-move and seventy-five-move rules, and at the limits of small integers."""


def when_ready(strategy: SearchStrategy[T]) -> SearchStrategy[T]:
    """Return a strategy that compiles the kernels that it needs when a test that uses it begins."""

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
    """Return the position, or None if no FEN can describe it or if it is impossible and `impossible` is False."""
    try:
        validation.check_pieces(position.pieces)
        validation.check_side_not_to_move(position.pieces, position.turn)
    except FenError:
        return None
    return None if not impossible and is_impossible(position) else position


@cache
def tricky_positions() -> tuple[Position, ...]:
    """Return the distinct smallest positions of rare events, well-known positions, and positions of walks from both.

    Castling rights that cannot occur in a game are removed.
    """
    paths = (RARE, KNOWN, WALKS)
    found = {_with_rights_of_games(case.position): None for path in paths for case in load_suite(path)}
    return tuple(found)


def _with_rights_of_games(position: Position) -> Position:
    rights = rights_from_corner(position)
    return replace(position, castling=position.castling & ~rights) if rights else position


_SMALLEST_OTHERS = {
    "ep-illegal-victim-shield": "8/8/7b/5Pp1/8/8/8/k1K5 w - g6 0 1",
    "ep-square-no-evasion": "8/8/8/pPN5/1K6/8/8/k7 w - a6 0 1",
    "ca-lost-by-rook-move": "8/8/8/8/8/8/8/k3K2R w K - 0 1",
    "ca-kept-other-rook-moves": "8/8/8/8/8/8/7R/k3K2R w K - 0 1",
    "ca-kept-other-rook-taken": "4kr1r/8/4N3/8/8/8/8/K7 w k - 0 1",
    "ca-uci-lookalike": "8/8/8/8/8/8/2k5/K3R3 w - - 0 1",
    "dc-shield-stays-on-line": "8/8/8/Q7/8/K7/8/k7 w - - 0 1",
    "dp-allows-ep": "8/8/8/8/1p6/8/P7/K1k5 w - - 0 1",
    "moves-gt-128": "5Q2/Q3Q3/8/QQ4R1/B4N2/1K2Q3/QQ1Q4/7k w - - 0 1",
    "moves-gt-256": "kBQQQQQQ/BN5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    "f-own-rook-outside": "8/8/8/8/8/8/3k4/1KR4R w C - 0 1",
}
"""The smallest positions of events that `rare.epd` lacks, by event label. Add positions of new events here rather than
to that suite, because the positions that a seed generates depend on the suite.
"""


@cache
def smallest_positions() -> dict[str, Position]:
    """Return the smallest known position of each rare event, by event label."""
    others = {label: Position.from_fen(fen, chess960=None) for label, fen in _SMALLEST_OTHERS.items()}
    return others | {case.name: case.position for case in load_suite(RARE)}
