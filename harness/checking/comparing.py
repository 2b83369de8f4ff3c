"""Compare counts and divides of a position: which moves differ, and which engine is at fault."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...generator.counting.perft import divide, perft
from ...generator.game import Game
from ...generator.movelist import MoveList
from ...generator.position import Position
from ...generator.position_setup import PositionSetup
from ...generator.types.moves import GenType, Move
from ..engines.asking.session import EngineSession
from ..engines.base import Divide, EngineError, EngineTimeout
from ..engines.root_moves import as_king_steps
from ..engines.stdio.sentinels import START_COUNTS
from ..explaining import Explanation
from ..explaining.rules import join_words
from ..model.results.finding import Difference, RootMove, WrongMove
from ..model.results.verdict import Verdict


def differing_moves(got: Divide, expected: Divide) -> list[str]:
    """Return the sorted root moves on which two divides differ, with castling as king takes rook (e1h1).

    A move differs if only one divide contains it, one contains it more often, or its count differs. If one of the
    divides is only a total, no moves are returned.
    """
    if got.is_total_only or expected.is_total_only:
        return []
    return [
        text
        for text in sorted(got.counts.keys() | expected.counts.keys())
        if got.counts.get(text) != expected.counts.get(text) or got.repeated.get(text) != expected.repeated.get(text)
    ]


def is_count_of_start(got: int, expected: int, depth: int) -> bool:
    """Return True if an incorrect count is that of the starting position, as if the engine had ignored the FEN."""
    return got != expected and depth <= len(START_COUNTS) and got == START_COUNTS[depth - 1]


def agree(got: Divide, expected: Divide) -> bool:
    """Return True if two divides have the same root moves and counts or, if one has no root moves, the same total."""
    return got.total == expected.total and not differing_moves(got, expected)


def both_divides(game: Game, depth: int, engine: EngineSession, reference: EngineSession) -> tuple[Divide, Divide]:
    """Return both divides. If they differ and one is only a total, also count after each legal move."""
    setup_without_moves = game.without_moves()
    got, expected = engine.divide(game, depth), reference.divide(setup_without_moves, depth)
    if agree(got, expected):
        return got, expected
    got = engine.with_children(game, depth, got, played=isinstance(game, PositionSetup))
    return got, reference.with_children(setup_without_moves, depth, expected)


SECONDS_AFTER_TIMEOUT = 2.0
"""Time limit at each lower depth after a timeout, because the engine will probably hang there as well."""


def first_wrong_count(
    game: Game, depths: Iterable[int], engine: EngineSession, failure: EngineError
) -> tuple[int, int, int] | None:
    """Return the first depth at which an engine miscounts, its count and the correct one, or None if there is none.

    `failure` is the error at a greater depth, possibly caused by a move that the engine should not have listed. Raises
    Interrupted.
    """
    if isinstance(failure, EngineTimeout):
        engine = engine.within(SECONDS_AFTER_TIMEOUT)
    for depth in depths:
        expected = perft(game.position, depth)
        try:
            got = engine.expecting(expected).perft(game, depth)
        except EngineError:
            return None
        if got != expected:
            return depth, got, expected
    return None


def least_depth(engine: EngineSession) -> int:
    """Return the lowest depth above 0 that an engine can count."""
    return max(1, engine.min_depth)


def is_correct(game: Game, depth: int, engine: EngineSession) -> bool:
    """Return True if an engine's divide, or its total if it prints no moves, is correct; False if it fails."""
    position = game.position
    try:
        got = engine.divide(game, depth)
    except EngineError:
        return False
    if got.is_total_only:
        return got.total == perft(position, depth)
    return agree(got, correct_divide(position, depth))


def correct_divide(position: Position, depth: int) -> Divide:
    """Return the divide of a position according to perft-check's kernels."""
    return Divide.of((move.uci(chess960=True), nodes) for move, nodes in divide(position, depth).items())


