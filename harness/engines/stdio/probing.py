"""How an engine is understood: found out by counts of the starting position, each command in a process of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ..base import EngineError, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from ..root_moves import EXAMPLE, are_left_out
from .attempts import PROBE_DEPTH, QUICK_SECONDS, SHALLOW_DEPTH
from .command_probe import CommandProbe
from .command_search import CommandSearch
from .conversation import Conversation
from .descriptor import Descriptor
from .diagnosis import UnreadTotal
from .dialects import TOTALS
from .offered import OfferedOption
from .process import ProcessLimits
from .sentinels import START_COUNTS
from .transcript import Transcript

PLAYED = "e2e4 e7e5"
"""Moves after which the starting position has other counts."""


@dataclass(frozen=True)
class ProbedDialect:
    """How an engine is asked, and what its answers have."""

    descriptor: Descriptor
    min_depth: int = 1
    prints_divide: bool = True
    """Whether root moves are printed at all."""
    prints_root_moves: bool = True
    """Whether they are printed at depth 1, too."""
    adds_up: bool = True
    """Whether root moves that are printed add up to the total."""
    leaves_out_final_moves: bool = False
    """Whether root moves with a count of 0 are not printed."""
    plays_moves: bool = True
    """Whether it plays the moves that it is sent after a FEN."""
    refusal_of_moves: str = ""
    """Why it does not, where it gives no count after them; it may also ignore them."""
    chess960: bool | None = None
    """Whether it declares that it knows Chess960, None if it does not say."""
    offered: tuple[OfferedOption, ...] = ()
    """The options that it offers, if it speaks UCI."""


class Prober:
    """Finds out how an engine is understood. Raises EngineError.

    Once the command is known, further questions are asked in the same process.
    """

    def __init__(self, name: str, limits: ProcessLimits) -> None:
        """Take the engine's name, and the limits of its processes."""
        self._probe = CommandProbe(name, limits)

    @property
    def conversation(self) -> Conversation | None:
        """The process that has answered last, if it still can."""
        return self._probe.conversation

    def understand(self, descriptor: Descriptor, call: EngineCall) -> ProbedDialect:
        """Return how the engine is understood; a descriptor that names no command leaves that to be found out."""
        search = CommandSearch(self._probe)
        descriptor = search.greet(descriptor, call)
        if descriptor.uci and "{command}" in descriptor.case:
            understood = self._understood(*search.find(descriptor, call))
        else:
            said = self._probe.talk(descriptor, call)
            understood = ProbedDialect(
                descriptor,
                descriptor.min_depth,
                plays_moves=descriptor.plays_moves,
                chess960=said.declares_chess960,
                offered=tuple(said.offered),
            )
            understood = self._with_answer_format(understood, call)
        understood = with_final_moves(self._with_depth_1(understood, call), self._probe.probe, call)
        return with_moves(self._probe.name, understood, self._probe.probe, call)

    def _understood(self, descriptor: Descriptor, heard: Transcript) -> ProbedDialect:
        return ProbedDialect(
            as_heard(descriptor, heard),
            min_depth=descriptor.min_depth,
            prints_divide=bool(heard.pairs),
            adds_up=not heard.pairs or heard.divide().total == heard.total,
            plays_moves=descriptor.plays_moves,
            chess960=self._probe.declares_chess960,
            offered=self._probe.offered,
        )

    def _with_answer_format(self, understood: ProbedDialect, call: EngineCall) -> ProbedDialect:
        """Find out how totals and thousands are written, as far as the descriptor does not say it and the engine is
        fast. Raises EngineError if it answers in no way that is understood.
        """
        descriptor = understood.descriptor
        for depth in (PROBE_DEPTH, SHALLOW_DEPTH):
            if depth < understood.min_depth:
                break
            try:
                heard = self._probe.probe(descriptor, depth, call, most_seconds=QUICK_SECONDS)
            except (EngineTimeout, UnparseableOutput):
                reason = self._probe.reason(descriptor, depth, call)
                if isinstance(reason, UnreadTotal) and reason.descriptor is not None:
                    return replace(understood, descriptor=reason.descriptor)
                if reason is not None:
                    raise reason from None
            except EngineError:
                break  # it is reported when it occurs at a position of the user
            else:
                if heard.total == START_COUNTS[depth - 1]:
                    return replace(understood, descriptor=as_heard(descriptor, heard))
                if not self._probe.has_unread_count(depth):
                    return understood
                reason = self._probe.reason(descriptor, depth, call)
                if not isinstance(reason, UnreadTotal):
                    return understood
                if reason.descriptor is None:
                    raise reason
                return replace(understood, descriptor=reason.descriptor)
        return understood

    def _with_depth_1(self, understood: ProbedDialect, call: EngineCall) -> ProbedDialect:
        """Find out whether depth 1 can be asked for, and prints root moves; some engines crash there."""
        descriptor = understood.descriptor
        if not understood.prints_divide:
            return understood
        if understood.min_depth > 1:
            return replace(understood, prints_divide=self._lists(descriptor, understood.min_depth, call))
        try:
            heard = self._probe.probe(descriptor, 1, call)
        except EngineError:
            # Some engines fail at depth 1, always; one that has failed once is not one of them.
            start = Game(Position.start())
            if not _counts(self._probe.probe, descriptor, 2, call, start, QUICK_SECONDS):
                return understood  # it is reported when it occurs at a position of the user
            always = not _counts(self._probe.probe, descriptor, 1, call, start, QUICK_SECONDS)
            return replace(understood, min_depth=2) if always else understood
        if heard.pairs:
            return replace(understood, adds_up=understood.adds_up and heard.divide().total == heard.total)
        deeper = self._probe.probe(descriptor, 2, call)
        return replace(understood, prints_root_moves=False, prints_divide=bool(deeper.pairs))

    def _lists(self, descriptor: Descriptor, depth: int, call: EngineCall) -> bool:
        """Return True if root moves are printed at a depth, or cannot be told not to be."""
        try:
            return bool(self._probe.probe(descriptor, depth, call).pairs)
        except EngineError:
            return True  # it is reported when it occurs at a position of the user


