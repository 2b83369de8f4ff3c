"""Keeps what a fuzzing run finds in the corpus, and a suite of what has reached code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ...errors import UsageError, concerning
from ...generator.counting.perft import perft
from ...suites.case import Case, Suite, SuiteError
from ...suites.epd import write_suite
from ..checking.covering import CoverPlan, SuiteCoverage
from ..coverage.model import FirstReached
from ..engines.asking.session import TimeLimit
from ..engines.opening import open_session
from .campaign import Store
from .corpus import Corpus, check_corpus
from .model import Discrepancy
from .plan import FuzzPlan


class Keeper(Store):
    """Adds finds to the corpus, if there is one. A failure to do so must not hide what the run finds."""

    def __init__(self, path: str | None, prepare: Callable[[], None], tell: Callable[[str], None]) -> None:
        """`prepare` is called before something is written, `tell` with what the user has to know.

        Raises SuiteError if nothing can be added to the file.
        """
        if path is not None:
            with concerning(path):
                check_corpus(Path(path))
        self._corpus = None if path is None else Corpus(Path(path))
        self._prepare, self._tell, self._has_told = prepare, tell, False
        self.has_kept = False
        self.failure: UsageError | None = None
        """Why the first find could not be added."""

    def keep(self, found: Discrepancy, depth: int) -> None:
        """Add a finding as it was found."""
        self._try(lambda corpus: corpus.keep(found, depth))

    def keep_reduced(self, reduced: Discrepancy, depth: int, found: Discrepancy | None) -> None:
        """Add a reduced find instead."""
        self._try(lambda corpus: corpus.keep_reduced(reduced, depth, found))

    def finish(self) -> None:
        """Write the corpus again if it was deleted after the last find."""
        self._try(Corpus.restore)

    def _try(self, add: Callable[[Corpus], bool]) -> None:
        if self._corpus is None:
            return
        try:
            self._prepare()
            self.has_kept |= add(self._corpus)
        except SuiteError as error:
            if self.failure is None:
                self._tell(f"{error}: finds are reported, and not kept")
            self.failure = self.failure or error
            return
        if self._corpus.was_deleted and not self._has_told:
            self._tell(f"{self._corpus.path} was deleted during the run, and is written again")
            self._has_told = True


def keep_cover(path: Path, plan: FuzzPlan, firsts: Sequence[FirstReached]) -> tuple[int, int]:
    """Ask the engine of a plan about the first lines again, and write few of them that reach all they reach.

    Returns how many positions were written, and how many branches they reach. Raises SuiteError, UsageError,
    EngineError, Interrupted.
    """
    asked = Suite(path.stem, tuple(_cases(firsts)))
    limit = TimeLimit(plan.timeout)
    session = open_session(plan.engine, limit=limit, limits=plan.limits)
    covering = SuiteCoverage(session, CoverPlan((asked,), limit))
    try:
        for _ in covering.run():
            pass
        cover = covering.smallest
    finally:
        covering.close()
    if cover:
        write_suite(path, Suite(path.stem, cover), ["What fuzz --coverage has reached in the engine's code"])
    return len(cover), covering.reached


def _cases(firsts: Sequence[FirstReached]) -> Iterator[Case]:
    """Yield each line once for each depth: as it was asked about, and without its moves from its own FEN."""
    lines = dict.fromkeys((game, one.depth) for one in firsts for game in (one.game.without_moves(), one.game))
    for number, (game, depth) in enumerate(lines, 1):
        counts = ((depth, perft(game.base, depth)),)
        yield Case(f"cover-{number:03d}", game.base, counts, f"fuzz:{number}", moves=game.moves)
