"""The check of hash keys: a position has the same key after any moves, and different positions have different keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import combinations, islice

from ....generator.game import Game
from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, PieceType
from ....generator.types.squares import squares_in
from ....generator.validation import FenError
from ...engines.asking.histories import format_game
from ...engines.asking.session import EngineSession
from ...engines.base import EngineRejection
from ...explaining.rules import name_at
from ...model.results.finding import Cause, finding_after
from ..model import Discrepancy
from .base import Probe, discrepancies_in

MOST_MOVES, MOST_PIECES, MOST_TRANSPOSITIONS = 3, 1, 1
"""How much is tried in each position: types of moves after which keys are compared, pieces, and transpositions."""
MOST_PAIRS = 6
"""Pairs of moves that are tried for a transposition; most positions have one among the first few."""
MOST_REMEMBERED = 1_000_000
"""Number of positions that are remembered with their keys, which takes about 200 MB."""
KEYS_AT_ONCE = 256
"""Number of positions in one question about keys."""
RARE = 1e-4
"""Positions with the same key are a fault only if the probability of any coincidence in a run is below this."""


class MoveType(StrEnum):
    """The types of moves that update a key differently, in the words of a finding, rarest first."""

    CASTLING = "by castling"
    EN_PASSANT = "by a capture en passant"
    CAPTURING_PROMOTION = "by a promotion that captures"
    PROMOTION = "by a promotion"
    ENDS_RIGHT = "by a move that ends a castling right"
    KING = "by a king's move that ends castling rights"
    CAPTURE = "by a capture"
    OTHER = "by a move"


class Keys:
    """Compares the engine's hash keys of equal positions, and of positions that differ in one detail."""

    name = "keys"

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine
        self._shows = self._answers_many = True
        self._fens: dict[int, bytes] = {}
        """The FENs of the positions seen so far, without clocks, by their keys."""
        self._digits = 0
        """The number of hexadecimal digits of the longest key."""
        self._pairs = 0
        """The number of pairs of changed positions that were compared, for the probability of a coincidence."""

    def forget(self) -> None:
        """Forget the positions seen so far."""
        self._fens.clear()

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        if not self._shows:
            return
        position = probe.position
        key = self._engine.key(Game(position))
        if key is None:
            self._shows = False
            return
        yield from self._compare_with_others(_placement(position.fen()), key, position.chess960)
        yield from self._compare_paths(probe.game, key)
        yield from self._compare_undone(position, key)
        yield from self._compare_changed(position, key)

    @property
    def compares_more(self) -> bool:
        """Whether `compare_many` still compares positions: the engine has keys, and not too many are remembered."""
        return self._answers_many and len(self._fens) < MOST_REMEMBERED

    def compare_many(self, fens: Sequence[str], *, chess960: bool) -> Iterator[Discrepancy]:
        """Yield discrepancies if positions have the same key as different positions before. Raises EngineError."""
        for first in range(0, len(fens), KEYS_AT_ONCE):
            asked = fens[first : first + KEYS_AT_ONCE]
            keys = self._engine.keys(asked, chess960=chess960)
            if keys is None:
                self._answers_many = False
                return
            for fen, key in zip(asked, keys, strict=False):
                if key is not None:
                    yield from self._compare_with_others(_placement(fen), key, chess960)

    def _compare_with_others(self, fen: bytes, key: str, chess960: bool) -> Iterator[Discrepancy]:
        """Yield a discrepancy if a different position has the same key, and chance is unlikely to be the reason."""
        other_fen = self._fens.setdefault(int(key, 16), fen)
        self._digits = max(self._digits, len(key))
        if len(self._fens) > MOST_REMEMBERED:
            self._fens.clear()
        if other_fen == fen:
            return
        position, other = (Position.from_fen(one.decode(), chess960) for one in (fen, other_fen))
        is_no_chance = len(self._fens) ** 2 / 2 ** (4 * self._digits + 1) < RARE
        if _state(other) == _state(position) or not is_no_chance:
            return
        if self._have_key(key, position, other):
            note = f"two positions have the same key; the other is {other.fen()}"
            yield from self._fault(Game(position), note, (Game(other), Game(position)))

    def _compare_changed(self, position: Position, key: str) -> Iterator[Discrepancy]:
        """Yield discrepancies if a position has the same key after a change, or after two different changes."""
        others = list(changes(position))
        keys = self._engine.keys([other.fen() for _, other in others], chess960=position.chess960)
        by_key: dict[str, Position] = {}
        for (what, other), changed in zip(others, keys or (), strict=False):
            self._pairs += 1 + len(by_key)
            if changed is None or self._pairs / 16**self._digits > RARE:
                continue
            same = position if changed == key else by_key.setdefault(changed, other)
            if _state(same) == _state(other) or not self._have_key(changed, other, same):
                continue
            if same is position:
                yield from self._fault(Game(position), f"the key leaves out {what}; {other.fen()} has the same key")
            else:
                fens = f"{same.fen()} and {other.fen()}"
                yield from self._fault(Game(position), f"two similar positions have the same key: {fens}")

    def _compare_undone(self, position: Position, key: str) -> Iterator[Discrepancy]:
        """Yield discrepancies if a key changes when a move is played and taken back."""
        for move in _one_of_each_type(position):
            text = move.uci(position.chess960)
            undone = self._engine.key(Game(position), text)
            if undone is None:
                return
            if undone != key:
                note = f"the key differs after a move is taken back, here {type_of(position, move)}; {text}"
                yield from self._fault(Game(position), note)

    def _compare_paths(self, game: Game, key: str) -> Iterator[Discrepancy]:
        """Yield discrepancies if the key of a position depends on the moves that lead to it."""
        position = game.position
        if game.moves and self._key(game) not in (None, key) and self._differ(game, game.without_moves()):
            before = Game(game.base, game.moves[:-1]).position
            yield from self._fault(game, f"the key is not updated {type_of(before, game.moves[-1])}")
        for move in _one_of_each_type(position):
            after = Game(position, (move,))
            if self._key(after) != self._key(after.without_moves()) and self._differ(after, after.without_moves()):
                yield from self._fault(after, f"the key is not updated {type_of(position, move)}")
        for one, other in islice(transpositions(position), MOST_TRANSPOSITIONS):
            if self._key(one) != self._key(other) and self._differ(one, other):
                text = " ".join(other.uci_moves())
                yield from self._fault(one, f"the key depends on the order of moves: {text} leads to the same position")

    def _key(self, game: Game) -> str | None:
        """Return the key of the position after a game, or None if the engine refuses the position."""
        try:
            return self._engine.key(game)
        except EngineRejection:  # other checks report this for positions of the run
            return None

    def _certain_key(self, game: Game) -> str | None:
        """Return the key of the position after a game, or None if the engine may have refused the position.

        An engine that silently refuses a position keeps the one before it, here the starting position.
        """
        start = self._key(Game(Position.start()))
        key = self._key(game)
        return None if key == start else key

    def _have_key(self, key: str, *positions: Position) -> bool:
        """Return True if each position certainly has this key."""
        return all(self._certain_key(Game(position)) == key for position in positions)

    def _differ(self, one: Game, other: Game) -> bool:
        """Return True if two games have different keys and the engine has refused neither position."""
        keys = self._certain_key(one), self._certain_key(other)
        return None not in keys and keys[0] != keys[1]

    def _fault(self, game: Game, note: str, history: Sequence[Game] = ()) -> Iterator[Discrepancy]:
        for found in discrepancies_in(self.name, finding_after(game, Cause.KEY, note), game):
            yield replace(found, history=tuple(map(format_game, history)))