Ask = Callable[[Descriptor, int, EngineCall, Game, float], Transcript]
"""Asks a program for the count of a line, in so many seconds at most; returns its answer. Raises EngineError."""


def with_final_moves(understood: ProbedDialect, ask: Ask, call: EngineCall) -> ProbedDialect:
    """Find out whether root moves are left out that have a count of 0."""
    if not understood.prints_divide:
        return understood
    depth = max(SHALLOW_DEPTH, understood.min_depth)
    try:
        heard = ask(understood.descriptor, depth, call, Game(EXAMPLE), QUICK_SECONDS)
    except EngineError:
        return understood  # it is reported when it occurs at a position of the user
    return replace(understood, leaves_out_final_moves=are_left_out(move for move, _ in heard.pairs))


def with_moves(
    name: str, understood: ProbedDialect, ask: Ask, call: EngineCall, *, asks_once: bool = False
) -> ProbedDialect:
    """Find out whether moves after a FEN are played, by a program that can be sent some.

    A program that ignores them counts the FEN itself. One that gives no count after them does not know them, if it
    counts the position that they lead to. One that counts after the first, but not after both, plays them incorrectly.
    With `asks_once` nothing more is asked after a failure: a program that does not end is slow, and one that fails
    knows no moves.
    """
    if not understood.plays_moves:
        return understood
    game, depth = Game.from_uci(Position.start(), PLAYED), max(SHALLOW_DEPTH, understood.min_depth)
    descriptor = understood.descriptor
    try:
        total = ask(descriptor, depth, call, game, math.inf).total
    except EngineError as error:
        is_late = isinstance(error, EngineTimeout)
        if asks_once:
            is_unknown = not is_late
        elif is_late:
            is_unknown = _counts(ask, descriptor, depth, call, game.without_moves())  # else it is slow
        else:
            is_unknown = not _counts(ask, descriptor, depth, call, replace(game, moves=game.moves[:1]))
        refusal = str(error).removeprefix(f"{name} ")
        return replace(understood, plays_moves=False, refusal_of_moves=refusal) if is_unknown else understood
    ignores = total == perft(game.base, depth) != perft(game.position, depth)
    return replace(understood, plays_moves=not ignores)


def _counts(
    ask: Ask, descriptor: Descriptor, depth: int, call: EngineCall, game: Game, most_seconds: float = math.inf
) -> bool:
    try:
        return ask(descriptor, depth, call, game, most_seconds).total is not None
    except EngineError:
        return False


def as_heard(descriptor: Descriptor, heard: Transcript) -> Descriptor:
    """Return the descriptor with how totals are written in an answer that is understood."""
    total_format = heard.total_format if heard.total_format in TOTALS else None
    return replace(descriptor, total_format=total_format, separator=heard.separator, first_depth=heard.first_depth)
