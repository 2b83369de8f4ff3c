"""Guidance by the coverage of the engine's own code: lines that have reached something new are walked from more often.

libFuzzer and AFL++ do so with inputs. What is new is a feature (`coverage/tally.py`): a branch, another bucket of how
often it ran, or two compared values that were nearer than ever. Of the lines of one comparison the nearest counts, as
long as the values were never equal (`-use_value_profile` of libFuzzer).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...generator.line import Line
from ..coverage.model import CoverageMap, CoverageSource, FirstReached, SourcePlace
from ..coverage.tally import SOMEWHERE, BlockCoverage
from .guided_drawing import GuidedBases

SEEKING_SHARE = 0.2
"""The share of the time that may be spent on finding which line of a block has reached something."""
MOST_BLOCKS_SOUGHT = 4
"""Blocks are under way when counters are read, so that what was reached may be in one that comes later."""


class Guidance:
    """What one process knows of the coverage of the engine under test."""

    def __init__(self, source: CoverageSource, places: Sequence[SourcePlace | None]) -> None:
        """Take what reads the counters of the engine when one line is examined, and the place of each counter."""
        self._source = source
        self.places = tuple(places)
        self.known = CoverageMap()
        self._bases = {False: GuidedBases(), True: GuidedBases()}
        self._told = 0
        """How many of the first lines were told."""
        self._sought: set[int] = set()
        """Branches that a block has reached, and no line is known that does."""
        self._blocks_sought = 0
        self._began, self._seeking = time.monotonic(), 0.0
        """When it was begun, and the seconds spent on searching since."""

    def bases(self, chess960: bool) -> GuidedBases:
        """Return the bases of a variant."""
        return self._bases[chess960]

    def note_line(self, line: Line, depth: int, *, by_suite: bool) -> None:
        """Note what the engine has reached since the last line, for one that was examined alone."""
        counters = self._source.read()
        before = len(self.known)
        if self.known.note(counters, lambda: line, depth, by_suite=by_suite):
            has_new = len(self.known) > before
            self._bases[line.base.chess960].add(line.position, len(counters), (), has_new=has_new)

    def note_block(
        self, coverage: BlockCoverage, line_of: Callable[[int], tuple[Line, int]], *, by_suite: bool
    ) -> None:
        """Note what the answers about a block have reached; `line_of` returns a line of it, and its depth."""
        by_position: dict[int, list[int]] = {}
        for feature, position in coverage.features:
            if position == SOMEWHERE:
                self._sought |= {feature // 8} if feature < 8 * coverage.branches else set()
                continue
            by_position.setdefault(position, []).append(feature)
        for number in sorted(by_position):
            line, depth = line_of(number)
            features = by_position[number]
            reached = sorted({feature // 8 for feature in features if feature < 8 * coverage.branches})
            before = len(self.known)
            self.known.note_firsts(FirstReached(place, line, depth, by_suite) for place in reached)
            bases, has_new = self._bases[line.base.chess960], len(self.known) > before
            bases.add(line.position, coverage.branches, features, has_new=has_new, is_tree=depth > 1)

    def seek(self, lines: Iterator[tuple[Line, int]], ask: Callable[[Line, int], None], *, by_suite: bool) -> None:
        """Find the lines that have reached branches of which it is only known that a block has.

        `ask` puts a line to the process whose counters are read; the search takes a share of the time at most.
        """
        began = time.monotonic()
        self._sought -= self.known.firsts.keys()
        while self._sought and self._seeking < SEEKING_SHARE * (began - self._began):
            line, depth = next(lines, (None, 0))
            if line is None:
                break
            ask(line, depth)
            self.note_line(line, depth, by_suite=by_suite)
            self._sought -= self.known.firsts.keys()
            now = time.monotonic()
            self._seeking += now - began
            began = now
        self._blocks_sought = (self._blocks_sought + 1) * bool(self._sought)
        if self._blocks_sought > MOST_BLOCKS_SOUGHT:  # it may depend on what was asked before
            self._sought.clear()

    def adopt(self, firsts: Iterable[FirstReached]) -> None:
        """Take over what other processes have reached."""
        for first in firsts:
            if first.place not in self.known.firsts:
                bases = self._bases[first.line.base.chess960]
                bases.add(first.line.position, first.place + 1, [8 * first.place], has_new=True)
                self.known.note_firsts([first])
        self._told = len(self.known)

    def find_more_places(self) -> tuple[SourcePlace | None, ...]:
        """Return the place of each counter where more are known than before, as of GCC's `trace-pc`; else nothing."""
        places = self._source.places()
        if len(places) - places.count(None) <= len(self.places) - self.places.count(None):
            return ()
        self.places = places
        return places

    def collect_new(self) -> tuple[FirstReached, ...]:
        """Return the first lines that were not returned before."""
        new = tuple(self.known.firsts.values())[self._told :]
        self._told += len(new)
        return new
