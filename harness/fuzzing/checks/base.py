"""The interface of a check, and functions that several checks use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import PositionSetup, parse_setup
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import PieceType
from ...model.results.finding import Cause, Finding, WrongMove
from ...model.results.verdict import Verdict
from ..model import Discrepancy

ONLY_AT_ROOT = frozenset({Cause.UNDO, Cause.VANISHED, Cause.REFUSED, Cause.SEARCH, Cause.KEY, Cause.PREDICATE})
"""Causes that show only in the position that the engine was asked to count, not in a position below it."""


@dataclass(frozen=True)
class Probe:
    """A game, and the depth to which it is examined."""

    game: Game
    depth: int
    is_exact: bool = False
    """Whether to count to exactly this depth, even if there are few leaf nodes."""

    @property
    def position(self) -> Position:
        """The position at the end of the game."""
        return self.game.position


class Check(Protocol):
    """Examines a probe and yields discrepancies."""

    @property
    def name(self) -> str:
        """The short name used in reports, which never changes."""

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError if an engine gives no answer."""


def discrepancies_in(check: str, finding: Finding, game: Game) -> Iterator[Discrepancy]:
    """Yield one discrepancy for each combination of kind and rule among a finding's wrong moves."""
    if finding.cause is Cause.COUNT or _lists_nothing(finding):
        yield Discrepancy(check, Verdict.MISMATCH, game, finding, finding.note)
    elif finding.state:
        for group in _by_rule(finding.state):
            yield Discrepancy(check, Verdict.MISMATCH, game, replace(finding, state=group))
    elif finding.wrong:
        for group in _by_rule(finding.wrong):
            yield Discrepancy(check, Verdict.MISMATCH, game, replace(finding, wrong=group))
    else:
        yield Discrepancy(check, Verdict.MISMATCH, game, finding, finding.note)


def game_of(finding: Finding, counted: Game) -> Game:
    """Return the game that shows the fault that a descent from `counted` has found."""
    if finding.cause in ONLY_AT_ROOT:
        return counted
    if finding.base_fen is None and finding.cause is Cause.STATE:  # the engine cannot play moves
        return counted
    if finding.base_fen is None:
        return Game(Position.from_fen(finding.fen, finding.chess960))
    game = Game(Position.from_fen(finding.base_fen, finding.chess960))
    for text in finding.base_moves:
        game = game.after(game.position.parse_uci(text))
    return PositionSetup.of(game, parse_setup(finding.setup)) if finding.setup else game


def _lists_nothing(finding: Finding) -> bool:
    """Return True if every move is missing, which is a single fault rather than one per rule."""
    rules = {move.rule for move in finding.wrong}
    if finding.cause is not Cause.MOVES or len(rules) < 2 or any(move.kind != "missing" for move in finding.wrong):
        return False
    return len(finding.wrong) == len(Position.from_fen(finding.fen, finding.chess960).legal_moves)


def _by_rule(moves: Iterable[WrongMove]) -> list[tuple[WrongMove, ...]]:
    groups: dict[tuple[str, str], list[WrongMove]] = {}
    for move in moves:
        groups.setdefault((move.kind, move.rule), []).append(move)
    return [tuple(group) for _, group in sorted(groups.items())]


def moves_to_try(position: Position, most: int) -> list[Move]:
    """Return up to `most` legal moves: one ordinary move, and special moves if there are any.

    Special moves are castling, en passant, promotions, double steps, and moves that end a castling right. The choice
    varies between positions but is deterministic for each position.
    """
    special: list[Move] = []
    ordinary: list[Move] = []
    for move in sorted(position.legal_moves):
        (special if _is_special(position, move) else ordinary).append(move)
    start = sum(position.legal_moves)
    chosen = _rotate(ordinary, start)[:1]
    chosen += _rotate(special, start)[: most - len(chosen)]
    return chosen


def _is_special(position: Position, move: Move) -> bool:
    own = position.pieces[position.turn]
    holders = position.castling | (own[PieceType.KING] if position.castling else 0)
    ends_right = bool((1 << move.origin | 1 << move.target) & holders)
    is_double_step = bool(own[PieceType.PAWN] >> move.origin & 1) and abs(move.target - move.origin) == 16
    return move.kind is not MoveKind.NORMAL or ends_right or is_double_step


def _rotate(moves: list[Move], start: int) -> list[Move]:
    first = start % len(moves) if moves else 0
    return moves[first:] + moves[:first]
