"""Faults that only certain setup options reveal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import chess

from ..boards import bits
from ..fault import fault, has_rook_files
from ..generator import Generator

position_setup_fault = partial(fault, fault_class="setup")
CORNERS = bits(chess.A1, chess.H1, chess.A8, chess.H8)
ITALIAN = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5"
SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


@position_setup_fault(effect="missing", rules="castling", fen=chess.STARTING_FEN, moves=ITALIAN, setup="startpos")
class StartposWithoutRights(Generator):
    """The command `position startpos` sets up the starting position without castling rights."""

    def set_up_start(self, chess960: bool) -> chess.Board:
        board = super().set_up_start(chess960)
        board.castling_rights = chess.BB_EMPTY
        return board


class EndedGame(Generator):
    """Lists no moves in games that count as ended. Faults override which games these are."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        """Return the moves of a position."""
        return [] if self.has_ended(board) else super().moves(board)

    def has_ended(self, board: chess.Board) -> bool:
        """Return True if the game counts as ended."""
        raise NotImplementedError


class RemembersPosition(Generator):
    """Remembers the previous position."""

    def __init__(self) -> None:
        super().__init__()
        self.last: chess.Board | None = None

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Return the position of a FEN."""
        board = super().set_up(fen, chess960)
        kept, self.last = self.last, board.copy(stack=False)
        if kept is not None:
            self.keep(board, kept, fen)
        return board

    def keep(self, board: chess.Board, kept: chess.Board, fen: str) -> None:
        """Change a position by keeping some state of the previous position `kept`."""


@position_setup_fault(effect="state", fen=chess.STARTING_FEN, setup="startpos after-another")
class StartposKeepsTurn(RemembersPosition):
    """The command `position startpos` does not reset the side to move of the previous position."""

    def set_up_start(self, chess960: bool) -> chess.Board:
        kept = self.last
        board = super().set_up_start(chess960)
        if kept is not None:
            board.turn = kept.turn
        return board


@position_setup_fault(
    effect="extra", rules="en-passant-not-available", fen="4k3/8/8/8/pP6/8/8/4K3 b - - 0 1", setup="after-another"
)
class FenKeepsEnPassant(RemembersPosition):
    """A FEN without an en passant square does not clear that of the previous position."""

    def keep(self, board: chess.Board, kept: chess.Board, fen: str) -> None:
        if board.ep_square is None:
            board.ep_square = kept.ep_square


@position_setup_fault(
    effect="extra", rules="castling-no-right", fen="4k3/8/8/8/8/8/8/4K2R w - - 0 1", setup="after-another"
)
class FenAddsRights(RemembersPosition):
    """The castling rights of a FEN are added to those of the previous position."""

    def keep(self, board: chess.Board, kept: chess.Board, fen: str) -> None:
        board.castling_rights |= kept.castling_rights & board.rooks
        board.castling_rights = board.clean_castling_rights()


@position_setup_fault(effect="duplicate", rules="duplicate", fen="4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", setup="twice")
class PositionToldTwice(RemembersPosition):
    """The piece lists are not cleared if a position is repeated, so the knights are listed twice."""

    def __init__(self) -> None:
        super().__init__()
        self.twice = False

    def keep(self, board: chess.Board, kept: chess.Board, fen: str) -> None:
        self.twice = board.board_fen() == kept.board_fen()

    def moves(self, board: chess.Board) -> list[chess.Move]:
        moves = super().moves(board)
        again = [move for move in moves if chess.BB_SQUARES[move.from_square] & board.knights]
        if self.twice and not board.move_stack and again:
            return [*moves, *again]
        return moves


class RemembersNewGame(Generator):
    """Remembers whether a new game was announced, until a fault resets it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_new = False

    def new_game(self) -> None:
        self.is_new = True


@position_setup_fault(
    effect="extra", rules="castling-no-right", fen="4k3/8/8/8/8/8/8/4K2R w - - 0 1", setup="ucinewgame"
)
class NewGameRightsSurvive(RemembersNewGame):
    """A new game sets the castling rights of the starting position, and a FEN without rights does not clear them."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if self.is_new and not board.castling_rights:
            board.castling_rights = CORNERS & board.rooks
            board.castling_rights = board.clean_castling_rights()
        self.is_new = False
        return board


