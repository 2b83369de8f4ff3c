"""The rare events with python-chess, implemented from their sentences by removing pieces and playing moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import chess

SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
Squares = set[chess.Square]


def naive_events(board: chess.Board) -> set[str]:
    """Return the names of the events that occur in a position."""
    view = NaiveView(board)
    themes = (en_passant, promotions, castling, rights, king_steps, checks, pins, discovered, pawns, sizes, chess960)
    return {name for theme in themes for name, met in theme(view) if met}


Found = Iterator[tuple[str, bool]]


@dataclass
class NaiveMove:
    """A legal move, and the pieces that give check after it."""

    move: chess.Move
    piece: chess.PieceType
    is_castling: bool
    is_en_passant: bool
    takes: bool
    after: chess.Board
    direct: Squares
    discovered: Squares

    @property
    def origin(self) -> chess.Square:
        return self.move.from_square

    @property
    def target(self) -> chess.Square:
        return self.move.to_square

    @property
    def steps(self) -> int:
        """Number of ranks that the piece moves up or down."""
        return abs(chess.square_rank(self.origin) - chess.square_rank(self.target))

    @property
    def checkers(self) -> Squares:
        return self.direct | self.discovered


class NaiveView:
    """A position, with the terms that the definitions use."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board.copy(stack=False)
        self.board.chess960 = True  # castling is king takes rook
        self.us, self.them = self.board.turn, not self.board.turn
        self.king, self.enemy_king = king_of(self.board, self.us), king_of(self.board, self.them)
        self.back_rank, self.enemy_back_rank = (0, 7) if self.us else (7, 0)
        self.seventh = 6 if self.us else 1
        self.second = 1 if self.us else 6
        self.up = 8 if self.us else -8
        self.checkers: Squares = set(self.board.checkers())
        self.pinned = self.alone_before(self.us, self.king, self.them)
        self.enemy_pinned = self.alone_before(self.them, self.enemy_king, self.us)
        self.shields = self.alone_before(self.us, self.enemy_king, self.us)
        self.rights = set(chess.scan_forward(self.board.clean_castling_rights()))
        self.own_rights = {rook for rook in self.rights if self.board.color_at(rook) == self.us}
        self.legal = [self.played(move) for move in self.board.legal_moves]

    def kind(self, square: chess.Square) -> chess.PieceType | None:
        return self.board.piece_type_at(square)

    def is_enemy(self, square: chess.Square) -> bool:
        return self.board.color_at(square) == self.them

    def pieces(self, color: chess.Color, *kinds: chess.PieceType) -> Squares:
        return {square for kind in kinds for square in self.board.pieces(kind, color)}

    def attackers(self, color: chess.Color, square: chess.Square, lifted: Iterable[chess.Square] = ()) -> Squares:
        """Return the pieces of a side that attack a square if other pieces are removed."""
        return set(without(self.board, lifted).attackers(color, square)) - set(lifted)

    def found_by_king(self, square: chess.Square) -> Squares:
        """Return the enemy pieces that attack a square if the king is removed."""
        return self.attackers(self.them, square, [self.king])

    def opened(self, square: chess.Square, king: chess.Square, by: chess.Color) -> Squares:
        """Return the pieces that attack a king only if the piece on a square is removed."""
        return self.attackers(by, king, [square]) - self.attackers(by, king)

    def alone_before(self, color: chess.Color, king: chess.Square, by: chess.Color) -> Squares:
        """Return the pieces of a side that are the only one between a king and a slider."""
        squares = set(chess.scan_forward(self.board.occupied_co[color])) - {king}
        return {square for square in squares if self.opened(square, king, by)}

    def on_line(self, square: chess.Square, pinned: chess.Square) -> bool:
        """Return True if a square is on the line through the king and a pinned piece."""
        return bool(chess.ray(self.king, pinned) & chess.BB_SQUARES[square])

    def played(self, move: chess.Move) -> NaiveMove:
        after = self.board.copy(stack=False)
        after.push(move)
        is_castling = self.board.is_castling(move)
        landed = move.to_square
        if is_castling:
            landed = chess.square(5 if move.to_square > move.from_square else 3, self.back_rank)
        checkers = set(after.checkers())
        kind = self.kind(move.from_square)
        assert kind is not None
        return NaiveMove(
            move,
            kind,
            is_castling,
            self.board.is_en_passant(move),
            self.board.is_capture(move) and not is_castling,
            after,
            checkers & {landed},
            checkers - {landed},
        )


def king_of(board: chess.Board, color: chess.Color) -> chess.Square:
    king = board.king(color)
    assert king is not None
    return king


