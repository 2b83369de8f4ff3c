"""The check that an engine's counts do not depend on how a position is set up."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from ....generator.game import Game
from ....generator.position_setup import IMAGE_OPTIONS, PositionSetup, describe_setup
from ...checking.comparing import agree, least_depth
from ...checking.consistency import first_unlisted
from ...checking.descent.descending import descend
from ...checking.setups import SetupLimits, explain_long_game, limit_notice, setup_limits, with_fewest_options
from ...engines.asking.session import EngineSession
from ...engines.base import Divide, EngineError, EngineTimeout
from ...model.results.finding import Cause, Finding, finding_after
from ..model import Discrepancy
from .base import Check, Probe, discrepancies_in, game_of
from .divides import Divides, counted_depth


class Setups:
    """Compares the divide of a position that was set up with options to its divide from the FEN.

    If the divide from the FEN is also incorrect, the setup is not the cause, and the other checks report it.
    """

    name = "setups"

    def __init__(
        self,
        engine: EngineSession,
        reference: EngineSession | None,
        others: tuple[Check, ...],
        variants: Collection[bool],
    ) -> None:
        """Create the check; if there is no reference, the engine is compared with itself.

        If the divide from the FEN is also incorrect, the checks in `others` examine the position. `variants` contains
        True for Chess960 and False for standard chess.
        """
        self._engine, self._reference, self._others, self._variants = engine, reference, others, variants
        self._limits: SetupLimits | None = None

    def find_limits(self) -> str | None:
        """Determine which setups the running engine refuses; return a notice if there are any. Raises Interrupted."""
        self._limits = setup_limits(self._engine, self._variants)
        return limit_notice(self._engine.name, self._limits)

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        setup = probe.game
        if not isinstance(setup, PositionSetup) or not self._takes(setup):
            return
        plain = setup.without_moves()
        depth = counted_depth(probe, self._engine)
        try:
            got = self._engine.divide(setup, depth)
        except EngineError as error:
            found = [] if isinstance(error, EngineTimeout) else self._too_long(setup, depth)
            found = found or list(self._by_fen(plain, probe.depth)) or list(self._find_unlisted(setup))
            if not found:
                raise
            yield from found
            return
        expected = (self._reference or self._engine).divide(plain, depth)
        if agree(got, expected):
            return
        found = list(self._by_fen(plain, probe.depth)) or self._too_long(setup, depth)
        yield from found or self._explain(setup, depth, got, expected)

    def _takes(self, setup: PositionSetup) -> bool:
        if self._limits is None:
            self.find_limits()
        return self._engine.can_take(setup, (self._limits or {}).keys())

    def _by_fen(self, plain: Game, depth: int) -> Iterator[Discrepancy]:
        """Yield the discrepancies that occur without the setup. Raises EngineError."""
        for check in self._others:
            yield from check(Probe(plain, depth))

    def _too_long(self, setup: PositionSetup, depth: int) -> list[Discrepancy]:
        """Return a discrepancy if the setup is too long for the engine to read."""
        if (why := explain_long_game(setup, depth, self._engine)) is None:
            return []
        finding = finding_after(setup, Cause.COUNT, why, depth=depth)
        return list(discrepancies_in(self.name, finding, setup))

    def _find_unlisted(self, setup: PositionSetup) -> Iterator[Discrepancy]:
        """Yield the discrepancies in the first position in which the engine does not list the next move.

        The engine may give no answer because it does not generate a move that leads to the position.
        """
        number = first_unlisted(setup, self._engine)
        if number is not None:
            before = replace(setup, moves=setup.moves[:number])
            depth = least_depth(self._engine)
            expected = (self._reference or self._engine).divide(before.without_moves(), depth)
            yield from self._explain(before, depth, self._engine.divide(before, depth), expected)

    def _explain(self, setup: PositionSetup, depth: int, got: Divide, expected: Divide) -> Iterator[Discrepancy]:
        """Yield the discrepancies that the setup causes."""
        reference = self._reference or self._engine
        fewest = with_fewest_options(setup, depth, self._engine, expected)
        if fewest != setup:
            setup, got = fewest, self._engine.divide(fewest, depth)
        finding = descend(setup, depth, self._engine, reference)
        if finding is None or (self._reference is None and setup.options & IMAGE_OPTIONS):
            finding = _finding_of(setup, depth, got, expected)
        game = setup if finding.cause is Cause.COUNT else game_of(finding, setup)
        # If the setup swaps colors or files, the FEN of the resulting position shows the fault on its own.
        check = self.name if isinstance(game, PositionSetup) else Divides.name
        yield from discrepancies_in(check, finding, game)


def _finding_of(setup: PositionSetup, depth: int, got: Divide, expected: Divide) -> Finding:
    """Return a finding for counts that differ although no wrong move is known."""
    note = (
        f"the engine contradicts itself: {got.total:,} nodes if the position is set up by "
        f"{describe_setup(setup.options, setup.uci_moves())}, {expected.total:,} by its FEN"
    )
    return finding_after(setup, Cause.COUNT, note, depth=depth)
