"""The check of move lists by GenType."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ....generator.types.moves import GenType
from ...checking.lists.correct import askable
from ...checking.lists.guessing import ConventionGuess, guess_convention
from ...checking.lists.wrong import wrong_moves
from ...engines.asking.session import EngineSession
from ...model.conventions import Convention
from ...model.results.finding import Cause, WrongMove, finding_after
from ..model import Discrepancy
from .base import Probe, discrepancies_in

WIDE_FIRST = (
    GenType.LEGAL, GenType.NON_EVASIONS, GenType.CAPTURES, GenType.QUIETS, GenType.EVASIONS, GenType.QUIET_CHECKS
)  # fmt: skip
"""The lists in the order of comparison; a wrong move in one list is not reported again for lists that contain it."""


class EngineLists:
    """Compares an engine's move lists as multisets; the first position is used to guess its convention."""

    name = "lists"

    def __init__(self, engine: EngineSession, given: Mapping[str, str]) -> None:
        """Create the check; `given` contains the user's convention settings."""
        self._engine, self._given = engine, given

    @cached_property
    def guess(self) -> ConventionGuess:
        """The lists that the engine offers, and their convention. Raises Interrupted."""
        return guess_convention(self._engine, self._given)

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        position, convention = probe.position, self.guess.convention
        wanted = askable(position, convention) & set(self.guess.offered)
        seen: set[tuple[str, str]] = set()
        for gentype in (each for each in WIDE_FIRST if each in wanted):
            got = self._engine.moves(probe.game, gentype)
            wrong = [] if got is None else wrong_moves(position, gentype, got, convention)
            new = [move for move in wrong if (move.uci, move.kind) not in seen]
            seen |= {(move.uci, move.kind) for move in new}
            yield from self._discrepancies(probe, gentype, new, convention)

    def _discrepancies(
        self, probe: Probe, gentype: GenType, wrong: list[WrongMove], convention: Convention
    ) -> Iterator[Discrepancy]:
        if wrong:
            by = f", by the convention {' '.join(convention.differing)}" if convention.differing else ""
            note = f"in the list of {gentype.name}{by}"
            yield from discrepancies_in(
                self.name, finding_after(probe.game, Cause.MOVES, note, wrong=wrong), probe.game
            )