def without(board: chess.Board, squares: Iterable[chess.Square]) -> chess.Board:
    """Return the board without the pieces on some squares."""
    copy = board.copy(stack=False)
    for square in squares:
        copy.remove_piece_at(square)
    return copy


def between(first: chess.Square, second: chess.Square) -> Squares:
    return set(chess.SquareSet.between(first, second))


def is_diagonal(first: chess.Square, second: chess.Square) -> bool:
    return chess.square_file(first) != chess.square_file(second) and chess.square_rank(first) != chess.square_rank(
        second
    )


def en_passant(view: NaiveView) -> Found:
    target = view.board.ep_square
    if target is None:
        return
    capturers = view.attackers(view.us, target) & view.pieces(view.us, chess.PAWN)
    if not capturers:
        return
    victim = target - view.up
    legal = {played.origin: played for played in view.legal if played.is_en_passant}
    attackers = view.attackers(view.us, target) - capturers - {view.king}
    yield "EP_TWO_CAPTURERS", len(capturers) == 2
    yield "EP_TWO_DIFFERENT_LEGALITY", len(capturers) == 2 and len(legal) == 1
    yield "EP_SQUARE_PIECE_MOVES_THERE", any(p.target == target and p.piece != chess.PAWN for p in view.legal)
    yield "EP_SQUARE_NO_EVASION", victim in view.checkers and bool(attackers)
    yield "WRAP_EP_FILE_AH", chess.square_file(target) in (0, 7)
    for capturer in capturers:
        if capturer in legal:
            yield from legal_en_passant(view, legal[capturer], victim)
        else:
            yield from illegal_en_passant(view, capturer, victim, target)


def legal_en_passant(view: NaiveView, played: NaiveMove, victim: chess.Square) -> Found:
    occupied = set(chess.scan_forward(view.board.occupied))
    stood = [between(checker, view.enemy_king) & occupied for checker in played.discovered]
    yield "EP_LEGAL", True
    yield "EP_EVADE_CAPTURE_CHECKER", victim in view.checkers
    yield ("EP_DEST_BLOCKS_NEEDED", bool(without(played.after, [played.target]).attackers(view.them, view.king)))
    yield "EP_LEGAL_PINNED_ALONG", played.origin in view.pinned
    yield "EP_GIVES_DIRECT_CHECK", bool(played.direct)
    yield "EP_DISC_BY_CAPTURER", {played.origin} in stood
    yield "EP_DISC_BY_VICTIM", {victim} in stood
    yield "EP_DISC_BY_BOTH_ONLY", {played.origin, victim} in stood
    yield "EP_DOUBLE_CHECK", len(played.checkers) >= 2


def illegal_en_passant(view: NaiveView, capturer: chess.Square, victim: chess.Square, target: chess.Square) -> Found:
    after = view.board.copy(stack=False)
    after.push(chess.Move(capturer, target))
    attackers = set(after.attackers(view.them, view.king))
    pinners = view.opened(capturer, view.king, view.them)
    shielded = view.opened(victim, view.king, view.them)
    by_both = view.attackers(view.them, view.king, [capturer, victim]) - pinners - shielded - view.checkers
    on_rank = {square for square in by_both if chess.square_rank(square) == chess.square_rank(view.king)}
    off_line = not view.on_line(target, capturer)
    yield "EP_ILLEGAL_RANK_DOUBLE", bool(on_rank)
    yield "EP_ILLEGAL_CAPTURER_PINNED_ORTHO", any(not is_diagonal(view.king, pinner) for pinner in pinners)
    yield "EP_ILLEGAL_CAPTURER_PINNED_DIAG", any(is_diagonal(view.king, pinner) for pinner in pinners) and off_line
    yield "EP_ILLEGAL_VICTIM_SHIELD", any(is_diagonal(view.king, slider) for slider in shielded)
    yield "EP_ILLEGAL_OTHER_CHECK", bool(attackers & view.checkers - {victim})


def promotions(view: NaiveView) -> Found:
    for played in view.legal:
        if played.move.promotion is None:
            continue
        pinned = played.origin in view.pinned
        way = {played.origin} & between(played.target, view.enemy_king)
        yield "PR_PUSH", not played.takes
        yield "PR_CAPTURE", played.takes
        yield "PR_BLOCKS_CHECK", any(played.target in between(checker, view.king) for checker in view.checkers)
        yield "PR_CAPTURES_CHECKER", played.target in view.checkers
        yield "PR_CAPTURES_CASTLE_ROOK", played.target in view.rights
        yield "PR_PINNED_CAPTURES_PINNER", pinned and played.takes
        yield "PR_CHECK_THROUGH_FROM", bool(played.direct and way)
        yield "PR_UNDER_N_CHECK", played.move.promotion == chess.KNIGHT and bool(played.direct)
        yield "PR_DISCOVERED", bool(played.discovered)
        yield "PR_DOUBLE_CHECK", len(played.checkers) >= 2
        yield "PR_IN_CHECK_ANY", bool(view.checkers)
    for pawn in view.pinned & view.pieces(view.us, chess.PAWN):
        if chess.square_rank(pawn) == view.seventh:
            yield "PR_PINNED_ILLEGAL_CAPTURE", bool(taken_off_line(view, pawn))


