"""Faults of castling: when it is generated, and where king and rook go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import chess
from faulty.base import Fault, Generator, last_move_castled, pin_allows, put, remove


class Castling(NamedTuple):
    """Where king and rook of one castling stand and go."""

    king: int
    rook: int
    king_to: int
    rook_to: int

    @property
    def a_side(self) -> bool:
        return self.rook < self.king


def castling_of(king: int, rook: int) -> Castling:
    rank = chess.square_rank(king)
    king_file, rook_file = (2, 3) if rook < king else (6, 5)
    return Castling(king, rook, chess.square(king_file, rank), chess.square(rook_file, rank))


def castling_by(board: chess.Board, move: chess.Move) -> Castling | None:
    """Return the castling that a move is, if it is one."""
    if not board.is_castling(move):
        return None
    rook = move.to_square
    if not board.chess960:
        rook = move.from_square + (3 if move.to_square > move.from_square else -4)
    return castling_of(move.from_square, rook)


def bits(*squares: int) -> int:
    return sum(chess.BB_SQUARES[square] for square in {*squares})


class CastlingGenerator(Generator):
    """Castling taken apart into its tests, so that a fault overrides one of them."""

    def moves(self, board: chess.Board) -> list[chess.Move]:
        moves = [move for move in board.legal_moves if not board.is_castling(move)]
        for castling in self.castlings(board):
            if (
                self.is_free(board, castling)
                and not self.is_in_check(board, castling)
                and not self.passes_attack(board, castling)
                and not self.arrives_in_attack(board, castling)
            ):
                target = castling.rook if board.chess960 else castling.king_to
                moves.append(chess.Move(castling.king, target))
        return moves

    def castlings(self, board: chess.Board) -> Iterator[Castling]:
        """Yield the castlings that the side to move has the right to."""
        king = board.king(board.turn)
        backrank = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
        if king is not None and bits(king) & backrank:
            for rook in chess.scan_forward(self.rights(board) & backrank):
                yield castling_of(king, rook)

    def rights(self, board: chess.Board) -> int:
        return board.clean_castling_rights()

    def is_free(self, board: chess.Board, castling: Castling) -> bool:
        """Tell whether nothing but king and rook stands where they pass and arrive."""
        king, rook, king_to, rook_to = castling
        path = chess.between(king, king_to) | chess.between(rook, rook_to) | bits(king_to, rook_to)
        return not path & board.occupied & ~bits(king, rook)

    def is_in_check(self, board: chess.Board, castling: Castling) -> bool:
        return self.is_attacked(board, castling.king, board.occupied)

    def passes_attack(self, board: chess.Board, castling: Castling) -> bool:
        occupied = board.occupied & ~bits(castling.king)
        return any(self.is_attacked(board, square, occupied) for square in chess.scan_forward(self.path(castling)))

    def path(self, castling: Castling) -> int:
        """Return the squares that the king passes."""
        return chess.between(castling.king, castling.king_to)

    def arrives_in_attack(self, board: chess.Board, castling: Castling) -> bool:
        king, rook, king_to, rook_to = castling
        return self.is_attacked(board, king_to, board.occupied & ~bits(king, rook) | bits(rook_to))

    def is_attacked(self, board: chess.Board, square: int, occupied: int) -> bool:
        return bool(board.attackers_mask(not board.turn, square, occupied))


class RightIgnored(CastlingGenerator):
    def rights(self, board: chess.Board) -> int:
        if board.king(board.turn) != (chess.E1 if board.turn == chess.WHITE else chess.E8):
            return 0
        return chess.BB_CORNERS & board.rooks & board.occupied_co[board.turn]


class BFileAttacked(CastlingGenerator):
    def path(self, castling: Castling) -> int:
        return chess.between(castling.king, castling.rook)


class FromCheck(CastlingGenerator):
    def is_in_check(self, board: chess.Board, castling: Castling) -> bool:
        return False


class ThroughPieces(CastlingGenerator):
    def is_free(self, board: chess.Board, castling: Castling) -> bool:
        return True


class OverOwnRook(CastlingGenerator):
    def is_free(self, board: chess.Board, castling: Castling) -> bool:
        king, rook, king_to, rook_to = castling
        path = chess.between(king, king_to) | chess.between(rook, rook_to) | bits(king_to, rook_to)
        own_rooks = board.rooks & board.occupied_co[board.turn]
        return not path & board.occupied & ~bits(king) & ~own_rooks


class PawnTypeForgotten(CastlingGenerator):
    def passes_attack(self, board: chess.Board, castling: Castling) -> bool:
        theirs = board.occupied_co[not board.turn]
        squares = chess.scan_forward(self.path(castling) | bits(castling.king, castling.king_to))
        pawn_offsets = any(chess.BB_PAWN_ATTACKS[board.turn][square] & theirs for square in squares)
        return pawn_offsets or super().passes_attack(board, castling)


class KingGuardsNothing(CastlingGenerator):
    def is_attacked(self, board: chess.Board, square: int, occupied: int) -> bool:
        return bool(board.attackers_mask(not board.turn, square, occupied) & ~board.kings)


class ThroughAttack(CastlingGenerator):
    def passes_attack(self, board: chess.Board, castling: Castling) -> bool:
        return False


class CheckByCastlingUnseen(Generator):
    def adds(self, board: chess.Board) -> Iterator[chess.Move]:
        if last_move_castled(board) and board.is_check():
            quiet = board.generate_pseudo_legal_moves(~board.kings)
            yield from (move for move in quiet if pin_allows(board, move))


class KingStepCastles(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        castles = {chess.Move(chess.E1, chess.F1): chess.H1, chess.Move(chess.E8, chess.F8): chess.H8}
        rook = castles.get(move)
        is_king = board.piece_type_at(move.from_square) == chess.KING
        if rook is not None and is_king and board.castling_rights & bits(rook) and not board.is_capture(move):
            move = chess.Move(move.from_square, move.from_square + 2)
        board.push(move)


class SidesSwapped(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        castling, colour = castling_by(board, move), board.turn
        board.push(move)
        if castling is not None:
            _move_castled(board, castling, castling_of(castling.king, castling.king * 2 - castling.rook), colour)


class RookOnA1Stays(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        castling = castling_by(board, move)
        board.push(move)
        if castling is not None and castling.rook == chess.A1:
            remove(board, castling.rook_to)
            put(board, castling.rook, chess.ROOK, chess.WHITE)


class CastledRookFrozen(Generator):
    def keeps(self, board: chess.Board, move: chess.Move) -> bool:
        castled = {chess.F1: chess.G1, chess.D1: chess.C1, chess.F8: chess.G8, chess.D8: chess.C8}
        king_to = castled.get(move.from_square)
        if king_to is None or board.piece_type_at(move.from_square) != chess.ROOK:
            return True
        king_from = chess.E1 if board.turn == chess.WHITE else chess.E8
        own = board.move_stack[-2::-2]
        return chess.Move(king_from, king_to) not in own or any(one.from_square == move.from_square for one in own)


def _move_castled(board: chess.Board, wrong: Castling, right: Castling, colour: bool) -> None:
    """Move king and rook of a castling just made to where another one would have put them."""
    remove(board, wrong.king_to)
    remove(board, wrong.rook_to)
    put(board, right.king_to, chess.KING, colour)
    put(board, right.rook_to, chess.ROOK, colour)


class Chess960UncoversKing(CastlingGenerator):
    def arrives_in_attack(self, board: chess.Board, castling: Castling) -> bool:
        return self.is_attacked(board, castling.king_to, board.occupied & ~bits(castling.king))


class Chess960KingStaysInCheck(CastlingGenerator):
    def is_in_check(self, board: chess.Board, castling: Castling) -> bool:
        return castling.king != castling.king_to and super().is_in_check(board, castling)

    def arrives_in_attack(self, board: chess.Board, castling: Castling) -> bool:
        return castling.king != castling.king_to and super().arrives_in_attack(board, castling)


class Chess960RookAttacked(CastlingGenerator):
    def path(self, castling: Castling) -> int:
        return super().path(castling) | bits(castling.rook)


class Chess960KingInTheWay(CastlingGenerator):
    def is_free(self, board: chess.Board, castling: Castling) -> bool:
        rook_path = chess.between(castling.rook, castling.rook_to)
        return not rook_path & bits(castling.king) and super().is_free(board, castling)


class Chess960ColourConstant(CastlingGenerator):
    def rights(self, board: chess.Board) -> int:
        return super().rights(board) & board.occupied_co[chess.WHITE]


class Chess960PathToTheEdge(CastlingGenerator):
    def is_free(self, board: chess.Board, castling: Castling) -> bool:
        edge = chess.square(1 if castling.a_side else 7, chess.square_rank(castling.king))
        path = chess.between(castling.king, edge) | bits(edge)
        return not path & board.occupied & ~bits(castling.king, castling.rook) and super().is_free(board, castling)


class Chess960RookToggledOff(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        castling = castling_by(board, move)
        board.push(move)
        if castling is not None and castling.rook == castling.rook_to:
            remove(board, castling.rook_to)


class Chess960SourceCleared(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        castling = castling_by(board, move)
        board.push(move)
        if castling is not None and castling.king == castling.rook_to:
            remove(board, castling.rook_to)


class Chess960SideByDirection(Generator):
    def play(self, board: chess.Board, move: chess.Move) -> None:
        castling, colour = castling_by(board, move), board.turn
        board.push(move)
        if castling is not None and castling.a_side and castling.king < castling.king_to:
            _move_castled(board, castling, castling_of(castling.king, castling.king + 1), colour)


STANDARD = [
    Fault(
        name="castling_right_ignored",
        catalogue=("CA01",),
        story="Rights are joined with OR where AND is meant, so king and rook at home castle without a right.",
        generator=RightIgnored,
        fen="4k3/8/8/8/8/8/8/5K1R w - - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("castling-no-right",),
    ),
    Fault(
        name="castling_b_file_attacked",
        catalogue=("CA02",),
        story="Castling to the a-side is refused when only b1 is attacked, which the rook alone passes.",
        generator=BFileAttacked,
        fen="4k3/8/8/7r/8/8/6P1/R3K3 w Q - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("castling", "castling-rook-passes-attack"),
    ),
    Fault(
        name="castling_from_check",
        catalogue=("CA04", "CA05"),
        story="Castling is generated while in check.",
        generator=FromCheck,
        fen="4k3/8/8/7r/8/8/6P1/R3K3 w Q - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("castling-in-check",),
    ),
    Fault(
        name="castling_through_pieces",
        catalogue=("CA06",),
        story="Castling is generated with own pieces between king and rook.",
        generator=ThroughPieces,
        fen="4k3/8/8/8/8/2N5/8/R3K3 w Q - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("castling-path-blocked",),
    ),
    Fault(
        name="castling_over_own_rook",
        catalogue=("CA18",),
        story="The castling rook is found by a scan that passes other own rooks, so one in the way is ignored.",
        generator=OverOwnRook,
        fen="4k3/8/8/8/8/8/6R1/4K2R w K - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("castling-path-blocked",),
    ),
    Fault(
        name="castling_pawn_type_forgotten",
        catalogue=("CA09",),
        story="Any enemy piece where a pawn would attack the king's path forbids castling.",
        generator=PawnTypeForgotten,
        fen="4k3/8/8/8/6n1/8/P7/4K2R w K - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("castling", "castling-rook-passes-attack"),
    ),
    Fault(
        name="castling_beside_king",
        catalogue=("KS02",),
        story="The attacks on the king's path lack those of the enemy king.",
        generator=KingGuardsNothing,
        fen="8/8/8/8/8/1k6/7P/R3K3 w Q - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("castling-through-check", "castling-into-check"),
    ),
    Fault(
        name="castling_through_attack",
        catalogue=(),
        story="The king castles over an attacked square.",
        generator=ThroughAttack,
        fen="4k3/8/8/7r/8/8/6P1/R3K3 w Q - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("castling-through-check",),
    ),
    Fault(
        name="castling_check_unseen",
        catalogue=("CA10", "CA11"),
        story="A check given by castling is not noticed, so the replies ignore it.",
        generator=CheckByCastlingUnseen,
        fen="4k3/pp6/8/8/8/8/8/4K2R b K - 0 1",
        depth=3,
        chess960=False,
        kind="extra",
        rules=("check-not-answered",),
    ),
    Fault(
        name="castling_by_king_step",
        catalogue=("CA13",),
        story="The king's step to the f-file is made as castling.",
        generator=KingStepCastles,
        fen="4k3/8/8/8/8/8/8/4K2R b K - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("placement", "king-step", "king-attacked"),
    ),
    Fault(
        name="castling_sides_swapped",
        catalogue=("CA14",),
        story="King and rook arrive on the other side of the board.",
        generator=SidesSwapped,
        fen="6k1/8/8/8/8/8/8/4K2R b K - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("placement", "king-step", "king-attacked"),
    ),
    Fault(
        name="castling_rook_on_a1_stays",
        catalogue=("CA16",),
        story="Square a1 is 0 and taken for no rook, so the rook is left behind.",
        generator=RookOnA1Stays,
        fen="4k3/8/8/8/8/8/8/R3K3 b Q - 0 1",
        depth=3,
        chess960=False,
        kind="state",
        rules=("placement", "king-attacked", "king-step"),
    ),
    Fault(
        name="castling_rook_frozen",
        catalogue=("MU03",),
        story="Castling leaves the piece list as it was, so the rook's moves vanish until it is listed again.",
        generator=CastledRookFrozen,
        fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        depth=3,
        chess960=False,
        kind="missing",
        rules=("plain-move",),
    ),
]

CHESS960 = [
    Fault(
        name="chess960_uncovers_king",
        catalogue=("F01", "F02", "F03", "F04", "F05"),
        story="The king castles into the attack of a slider that the castling rook had shut out.",
        generator=Chess960UncoversKing,
        fen="4k3/8/8/8/r7/8/7P/1R2K3 w B - 0 1",
        depth=3,
        chess960=True,
        kind="extra",
        rules=("castling-uncovers-king",),
    ),
    Fault(
        name="chess960_king_stays_in_check",
        catalogue=("F08",),
        story="A king that castles without moving may do so in check.",
        generator=Chess960KingStaysInCheck,
        fen="4k3/8/8/r7/8/8/1P6/6KR w H - 0 1",
        depth=3,
        chess960=True,
        kind="extra",
        rules=("castling-in-check",),
    ),
    Fault(
        name="chess960_rook_attacked",
        catalogue=("F09",),
        story="Castling is refused because the rook is attacked.",
        generator=Chess960RookAttacked,
        fen="4k3/8/8/8/r7/8/7P/1R2K3 w B - 0 1",
        depth=3,
        chess960=True,
        kind="missing",
        rules=("castling", "castling-rook-passes-attack"),
    ),
    Fault(
        name="chess960_king_in_the_way",
        catalogue=("F10",),
        story="The king's own square counts as an obstacle for the rook.",
        generator=Chess960KingInTheWay,
        fen="4k3/8/8/8/8/8/8/R1KN4 w A - 0 1",
        depth=3,
        chess960=True,
        kind="missing",
        rules=("castling", "castling-chess960-king-stays"),
    ),
    Fault(
        name="chess960_colour_constant",
        catalogue=("F16",),
        story="Black's castling rook is looked for on White's square.",
        generator=Chess960ColourConstant,
        fen="r2nk3/8/8/8/8/8/8/4K3 b a - 0 1",
        depth=3,
        chess960=True,
        kind="missing",
        rules=("castling",),
    ),
    Fault(
        name="chess960_path_to_the_edge",
        catalogue=("F23",),
        story="The king's path is taken to run to the b- or h-file, not to its destination.",
        generator=Chess960PathToTheEdge,
        fen="4k3/8/8/8/8/6N1/8/4K1R1 w G - 0 1",
        depth=3,
        chess960=True,
        kind="missing",
        rules=("castling", "castling-chess960-overlap"),
    ),
    Fault(
        name="chess960_rook_toggled_off",
        catalogue=("F11",),
        story="Moving by XOR of two equal squares deletes the rook that castles without moving.",
        generator=Chess960RookToggledOff,
        fen="4k3/8/8/8/8/8/8/4KR2 b F - 0 1",
        depth=3,
        chess960=True,
        kind="state",
        rules=("placement", "king-attacked"),
    ),
    Fault(
        name="chess960_source_cleared",
        catalogue=("MU02",),
        story="The king's old square is cleared after the rook has landed on it.",
        generator=Chess960SourceCleared,
        fen="4k3/8/8/8/8/8/8/5K1R b H - 0 1",
        depth=3,
        chess960=True,
        kind="state",
        rules=("placement", "king-attacked"),
    ),
    Fault(
        name="chess960_side_by_direction",
        catalogue=("F20",),
        story="The side is told by the direction in which the king goes, so a king on b1 castles to g1.",
        generator=Chess960SideByDirection,
        fen="6k1/8/8/8/8/8/8/RK6 b A - 0 1",
        depth=3,
        chess960=True,
        kind="state",
        rules=("placement", "king-step", "king-attacked"),
    ),
]

FAULTS = [*STANDARD, *CHESS960]
