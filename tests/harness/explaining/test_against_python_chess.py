"""All moves of random positions, legal or not: python-chess determines which rules may explain each of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import chess
import pytest
from helpers.budget import CHESS960, budget
from helpers.oracle import random_boards
from perft_check.generator import Position
from perft_check.harness.explaining import Rule, explain_duplicate, explain_move

MOVEMENT = {
    Rule.CAPTURES_OWN_PIECE,
    Rule.PIECE_MOVEMENT,
    Rule.JUMPS_OVER,
    Rule.WRAPS_EDGE,
    Rule.PAWN_PUSH_BLOCKED,
    Rule.PAWN_DOUBLE_PUSH_BLOCKED,
    Rule.PAWN_DOUBLE_PUSH_RANK,
    Rule.PAWN_CAPTURE_EMPTY,
    Rule.PAWN_CAPTURES_STRAIGHT,
    Rule.PAWN_BACKWARDS,
    Rule.EN_PASSANT_NOT_AVAILABLE,
    Rule.CASTLING_NOT_A_KING_STEP,
    Rule.NOT_A_MOVE,
}
PROMOTION = {
    Rule.PROMOTION_PIECE_MISSING,
    Rule.PROMOTION_NOT_LAST_RANK,
    Rule.PROMOTION_BY_OTHER_PIECE,
    Rule.PROMOTION_TO_FORBIDDEN_PIECE,
}
CASTLING = {
    Rule.CASTLING_NO_RIGHT,
    Rule.CASTLING_PATH_BLOCKED,
    Rule.CASTLING_IN_CHECK,
    Rule.CASTLING_THROUGH_CHECK,
    Rule.CASTLING_INTO_CHECK,
    Rule.CASTLING_UNCOVERS_KING,
}
KING_STEP = {Rule.KING_ATTACKED, Rule.KING_ALONG_CHECK_LINE, Rule.KING_NEXT_TO_KING, Rule.KING_TAKES_PROTECTED}
EN_PASSANT = {
    Rule.EN_PASSANT_UNCOVERS_RANK,
    Rule.EN_PASSANT_UNCOVERS_LINE,
    Rule.EN_PASSANT_PINNED,
    Rule.EN_PASSANT_IGNORES_CHECK,
    Rule.DOUBLE_CHECK,
}
LEGAL_CASTLING = {
    Rule.CASTLING,
    Rule.CASTLING_ROOK_PASSES_ATTACK,
    Rule.CASTLING_CHESS960_KING_STAYS,
    Rule.CASTLING_CHESS960_ROOK_STAYS,
    Rule.CASTLING_CHESS960_OVERLAP,
}
LEGAL_EN_PASSANT = {
    Rule.EN_PASSANT,
    Rule.EN_PASSANT_ALONG_PIN,
    Rule.EN_PASSANT_TAKES_CHECKER,
    Rule.EN_PASSANT_BLOCKS_CHECK,
    Rule.EN_PASSANT_CLOSES_LINE,
}
LEGAL_PROMOTION = {
    Rule.PROMOTION_PUSH,
    Rule.PROMOTION_CAPTURE,
    Rule.PROMOTION_PIECE_MISSING,
    Rule.PROMOTION_ANSWERS_CHECK,
    Rule.PINNED_ALONG_LINE,
}
LEGAL_KING_STEP = {Rule.KING_STEP, Rule.KING_TAKES_UNPROTECTED}
LEGAL_ANSWER = {Rule.TAKES_CHECKER, Rule.BLOCKS_CHECK}
LEGAL_ORDINARY = {Rule.PLAIN_MOVE, Rule.DOUBLE_PUSH, Rule.PINNED_ALONG_LINE}


class Oracle:
    """The move texts of a board, classified by python-chess."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.legal: dict[str, chess.Move] = {}
        for move in board.legal_moves:
            for text in self._texts(move):
                self.legal.setdefault(text, move)
        self.pseudo = {board.uci(move, chess960=True) for move in board.pseudo_legal_moves}

    def _texts(self, move: chess.Move) -> Iterator[str]:
        text = self.board.uci(move, chess960=True)
        yield text
        if self.board.is_castling(move):
            yield text[:2] + ("g" if text[2] > text[0] else "c") + text[1]

    def family(self, text: str) -> set[Rule]:
        return self._why_legal(self.legal[text]) if text in self.legal else self._why_not(text)

    def _why_legal(self, move: chess.Move) -> set[Rule]:
        if self.board.is_castling(move):
            return LEGAL_CASTLING
        if self.board.is_en_passant(move):
            return LEGAL_EN_PASSANT
        if move.promotion:
            return {Rule.PROMOTION_ANSWERS_CHECK} if self.board.is_check() else LEGAL_PROMOTION
        if self.board.piece_type_at(move.from_square) == chess.KING:
            return LEGAL_KING_STEP
        return LEGAL_ANSWER if self.board.is_check() else LEGAL_ORDINARY

    def _why_not(self, text: str) -> set[Rule]:
        board, origin = self.board, chess.parse_square(text[:2])
        piece = board.piece_at(origin)
        if piece is None:
            return {Rule.NO_PIECE}
        if piece.color != board.turn:
            return {Rule.NOT_OWN_PIECE}
        if piece.piece_type == chess.KING and text[:2] == text[2:4]:  # a castling of Chess960, or nothing
            return {Rule.NOT_A_MOVE, *PROMOTION, *CASTLING}
        if piece.piece_type == chess.KING and self._means_castling(text):
            return PROMOTION if text[4:] else CASTLING
        if text in self.pseudo:
            return self._why_unsafe(chess.Move.from_uci(text), piece)
        if {text[:4], text[:4] + "q"} & self.pseudo:
            return PROMOTION
        return MOVEMENT

    def _why_unsafe(self, move: chess.Move, piece: chess.Piece) -> set[Rule]:
        if piece.piece_type == chess.KING:
            return KING_STEP
        if self.board.is_en_passant(move):
            return EN_PASSANT
        checks = chess.popcount(self.board.checkers_mask())
        return [{Rule.PINNED}, {Rule.PINNED, Rule.CHECK_NOT_ANSWERED}, {Rule.DOUBLE_CHECK}][min(checks, 2)]

    def _means_castling(self, text: str) -> bool:
        board = self.board
        king, target = chess.parse_square(text[:2]), chess.parse_square(text[2:4])
        back_rank = 0 if board.turn else 7
        if not chess.square_rank(king) == chess.square_rank(target) == back_rank:
            return False
        far = chess.square_distance(king, target) > 1
        takes_rook = board.piece_at(target) == chess.Piece(chess.ROOK, board.turn) and (far or board.chess960)
        return takes_rook or (far and text[2] in "cg" and (board.chess960 or text[0] == "e"))