@position_setup_fault(effect="count", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", depth=2, setup="four-fields after-another")
class FourFieldsKeepClock(EndedGame, RemembersPosition):
    """A FEN without counters does not reset the halfmove clock, and the tree ends when it reaches 100."""

    def keep(self, board: chess.Board, kept: chess.Board, fen: str) -> None:
        if len(fen.split()) == 4:
            board.halfmove_clock = kept.halfmove_clock

    def has_ended(self, board: chess.Board) -> bool:
        return board.halfmove_clock >= 100 and bool(board.move_stack)


@position_setup_fault(
    effect="missing", rules="en-passant", fen="4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", setup="four-fields"
)
class FourFieldsLoseEnPassant(Generator):
    """The en passant square is read together with the counters, so it is lost in a FEN without counters."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if len(fen.split()) == 4:
            board.ep_square = None
        return board


@position_setup_fault(effect="missing", rules="castling", fen="4k2r/8/8/8/8/8/8/4K3 b k - 0 1", setup="shredder")
class ShredderWingsSwappedForBlack(Generator):
    """Black's castling rights, if they are written as files, are read from the wrong end of the board."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        board = super().set_up(fen, chess960)
        if has_rook_files(fen):
            black = board.castling_rights & chess.BB_RANK_8
            turned = sum(chess.BB_SQUARES[square ^ 7] for square in chess.scan_forward(black))
            board.castling_rights = board.castling_rights & chess.BB_RANK_1 | turned & board.rooks
            board.castling_rights = board.clean_castling_rights()
        return board


class XfenRook(Generator):
    """Reads the letters K, Q, k and q of X-FEN in Chess960 with `choose`, which faults override."""

    def set_up(self, fen: str, chess960: bool) -> chess.Board:
        """Return the position of a FEN."""
        board = super().set_up(fen, chess960)
        for letter in fen.split()[2] if chess960 else "":
            king = board.king(letter.isupper())
            if letter in "KQkq" and king is not None:
                self._choose_rook(board, letter, king)
        return board

    def _choose_rook(self, board: chess.Board, letter: str, king: int) -> None:
        rank = chess.BB_RANKS[chess.square_rank(king)]
        rooks = [rook for rook in chess.scan_forward(board.rooks & rank) if (rook > king) is (letter in "Kk")]
        own = [rook for rook in rooks if board.color_at(rook) is letter.isupper()]
        chosen = self.choose(own, rooks, letter)
        board.castling_rights &= ~bits(*own)
        if chosen in own:
            board.castling_rights |= bits(chosen)

    def choose(self, own: Sequence[int], all_rooks: Sequence[int], letter: str) -> int:
        """Return the rook that a castling letter refers to, given the rooks on that side of the king in file order."""
        raise NotImplementedError


@position_setup_fault(effect="extra", rules="castling-no-right", fen="4k1rr/8/8/8/8/8/8/4K3 b h - 0 1", setup="xfen")
class XfenInnerRookOfBlack(XfenRook):
    """The letters k and q are read as the rook next to the king instead of the outermost one."""

    def choose(self, own: Sequence[int], all_rooks: Sequence[int], letter: str) -> int:
        is_correct, is_black = letter in "Kk", letter.islower()
        return own[0] if is_correct is is_black else own[-1]


@position_setup_fault(effect="missing", rules="castling", fen="4k3/8/8/8/8/8/8/rNR1K3 w C - 0 1", setup="xfen")
class XfenRooksOfBothColors(XfenRook):
    """The outermost rook for K, Q, k and q is chosen from the rooks of both colors, so the right can be lost."""

    def choose(self, own: Sequence[int], all_rooks: Sequence[int], letter: str) -> int:
        return all_rooks[-1] if letter in "Kk" else all_rooks[0]


@position_setup_fault(
    effect="missing",
    rules="draw-by-repetition",
    fen=chess.STARTING_FEN,
    moves=f"{SHUFFLE} {SHUFFLE}",
    setup="startpos",
)
class RepetitionInAGameIsDrawn(EndedGame):
    """A position that occurs in a game for the third time has no moves, as if the game had ended."""

    def has_ended(self, board: chess.Board) -> bool:
        return len(board.move_stack) >= 8 and board.is_repetition(3)


@position_setup_fault(
    effect="count",
    fen=chess.STARTING_FEN,
    moves=" ".join([SHUFFLE] * 24 + SHUFFLE.split()[:3]),
    depth=2,
    setup="startpos",
)
class FiftyMovesOfAGameAreDrawn(EndedGame):
    """There are no moves after a hundred plies of a game without a capture or pawn move."""

    def has_ended(self, board: chess.Board) -> bool:
        return board.halfmove_clock >= 100 and len(board.move_stack) >= 100


MOST_PLIES = 200


@position_setup_fault(
    effect="state", fen=chess.STARTING_FEN, moves=" ".join([SHUFFLE] * (MOST_PLIES // 4) + ["e2e4"]), setup="startpos"
)
class LongGameCutOff(Generator):
    """There is room for 200 moves of a game, and later moves are not played."""

    def game(self, moves: Iterable[str], chess960: bool) -> chess.Board:
        return super().game(list(moves)[:MOST_PLIES], chess960)


@position_setup_fault(effect="state", fen="4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1", moves="e7e5", setup="ucinewgame")
class GameBeginsWithWhite(RemembersNewGame):
    """After a new game, the moves after a FEN are played as if White had moved first."""

    def line(self, fen: str, moves: Iterable[str], chess960: bool) -> chess.Board:
        played = list(moves)
        board = super().line(fen, played, chess960)
        if self.is_new and played and fen.split()[1] == "b":
            board.turn = not board.turn
        self.is_new = False
        return board