def taken_off_line(view: NaiveView, pawn: chess.Square) -> Squares:
    """Return the enemy pieces that a pinned pawn attacks off the line of its pin."""
    return {square for square in view.board.attacks(pawn) if view.is_enemy(square) and not view.on_line(square, pawn)}


@dataclass
class NaiveCastling:
    """Castling with one rook: the destinations, and everything that prevents it."""

    rook: chess.Square
    king_to: chess.Square
    rook_to: chess.Square
    third: Squares
    passed: Squares
    reached: Squares
    amiss: set[str]


def attempts(view: NaiveView) -> Iterator[NaiveCastling]:
    for rook in view.own_rights:
        right = rook > view.king
        king_to = chess.square(6 if right else 2, view.back_rank)
        rook_to = chess.square(5 if right else 3, view.back_rank)
        way = between(view.king, king_to) | between(rook, rook_to) | {king_to, rook_to}
        third = {square for square in way - {view.king, rook} if view.kind(square)}
        passed = {square for square in between(view.king, king_to) if view.found_by_king(square)}
        reached = {king_to} if king_to != view.king and view.found_by_king(king_to) else set()
        stands = {
            "third": third,
            "passed": passed,
            "reached": reached,
            "check": view.checkers,
            "pin": {rook} & view.pinned,
        }
        yield NaiveCastling(
            rook, king_to, rook_to, third, passed, reached, {name for name, bad in stands.items() if bad}
        )


def castling(view: NaiveView) -> Found:
    b_square = chess.square(1, view.back_rank)
    for played in view.legal:
        if not played.is_castling:
            continue
        rook = played.target
        lines = [between(checker, view.enemy_king) for checker in played.checkers]
        yield "CA_OO", rook > view.king
        yield "CA_OOO", rook < view.king
        yield "CA_GIVES_CHECK", bool(played.checkers)
        yield "CA_CHECK_KING_WAS_BLOCKER", any(view.king in line for line in lines)
        yield "CA_ROOK_ATTACKED_LEGAL", bool(view.attackers(view.them, rook))
        on_a = chess.square_file(rook) == 0
        yield "CA_OOO_B_ATTACKED_LEGAL", on_a and bool(view.attackers(view.them, b_square))
    for attempt in attempts(view):
        on_a = chess.square_file(attempt.rook) == 0
        attackers = {piece for square in attempt.passed | attempt.reached for piece in view.found_by_king(square)}
        kinds = {view.kind(piece) for piece in attackers}
        by_attack = "passed" in attempt.amiss and attempt.amiss <= {"passed", "reached"}
        b_only = attempt.amiss == {"third"} and attempt.third == {b_square}
        yield "CA_OOO_B_OCC_ONLY_PREVENTS", on_a and b_only
        yield "CA_PREV_INCHECK_ONLY", attempt.amiss == {"check"}
        yield "CA_PREV_PATH_ONLY", attempt.amiss == {"passed"}
        yield "CA_PREV_DEST_ONLY", attempt.amiss == {"reached"}
        yield "CA_PREV_PATH_BY_PAWN", by_attack and kinds == {chess.PAWN}
        yield "CA_PREV_PATH_BY_KING", by_attack and kinds == {chess.KING}


