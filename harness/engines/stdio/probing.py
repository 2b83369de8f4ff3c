"""Determine how an engine behaves before asking about user positions, mostly by counting the starting position."""

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
from .command_probe import START, CommandProbe
from .command_search import CommandSearch, greet
from .descriptor import Descriptor
from .dialects import TOTALS
from .offered import OfferedOption
from .transcript import Transcript

PLAYED = "e2e4 e7e5"
"""Moves after which the counts differ from those of the starting position."""


@dataclass(frozen=True)
class ProbedDialect:
    """How to ask an engine, and what its answers contain."""

    descriptor: Descriptor
    min_depth: int = 1
    prints_divide: bool = True
    """Whether root moves are printed at any depth."""
    prints_root_moves: bool = True
    """Whether root moves are also printed at depth 1."""
    adds_up: bool = True
    """Whether the counts of the printed root moves add up to the total."""
    leaves_out_final_moves: bool = False
    """Whether root moves with a count of 0 are omitted."""
    plays_moves: bool = True
    """Whether the engine plays moves after a FEN."""
    refusal_of_moves: str = ""
    """Why the engine gives no count after moves, or "" if it plays or ignores them."""
    chess960: bool | None = None
    """Whether the engine declares support for Chess960, or None if it declares nothing."""
    offered: tuple[OfferedOption, ...] = ()
    """The options that a UCI engine offers."""


def understand(probe: CommandProbe, descriptor: Descriptor, call: EngineCall) -> ProbedDialect:
    """Return the dialect of an engine, including the counting command if the descriptor does not specify it.

    Once the command is known, all questions are sent to the same process. Raises EngineError.
    """
    descriptor, answer = greet(probe, descriptor, call), None
    if descriptor.uci and "{command}" in descriptor.case:
        descriptor, answer = CommandSearch(probe).find(descriptor, call)
        descriptor = with_format_of(descriptor, answer)
    else:
        probe.talk(descriptor, call)
        descriptor = _with_answer_format(probe, descriptor, call)
    understood = ProbedDialect(
        descriptor,
        descriptor.min_depth,
        prints_divide=answer is None or bool(answer.pairs),
        adds_up=answer is None or not answer.pairs or answer.divide().total == answer.total,
        plays_moves=descriptor.plays_moves,
        chess960=probe.declares_chess960,
        offered=probe.offered,
    )
    understood = with_final_moves(_with_depth_1(probe, understood, call), probe.ask, call)
    return with_moves(probe.name, understood, probe.ask, call)


def _with_answer_format(probe: CommandProbe, descriptor: Descriptor, call: EngineCall) -> Descriptor:
    """Determine the format of totals and thousands, unless the descriptor specifies it or the engine is too slow.

    Raises EngineError if no answer can be parsed.
    """
    for depth in (PROBE_DEPTH, SHALLOW_DEPTH):
        if depth < descriptor.min_depth:
            break
        attempt = probe.attempt(descriptor, depth, call, QUICK_SECONDS)
        if attempt.is_correct and attempt.answer is not None:
            return with_format_of(descriptor, attempt.answer)
        if attempt.error is not None and not isinstance(attempt.error, (EngineTimeout, UnparseableOutput)):
            break  # reported if it happens in the user's positions
        if attempt.answer is None or attempt.has_count:
            learned = probe.find_reason(attempt, call)
            if learned is not None:
                return learned
        if attempt.answer is not None:
            break
    return descriptor


def _with_depth_1(probe: CommandProbe, understood: ProbedDialect, call: EngineCall) -> ProbedDialect:
    """Determine whether the engine supports depth 1, where some crash, and whether it prints root moves there."""
    descriptor = understood.descriptor
    if not understood.prints_divide:
        return understood
    if understood.min_depth > 1:
        return replace(understood, prints_divide=_may_list_moves(probe, descriptor, understood.min_depth, call))
    try:
        answer = probe.ask(descriptor, 1, call)
    except EngineError:
        # Some engines always fail at depth 1. One failure alone does not prove this.
        if not _counts(probe.ask, descriptor, 2, call, START, QUICK_SECONDS):
            return understood  # reported if it happens in the user's positions
        probe.discard()  # some engines exit after each answer
        always = not _counts(probe.ask, descriptor, 1, call, START, QUICK_SECONDS)
        return replace(understood, min_depth=2) if always else understood
    if answer.pairs:
        return replace(understood, adds_up=understood.adds_up and answer.divide().total == answer.total)
    deeper = probe.ask(descriptor, 2, call)
    return replace(understood, prints_root_moves=False, prints_divide=bool(deeper.pairs))


def _may_list_moves(probe: CommandProbe, descriptor: Descriptor, depth: int, call: EngineCall) -> bool:
    """Return True if the engine prints root moves at a depth or fails there."""
    try:
        return bool(probe.ask(descriptor, depth, call).pairs)
    except EngineError:
        return True  # reported if it happens in the user's positions


Ask = Callable[[Descriptor, int, EngineCall, Game, float], Transcript]
"""A function that asks a program about a game, with a time limit in seconds, and returns the answer or raises
EngineError."""


def with_final_moves(understood: ProbedDialect, ask: Ask, call: EngineCall) -> ProbedDialect:
    """Determine whether root moves with a count of 0 are omitted."""
    if not understood.prints_divide:
        return understood
    depth = max(SHALLOW_DEPTH, understood.min_depth)
    try:
        answer = ask(understood.descriptor, depth, call, Game(EXAMPLE), QUICK_SECONDS)
    except EngineError:
        return understood  # reported if it happens in the user's positions
    return replace(understood, leaves_out_final_moves=are_left_out(move for move, _ in answer.pairs))


def with_moves(name: str, understood: ProbedDialect, ask: Ask, call: EngineCall) -> ProbedDialect:
    """Determine whether a program that accepts moves after a FEN actually plays those moves.

    A program that ignores moves counts the position of the FEN. A program does not support moves if it gives no count
    after them, but does count the resulting position. It plays moves incorrectly if it gives a count after the first
    one but not after both.
    """
    if not understood.plays_moves:
        return understood
    game, depth = Game.from_uci(Position.start(), PLAYED), max(SHALLOW_DEPTH, understood.min_depth)
    descriptor = understood.descriptor
    try:
        total = ask(descriptor, depth, call, game, math.inf).total
    except EngineError as error:
        if isinstance(error, EngineTimeout):
            is_unknown = _counts(ask, descriptor, depth, call, game.without_moves())  # otherwise the engine is slow
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


def with_format_of(descriptor: Descriptor, answer: Transcript) -> Descriptor:
    """Return the descriptor, completed with the format of the totals in an answer."""
    total_format = answer.total_format if answer.total_format in TOTALS else None
    return replace(descriptor, total_format=total_format, separator=answer.separator, first_depth=answer.first_depth)
