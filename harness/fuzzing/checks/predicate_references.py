"""The correct answers of predicates, by python-chess, and the games in which they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import chess

from ....generator.game import Game
from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, PieceType

FROM_SQUARES = [
    [chess.square_name(origin) + chess.square_name(target) for target in range(64) if target != origin]
    for origin in range(64)
]
"""The moves from each square to all others as UCI text."""
MOST_SHUTTLES = 2
"""Number of lines of moves back and forth that are played from a position."""
MOST_TRIED = 6
"""Number of moves of each side that are tried for such a line."""
ALMOST_FIFTY = 97
"""The halfmove clock of the position before a line that reaches the fifty-move rule."""


def board_after(game: Game) -> chess.Board:
    """Return python-chess's board after the moves of a game."""
    board = chess.Board(game.base.fen(castling="shredder"), chess960=True)
    for move in game.moves:
        board.push_uci(move.uci(chess960=True))
    board.chess960 = game.base.chess960
    return board


def encodings(position: Position) -> list[str]:
    """Return all moves as UCI text: each origin, target and, for the pieces of the side to move, promotion."""
    own = chess.Board(position.fen(castling="shredder"), chess960=True).occupied_co[position.turn is Color.WHITE]
    texts: list[str] = []
    for origin in range(64):
        plain = FROM_SQUARES[origin]
        texts += [text + letter for text in plain for letter in ("", *"qrbn")] if own >> origin & 1 else plain
    return texts


def pseudo_legal_moves(position: Position) -> set[str]:
    """Return the moves that are pseudo-legal by any definition, with castling in both notations."""
    board = chess.Board(position.fen(castling="shredder"), chess960=True)
    moves = {board.uci(move) for move in board.pseudo_legal_moves}
    king = board.king(board.turn)
    if king is not None:
        for rook in chess.SquareSet(board.clean_castling_rights() & board.occupied_co[board.turn]):
            landing = chess.square(6 if rook > king else 2, chess.square_rank(king))
            moves |= {chess.square_name(king) + chess.square_name(target) for target in (rook, landing)}
    return moves


def generators_agree(game: Game) -> bool:
    """Return True if python-chess and perft-check's generator list the same moves, so that they can be references."""
    board = chess.Board(game.position.fen(castling="shredder"), chess960=True)
    return {board.uci(move) for move in board.legal_moves} == {move.uci(True) for move in game.position.legal_moves}


def games_from(position: Position) -> Iterator[Game]:
    """Yield games that repeat a position, and that reach or reset the fifty-move rule."""
    plain = replace(position, en_passant=None)
    late = replace(plain, halfmove=ALMOST_FIFTY, fullmove=max(position.fullmove, ALMOST_FIFTY))
    for number, shuttle in enumerate(shuttles(plain)):
        yield from (Game(plain, shuttle.moves * times) for times in (1, 2))
        yield Game(plain, (shuttle.moves * 2)[:6])
        if number == 0:
            yield from (Game(late, shuttle.moves[:plies]) for plies in (2, 3))
            yield from (Game(late, (*shuttle.moves[:2], move)) for move in _resetting(late, shuttle))


def _resetting(late: Position, shuttle: Game) -> list[Move]:
    """Return a move of a pawn and a capture after the first two moves of a game, if there are any."""
    position = Game(late, shuttle.moves[:2]).position
    kinds: dict[bool, Move] = {}
    for move in position.legal_moves:
        if position.is_capture(move) or moving_piece(position, move) is PieceType.PAWN:
            kinds.setdefault(position.is_capture(move), move)
    return list(kinds.values())


