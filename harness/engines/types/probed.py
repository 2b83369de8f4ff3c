"""The base class of engines that are programs whose dialect is determined by probing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from ....generator.game import Game
from ....generator.position_setup import setup_without_moves
from ...model.capabilities import IGNORED
from ..call import EngineCall
from ..engine import Engine
from ..spec import EngineSpec
from ..stdio.descriptor import Descriptor
from ..stdio.learned_patterns import find_misread_line
from ..stdio.lines import AnswerPatterns
from ..stdio.probing import ProbedDialect
from ..stdio.process import ProcessLimits
from ..stdio.transcript import Transcript

MISREADING_SECONDS = 3.0
"""Time limit for an engine that reads stdin to repeat an answer that may have been misread, after it begins to read."""


class ProbedEngine(Engine):
    """A program. `understood` is complete after `start`."""

    has_taken_position = False

    def __init__(self, spec: str, descriptor: Descriptor, limits: ProcessLimits | None) -> None:
        """Store the SPEC, the descriptor as known before probing, and the limits for the processes."""
        self.spec = EngineSpec(spec)
        self.name = self.spec.name
        self._given = descriptor
        self.understood = ProbedDialect(descriptor, min_depth=descriptor.min_depth)
        """How the program is asked, and how its answers are read."""
        self._limits = limits or ProcessLimits()

    @property
    def descriptor(self) -> Descriptor:
        """The descriptor, including what was learned by probing."""
        return self.understood.descriptor

    @property
    def adopted_patterns(self) -> AnswerPatterns | None:
        """The patterns learned for its answers, or None if a descriptor or a known format suffices."""
        found = self.descriptor.patterns
        return None if found is self._given.patterns else found

    @property
    def launch(self) -> tuple[str, ...]:
        """The words of the program's command."""
        return self.descriptor.launch

    @property
    def min_depth(self) -> int:
        """The smallest depth that the program supports."""
        return self.understood.min_depth

    @property
    def plays_moves(self) -> bool:
        """Whether the program plays moves after a FEN."""
        return self.understood.plays_moves

    @property
    def leaves_out_final_moves(self) -> bool:
        """Whether the program omits root moves with a count of 0."""
        return self.understood.leaves_out_final_moves

    @property
    def _why_moves_are_not_played(self) -> str:
        refusal = self.understood.refusal_of_moves
        return f"it gives no count after moves: {refusal}" if refusal else IGNORED

    @abstractmethod
    def _ask(self, game: Game, depth: int, call: EngineCall) -> Transcript:
        """Return the answer about a game. It has a total unless the call was stopped. Raises EngineError."""

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Return the total that the program prints, or 1 at depth 0, which many engines treat as an infinite search.

        Raises UnparseableOutput if the printed root moves do not add up to it.
        """
        return 1 if depth == 0 else self._ask(game, depth, call).total or 0

    def find_misread_line(self, game: Game, depth: int, count: int, call: EngineCall) -> str:
        """Ask a new process, and return the line with the correct count if another number was read, or ""."""
        step = call if self.starts_for_each_question else call.step(MISREADING_SECONDS)
        lines = self.output(setup_without_moves(game), depth, step)
        return find_misread_line(lines, Transcript.of(self.descriptor, depth), count)

    def _total_facts(self) -> Iterator[tuple[str, str]]:
        """Yield facts about the format of totals, and about which total is the answer."""
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
        """Yield facts about how the program handles moves after a FEN."""
        refusal = self.understood.refusal_of_moves
        otherwise = f"{f'not played ({refusal})' if refusal else 'ignored'}: it is sent the FEN after them"
        yield "moves after a FEN", "played" if self.plays_moves else otherwise
