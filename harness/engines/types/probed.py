"""The base class of engines that are programs whose dialect is found out by easy questions."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.capabilities import IGNORED
from ..engine import Engine
from ..spec import EngineSpec
from ..stdio.descriptor import Descriptor
from ..stdio.lines import AnswerPatterns
from ..stdio.probing import ProbedDialect
from ..stdio.process import ProcessLimits


class ProbedEngine(Engine):
    """A program. `understood` is complete once the engine has been started."""

    has_taken_position = False

    def __init__(self, spec: str, descriptor: Descriptor, limits: ProcessLimits | None) -> None:
        """Take the SPEC, the descriptor that is known before the start, and the limits of the processes."""
        self.spec = EngineSpec(spec)
        self.name = self.spec.name
        self._given = descriptor
        self.understood = ProbedDialect(descriptor, min_depth=descriptor.min_depth)
        """How the program is asked, and how its answers are read."""
        self._limits = limits or ProcessLimits()

    @property
    def descriptor(self) -> Descriptor:
        """How the program is asked and understood, as a descriptor file states it."""
        return self.understood.descriptor

    @property
    def adopted_patterns(self) -> AnswerPatterns | None:
        """The patterns that perft-check has found for its answers; None if a descriptor or a known form suffices."""
        found = self.descriptor.patterns
        return None if found is self._given.patterns else found

    @property
    def launch(self) -> tuple[str, ...]:
        """The words that start it."""
        return self.descriptor.launch

    @property
    def min_depth(self) -> int:
        """The smallest depth that the program can count."""
        return self.understood.min_depth

    @property
    def plays_moves(self) -> bool:
        """Whether the program plays moves that follow a FEN."""
        return self.understood.plays_moves

    @property
    def leaves_out_final_moves(self) -> bool:
        """Whether the program omits root moves with a count of 0."""
        return self.understood.leaves_out_final_moves

    @property
    def _why_moves_are_not_played(self) -> str:
        refusal = self.understood.refusal_of_moves
        return f"it gives no count after moves: {refusal}" if refusal else IGNORED

    def _total_facts(self) -> Iterator[tuple[str, str]]:
        """Yield how the program writes totals, and which of them is the answer."""
        descriptor = self.descriptor
        if descriptor.patterns is not None and descriptor.patterns.total is not None:
            form = f"as total_re says: {descriptor.patterns.total.text}"
        else:
            form = descriptor.total_format or "unknown: any known way of writing it is accepted"
        between = f", with {descriptor.separator!r} between thousands" if descriptor.separator else ""
        first = descriptor.first_depth
        every = "" if first is None else f", after those of depth {first} and up, which are skipped"
        yield "total", form + between + every

    def _move_facts(self) -> Iterator[tuple[str, str]]:
        """Yield what the program does with moves after a FEN."""
        refusal = self.understood.refusal_of_moves
        otherwise = f"{f'not played ({refusal})' if refusal else 'ignored'}: it is sent the FEN after them"
        yield "moves after a FEN", "played" if self.plays_moves else otherwise