def rights(view: NaiveView) -> Found:
    on_e = view.king == chess.square(4, view.back_rank)
    corners = {chess.square(0, view.back_rank), chess.square(7, view.back_rank)}
    own_rooks, enemy_rooks = view.pieces(view.us, chess.ROOK), view.pieces(view.them, chess.ROOK)
    yield "CA_OWN_ROOK_ON_CORNER_NO_RIGHT", on_e and bool(corners & own_rooks - view.rights)
    yield "CA_FOREIGN_ROOK_ON_CORNER_NO_RIGHT", on_e and bool(corners & enemy_rooks)
    for played in view.legal:
        origin, target = played.origin, played.target
        if played.is_castling:
            continue
        takes_right = target in view.rights
        yield "CA_LOST_BY_KING_CAPTURE", takes_right and played.piece == chess.KING
        yield "CA_LOST_BY_PIECE_CAPTURE", takes_right
        yield "CA_LOST_ROOKxROOK_BOTH", takes_right and origin in view.rights
        yield "CA_LOST_BY_KING_MOVE", played.piece == chess.KING and bool(view.own_rights)
        yield "CA_LOST_BY_ROOK_MOVE", origin in view.rights
        same_file = {rook for rook in view.own_rights if chess.square_file(rook) == chess.square_file(origin)}
        yield "CA_KEPT_OTHER_ROOK_MOVES", origin in own_rooks - view.rights and bool(same_file)
        same_side = {
            rook for rook in view.rights - view.own_rights if (rook < view.enemy_king) == (target < view.enemy_king)
        }
        on_rank = chess.square_rank(target) == view.enemy_back_rank
        yield "CA_KEPT_OTHER_ROOK_TAKEN", on_rank and target in enemy_rooks - view.rights and bool(same_side)
        names = [chess.square(file, view.back_rank) for file in (4, 2, 6)]
        yield "CA_UCI_LOOKALIKE", played.piece != chess.KING and origin == names[0] and target in names[1:]


def king_steps(view: NaiveView) -> Found:
    for played in view.legal:
        if played.piece == chess.KING and not played.is_castling:
            yield "K_CAPTURES_CHECKER", played.target in view.checkers
            yield "K_DISCOVERS_CHECK", bool(played.discovered)
    for target in view.board.attacks(view.king):
        attackers = view.found_by_king(target)
        if view.board.color_at(target) == view.us or not attackers:
            continue
        yield "K_XRAY_ILLEGAL", not view.attackers(view.them, target)
        yield "K_ADJ_KING_ONLY", attackers == {view.enemy_king}
        yield "K_CAP_PROTECTED_ILLEGAL", view.is_enemy(target)
        yield "K_CAP_PROT_BY_PINNED_ONLY", view.is_enemy(target) and attackers <= view.enemy_pinned
        yield "PIN_PIECE_GUARDS_KING_SQ", attackers <= view.enemy_pinned


def could_move(view: NaiveView, piece: chess.Square) -> Squares:
    """Return the empty squares that a piece could move to."""
    moves = view.board.generate_pseudo_legal_moves(from_mask=chess.BB_SQUARES[piece])
    return {
        move.to_square for move in moves if view.kind(move.to_square) is None and not view.board.is_en_passant(move)
    }


def checks(view: NaiveView) -> Found:
    takers = {checker: view.attackers(view.us, checker) - {view.king} for checker in view.checkers}
    single = len(view.checkers) == 1
    double = len(view.checkers) >= 2
    way = {square for checker in view.checkers for square in between(checker, view.king)}
    near = set(view.board.attacks(view.king))
    yield "CK_SINGLE", single
    yield "CK_DOUBLE", double
    yield "CK_DOUBLE_PIECE_COULD_TAKE_ONE", double and any(takers.values())
    yield "CK_CAPTURE_CHECKER_PINNED_ILLEGAL", single and any(some & view.pinned for some in takers.values())
    yield "CK_BLOCK_PINNED_ILLEGAL", single and any(could_move(view, piece) & way for piece in view.pinned)
    yield "CK_CONTACT_SLIDER", any(view.kind(checker) in SLIDERS and checker in near for checker in view.checkers)
    for played in view.legal:
        yield "CK_BLOCK_BY_DOUBLE_PUSH", bool(view.checkers) and played.piece == chess.PAWN and played.steps == 2


def pins(view: NaiveView) -> Found:
    yield "PIN_ANY", bool(view.pinned)
    yield "PIN_TWO_PLUS", len(view.pinned) >= 2
    yield "PIN_KNIGHT", bool(view.pinned & view.pieces(view.us, chess.KNIGHT))
    for pawn in view.pinned & view.pieces(view.us, chess.PAWN):
        ahead = pawn + view.up
        yield "PIN_PAWN_CAPTURE_ILLEGAL", bool(taken_off_line(view, pawn))
        yield "PIN_PAWN_PUSH_ILLEGAL", view.kind(ahead) is None and not view.on_line(ahead, pawn)
    for played in view.legal:
        if played.origin not in view.pinned:
            continue
        is_pawn = played.piece == chess.PAWN
        is_push = is_pawn and chess.square_file(played.origin) == chess.square_file(played.target)
        yield "PIN_SLIDER_ALONG", played.piece in SLIDERS
        yield "PIN_PAWN_PUSH_ALONG", is_push
        yield "PIN_PAWN_DOUBLE_ALONG", is_push and played.steps == 2
        yield "PIN_PAWN_CAPTURES_PINNER", is_pawn and played.takes and not played.is_en_passant
        yield "PIN_QUEEN_CAPTURES_PINNER", played.piece == chess.QUEEN and played.takes
        yield "PIN_PIECE_GIVES_CHECK", bool(played.direct)