def shuttles(position: Position) -> Iterator[Game]:
    """Yield games of four moves after which all pieces stand as before, first one that ends a castling right."""
    found: dict[bool, Game] = {}
    for move in sorted(_quiet(position), key=lambda one: not position.castling >> one.origin & 1)[:MOST_TRIED]:
        after = position.play_unchecked(move)
        for reply in _quiet(after)[:MOST_TRIED]:
            game = Game(position)
            for one in (move, reply, _back(move), _back(reply)):
                if one not in game.position.legal_moves:
                    break
                game = game.after(one)
            ends_right = after.castling != position.castling
            if len(game.moves) == 4 and ends_right not in found:
                found[ends_right] = game
                break
    yield from [found[kind] for kind in (True, False) if kind in found][:MOST_SHUTTLES]


def _quiet(position: Position) -> list[Move]:
    """Return the legal moves of pieces, not pawns, that neither capture nor castle."""
    return [
        move
        for move in position.legal_moves
        if move.kind is MoveKind.NORMAL
        and not position.is_capture(move)
        and moving_piece(position, move) is not PieceType.PAWN
    ]


def moving_piece(position: Position, move: Move) -> PieceType | None:
    """Return the type of the piece that a move moves."""
    piece = position.piece_at(move.origin)
    return None if piece is None else piece[1]


def _back(move: Move) -> Move:
    return Move.make(move.target, move.origin)


def is_insufficient(board: chess.Board) -> bool | None:
    """Return whether no side can mate, or None if usual definitions differ."""
    if board.pawns | board.rooks | board.queens:
        return False
    for color in chess.COLORS:
        own = board.occupied_co[color]
        bishops = board.bishops & own
        has_both = bishops & chess.BB_DARK_SQUARES and bishops & chess.BB_LIGHT_SQUARES
        if has_both or (bishops and board.knights & own):
            return False
    return True if chess.popcount(board.occupied) <= 3 else None


def repetitions(board: chess.Board) -> tuple[int, int]:
    """Return how often the position has occurred, by a strict and by a lenient definition of en passant.

    The strict definition compares en passant squares that no pawn can use, too.
    """
    past, strict, lenient = board.copy(), 0, 0
    here, used = _identity(board), board.has_legal_en_passant()
    while True:
        is_alike = _identity(past) == here
        lenient += is_alike and past.has_legal_en_passant() == used
        strict += is_alike and past.ep_square == board.ep_square
        if not past.move_stack:
            return strict, lenient
        past.pop()


def _identity(board: chess.Board) -> tuple[str, chess.Color, chess.Bitboard]:
    return board.board_fen(), board.turn, board.clean_castling_rights()


def _occurs(least: int, most: int) -> Callable[[chess.Board], bool | None]:
    """Return a reference that is True from `most` occurrences on, False below `least`, and None between them."""

    def reference(board: chess.Board) -> bool | None:
        found = {None if least <= number < most else number >= most for number in repetitions(board)}
        return found.pop() if len(found) == 1 else None

    return reference


def is_fifty(board: chess.Board) -> bool | None:
    """Return whether the fifty-move rule applies, or None if the game is over."""
    return board.halfmove_clock >= 100 if any(board.legal_moves) else None


OF_POSITIONS: dict[str, Callable[[chess.Board], bool | None]] = {
    "is_check": chess.Board.is_check,
    "is_checkmate": chess.Board.is_checkmate,
    "is_stalemate": chess.Board.is_stalemate,
    "is_insufficient_material": is_insufficient,
    "is_twofold_repetition": _occurs(2, 2),
    "is_threefold_repetition": _occurs(3, 3),
    "is_repetition": _occurs(2, 3),
    "is_fifty_moves": is_fifty,
}
"""The correct answers of the predicates of positions. None means that correct implementations differ."""
DEFINITIONS = {
    "is_check": "the king of the side to move is attacked",
    "is_checkmate": "the side to move is in check and has no legal move",
    "is_stalemate": "the side to move is not in check and has no legal move",
    "is_insufficient_material": "no side has the material to mate",
    "is_twofold_repetition": "the position occurs for the second time",
    "is_threefold_repetition": "the position occurs for the third time",
    "is_repetition": "the position has occurred before",
    "is_fifty_moves": "fifty moves were played without a capture or a move of a pawn",
}