def texts(board: chess.Board, rng: random.Random) -> Iterator[str]:
    """Yield all moves from squares with pieces of the side to move, with all promotions or one, and some others."""
    own = board.occupied_co[board.turn]
    for origin in chess.SQUARES:
        if not own & chess.BB_SQUARES[origin]:
            yield chess.SQUARE_NAMES[origin] + rng.choice(chess.SQUARE_NAMES).replace(chess.SQUARE_NAMES[origin], "a1")
            continue
        for target in chess.SQUARES:
            text = chess.SQUARE_NAMES[origin] + chess.SQUARE_NAMES[target]
            pawn_arrives = board.piece_type_at(origin) == chess.PAWN and target // 8 in (0, 7)
            yield text
            yield from (text + letter for letter in ("nbrqkp" if pawn_arrives else rng.choice("nbrqkp      ").strip()))


def positions(number: int, chess960: bool) -> Iterator[tuple[chess.Board, Position]]:
    for board in random_boards(20, number, chess960=chess960):
        yield board, Position.from_fen(board.fen(en_passant="fen"), chess960)


@pytest.mark.slow
@budget(12, 500)
@CHESS960
def test_every_move(chess960: bool, number: int) -> None:
    rng, met = random.Random(1), Counter[Rule]()
    for board, position in positions(number, chess960):
        oracle = Oracle(board)
        for text in {*texts(board, rng), *oracle.legal}:
            found = explain_move(position, text)
            assert found.rule in oracle.family(text), (board.fen(), text, found)
            assert found.sentence.endswith(".")
            assert found.sentence == found.sentence.strip()
            assert found.sentence[0].isupper() or found.rule is Rule.NOT_A_MOVE
            assert not set(found.squares) - set(chess.SQUARE_NAMES)
            met[found.rule] += 1
        for text in oracle.legal:
            assert explain_duplicate(position, text).rule is Rule.DUPLICATE
    assert len(met) > (30 if number >= 500 else 24)  # else the positions have become too tame to say much


@budget(12, 500)
@CHESS960
def test_colors_do_not_matter(chess960: bool, number: int) -> None:
    rng = random.Random(2)
    for board, position in positions(number, chess960):
        mirrored = Position.from_fen(board.mirror().fen(en_passant="fen"), chess960)
        every = sorted(texts(board, rng))
        for text in [*rng.sample(every, min(200, len(every))), *(move.uci() for move in board.legal_moves)]:
            swapped = text[0] + str(9 - int(text[1])) + text[2] + str(9 - int(text[3])) + text[4:]
            here, there = explain_move(position, text), explain_move(mirrored, swapped)
            assert here.rule is there.rule, (board.fen(), text, here, there)
            assert len(here.squares) == len(there.squares)