def discovered(view: NaiveView) -> Found:
    for played in view.legal:
        is_pawn = played.piece == chess.PAWN
        stays = bool(chess.ray(view.enemy_king, played.origin) & chess.BB_SQUARES[played.target])
        yield "DC_ANY", bool(played.discovered)
        yield "DC_BY_PAWN_PUSH", is_pawn and not played.takes and bool(played.discovered)
        yield "DC_BY_PAWN_CAPTURE", is_pawn and played.takes and not played.is_en_passant and bool(played.discovered)
        yield "DC_DOUBLE_CHECK_MOVE", len(played.checkers) >= 2
        shields = played.origin in view.shields and not played.is_castling
        yield "DC_SHIELD_STAYS_ON_LINE", shields and stays and not played.checkers


def pawns(view: NaiveView) -> Found:
    for pawn in view.pieces(view.us, chess.PAWN):
        if chess.square_rank(pawn) == view.second:
            near, far = (view.kind(pawn + steps * view.up) is None for steps in (1, 2))
            yield "DP_BLOCKED_INTERMEDIATE", far and not near
            yield "DP_BLOCKED_DEST", near and not far
        rank = chess.square_rank(pawn)
        ranks = {rank, rank + view.up // 4} & set(range(8))
        there = [chess.square(7 - chess.square_file(pawn), rank) for rank in ranks]
        yield "WRAP_PAWN_AH_ENEMY", chess.square_file(pawn) in (0, 7) and any(map(view.is_enemy, there))
    for played in view.legal:
        if played.piece == chess.PAWN and played.steps == 2:
            ready = played.after.attackers(view.them, played.target - view.up) & played.after.pawns
            yield "DP_ALLOWS_EP", bool(ready)


def sizes(view: NaiveView) -> Found:
    number = len(view.legal)
    yield "MATE", number == 0 and bool(view.checkers)
    yield "STALEMATE", number == 0 and not view.checkers
    yield "MOVES_GT_128", number > 128
    yield "MOVES_GT_256", number > 256


def chess960(view: NaiveView) -> Found:
    corners = {chess.square(file, rank) for file in (0, 7) for rank in (0, 7)}
    on_e = chess.square_file(view.king) == 4
    legal = {played.target: played for played in view.legal if played.is_castling}
    steps = {played.target for played in view.legal if played.piece == chess.KING and not played.is_castling}
    for attempt in attempts(view):
        rook, king_to, rook_to = attempt.rook, attempt.king_to, attempt.rook_to
        edge = chess.square(7 if rook > view.king else 0, view.back_rank)
        outside = between(rook, edge) | ({edge} - {rook})
        is_long = abs(king_to - view.king) >= 3
        attacked = "passed" in attempt.amiss and attempt.amiss <= {"passed", "reached"}
        other = view.own_rights - {rook}
        yield "F_ENEMY_ROOK_OUTSIDE", bool(outside & view.pieces(view.them, chess.ROOK))
        yield "F_OWN_ROOK_OUTSIDE", bool(outside & view.pieces(view.us, chess.ROOK))
        yield "F_LONG_PATH_ATTACKED", is_long and attacked
        yield "F_ROOK_UNCOVERS_CHECK_ILLEGAL", attempt.amiss == {"pin"}
        yield "F_BLOCKED_ONLY_BY_OTHER_OWN_ROOK", attempt.amiss == {"third"} and attempt.third == other
        if rook not in legal:
            continue
        yield "F_KING_STAYS", king_to == view.king
        yield "F_ROOK_STAYS", rook_to == rook
        yield "F_SWAP", king_to == rook and rook_to == view.king
        yield "F_KING_TO_ROOKSQ", king_to == rook
        yield "F_ROOK_TO_KINGSQ", rook_to == view.king
        yield "F_OOO_KING_GOES_RIGHT", rook < view.king < king_to
        yield "F_GIVES_CHECK", bool(legal[rook].checkers) and not (on_e and rook in corners)
        yield "F_KING_FILE_NOT_E_CASTLE", not on_e
        yield "F_LONG_KING_PATH_GE3_LEGAL", is_long
        yield "F_KINGSTEP_COLLIDES_WITH_CASTLE_UCI", king_to in steps
    for played in view.legal:
        lost = played.target in view.rights - view.own_rights - corners
        yield "F_RIGHT_LOST_ROOK_NONCORNER", lost
