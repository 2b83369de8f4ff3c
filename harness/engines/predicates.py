"""The predicates and hash keys that libraries and Python objects may offer, and the names by which they are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

Answer = bool | str | None
"""An answer about a position or a move. None means that the engine raised an exception or returned an error."""
PredicateQuestions = Mapping[str, Sequence[str] | None]
"""Maps names of predicates to the moves to ask about, or to None for a predicate of the position."""
PredicateAnswers = Mapping[str, Sequence[Answer]]
"""Maps names of predicates to an answer for each move, or to a single answer about the position."""


class Form(Enum):
    """What a predicate is asked about and what it returns, as the C signature of `perft_check_NAME`."""

    POSITION = "int perft_check_{}(const char *fen, const char *moves)"
    MOVE = "int perft_check_{}(const char *fen, const char *moves, const char *move)"
    TEXT = "int64_t perft_check_{}(const char *fen, const char *moves, const char *text, char *out, size_t size)"
    KEY = "int perft_check_{}(const char *fen, const char *moves, uint64_t *key)"


@dataclass(frozen=True)
class Predicate:
    """A predicate: its name, the usual names of Python attributes and methods, and what is not compared."""

    name: str
    form: Form
    usual: tuple[str, ...]
    """Names by precedence. A number in parentheses is passed as an argument."""
    leaves_out: str = ""
    """What cannot be compared, because correct implementations differ."""

    @property
    def signature(self) -> str:
        """The C declaration of the export."""
        return self.form.value.format(self.name)


KEY = "key"
"""The name of the hash key in `PREDICATES`."""
# fmt: off
PREDICATES = (
    Predicate(
        "is_check",
        Form.POSITION,
        ("is_check", "in_check", "is_in_check", "isCheck", "inCheck", "isInCheck", "king_in_check"),
    ),
    Predicate(
        "is_checkmate",
        Form.POSITION,
        ("is_checkmate", "in_checkmate", "is_mate", "isCheckmate", "inCheckmate", "isMate"),
    ),
    Predicate("is_stalemate", Form.POSITION, ("is_stalemate", "in_stalemate", "isStalemate", "inStalemate")),
    Predicate(
        "is_insufficient_material",
        Form.POSITION,
        ("is_insufficient_material", "insufficient_material", "isInsufficientMaterial", "insufficientMaterial"),
        "several knights or bishops, unless a side has a bishop and a knight, or bishops on both colors",
    ),
    Predicate(
        "is_twofold_repetition",
        Form.POSITION,
        ("is_twofold_repetition", "is_repetition(2)", "is_n_repetition(2)", "isTwofoldRepetition"),
        "positions with an en passant square that no pawn can use",
    ),
    Predicate(
        "is_threefold_repetition",
        Form.POSITION,
        (
            "is_threefold_repetition", "is_threefold", "in_threefold_repetition", "threefold_repetition",
            "is_repetition(3)", "is_n_repetition(3)", "isThreefoldRepetition", "inThreefoldRepetition",
        ),
        "positions with an en passant square that no pawn can use",
    ),
    Predicate(
        "is_repetition",
        Form.POSITION,
        ("is_repetition", "isRepetition"),
        "the second occurrence of a position, because the name does not say how many are needed",
    ),
    Predicate(
        "is_fifty_moves",
        Form.POSITION,
        (
            "is_fifty_moves", "is_fifty_move_draw", "is_fifty_move_rule", "fifty_move_rule", "is_draw_by_fifty_moves",
            "isFiftyMoves", "isDrawByFiftyMoves", "isFiftyMoveDraw",
        ),
        "positions without a legal move",
    ),
    Predicate("gives_check", Form.MOVE, ("gives_check", "is_checking_move", "givesCheck"), "moves that are not legal"),
    Predicate(
        "is_legal",
        Form.MOVE,
        ("is_legal", "is_legal_move", "is_move_legal", "isLegal", "isLegalMove"),
        "castling in the notation of the other variant, promotion letters if it ignores them everywhere",
    ),
    Predicate(
        "is_pseudo_legal",
        Form.MOVE,
        ("is_pseudo_legal", "is_pseudolegal", "isPseudoLegal", "pseudo_legal"),
        "pseudo-legal moves that are not legal, and castling that is not legal",
    ),
    Predicate(
        "san",
        Form.TEXT,
        ("san", "to_san", "move_to_san", "get_san", "toSan", "moveToSan", "getSan"),
        "check signs that it never writes, more disambiguation than necessary",
    ),
    Predicate(
        "parse_san",
        Form.TEXT,
        ("parse_san", "from_san", "move_from_san", "get_move_from_san", "san_to_move", "parseSan", "moveFromSan"),
        "texts other than those of `san` or, without it, of PGN",
    ),
    Predicate(
        KEY,
        Form.KEY,
        (
            "zobrist_hash", "zobrist_key", "zobrist", "get_zobrist_hash", "get_zobrist_key", "hash_key", "hashKey",
            "get_hash", "getHash", "position_key", "zobristHash", "zobristKey", "key", "get_key", "hash",
        ),
        "whether it includes an en passant square that no pawn can use",
    ),
)
"""All predicates. `perft_check.h` declares the exports, `docs/predicates.md` describes them."""
# fmt: on
BY_NAME = {one.name: one for one in PREDICATES}
ASKED_ABOUT_ALL_MOVES = ("is_legal", "is_pseudo_legal")
"""The predicates that are asked about all encodings of moves."""
HOW_TO_OFFER = "'Predicates and keys' in the documentation lists the names"
