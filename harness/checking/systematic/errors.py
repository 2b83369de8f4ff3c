"""A table of systematic errors: quantities that an engine may count instead of leaf nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ....generator.counting.perft import perft
from ....generator.position import Position
from ....generator.types.pieces import Color, PieceType
from ....generator.validation import FenError, check_side_not_to_move
from ..comparing import pseudo_legal_moves

if TYPE_CHECKING:
    import chess

MOST_LEAVES, MOST_SLOW_LEAVES, MOST_ATTACK_LEAVES = 20_000_000, 20_000, 2_500
"""Maximum leaf nodes to count when testing an error: by kernels, in Python, and in Python with custom attacks."""


@dataclass(frozen=True)
class TotalQuestion:
    """A question about a total, and the answer to the previous question."""

    position: Position
    depth: int
    answer_before: int | None = None


@dataclass(frozen=True)
class SystematicError:
    """A quantity that an engine may count instead of the leaf nodes."""

    title: str
    count: Callable[[TotalQuestion], int | None]
    """A function that returns this quantity, or None if it does not exist or is too expensive to compute."""
    is_of_moves: bool = False
    """Whether the error consists of wrong moves.

    If the engine prints its moves, they are more informative than the error. If not, the error must explain every
    answer.
    """
    is_of_totals: bool = False
    """Whether the error only applies to engines that print no root moves; for others, the wrong moves are named."""


@lru_cache(maxsize=1_024)
def _total(position: Position, depth: int) -> int | None:
    """Return the number of leaf nodes at a depth, or None if there are probably too many to count."""
    shallow = [perft(position, ply) for ply in range(min(depth, 3) + 1)]
    if depth > 3 and shallow[-1] * max(1.0, shallow[-1] / max(1, shallow[-2])) ** (depth - 3) > MOST_LEAVES:
        return None
    return shallow[depth] if depth <= 3 else perft(position, depth)


def _sum_of(asked: TotalQuestion, depths: Iterable[int]) -> int | None:
    totals = [_total(asked.position, depth) for depth in depths]
    return None if None in totals else sum(total for total in totals if total is not None)


def _with_turn(asked: TotalQuestion, turn: Color) -> int | None:
    """Return the count with `turn` to move regardless of the FEN, or None if the other side is in check."""
    if asked.position.turn is turn:
        return _total(asked.position, asked.depth)
    turned = replace(asked.position, turn=turn, en_passant=None)
    try:
        check_side_not_to_move(turned.pieces, turn)
    except FenError:
        return None
    return _total(turned, asked.depth)


def _last_ply_pseudo_legal(position: Position, depth: int) -> int:
    """Return the count if the moves of the last ply are only pseudo-legal."""
    if depth == 1:
        return len(pseudo_legal_moves(position))
    return sum(_last_ply_pseudo_legal(position.play_unchecked(move), depth - 1) for move in position.legal_moves)


@dataclass(frozen=True)
class _SlowCount:
    """Counts by playing moves with python-chess, unless this would take too long."""

    moves: str
    """The moves to play: legal or pseudo-legal ones; the latter may capture a king."""
    last: str
    """The moves to count at the last ply."""
    keeps_turn: bool = False
    """Whether the side to move does not change after a move."""

    def __call__(self, asked: TotalQuestion) -> int | None:
        """Return the count, or None if there are too many moves, which is possible even if few of them are legal."""
        import chess

        if not _is_small(asked):
            return None
        nodes = 0
        for leaves in self._lengths(chess.Board(asked.position.fen(castling="shredder"), chess960=True), asked.depth):
            nodes += leaves
            if nodes > MOST_SLOW_LEAVES:
                return None
        return nodes

    def _lengths(self, board: chess.Board, depth: int) -> Iterator[int]:
        if depth == 1:
            yield getattr(board, self.last).count()
            return
        for move in list(getattr(board, self.moves)):
            turn = board.turn
            board.push(move)
            if self.keeps_turn:
                board.turn, board.ep_square = turn, None
            yield from self._lengths(board, depth - 1)
            board.pop()


def _is_small(asked: TotalQuestion, most: int = MOST_SLOW_LEAVES) -> bool:
    total = _total(asked.position, asked.depth)
    return total is not None and total <= most


AttackRule = Callable[["chess.Board", bool, int, int], int]
"""Maps the actual attackers of a square to those that an engine believes to attack it."""


def _pawns_backwards(board: chess.Board, color: bool, square: int, attackers: int) -> int:
    import chess

    backwards = board.pawns & board.occupied_co[color] & chess.BB_PAWN_ATTACKS[color][square]
    return attackers & ~board.pawns | backwards


def _without(kind: PieceType) -> AttackRule:
    return lambda board, color, _square, attackers: attackers & ~board.pieces_mask(kind + 1, color)


ATTACK_RULES: dict[str, AttackRule] = {
    "its pawns attack backwards when the safety of the king is tested": _pawns_backwards,
    **{
        f"it overlooks all attacks on the king by {name}": _without(kind)
        for kind, name in zip(
            PieceType, ("pawns", "knights", "bishops", "rooks", "queens", "the other king"), strict=True
        )
    },
}
"""Possible faults in the attack test for kings; each completely determines which moves are legal."""


@cache
def _board_class() -> Callable[[str, AttackRule], chess.Board]:
    import chess

    class Board(chess.Board):
        """A board on which attacks on kings are determined by a rule."""

        def __init__(self, fen: str, rule: AttackRule) -> None:
            self._rule = rule
            super().__init__(fen, chess960=True)

        def attackers_mask(self, color: bool, square: int, occupied: int | None = None) -> int:
            """Return the attackers according to the rule."""
            return self._rule(self, color, square, super().attackers_mask(color, square, occupied))

        def generate_legal_moves(
            self, from_mask: int = chess.BB_ALL, to_mask: int = chess.BB_ALL
        ) -> Iterator[chess.Move]:
            """Yield the pseudo-legal moves after which the king is not attacked."""
            for move in list(self.generate_pseudo_legal_moves(from_mask, to_mask)):
                self.push(move)
                is_attacked = self.was_into_check()
                self.pop()
                if not is_attacked:
                    yield move

    return Board


def _count_by_attacks(rule: AttackRule) -> Callable[[TotalQuestion], int | None]:
    """Return a function that counts moves that leave the king safe according to a rule."""

    def count(asked: TotalQuestion) -> int | None:
        from ...engines.call import EngineCall
        from ...engines.types.python_chess import count_leaves

        if not _is_small(asked, MOST_ATTACK_LEAVES):
            return None
        board = _board_class()(asked.position.fen(castling="shredder"), rule)
        return count_leaves(board, asked.depth, EngineCall())

    return count


SUMS = SystematicError(
    "it adds up the counts of all depths from 1 to N", lambda asked: _sum_of(asked, range(1, asked.depth + 1))
)
ROOT_MOVES_AGAIN = replace(SUMS, title="its root moves are repeated for each depth from 1 to N, and added up")
REPEATS = SystematicError("it repeats its previous answer", lambda asked: asked.answer_before)
ERRORS = (
    SUMS,
    SystematicError(
        "it adds up the counts of all depths from 0 to N", lambda asked: _sum_of(asked, range(asked.depth + 1))
    ),
    SystematicError(
        "it adds up the counts of every other depth, N and N-2 and so on",
        lambda asked: _sum_of(asked, range(asked.depth, 0, -2)),
    ),
    SystematicError(
        "it counts one ply too deep, N+1 in place of N", lambda asked: _total(asked.position, asked.depth + 1)
    ),
    SystematicError(
        "it counts one ply too shallow, N-1 in place of N", lambda asked: _total(asked.position, asked.depth - 1)
    ),
    SystematicError(
        "it counts one leaf node too many, as if the position itself were one",
        lambda asked: None if (total := _total(asked.position, asked.depth)) is None else total + 1,
    ),
    SystematicError(
        "it counts pseudo-legal moves at the last ply, evasions in check",
        lambda asked: _last_ply_pseudo_legal(asked.position, asked.depth) if _is_small(asked) else None,
        is_of_moves=True,
    ),
    SystematicError(
        "it counts pseudo-legal moves at the last ply",
        _SlowCount("legal_moves", "pseudo_legal_moves"),
        is_of_moves=True,
    ),
    SystematicError(
        "it counts pseudo-legal moves at all plies",
        _SlowCount("pseudo_legal_moves", "pseudo_legal_moves"),
        is_of_moves=True,
    ),
    *(
        SystematicError(title, _count_by_attacks(rule), is_of_moves=True, is_of_totals=True)
        for title, rule in ATTACK_RULES.items()
    ),
    SystematicError(
        "it moves one side only: after a move the turn does not change",
        _SlowCount("legal_moves", "legal_moves", keeps_turn=True),
    ),
    SystematicError(
        "it counts the moves of White, regardless of the side to move", lambda asked: _with_turn(asked, Color.WHITE)
    ),
    SystematicError(
        "it counts the moves of Black, regardless of the side to move", lambda asked: _with_turn(asked, Color.BLACK)
    ),
    REPEATS,
)
"""Errors that a total alone may reveal, with the simplest explanations first."""
