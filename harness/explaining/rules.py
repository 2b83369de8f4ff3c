"""Rules that a wrong move or position may break, families of rules, and names of pieces and squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ...generator.position import Position
from ...generator.types.pieces import PieceType
from ...generator.types.squares import name_of

NAMES = {kind: kind.name.lower() for kind in PieceType}
"""The names of the kinds of pieces."""


def name_at(position: Position, square: int) -> str:
    """Return the name of the piece on a square, such as "knight"."""
    piece = position.piece_at(square)
    assert piece is not None, f"a piece stands on {name_of(square)}"
    return NAMES[piece[1]]


def the(position: Position, square: int) -> str:
    """Return the piece on a square with the square's name, such as "the knight on f3"."""
    return f"the {name_at(position, square)} on {name_of(square)}"


def join_words(items: Sequence[str], word: str = "and") -> str:
    """Return "a", "a and b", "a, b and c"."""
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else items[0]


def side_name(king_side: bool) -> str:
    """Return "king-side" or "queen-side"."""
    return "king-side" if king_side else "queen-side"


def sentence_case(text: str) -> str:
    """Return a text with its first letter capitalized."""
    return text[:1].upper() + text[1:]


class Rule(Enum):
    """The rule behind a wrong move or position, with a stable name and a title."""

    title: str
    """A short heading, suitable for grouping failures with the same cause."""

    def __new__(cls, slug: str, title: str = "") -> Rule:
        """Create a member whose value is only the name, so that `Rule(name)` finds it."""
        member = object.__new__(cls)
        member._value_ = slug
        member.title = title
        return member

    # A move that is not legal: how pieces move and capture.
    NOT_A_MOVE = "not-a-move", "Text that is not a move"
    NO_PIECE = "no-piece", "Move from an empty square"
    NOT_OWN_PIECE = "not-own-piece", "Move of an enemy piece"
    CAPTURES_OWN_PIECE = "captures-own-piece", "Capture of an own piece"
    PIECE_MOVEMENT = "piece-movement", "Piece does not move like this"
    JUMPS_OVER = "jumps-over", "Jump over a piece"
    WRAPS_EDGE = "wraps-edge", "Move across the edge of the board"
    PAWN_PUSH_BLOCKED = "pawn-push-blocked", "Pawn moves onto an own piece"
    PAWN_DOUBLE_PUSH_BLOCKED = "pawn-double-push-blocked", "Pawn's double step is blocked"
    PAWN_DOUBLE_PUSH_RANK = "pawn-double-push-rank", "Pawn's double step from a wrong rank"
    PAWN_CAPTURE_EMPTY = "pawn-capture-empty", "Pawn captures nothing"
    PAWN_CAPTURES_STRAIGHT = "pawn-captures-straight", "Pawn captures straight ahead"
    PAWN_BACKWARDS = "pawn-backwards", "Pawn moves backwards"

    # Promotion.
    PROMOTION_PIECE_MISSING = "promotion-piece-missing", "Promotion piece is missing"
    PROMOTION_NOT_LAST_RANK = "promotion-not-last-rank", "Promotion before the last rank"
    PROMOTION_BY_OTHER_PIECE = "promotion-by-other-piece", "Promotion of a piece that is not a pawn"
    PROMOTION_TO_FORBIDDEN_PIECE = "promotion-to-forbidden-piece", "Promotion to a king or a pawn"
    PROMOTION_LETTERS = "promotion-letters", "Promotion letters stand for other pieces"
    PROMOTION_PUSH = "promotion-push", "Promotion by a pawn's step"
    PROMOTION_CAPTURE = "promotion-capture", "Promotion by a capture"
    PROMOTION_ANSWERS_CHECK = "promotion-answers-check", "Promotion that answers a check"

    # En passant.
    EN_PASSANT_NOT_AVAILABLE = "en-passant-not-available", "En passant without a double step before it"
    EN_PASSANT_UNCOVERS_RANK = "en-passant-uncovers-rank", "En passant takes both pawns off the king's rank"
    EN_PASSANT_UNCOVERS_LINE = "en-passant-uncovers-line", "En passant takes the pawn that shields the king"
    EN_PASSANT_PINNED = "en-passant-pinned", "En passant by a pinned pawn"
    EN_PASSANT_IGNORES_CHECK = "en-passant-ignores-check", "En passant does not answer a check"
    EN_PASSANT = "en-passant", "En passant"
    EN_PASSANT_ALONG_PIN = "en-passant-along-pin", "En passant along the line of a pin"
    EN_PASSANT_TAKES_CHECKER = "en-passant-takes-checker", "En passant takes the pawn that gives check"
    EN_PASSANT_BLOCKS_CHECK = "en-passant-blocks-check", "En passant blocks a check"
    EN_PASSANT_CLOSES_LINE = "en-passant-closes-line", "En passant closes the line that it opens"

    # The safety of the king.
    PINNED = "pinned", "Pinned piece leaves its line"
    KING_ATTACKED = "king-attacked", "King steps onto an attacked square"
    KING_ALONG_CHECK_LINE = "king-along-check-line", "King steps back along the line of a check"
    KING_NEXT_TO_KING = "king-next-to-king", "King next to the other king"
    KING_TAKES_PROTECTED = "king-takes-protected", "King takes a protected piece"
    CHECK_NOT_ANSWERED = "check-not-answered", "Check is not answered"
    DOUBLE_CHECK = "double-check", "Double check answered by another piece than the king"

    # Castling.
    CASTLING_NO_RIGHT = "castling-no-right", "Castling without the right"
    CASTLING_PATH_BLOCKED = "castling-path-blocked", "Castling through pieces"
    CASTLING_IN_CHECK = "castling-in-check", "Castling out of check"
    CASTLING_THROUGH_CHECK = "castling-through-check", "Castling through an attacked square"
    CASTLING_INTO_CHECK = "castling-into-check", "Castling into check"
    CASTLING_UNCOVERS_KING = "castling-uncovers-king", "Castling rook uncovers its king"
    CASTLING_NOT_A_KING_STEP = "castling-not-a-king-step", "King goes several squares without castling"
    CASTLING_BY_KING_TARGET = "castling-by-king-target", "Castling is written as the king's target in Chess960"
    CASTLING_WINGS = "castling-wings", "Castling rights of the two wings are swapped"
    CASTLING = "castling", "Castling"
    CASTLING_ROOK_PASSES_ATTACK = "castling-rook-passes-attack", "Castling with only the rook's path attacked"
    CASTLING_CHESS960_KING_STAYS = "castling-chess960-king-stays", "Castling where the king stays in place"
    CASTLING_CHESS960_ROOK_STAYS = "castling-chess960-rook-stays", "Castling where the rook stays in place"
    CASTLING_CHESS960_OVERLAP = "castling-chess960-overlap", "Castling where one lands on the other's square"

    # A legal move that is missing, or listed twice.
    PLAIN_MOVE = "plain-move", "Ordinary move"
    DOUBLE_PUSH = "double-push", "Pawn's double step"
    KING_STEP = "king-step", "King steps onto a safe square"
    KING_TAKES_UNPROTECTED = "king-takes-unprotected", "King takes an unprotected piece"
    PINNED_ALONG_LINE = "pinned-along-line", "Pinned piece moves along its line"
    TAKES_CHECKER = "takes-checker", "Capture of the piece that gives check"
    BLOCKS_CHECK = "blocks-check", "Piece blocks a check"
    DUPLICATE = "duplicate", "Move listed more than once"
    LIST_TOO_SHORT = "list-too-short", "List of moves ends too early"
    STAGE = "stage", "Move in the wrong GenType"

    # Draws, which perft ignores.
    DRAW_BY_CLOCK = "draw-by-clock", "The fifty-move rule does not end the game"
    DRAW_BY_REPETITION = "draw-by-repetition", "Repetition does not end the game"
    DRAW_BY_MATERIAL = "draw-by-material", "A dead position does not end the game"

    # The position that a FEN describes.
    FEN_CASTLING = "fen-castling", "Position is set up with wrong castling rights"
    FEN_EN_PASSANT = "fen-en-passant", "Position is set up with a wrong en passant square"

    # The position after a move.
    MOVE_NOT_PLAYED = "move-not-played", "Move is not played"
    PLACEMENT = "placement", "Pieces stand wrongly after the move"
    SIDE_TO_MOVE = "side-to-move", "Wrong side to move"
    CASTLING_RIGHT_KEPT = "castling-right-kept", "Castling right is kept too long"
    CASTLING_RIGHT_LOST = "castling-right-lost", "Castling right is lost"
    EN_PASSANT_SQUARE = "en-passant-square", "Wrong en passant square"
    HALFMOVE_CLOCK = "halfmove-clock", "Wrong halfmove clock"
    MOVE_NUMBER = "move-number", "Wrong move number"
    UNREADABLE_FEN = "unreadable-fen", "Position that cannot be read"
    UNREADABLE_CASTLING = "unreadable-castling", "Castling field that cannot be read"
    UNREADABLE_EN_PASSANT = "unreadable-en-passant", "En passant field that cannot be read"
    UNREADABLE_CLOCKS = "unreadable-clocks", "Clocks that cannot be read"

    # The position after a move is taken back.
    UNDO_CASTLING_RIGHT = "undo-castling-right", "Castling right does not come back"
    UNDO_CAPTURE = "undo-capture", "Captured piece does not come back"
    UNDO_PROMOTION = "undo-promotion", "Promoted piece does not become a pawn again"
    UNDO_CASTLING_ROOK = "undo-castling-rook", "Castling rook does not go back"
    UNDO_POSITION = "undo-position", "Position is another one than before the move"


