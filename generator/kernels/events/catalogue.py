"""The catalogue of rare events: situations that need a separate branch in a move generator, each in one sentence.

Some words have a fixed meaning. Pieces, squares and moves are those of the side to move unless they are called enemy.
*In check* refers to its own king; a legal move that *gives check* does so to the enemy king.

- A move that *could* be made may leave the own king attacked; a *legal* one, or one that *may* be made, does not.
- A *piece* is any piece, including pawns and kings, unless a type is named; a *slider* is a bishop, rook or queen.
- A piece is *pinned* if it stands alone between its king and an enemy slider.
- The *en passant square* exists only while a pawn stands ready to capture on it, legally or not.
- A king *step* is any king move except castling. For steps and castling, a square is attacked if it is attacked once
  the king has left its own square, through which sliders then attack.
- Check is *direct* if the piece that has moved gives it (in castling: the rook), otherwise *discovered*. It is
  *double* if two pieces or more give it; one of them is then discovered.
- The *e-square* and the corners are those of the back rank. A rook has the *right* if it may still castle, now or
  later.
- Castling is *prevented only* by one of these obstacles if the right exists and no other obstacle is present: a third
  piece in the way of king or rook, check, an attack on a square that the king crosses or reaches, a pinned rook.
"""

from __future__ import annotations

from enum import IntEnum


