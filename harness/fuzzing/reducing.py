"""Reduce a discrepancy to the simplest game that still shows it.

The signature must stay the same, so that a reduction cannot turn one fault into another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ...generator.game import Game
from ..engines.asking.confirming import Confirmation, Reproducibility, confirm
from ..engines.asking.histories import format_game, parse_history_line
from ..model.results.finding import Cause, Finding, varying_answers
from ..model.results.verdict import Verdict
from ..shutdown import Interrupted
from .candidates import candidates_for, cost, implausibility, is_sound
from .examining import Examiner, examine_in_order, reexamine
from .model import Discrepancy, Signature

MOST_EXAMINATIONS = 4000
"""Maximum number of examinations in a reduction; a few hundred are usually enough."""
MOST_TIMEOUTS = 10
"""Maximum number of timeouts in a reduction, because each takes a long time."""


def reduce(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> tuple[Discrepancy, int, bool]:
    """Return the reduced discrepancy, the depth at which its game shows it, and whether it is reproducible.

    A discrepancy is reproducible if it occurs again in new processes. If the reduced game does not reproduce it, the
    original game is tried, and then the whole history, which may reproduce it in another game. If the run is stopped,
    the discrepancy counts as reproducible.
    """
    reduced, shallow, is_shown = _reduce_game(discrepancy, depth, examiner)
    if discrepancy.reference_failed:
        return reduced, shallow, is_shown
    for candidate, deep in [(reduced, shallow)] * is_shown + [(discrepancy, depth)]:
        try:
            found = _confirm_game(candidate, deep, examiner)
        except Interrupted:
            return replace(candidate, history=()), deep, True
        if found.reproducibility is Reproducibility.ALONE:
            return replace(candidate, history=()), deep, True
        if found.reproducibility is Reproducibility.FROM_TIME_TO_TIME:
            return _varying(candidate, f"asked again, it was {found.trials.text}"), deep, True
    try:
        kept, is_shown = _confirm_history(discrepancy, depth, examiner)
    except Interrupted:
        return discrepancy, depth, True
    return kept, depth, is_shown


def _confirm_game(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> Confirmation[Game]:
    """Try to reproduce a discrepancy in new processes with its game alone. Raises Interrupted."""

    def is_shown() -> bool:
        found = examiner.examine(discrepancy.game, depth, discrepancy.check)
        return any(one.signature == discrepancy.signature for one in found)

    def is_shown_after_restart(_games: Sequence[Game]) -> bool:
        examiner.restart_engines()
        return is_shown()

    is_count = discrepancy.verdict is Verdict.MISMATCH
    return confirm([discrepancy.game], is_shown_after_restart, is_shown, is_count=is_count)


def _confirm_history(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> tuple[Discrepancy, bool]:
    """Return a discrepancy with the history that reproduces it, and whether there is one. Raises Interrupted.

    A new process must fail in the same way at the end of the history, crash earlier, or fail in another game when the
    history is repeated. If new processes fail in different games, the answers depend on chance. A failure of the last
    game alone with another signature replaces the discrepancy.
    """
    games = [parse_history_line(row) for row in discrepancy.history]
    is_count = discrepancy.verdict is Verdict.MISMATCH
    is_alike = partial(_are_alike, discrepancy)
    alone: dict[Signature, Discrepancy] = {}

    def fails_at_end(history: Sequence[Game]) -> bool:
        examiner.restart_engines()
        found, _ = examine_in_order(history, depth, examiner)
        alike = list(filter(is_alike, found))
        if len(history) == 1 and alike:
            alone[alike[0].signature] = alike[0]
        return bool(alike)

    if not games:
        return discrepancy, False
    found = confirm(games, fails_at_end, is_count=is_count)
    if found.reproducibility is Reproducibility.AFTER_HISTORY:
        return replace(discrepancy, history=tuple(map(format_game, found.history))), True
    if found.reproducibility is Reproducibility.ALONE and len(alone) == 1:
        # After earlier games, a check may report another fault of this game first, such as a key that occurred before.
        return replace(next(iter(alone.values())), history=()), True
    if found.reproducibility is not Reproducibility.NEVER:
        another = ", differently each time" * (found.reproducibility is Reproducibility.ALONE)
        details = f"asked again, it was {found.trials.text}{another}"
        return _varying(discrepancy, details) if is_count else discrepancy, True
    return _confirm_another(discrepancy, games, depth, examiner) if is_count else (discrepancy, False)


def _confirm_another(
    discrepancy: Discrepancy, games: Sequence[Game], depth: int, examiner: Examiner
) -> tuple[Discrepancy, bool]:
    """Return a discrepancy that new processes show in another game, and whether they do. Raises Interrupted.

    The games are repeated in the same process. If the failing game differs between processes, the answers vary.
    """
    is_alike, failures = partial(_are_alike, discrepancy), set[tuple[Game, ...]]()

    def fails_at_another(_histories: Sequence[Sequence[Game]]) -> bool:
        examiner.restart_engines()
        _, correct = examine_in_order(games, depth, examiner)
        found = next(filter(is_alike, reexamine(correct, depth, examiner, is_alike)), None)
        if found is not None:
            failures.add((*correct, found.game))
        return found is not None

    again = confirm([games], fails_at_another)
    if again.reproducibility is Reproducibility.NEVER:
        return discrepancy, False
    if again.reproducibility is Reproducibility.FROM_TIME_TO_TIME or len(failures) > 1:
        details = f"asked for all {len(games):,} positions again, it was {again.trials.text}"
        if len(failures) > 1:
            details += ", at different positions"
        return replace(_varying(discrepancy, details), history=discrepancy.history), True
    note = f"new processes that are asked for all {len(games):,} positions again and again fail at other positions"
    base = discrepancy.game.base
    finding = Finding(cause=Cause.VANISHED, fen=base.fen(), chess960=base.chess960, note=note)
    return replace(discrepancy, finding=finding, message=note), True


def _varying(found: Discrepancy, details: str) -> Discrepancy:
    """Return a discrepancy whose finding says that the answers depend on chance."""
    finding = varying_answers(found.game.base, details)
    return replace(found, finding=finding, message=finding.note, history=())


def _are_alike(one: Discrepancy, other: Discrepancy) -> bool:
    return (one.check, one.verdict) == (other.check, other.verdict)


def _reduce_game(discrepancy: Discrepancy, depth: int, examiner: Examiner) -> tuple[Discrepancy, int, bool]:
    """Return the reduced discrepancy, the depth at which its game shows it, and whether the game shows it.

    If the game does not show the discrepancy again, the discrepancy is returned unchanged. If the run is stopped, the
    best result so far is returned; before the first examination the discrepancy counts as shown.
    """
    for shallow in range(1, depth + 1):
        reduction = _Reduction(discrepancy, shallow, examiner)
        try:
            if not reduction.starts():
                continue
        except Interrupted:
            return discrepancy, depth, True
        with suppress(Interrupted):
            reduction.run()
        return reduction.reduced, shallow, True
    return discrepancy, depth, False


class _Reduction:
    def __init__(self, discrepancy: Discrepancy, depth: int, examiner: Examiner) -> None:
        self.reduced, self._depth, self._examiner = discrepancy, depth, examiner
        self._signature = discrepancy.signature
        self._tried: set[Game] = set()
        self._examinations_left = MOST_EXAMINATIONS
        self._timeouts_left = MOST_TIMEOUTS

    def starts(self) -> bool:
        """Return True if the game still shows the discrepancy."""
        again = self._examine(self.reduced.game)
        if again is not None:
            self.reduced = again
        return again is not None

    def run(self) -> None:
        """Accept the first candidate that is simpler and shows the discrepancy; repeat until there is none."""
        while (simplified := self._step(self.reduced.game)) is not None:
            self.reduced = simplified

    def _step(self, game: Game) -> Discrepancy | None:
        limit = cost(game)
        for candidate in self._candidates(game):
            self._tried.add(candidate)
            if self._examinations_left <= 0 or self._timeouts_left <= 0:
                return None
            found = self._examine(candidate)
            # The discrepancy may occur in a deeper position, whose game must also be simpler.
            if found is not None and cost(found.game) < limit:
                return found
        return None

    def _candidates(self, game: Game) -> Iterator[Game]:
        """Yield simpler candidates; if the game does not look reachable, those that do come first."""
        candidates = self._simpler(game)
        return candidates if implausibility(game) == 0 else iter(sorted(candidates, key=implausibility))

    def _simpler(self, game: Game) -> Iterator[Game]:
        limit = cost(game)
        for candidate in candidates_for(game):
            if candidate in self._tried or cost(candidate) >= limit:
                continue
            if is_sound(candidate, like=game):
                yield candidate
            else:
                self._tried.add(candidate)

    def _examine(self, game: Game) -> Discrepancy | None:
        self._examinations_left -= 1
        found = self._examiner.examine(game, self._depth, self.reduced.check)
        self._timeouts_left -= any(discrepancy.verdict is Verdict.TIMEOUT for discrepancy in found)
        return next((discrepancy for discrepancy in found if discrepancy.signature == self._signature), None)
