"""Search for games in which each special move is played with each effect: `python -m tools.played`.

Some engines are correct in a position from a FEN, but not after they have played such a move to reach it. The result is
`suites/played.epd`, which the sweep includes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import chess
from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.generator.reachability.classification import was_in_check_before_push
from perft_check.suites.case import Case, Suite
from perft_check.suites.epd import write_suite

from .effects import (
    CASTLING,
    COLORS,
    CORNERS,
    DOUBLE_STEP,
    EP_LEFT,
    EP_RIGHT,
    KINDS,
    PROMOTIONS,
    SHOWN_AT_ONCE,
    SHOWN_LATER,
    corner_kind,
    effects_at_once,
    effects_later,
    effects_of,
    kind_of,
)

TARGET = Path(__file__).parents[2] / "suites" / "played.epd"
SAMPLES = 20_000
"""Number of random positions to try for each kind of move."""
MOST_NODES = 300
"""The complete tree of a game is counted only up to this many nodes; otherwise only the root moves."""
QUESTION_COST = 100
"""The cost of a game in addition to its nodes."""
KEPT = 12
"""Number of the smallest games to keep for each set of effects."""


@dataclass(frozen=True)
class PlayedLine:
    """A position and the moves to play, with their effects in the final position."""

    board: chess.Board
    moves: tuple[chess.Move, ...]
    effects: frozenset[str]

    @cached_property
    def game(self) -> Game:
        """The position and the moves as a `Game`."""
        base = Position.from_fen(self.board.fen(en_passant="fen"))
        return Game.from_uci(base, " ".join(move.uci() for move in self.moves))

    @cached_property
    def nodes(self) -> int:
        """The leaf nodes of the complete tree, one ply deeper than the moves."""
        return perft(self.game.base, len(self.moves) + 1)

    @property
    def counts(self) -> tuple[tuple[int, int], ...]:
        """The count of the complete tree if it is small, otherwise of the root moves.

        Programs that cannot play moves need the complete tree.
        """
        depth = len(self.moves) + 1 if self.nodes <= MOST_NODES else 1
        return ((depth, perft(self.game.base, depth)),)

    @cached_property
    def size(self) -> tuple[int, int]:
        """The number of root moves and of pieces."""
        return self.board.legal_moves.count(), chess.popcount(self.board.occupied)

    @property
    def is_possible(self) -> bool:
        """True if the position may be reachable, and correct engines agree on it."""
        position = self.game.base
        return not position.oddities and (position.en_passant is None or not was_in_check_before_push(position))


class LineSearch:
    """Generates random positions in which a special move is possible; positions for Black are mirror images."""

    def __init__(self, kind: str, color: bool) -> None:
        self.kind, self.color = kind, color
        self.draw = random.Random(f"{kind} {color}")

    def lines(self, samples: int) -> Iterator[PlayedLine]:
        """Yield games with at least one effect."""
        for _ in range(samples):
            made = self._position()
            if made is None:
                continue
            board, move = made
            if not self.color:
                board = board.mirror()
                move = chess.Move(move.from_square ^ 56, move.to_square ^ 56, move.promotion)
            if board.is_valid() and board.is_legal(move) and kind_of(board, move) == self.kind:
                yield from self._with_effects(board, move)

    def _with_effects(self, board: chess.Board, move: chess.Move) -> Iterator[PlayedLine]:
        effects = effects_at_once(board, move)
        after = board.copy(stack=False)
        after.push(move)
        if effects:
            yield PlayedLine(board, (move,), frozenset(effects))
        for reply in sorted(after.legal_moves, key=chess.Move.uci):
            if not after.is_zeroing(reply) and (later := effects_later(board, move, reply)):
                yield PlayedLine(board, (move, reply), frozenset(later))
                return

    def _position(self) -> tuple[chess.Board, chess.Move] | None:
        """Return a random position with the pieces of the move. It may be impossible, and the move illegal."""
        board = chess.Board(None)
        move = self._place_move(board)
        if move is not None and self.draw.random() < 0.6:
            self._add_line(board, move)
        for color in (chess.WHITE, chess.BLACK):
            if board.king(color) is None:
                self._add(board, chess.KING, color)
        for _ in range(self.draw.choice((0, 1, 2, 3))):
            self._add(board, self.draw.choice((1, 2, 3, 3, 4, 4, 5)), self.draw.random() < 0.5)
        return None if move is None else (board, move)

    def _add_line(self, board: chess.Board, move: chess.Move) -> None:
        """Place a king and an enemy slider on a line through a square of the move, perhaps with a piece between."""
        squares = [move.from_square, move.to_square]
        if board.ep_square == move.to_square:
            squares.append(move.to_square - 8)
        elif board.castling_rights:
            squares.append(chess.lsb(board.castling_rights))
        through, color = self.draw.choice(squares), self.draw.random() < 0.5
        is_diagonal = self.draw.random() < 0.5
        lines = (chess.BB_DIAG_ATTACKS,) if is_diagonal else (chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS)
        line = self.draw.choice(lines)[through][0]
        king = board.king(color)
        if king is None:
            king = self._add(board, chess.KING, color, line)
        elif not line & chess.BB_SQUARES[king]:
            return
        if king is not None:
            slider = self.draw.choice((chess.BISHOP if is_diagonal else chess.ROOK, chess.QUEEN))
            placed = self._add(board, slider, not color, line & chess.ray(king, through))
            if placed is not None and self.draw.random() < 0.6:
                self._add(board, self.draw.choice((1, 2, 3, 4)), self.draw.random() < 0.5, chess.between(king, placed))

    def _add(self, board: chess.Board, piece: int, color: bool, squares: int = chess.BB_ALL) -> int | None:
        free = squares & ~board.occupied & ~self.kept
        if piece == chess.PAWN:
            free &= ~chess.BB_BACKRANKS
        places = list(chess.scan_forward(free))
        if not places:
            return None
        square = self.draw.choice(places)
        board.set_piece_at(square, chess.Piece(piece, color))
        return square

    def _place_move(self, board: chess.Board) -> chess.Move | None:
        self.kept = 0
        if self.kind in (EP_LEFT, EP_RIGHT):
            return self._place_en_passant(board, -1 if self.kind == EP_LEFT else 1)
        if self.kind in CASTLING.values():
            return self._place_castling(board, chess.A1 if self.kind == CASTLING[chess.A1] else chess.H1)
        if self.kind == DOUBLE_STEP:
            pawn = self._add(board, chess.PAWN, chess.WHITE, chess.BB_RANK_2)
            return None if pawn is None else self._keeping(chess.Move(pawn, pawn + 16), pawn + 8)
        if self.kind.startswith("promotion"):
            return self._place_promotion(board)
        return self._place_capture(board)

    def _keeping(self, move: chess.Move, *squares: int) -> chess.Move:
        """Return the move; its destination and the given squares are kept empty from now on."""
        for square in (move.to_square, *squares):
            self.kept |= chess.BB_SQUARES[square]
        return move

    def _place_en_passant(self, board: chess.Board, side: int) -> chess.Move:
        file = self.draw.choice(range(1, 8) if side < 0 else range(7))
        pawn = chess.square(file, 4)
        board.set_piece_at(pawn, chess.Piece(chess.PAWN, chess.WHITE))
        board.set_piece_at(pawn + side, chess.Piece(chess.PAWN, chess.BLACK))
        board.ep_square = pawn + side + 8
        return self._keeping(chess.Move(pawn, pawn + side + 8), pawn + side + 16)

    def _place_castling(self, board: chess.Board, corner: int) -> chess.Move:
        board.set_piece_at(chess.E1, chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(corner, chess.Piece(chess.ROOK, chess.WHITE))
        board.castling_rights = chess.BB_SQUARES[corner]
        target = chess.C1 if corner == chess.A1 else chess.G1
        return self._keeping(chess.Move(chess.E1, target), *chess.scan_forward(chess.between(chess.E1, corner)))

    def _place_promotion(self, board: chess.Board) -> chess.Move | None:
        pawn = self._add(board, chess.PAWN, chess.WHITE, chess.BB_RANK_7)
        assert pawn is not None, "the rank is empty"
        piece = next(piece for piece, name in PROMOTIONS.items() if f"to a {name}" in self.kind)
        if self.kind.endswith("push"):
            return self._keeping(chess.Move(pawn, pawn + 8, piece))
        attacked = chess.BB_PAWN_ATTACKS[chess.WHITE][pawn]
        target = self._add(board, self.draw.choice((2, 3, 4, 5)), chess.BLACK, attacked)
        return None if target is None else chess.Move(pawn, target, piece)

    def _place_capture(self, board: chess.Board) -> chess.Move | None:
        corner = next(corner for corner, file in CORNERS.items() if f"the {file} rook" in self.kind) ^ 56
        board.set_piece_at(chess.E8, chess.Piece(chess.KING, chess.BLACK))
        board.set_piece_at(corner, chess.Piece(chess.ROOK, chess.BLACK))
        board.castling_rights = chess.BB_SQUARES[corner]
        if self.kind == corner_kind(corner ^ 56, from_corner=True):
            board.set_piece_at(chess.E1, chess.Piece(chess.KING, chess.WHITE))
            board.set_piece_at(corner ^ 56, chess.Piece(chess.ROOK, chess.WHITE))
            board.castling_rights |= chess.BB_SQUARES[corner ^ 56]
            return chess.Move(corner ^ 56, corner)
        piece = self.draw.choice((chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN))
        empty = chess.BaseBoard.empty()
        empty.set_piece_at(corner, chess.Piece(piece, chess.WHITE))
        origin = self._add(board, piece, chess.WHITE, empty.attacks_mask(corner))
        if origin is None:
            return None
        return self._keeping(chess.Move(origin, corner), *chess.scan_forward(chess.between(origin, corner)))


def choose(kind: str, color: bool, samples: int = SAMPLES) -> list[PlayedLine]:
    """Return a few small games that show all possible effects of a kind of move."""
    smallest: dict[tuple[int, frozenset[str]], list[PlayedLine]] = {}
    for one in LineSearch(kind, color).lines(samples):
        kept = smallest.setdefault((len(one.moves), one.effects), [])
        kept.append(one)
        if len(kept) > 4 * KEPT:
            kept[:] = sorted(kept, key=lambda line: line.size)[:KEPT]
    candidates = [one for kept in smallest.values() for one in sorted(kept, key=lambda line: line.size)[:KEPT]]
    candidates = [one for one in candidates if one.is_possible]
    missing, chosen = set(effects_of(kind)), list[PlayedLine]()
    while missing:
        best = max(candidates, key=lambda one: len(one.effects & missing) / (QUESTION_COST + one.nodes))
        if not best.effects & missing:
            raise SystemExit(
                f"{kind} by {COLORS[color]}: no game {' and none '.join(sorted(missing))}; try more samples"
            )
        chosen.append(best)
        missing -= best.effects
    return chosen


def case_of(one: PlayedLine, name: str) -> Case:
    """Return a game as a case of a suite."""
    purpose = ", ".join(effect for effect in (*SHOWN_AT_ONCE, *SHOWN_LATER) if effect in one.effects)
    return Case(name, one.game.base, one.counts, "played", purpose, moves=one.game.moves)


def colors_of(kind: str) -> tuple[bool, ...]:
    """Return the colors that play a kind of move: both, except that kinds of promotion alternate between the colors."""
    return (KINDS.index(kind) % 2 == 0,) if kind.startswith("promotion") else (chess.WHITE, chess.BLACK)


def search() -> Iterator[Case]:
    """Yield the cases of all kinds of moves."""
    for kind in KINDS:
        for color in colors_of(kind):
            side = COLORS[color]
            for number, one in enumerate(choose(kind, color), 1):
                yield case_of(one, f"{kind} by {side} {number}")


def main() -> None:
    """Search for games, and write the suite."""
    cases = tuple(search())
    write_suite(
        TARGET,
        Suite("played", cases),
        [
            "Special moves with each of their effects, generated by `python -m tools.played`.",
            "c0 names the effect of the first move; the sweep includes all lines.",
        ],
    )
    sys.stdout.write(f"{len(cases)} games written to {TARGET}\n")


if __name__ == "__main__":
    main()