UNREADABLE = (Rule.UNREADABLE_FEN, Rule.UNREADABLE_CASTLING, Rule.UNREADABLE_EN_PASSANT, Rule.UNREADABLE_CLOCKS)
"""Faults in the text of a FEN, which say nothing about the position."""


@dataclass(frozen=True)
class Explanation:
    """Why a move or a position is wrong, or why a missing move is legal."""

    rule: Rule
    sentence: str
    """One English sentence that ends with a full stop."""
    squares: tuple[str, ...]
    """Relevant squares other than the move's own, such as those of a pinner, a checker or the king."""


def because(rule: Rule, sentence: str, *squares: int) -> Explanation:
    """Return an explanation that refers to the given squares, without duplicates."""
    return Explanation(rule, sentence, tuple(dict.fromkeys(map(name_of, squares))))


@dataclass(frozen=True)
class RuleFamily:
    """Rules that a single mistake breaks together, recognized by how many of the basic ones are broken."""

    kind: str
    """What is wrong with the moves: "missing" or "extra"."""
    title: str
    basic: frozenset[Rule]
    special: frozenset[Rule]
    enough: int
    """How many of the basic rules must be broken."""

    @property
    def rules(self) -> frozenset[Rule]:
        """All rules of the family."""
        return self.basic | self.special


