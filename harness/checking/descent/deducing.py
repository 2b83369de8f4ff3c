"""Deduce which moves are extra or missing from the counts of an engine that prints no moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ....generator.types.pieces import PieceType
from ....generator.types.squares import name_of, squares_in
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...explaining import explain_duplicate, explain_move, is_legal
from ...model.results.finding import WrongMove
from ..comparing import correct_divide, explain_wrong_move, pseudo_legal_moves

if TYPE_CHECKING:
    import chess

DEEPEST = 3
"""Counts are compared up to this depth: two plies are rarely ambiguous, three almost never."""

FEW_NODES = 20_000
"""If several explanations remain and there are at most this many nodes, counts are compared two plies deeper."""


@dataclass(frozen=True)
class _Candidate:
    """A move that may be missing, or an illegal or duplicate move that may be extra."""

    text: str
    """UCI text, with castling as king takes rook."""
    wrong: WrongMove


def deduce_moves(setup: Game, surplus: int, engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return the wrong moves that explain an incorrect number of moves, or none if the explanation is not unique.

    An engine's count for a position is the sum of its counts after each legal move, minus the counts below missing
    moves, plus the counts below extra moves. The count below an illegal move is the engine's if it plays that move;
    otherwise its replies are assumed to be correct. Raises EngineError.
    """
    position = setup.position
    if engine.min_depth > 1:
        return ()
    below_illegal = _BelowIllegal(position, engine)
    sets = list(_sets(_candidates(position, surplus), abs(surplus)))
    for depth in range(2, DEEPEST + 3):
        if not sets or (depth > DEEPEST and (len(sets) == 1 or perft(position, depth) > FEW_NODES)):
            break
        after = _counts_after(position, depth - 1, engine)
        difference = abs(engine.perft(setup.without_moves(), depth) - sum(after.values()))
        sets = [one for one in sets if difference in _sums_below(one, depth - 1, after, below_illegal)]
    below_illegal.end_process()
    return tuple(candidate.wrong for candidate in sets[0]) if len(sets) == 1 else ()


class _BelowIllegal:
    """The possible counts below illegal moves of a position."""

    def __init__(self, position: Position, engine: EngineSession) -> None:
        self._position, self._engine = position, engine
        self._moves = {move.uci(chess960=True): move for move in pseudo_legal_moves(position)}
        self._known: dict[tuple[str, int], tuple[int, ...]] = {}
        self._is_asked, self._has_failed = False, not engine.plays_moves

    def counts(self, text: str, depth: int) -> tuple[int, ...]:
        """Return python-chess's count below a move, and the engine's count if it plays the move."""
        if (text, depth) not in self._known:
            counts = [_count_below(self._position, text, depth)]
            if not self._has_failed and text in self._moves:
                self._is_asked = True
                try:
                    counts.append(self._engine.perft(Game(self._position, (self._moves[text],)), depth))
                except EngineError:
                    self._has_failed = True
            self._known[text, depth] = tuple(counts)
        return self._known[text, depth]

    def end_process(self) -> None:
        """Restart the engine if it had to play an illegal move, because its next answers may then be incorrect."""
        if self._is_asked:
            self._engine.restart()


def _sums_below(
    candidates: tuple[_Candidate, ...], depth: int, after: dict[str, int], below_illegal: _BelowIllegal
) -> set[int]:
    """Return the possible sums of the counts below candidates, assuming that all of them are wrong."""
    counts = [(after[one.text],) if one.text in after else below_illegal.counts(one.text, depth) for one in candidates]
    if len(candidates) <= 2:
        return {sum(chosen) for chosen in product(*counts)}
    return {sum(one[0] for one in counts), sum(one[-1] for one in counts)}


def confirm_rule(position: Position, kind: str, rule: str, engine: EngineSession) -> tuple[WrongMove, ...] | None:
    """Return all moves of a position to which a rule applies, if exactly these moves explain the engine's counts.

    `kind` is "extra" or "missing". The counts at two depths must match; otherwise the result is empty. The result is
    None if the rule applies to no move, in which case the engine is not asked. Raises EngineError.
    """
    surplus = {"extra": 1, "missing": -1}.get(kind, 0)
    found = [one for one in _candidates(position, surplus) if (one.wrong.kind, one.wrong.rule) == (kind, rule)]
    if not surplus or not found:
        return None
    for depth in (1, 2):
        after = correct_divide(position, depth).counts
        wrong = sum(
            1 if depth == 1 else after[one.text] if one.text in after else _count_below(position, one.text, depth - 1)
            for one in found
        )
        if engine.perft(Game(position), depth) != sum(after.values()) + surplus * wrong:
            return ()
    return tuple(one.wrong for one in found)


def _candidates(position: Position, surplus: int) -> list[_Candidate]:
    legal = [move.uci(chess960=True) for move in position.legal_moves]
    if surplus < 0:
        found = [(text, "missing", explain_move) for text in legal]
    else:
        illegal = [text for text in _illegal(position) if not is_legal(position, text)]
        found = [(text, "extra", explain_move) for text in illegal]
        found += [(text, "duplicate", explain_duplicate) for text in legal]
    return [
        _Candidate(text, explain_wrong_move(position, text, kind, explain(position, text)))
        for text, kind, explain in found
    ]


def _illegal(position: Position) -> Iterator[str]:
    """Yield illegal moves that programs tend to list: moves that leave the king attacked, and illegal castling."""
    board = _board(position)
    yield from (move.uci() for move in board.generate_pseudo_legal_moves() if not board.is_legal(move))
    king = position.king(position.turn)
    back_rank = 0xFF << 8 * position.turn.back_rank
    if king // 8 == position.turn.back_rank and (position.chess960 or king % 8 == 4):
        rooks = position.pieces[position.turn][PieceType.ROOK] & back_rank
        yield from (name_of(king) + name_of(rook) for rook in squares_in(rooks) if abs(rook - king) > 1)


def _sets(candidates: list[_Candidate], size: int) -> Iterator[tuple[_Candidate, ...]]:
    """Yield the sets of moves that may be wrong together: single moves, pairs, and all moves of one rule."""
    if size <= 2:
        yield from combinations(candidates, size)
        return
    by_rule: dict[str, list[_Candidate]] = {}
    for candidate in candidates:
        by_rule.setdefault(candidate.wrong.rule, []).append(candidate)
    yield from (tuple(group) for group in by_rule.values() if len(group) == size)


def _counts_after(position: Position, depth: int, engine: EngineSession) -> dict[str, int]:
    return {
        move.uci(chess960=True): engine.perft(Game(position.play_unchecked(move)), depth)
        for move in position.legal_moves
    }


def _count_below(position: Position, text: str, depth: int) -> int:
    """Return python-chess's count below a move, which may be illegal."""
    import chess

    from ...engines.call import EngineCall
    from ...engines.types.python_chess import count_leaves

    board = _board(position)
    board.push(chess.Move.from_uci(text))
    return count_leaves(board, depth, EngineCall())


def _board(position: Position) -> chess.Board:
    import chess

    return chess.Board(position.fen(castling="shredder"), chess960=True)