class Event(IntEnum):
    """A rare event: a situation in a position that needs a separate branch in a move generator.

    The value is the bit of the event in the words of `census`; bit 64 is the first of the second word.
    """

    sentence: str
    """The exact condition under which the event occurs."""

    def __new__(cls, bit: int, sentence: str = "") -> Event:
        """Create a member from its bit and its sentence."""
        event = int.__new__(cls, bit)
        event._value_ = bit
        event.sentence = sentence
        return event

    @property
    def label(self) -> str:
        """The name in lower case with hyphens, as in the suite `rare`."""
        return self.name.lower().replace("_", "-")

    @property
    def chess960(self) -> bool:
        """Whether the event occurs only in Chess960."""
        return self.name.startswith("F_")

    EP_LEGAL = 0, "An en passant capture is legal."
    EP_EVADE_CAPTURE_CHECKER = 1, "A legal en passant capture takes a pawn that gives check."
    EP_DEST_BLOCKS_NEEDED = 2, "En passant is legal only because the capturing pawn blocks a line on its destination."
    EP_ILLEGAL_RANK_DOUBLE = (
        3,
        "En passant is illegal: only the two pawns shield the king from a rook or queen on a rank.",
    )
    EP_ILLEGAL_CAPTURER_PINNED_ORTHO = 4, "En passant is illegal: the capturing pawn is pinned on a file."
    EP_ILLEGAL_CAPTURER_PINNED_DIAG = 5, "En passant is illegal: the capturing pawn would leave a diagonal of its pin."
    EP_ILLEGAL_VICTIM_SHIELD = (
        6,
        "En passant is illegal: only the captured pawn shields the king from a slider on a diagonal.",
    )
    EP_LEGAL_PINNED_ALONG = 7, "A pinned pawn may legally take en passant along the line of its pin."
    EP_ILLEGAL_OTHER_CHECK = 8, "En passant is illegal: a check by a piece other than the captured pawn remains."
    EP_TWO_CAPTURERS = 9, "Two pawns stand ready to take en passant."
    EP_TWO_DIFFERENT_LEGALITY = 10, "Two pawns stand ready to take en passant, but only one of them may."
    EP_GIVES_DIRECT_CHECK = 11, "A legal en passant capture gives check with the capturing pawn."
    EP_DISC_BY_CAPTURER = 12, "Legal en passant discovers check on a line that only the capturing pawn had blocked."
    EP_DISC_BY_VICTIM = 13, "Legal en passant discovers check on a line that only the captured pawn had blocked."
    EP_DISC_BY_BOTH_ONLY = 14, "Legal en passant discovers check on a line that only the two pawns had blocked."
    EP_DOUBLE_CHECK = 15, "A legal en passant capture gives double check."
    EP_SQUARE_PIECE_MOVES_THERE = 16, "A piece that is not a pawn may legally move to the en passant square."
    EP_SQUARE_NO_EVASION = (
        17,
        "A pawn that could be taken en passant gives check; a knight or slider could move behind it.",
    )

    PR_PUSH = 18, "A promotion by a push is legal."
    PR_CAPTURE = 19, "A promotion by a capture is legal."
    PR_BLOCKS_CHECK = 20, "A legal promotion lands between the king and the slider that gives check."
    PR_CAPTURES_CHECKER = 21, "A legal promotion takes the piece that gives check."
    PR_CAPTURES_CASTLE_ROOK = 22, "A legal promotion takes a rook that may still castle."
    PR_PINNED_CAPTURES_PINNER = 23, "A pinned pawn may legally promote by taking the piece that pins it."
    PR_PINNED_ILLEGAL_CAPTURE = 24, "A pinned pawn could promote by taking a piece off the line of its pin."
    PR_CHECK_THROUGH_FROM = 25, "A legal promotion gives direct check through the square that the pawn has left."
    PR_UNDER_N_CHECK = 26, "A legal promotion to a knight gives direct check."
    PR_DISCOVERED = 27, "A legal promotion gives discovered check."
    PR_DOUBLE_CHECK = 28, "A legal promotion gives double check."
    PR_IN_CHECK_ANY = 29, "A promotion is legal in check."

    CA_OO = 30, "Castling with the rook on the h-side of the king is legal."
    CA_OOO = 31, "Castling with the rook on the a-side of the king is legal."
    CA_GIVES_CHECK = 32, "Legal castling gives check."
    CA_CHECK_KING_WAS_BLOCKER = 33, "Legal castling gives check through the square that the king has left."
    CA_OOO_B_ATTACKED_LEGAL = 34, "Castling with the rook on the a-file is legal although the b-square is attacked."
    CA_ROOK_ATTACKED_LEGAL = 35, "Castling is legal although the rook is attacked."
    CA_OOO_B_OCC_ONLY_PREVENTS = 36, "Castling with the rook on the a-file is prevented only by a piece on the b-file."
    CA_PREV_INCHECK_ONLY = 37, "Castling is prevented only by check."
    CA_PREV_PATH_ONLY = 38, "Castling is prevented only by attacks on squares that the king passes."
    CA_PREV_DEST_ONLY = 39, "Castling is prevented only by an attack on the square that the king reaches."
    CA_PREV_PATH_BY_PAWN = 40, "Castling is prevented only by attacks of pawns, including one on a passed square."
    CA_PREV_PATH_BY_KING = (
        41,
        "Castling is prevented only by attacks of the enemy king, including one on a passed square.",
    )
    CA_LOST_BY_KING_CAPTURE = 42, "The king may legally take a rook that may still castle."
    CA_LOST_BY_PIECE_CAPTURE = 43, "A legal move of any piece takes a rook that may still castle."
    CA_LOST_ROOKxROOK_BOTH = 44, "A rook that may still castle may legally take an enemy rook that may still castle."
    CA_LOST_BY_KING_MOVE = 45, "A king that may still castle has a legal step."
    CA_LOST_BY_ROOK_MOVE = 46, "A rook that may still castle has a legal move of its own."
    CA_OWN_ROOK_ON_CORNER_NO_RIGHT = (
        47,
        "The king is on its e-square, and a rook without a castling right is in a corner.",
    )
    CA_FOREIGN_ROOK_ON_CORNER_NO_RIGHT = 48, "The king is on its e-square, and an enemy rook is in a corner."
    CA_KEPT_OTHER_ROOK_MOVES = 49, "A rook without a castling right may legally leave the file of one that has it."
    CA_KEPT_OTHER_ROOK_TAKEN = 50, "A legal move takes a rook without a castling right on the side of one that has it."
    CA_UCI_LOOKALIKE = (
        51,
        "A rook or queen may legally move from its e-square to the c- or g-square, like a castling king.",
    )

    K_XRAY_ILLEGAL = 64, "A king step is illegal only because a slider attacks through the square that the king leaves."
    K_ADJ_KING_ONLY = 65, "A king step is illegal only because the enemy king attacks the square."
    K_CAP_PROTECTED_ILLEGAL = 66, "The king could take a piece that is protected."
    K_CAP_PROT_BY_PINNED_ONLY = (
        67,
        "The king could take a piece that is protected only by pieces pinned to the enemy king.",
    )
    K_CAPTURES_CHECKER = 68, "The king may legally take a piece that gives check."
    K_DISCOVERS_CHECK = 69, "A legal king step gives discovered check."

    CK_SINGLE = 70, "Exactly one piece gives check."
    CK_DOUBLE = 71, "Two or more pieces give check."
    CK_DOUBLE_PIECE_COULD_TAKE_ONE = (
        72,
        "Two or more pieces give check, and a piece other than the king attacks one of them.",
    )
    CK_BLOCK_BY_DOUBLE_PUSH = 73, "A legal double push ends a check."
    CK_CAPTURE_CHECKER_PINNED_ILLEGAL = 74, "A single piece gives check, and a pinned piece attacks it."
    CK_BLOCK_PINNED_ILLEGAL = 75, "A single piece gives check, and a pinned piece could move between it and the king."
    CK_CONTACT_SLIDER = 76, "A slider gives check from a square next to the king."

    PIN_ANY = 77, "A piece is pinned."
    PIN_TWO_PLUS = 78, "Two or more pieces are pinned."
    PIN_SLIDER_ALONG = 79, "A pinned slider has a legal move."
    PIN_PAWN_PUSH_ALONG = 80, "A pinned pawn has a legal push, single or double."
    PIN_PAWN_DOUBLE_ALONG = 81, "A pinned pawn has a legal double push."
    PIN_PAWN_CAPTURES_PINNER = 82, "A pinned pawn may legally take the piece that pins it."
    PIN_PAWN_CAPTURE_ILLEGAL = 83, "A pinned pawn attacks an enemy piece off the line of its pin."
    PIN_PAWN_PUSH_ILLEGAL = 84, "A pinned pawn has an empty square in front of it, off the line of its pin."
    PIN_KNIGHT = 85, "A knight is pinned."
    PIN_QUEEN_CAPTURES_PINNER = 86, "A pinned queen may legally take the piece that pins it."
    PIN_PIECE_GIVES_CHECK = 87, "A legal move of a pinned piece gives direct check."
    PIN_PIECE_GUARDS_KING_SQ = 88, "A king step is illegal only because of pieces that are pinned to the enemy king."

    DC_ANY = 89, "A legal move gives discovered check."
    DC_BY_PAWN_PUSH = 90, "A legal push of a pawn gives discovered check."
    DC_BY_PAWN_CAPTURE = 91, "A legal capture by a pawn, not en passant, gives discovered check."
    DC_DOUBLE_CHECK_MOVE = 92, "A legal move gives double check."
    DC_SHIELD_STAYS_ON_LINE = (
        93,
        "The only piece between a slider and the enemy king may move along that line, without check.",
    )

    DP_BLOCKED_INTERMEDIATE = (
        94,
        "A pawn on the second rank has an occupied square in front of it and an empty one beyond.",
    )
    DP_BLOCKED_DEST = 95, "A pawn on the second rank has an empty square in front of it and an occupied one beyond."
    DP_ALLOWS_EP = 96, "After a legal double push, an enemy pawn stands ready to take en passant."
    WRAP_PAWN_AH_ENEMY = (
        97,
        "A pawn on the a- or h-file has an enemy on the opposite edge, on its own rank or two ranks ahead.",
    )
    WRAP_EP_FILE_AH = 98, "The en passant square is on the a- or h-file."

    MATE = 99, "The king is in check, and there is no legal move."
    STALEMATE = 100, "The king is not in check, and there is no legal move."
    MOVES_GT_128 = 101, "There are more than 128 legal moves."
    MOVES_GT_256 = 102, "There are more than 256 legal moves."

    F_KING_STAYS = 103, "Castling is legal and leaves the king where it is."
    F_ROOK_STAYS = 104, "Castling is legal and leaves the rook where it is."
    F_SWAP = 105, "Castling is legal and swaps king and rook."
    F_KING_TO_ROOKSQ = 106, "Castling is legal and moves the king to the rook's square."
    F_ROOK_TO_KINGSQ = 107, "Castling is legal and moves the rook to the king's square."
    F_OOO_KING_GOES_RIGHT = 108, "Castling with the rook on the a-side is legal and moves the king towards the h-file."
    F_ROOK_UNCOVERS_CHECK_ILLEGAL = 109, "Castling is prevented only by a slider that the rook would uncover."
    F_BLOCKED_ONLY_BY_OTHER_OWN_ROOK = 110, "Castling is prevented only by the other rook that may still castle."
    F_ENEMY_ROOK_OUTSIDE = (
        111,
        "As seen from the king, an enemy rook is on the rank beyond a rook that may still castle.",
    )
    F_OWN_ROOK_OUTSIDE = (
        112,
        "As seen from the king, another own rook is on the rank beyond a rook that may still castle.",
    )
    F_GIVES_CHECK = (
        113,
        "Castling is legal and gives check, with the king not on the e-file or the rook not in its corner.",
    )
    F_KING_FILE_NOT_E_CASTLE = 114, "Castling is legal with the king not on the e-file."
    F_RIGHT_LOST_ROOK_NONCORNER = 115, "A legal move takes a rook that may still castle and is not in a corner."
    F_LONG_PATH_ATTACKED = (
        116,
        "Castling over three or more squares is prevented only by attacks, including one on a passed square.",
    )
    F_LONG_KING_PATH_GE3_LEGAL = 117, "Castling is legal and moves the king three or more squares."
    F_KINGSTEP_COLLIDES_WITH_CASTLE_UCI = (
        118,
        "Castling is legal, and so is a king step to the king's castling destination.",
    )


IMPOSSIBLE_EVENTS = frozenset({Event.MOVES_GT_256})
"""Events that require more pieces than any reachable position has."""
