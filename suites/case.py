"""A suite and its cases: positions with known node counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..errors import UsageError
from ..generator.game import Game
from ..generator.position import Position
from ..generator.position_setup import PositionSetup, SetupOption
from ..generator.types.moves import Move

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that names may not contain: control characters, text direction marks, and lone surrogates."""


class Problem(NamedTuple):
    """An error in a line of a suite file."""

    line: int
    message: str


class SuiteError(UsageError, ValueError):
    """Raised, with a one-line message, if a suite cannot be found, read or written.

    If the file has invalid lines, the message is about the first one, and `problems` lists all of them.
    """

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


def label(suite: str, name: str) -> str:
    """Return the full name of a position, with the name of the suite unless it is already included."""
    return name if name.startswith(f"{suite}:") else f"{suite}:{name}"


@dataclass(frozen=True)
class Case:
    """A position of a suite with its expected counts."""

    name: str
    """The `id` of the case or, if it has none, `<suite>:<line>`. It is a non-blank, printable line."""
    position: Position
    counts: tuple[tuple[int, int], ...]
    """Pairs of depth (at least 1) and node count, in ascending order of depth."""
    source: str
    """The location of the case, as `path:line`."""
    purpose: str = ""
    """What the case tests, on one printable line, or "" if the file does not say."""
    moves: tuple[Move, ...] = ()
    """Legal moves from the position. If the counts are correct, the position after these moves is tested as well."""
    setup: frozenset[SetupOption] = frozenset()
    """The options with which the position is set up. By default, it is set up from a FEN of six fields."""

    def __post_init__(self) -> None:
        if not self.name.strip() or UNPRINTABLE.search(self.name):
            raise ValueError(f"a case needs a printable name on one line, not {self.name!r}")
        if UNPRINTABLE.search(self.purpose):
            raise ValueError(f"a purpose is printable and on one line, not {self.purpose!r}")
        depths = [depth for depth, _ in self.counts]
        if depths != sorted(set(depths)) or min(depths, default=1) < 1 or any(nodes < 0 for _, nodes in self.counts):
            raise ValueError(f"counts must have ascending depths from 1, and no negative nodes: {self.counts}")
        if self.setup:
            PositionSetup(self.position, self.moves, self.setup)  # raises ValueError if they are incompatible

    @property
    def game(self) -> Game:
        """The position before the moves, with its setup options."""
        return PositionSetup(self.position, (), self.setup) if self.setup else Game(self.position)

    @property
    def game_after_moves(self) -> Game:
        """The position and the moves, with their setup options."""
        return PositionSetup(self.position, self.moves, self.setup) if self.setup else Game(self.position, self.moves)

    @property
    def max_depth(self) -> int:
        """The greatest depth with a count, or 0 if there are no counts."""
        return self.counts[-1][0] if self.counts else 0

    @property
    def nodes(self) -> int:
        """The sum of all counts."""
        return sum(nodes for _, nodes in self.counts)

    def to_depth(self, max_depth: int | None = None, max_nodes: int | None = None) -> Case:
        """Return the case with only the counts within the limits. None means that there is no limit."""
        within = tuple(
            (depth, nodes)
            for depth, nodes in self.counts
            if (max_depth is None or depth <= max_depth) and (max_nodes is None or nodes <= max_nodes)
        )
        return self if within == self.counts else replace(self, counts=within)

    def up_to(self, max_nodes: int) -> Case:
        """Return the case without the counts that exceed the limit.

        If no counts are left, a count is computed at the greatest depth at which it is within the limit. The case has
        no counts if even depth 1 exceeds the limit.
        """
        case = self.to_depth(None, max_nodes)
        if case.counts or not self.counts:
            return case
        from ..generator.counting.perft import perft  # not needed for most suites

        deepest: tuple[tuple[int, int], ...] = ()
        for depth in range(1, self.counts[0][0]):
            nodes = perft(self.position, depth)
            if nodes > max_nodes:
                break
            deepest = ((depth, nodes),)
        return replace(case, counts=deepest)


@dataclass(frozen=True)
class Suite:
    """The cases of a suite, in the order of the file."""

    name: str
    cases: Sequence[Case]
    notice: str = ""
    """A one-line notice about the file, or ""."""

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def within_limits(
        self,
        max_depth: int | None = None,
        max_nodes: int | None = None,
        is_wanted: Callable[[Case], bool] | None = None,
    ) -> Suite:
        """Return a suite of the wanted cases that have counts within the limits, with only these counts."""
        if max_depth is None and max_nodes is None and is_wanted is None:
            return self
        cases = (case.to_depth(max_depth, max_nodes) for case in self.cases if is_wanted is None or is_wanted(case))
        return replace(self, cases=tuple(case for case in cases if case.counts))

    def up_to(self, max_nodes: int) -> Suite:
        """Return the suite with the counts within a limit; see `Case.up_to`."""
        cases = (case.up_to(max_nodes) for case in self.cases)
        return replace(self, cases=tuple(case for case in cases if case.counts))