def _family(kind: str, title: str, basic: set[Rule], special: set[Rule], enough: int | None = None) -> RuleFamily:
    return RuleFamily(kind, title, frozenset(basic), frozenset(special), len(basic) if enough is None else enough)


FAMILIES = (
    _family(
        "extra",
        "Moves that leave the king attacked",
        {Rule.PINNED, Rule.CHECK_NOT_ANSWERED, Rule.KING_ATTACKED},
        {
            Rule.DOUBLE_CHECK,
            Rule.KING_ALONG_CHECK_LINE,
            Rule.KING_NEXT_TO_KING,
            Rule.KING_TAKES_PROTECTED,
            Rule.EN_PASSANT_PINNED,
            Rule.EN_PASSANT_UNCOVERS_RANK,
            Rule.EN_PASSANT_UNCOVERS_LINE,
            Rule.EN_PASSANT_IGNORES_CHECK,
        },
    ),
    _family(
        "extra",
        "King steps onto an attacked square",
        {Rule.KING_ATTACKED, Rule.KING_TAKES_PROTECTED},
        {Rule.KING_ALONG_CHECK_LINE, Rule.KING_NEXT_TO_KING},
    ),
    _family(
        "extra",
        Rule.CHECK_NOT_ANSWERED.title,
        {Rule.CHECK_NOT_ANSWERED},
        {Rule.DOUBLE_CHECK, Rule.EN_PASSANT_IGNORES_CHECK},
    ),
    _family("extra", Rule.PINNED.title, {Rule.PINNED}, {Rule.EN_PASSANT_PINNED}),
    _family(
        "extra",
        "Castling out of, through or into check",
        {Rule.CASTLING_IN_CHECK, Rule.CASTLING_THROUGH_CHECK, Rule.CASTLING_INTO_CHECK},
        {Rule.CASTLING_UNCOVERS_KING},
        enough=2,
    ),
    _family(
        "extra",
        "En passant that leaves the king attacked",
        {
            Rule.EN_PASSANT_UNCOVERS_RANK,
            Rule.EN_PASSANT_UNCOVERS_LINE,
            Rule.EN_PASSANT_PINNED,
            Rule.EN_PASSANT_IGNORES_CHECK,
        },
        set(),
        enough=2,
    ),
    _family(
        "missing",
        Rule.EN_PASSANT.title,
        {Rule.EN_PASSANT},
        {
            Rule.EN_PASSANT_ALONG_PIN,
            Rule.EN_PASSANT_TAKES_CHECKER,
            Rule.EN_PASSANT_BLOCKS_CHECK,
            Rule.EN_PASSANT_CLOSES_LINE,
        },
    ),
    _family(
        "missing",
        Rule.CASTLING.title,
        {Rule.CASTLING},
        {
            Rule.CASTLING_ROOK_PASSES_ATTACK,
            Rule.CASTLING_CHESS960_KING_STAYS,
            Rule.CASTLING_CHESS960_ROOK_STAYS,
            Rule.CASTLING_CHESS960_OVERLAP,
        },
    ),
    _family("missing", "Promotion", {Rule.PROMOTION_PUSH, Rule.PROMOTION_CAPTURE}, {Rule.PROMOTION_ANSWERS_CHECK}),
    _family("missing", Rule.KING_STEP.title, {Rule.KING_STEP}, {Rule.KING_TAKES_UNPROTECTED}),
    _family(
        "missing",
        Rule.PLAIN_MOVE.title,
        {Rule.PLAIN_MOVE},
        {Rule.TAKES_CHECKER, Rule.BLOCKS_CHECK, Rule.PINNED_ALONG_LINE},
    ),
)
"""Families of rules; larger ones precede the families that they contain."""