def _placement(fen: str) -> bytes:
    """Return a FEN without its clocks, on which keys do not depend."""
    return " ".join(fen.split()[:4]).encode()


def _state(position: Position) -> tuple[object, ...]:
    """Return everything a key may depend on: placement, side to move, castling rights, and legal en passant."""
    return position.pieces, position.turn, position.castling, position.legal_en_passant


def changes(position: Position) -> Iterator[tuple[str, Position]]:
    """Yield positions that differ from a position in one detail, each with the name of the detail."""
    if position.legal_en_passant is not None:
        yield "the en passant square", replace(position, en_passant=None)
        return
    plain = replace(position, en_passant=None)
    if not position.in_check:
        yield from _if_valid("the side to move", replace(plain, turn=position.turn.other))
    for square in squares_in(position.castling):
        yield "a castling right", replace(plain, castling=position.castling & ~(1 << square))
    king, start = position.king(position.turn), sum(position.legal_moves)
    others = [square for square in squares_in(position.occupied & ~position.castling) if square != king]
    chosen = [others[(start + number) % len(others)] for number in range(min(MOST_PIECES, len(others)))]
    for number, square in enumerate([king, *chosen]):
        yield from _other_pieces(plain, square, start + number)


def _other_pieces(position: Position, square: int, choice: int) -> Iterator[tuple[str, Position]]:
    """Yield positions in which the piece on a square is missing, stands elsewhere, or has another type or color."""
    piece = position.piece_at(square)
    assert piece is not None, "a piece stands there"
    color, kind = piece
    name = name_at(position, square)
    free = [one for one in range(8, 56) if not position.occupied >> one & 1]
    target = free[choice % len(free)]
    if kind is not PieceType.KING:
        yield from _with(f"a {name}", position, square, None)
        yield from _with(f"the color of a {name}", position, square, (square, color.other, kind))
        other = {
            PieceType.ROOK: PieceType.QUEEN,
            PieceType.QUEEN: PieceType.ROOK,
            PieceType.BISHOP: PieceType.KNIGHT,
        }.get(kind, PieceType.BISHOP)
        yield from _with(f"the type of a {name}", position, square, (square, color, other))
    elif position.castling:
        return
    yield from _with(f"the square of a {name}", position, square, (target, color, kind))


