"""A suite and its cases: positions with the node counts that are known to be right."""

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
"""What a name may not contain: control characters, also those that turn the direction of text, and halves
of characters that cannot be encoded.
"""


class Problem(NamedTuple):
    """One thing that is wrong in a suite file."""

    line: int
    message: str


class SuiteError(UsageError, ValueError):
    """A suite that cannot be found, read or written; the message is one line that says why.

    Where lines of a file are bad, the message is about the first, and `problems` has them all.
    """

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


def label(suite: str, name: str) -> str:
    """Return the full name of a position, whose own name may have its suite's in it."""
    return name if name.startswith(f"{suite}:") else f"{suite}:{name}"


@dataclass(frozen=True)
class Case:
    """One position of a suite, with the counts to expect."""

    name: str
    """The `id` of the case, or `<suite>:<line>`; never blank, and printable on one line."""
    position: Position
    counts: tuple[tuple[int, int], ...]
    """Pairs of a depth, from 1, and its number of nodes, in ascending order of depth."""
    source: str
    """Where the case was read, as `path:line`."""
    purpose: str = ""
    """What it is there for, printable on one line; empty if the file does not say."""
    moves: tuple[Move, ...] = ()
    """Legal moves from the position: once its counts are right, the engine is asked again after playing these."""
    setup: frozenset[SetupOption] = frozenset()
    """How the engine is brought to the position, where that is not as usual: by a FEN of six fields, alone."""

    def __post_init__(self) -> None:
        if not self.name.strip() or UNPRINTABLE.search(self.name):
            raise ValueError(f"a case needs a printable name on one line, not {self.name!r}")
        if UNPRINTABLE.search(self.purpose):
            raise ValueError(f"a purpose is printable and on one line, not {self.purpose!r}")
        depths = [depth for depth, _ in self.counts]
        if depths != sorted(set(depths)) or min(depths, default=1) < 1 or any(nodes < 0 for _, nodes in self.counts):
            raise ValueError(f"counts must have ascending depths from 1, and no negative nodes: {self.counts}")
        if self.setup:
            PositionSetup(self.position, self.moves, self.setup)  # raises ValueError where these do not fit

    @property
    def game(self) -> Game:
        """The position, before the moves, as the engine is brought to it."""
        return PositionSetup(self.position, (), self.setup) if self.setup else Game(self.position)

    @property
    def game_after_moves(self) -> Game:
        """The same after the moves."""
        return PositionSetup(self.position, self.moves, self.setup) if self.setup else Game(self.position, self.moves)

    @property
    def max_depth(self) -> int:
        """The greatest depth with a count; 0 if there are none."""
        return self.counts[-1][0] if self.counts else 0

    @property
    def nodes(self) -> int:
        """The leaf nodes of all its counts."""
        return sum(nodes for _, nodes in self.counts)

    def to_depth(self, max_depth: int | None = None, max_nodes: int | None = None) -> Case:
        """Return the case with only the counts within the limits, which may be none; None is no limit."""
        within = tuple(
            (depth, nodes)
            for depth, nodes in self.counts
            if (max_depth is None or depth <= max_depth) and (max_nodes is None or nodes <= max_nodes)
        )
        return self if within == self.counts else replace(self, counts=within)

    def up_to(self, max_nodes: int) -> Case:
        """Return the case with only the counts within the limit, or else with that of the deepest depth within it.

        It has no counts if even its first depth exceeds the limit.
        """
        case = self.to_depth(None, max_nodes)
        if case.counts or not self.counts:
            return case
        from ..generator.counting.perft import perft  # most suites need none

        deepest: tuple[tuple[int, int], ...] = ()
        for depth in range(1, self.counts[0][0]):
            nodes = perft(self.position, depth)
            if nodes > max_nodes:
                break
            deepest = ((depth, nodes),)
        return replace(case, counts=deepest)


@dataclass(frozen=True)
class Suite:
    """Cases, in the order of their file."""

    name: str
    cases: Sequence[Case]
    notice: str = ""
    """What to say of the file once, in one line; empty if it is plain."""

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
        """Return the cases that are wanted, with only the counts within the limits, and none that has no count left."""
        if max_depth is None and max_nodes is None and is_wanted is None:
            return self
        cases = (case.to_depth(max_depth, max_nodes) for case in self.cases if is_wanted is None or is_wanted(case))
        return replace(self, cases=tuple(case for case in cases if case.counts))

    def up_to(self, max_nodes: int) -> Suite:
        """Return the cases with counts within a limit, a shallower one where all that the file has exceed it."""
        cases = (case.up_to(max_nodes) for case in self.cases)
        return replace(self, cases=tuple(case for case in cases if case.counts))