def pseudo_legal_moves(position: Position) -> list[Move]:
    """Return the pseudo-legal moves that a staged generator lists: only evasions if the side to move is in check."""
    return MoveList(position, GenType.EVASIONS if position.in_check else GenType.NON_EVASIONS).moves


def compare_divides(
    position: Position, depth: int, engine: str, got: Divide, reference: str, expected: Divide
) -> Difference:
    """Return the difference between an engine's divide and a reference's."""
    return Difference(
        engine=engine,
        reference=reference,
        fen=position.fen(),
        chess960=position.chess960,
        depth=depth,
        got=got.total,
        expected=expected.total,
        moves=tuple(_root_move(position, text, got, expected) for text in differing_moves(got, expected)),
    )


def _root_move(position: Position, text: str, got: Divide, expected: Divide) -> RootMove:
    uci, san = write_move(position, text)
    return RootMove(
        uci=uci,
        san=san,
        got=got.counts.get(text),
        expected=expected.counts.get(text),
        repeated=got.repeated.get(text, 0),
    )


def write_move(position: Position, text: str) -> tuple[str, str | None]:
    """Return a move in the notation of the position, and its SAN if it is legal; `text` is king takes rook."""
    for move in position.legal_moves:
        if move.uci(chess960=True) == text:
            return move.uci(position.chess960), position.san(move)
    return (text if position.chess960 else as_king_steps(position, text)), None


def write_moves(game: Game) -> tuple[tuple[str, str | None], ...]:
    """Return the moves of a game, each in the form that `write_move` returns."""
    position, written = game.base, []
    for move in game.moves:
        written.append(write_move(position, move.uci(chess960=True)))
        position = position.play_unchecked(move)
    return tuple(written)


def counts_correctly(game: Game, depth: int, engine: EngineSession) -> bool:
    """Return True if an engine's total is correct, False if it is incorrect or missing."""
    try:
        return engine.perft(game, depth) == perft(game.position, depth)
    except EngineError:
        return False


def explain_wrong_move(
    position: Position, text: str, kind: str, why: Explanation, engine_is_correct: bool = False
) -> WrongMove:
    """Return a wrong move, given with castling as king takes rook, and the rule behind it."""
    uci, san = write_move(position, text)
    return WrongMove(uci, san, kind, why.rule.value, why.rule.title, why.sentence, why.squares, engine_is_correct)


def judge(engine: str, got: int, expected: int, references: Sequence[tuple[str, int]]) -> tuple[Verdict, str]:
    """Return the verdict on a count, and a sentence about it.

    If neither the suite nor any reference confirms the engine's count, the engine is at fault. If all references
    confirm it, the suite is incorrect. A single reference that contradicts all others is named. If some references
    confirm the engine and others the suite, the references disagree.
    """
    if got == expected and not references:
        return Verdict.AGREE, ""
    with_suite = [name for name, count in references if count == expected]
    with_engine = [name for name, count in references if count == got]
    others = [(name, count) for name, count in references if count not in (got, expected)]
    if got == expected:
        dissenters = [(name, count) for name, count in references if count != got]
        agrees = f"{engine} agrees with the suite, {_claims(dissenters)}"
        return (Verdict.SPLIT, agrees) if dissenters else (Verdict.AGREE, "")
    if with_engine and with_suite:
        return Verdict.SPLIT, (
            f"the references are split: {join_words(with_suite)} with the suite for {expected:,}, "
            f"{join_words(with_engine)} with {engine} for {got:,}"
        )
    if with_engine:
        message = f"{join_words([engine, *with_engine])} agree: the count in the suite looks wrong"
    else:
        message = f"{got - expected:+,} nodes"
    if others:
        message += f"; {_claims(others)}"
    return Verdict.MISMATCH, message


def _claims(claims: list[tuple[str, int]]) -> str:
    alone = " alone" if len(claims) == 1 else ""
    return " and ".join(f"{name}{alone} says {count:,}" for name, count in claims)