def _with(
    what: str, position: Position, square: int, piece: tuple[int, Color, PieceType] | None
) -> Iterator[tuple[str, Position]]:
    """Yield the position with the piece on a square removed and `piece` added, if the result is valid."""
    sides = [[bits & ~(1 << square) for bits in side] for side in position.pieces]
    if piece is not None:
        target, color, kind = piece
        sides[color][kind] |= 1 << target
    yield from _if_valid(what, replace(position, pieces=(tuple(sides[0]), tuple(sides[1]))))


def _if_valid(what: str, position: Position) -> Iterator[tuple[str, Position]]:
    try:
        yield what, Position.from_fen(position.fen(castling="shredder"), position.chess960)
    except FenError:
        return


def _one_of_each_type(position: Position) -> list[Move]:
    """Return a legal move of each type, castling first, but no more than `MOST_MOVES`."""
    moves = sorted(position.legal_moves)
    start = sum(moves) % len(moves) if moves else 0
    by_type = {type_of(position, move): move for move in [*moves[start:], *moves[:start]]}
    return [by_type[one] for one in MoveType if one in by_type][:MOST_MOVES]


def type_of(position: Position, move: Move) -> MoveType:
    """Return the type of a legal move."""
    if move.kind is MoveKind.CASTLING:
        return MoveType.CASTLING
    if move.kind is MoveKind.EN_PASSANT:
        return MoveType.EN_PASSANT
    if move.kind is MoveKind.PROMOTION:
        return MoveType.CAPTURING_PROMOTION if position.is_capture(move) else MoveType.PROMOTION
    if position.castling & (1 << move.origin | 1 << move.target):
        return MoveType.ENDS_RIGHT
    if position.is_capture(move):
        return MoveType.CAPTURE
    return MoveType.KING if position.castling and move.origin == position.king(position.turn) else MoveType.OTHER


def transpositions(position: Position) -> Iterator[tuple[Game, Game]]:
    """Yield pairs of games whose three moves lead to the same position in a different order."""
    quiet = [move for move in position.legal_moves if _is_quiet(position, move)]
    pairs = ((one, other) for one, other in combinations(quiet, 2) if one.origin != other.origin)
    for first, third in islice(pairs, MOST_PAIRS):
        for reply in position.play_unchecked(first).legal_moves[:3]:
            one, other = _played(position, first, reply, third), _played(position, third, reply, first)
            if one is not None and other is not None and one.position.fen() == other.position.fen():
                yield one, other
                break


def _is_quiet(position: Position, move: Move) -> bool:
    piece = position.piece_at(move.origin)
    plain = move.kind is MoveKind.NORMAL and not position.is_capture(move)
    return plain and piece is not None and piece[1] is not PieceType.PAWN and not position.castling >> move.origin & 1


def _played(position: Position, *moves: Move) -> Game | None:
    game = Game(position)
    for move in moves:
        if move not in game.position.legal_moves:
            return None
        game = game.after(move)
    return game
