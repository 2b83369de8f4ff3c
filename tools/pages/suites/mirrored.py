"""The suite `mirrored`: each special move on every file and wing for both colors, and mirror images of the sweep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

import chess
from perft_check.generator.symmetry import flip_colors, flip_move, mirror_files, mirror_move
from perft_check.suites.bundled import SWEEPS, bundled_path
from perft_check.suites.case import Case
from perft_check.suites.loader import load_suite

from .building import build, count_cases, place, suite_text
from .pinned_pieces import pinned_cases
from .pins import capture_cases, pin_cases
from .state import en_passant_cases, field_cases, rights_cases, tree_cases

NAME = "mirrored"
ABOUT = "special moves on every file and wing for both colors, and mirror images of small positions of the sweep."
MOST_NODES, MOST_TREE_NODES, MOST_IMAGE_NODES = 100, 1_000, 60
"""Maximum nodes of a count: for positions that are built here, small trees, and images of the sweep."""
FILES = "abcdefgh"
KINGS = ("Kb3 kg6", "Kg3 kb6", "Ka1 kh3", "Kh1 ka3", "Kh3 ka6", "Ka3 kh6")
"""Squares of the kings in positions about pawns."""
SMALL_TREES = {
    "rook of h1 away and back": (5, "k7/1p6/1P6/8/6p1/3p1pPp/3P1P1P/4K2R w K - 0 1"),
    "rook of a1 away and back": (5, "k7/1p6/1P6/3p4/1p1P4/pP1p1p2/P2P1P2/R3K3 w Q - 0 1"),
    "another rook on h1": (4, "7k/6p1/6P1/8/8/3p1p1p/3P1PbP/4KR1R b K - 0 1"),
    "another rook on a1": (4, "k7/1p6/1P6/8/2p5/2Pp1p2/1b1P1P2/R2RK3 b Q - 0 1"),
}
"""Positions with blocked pawns, and the depth at which the king would castle without the right to do so."""
PATHS = {"h": ("e", "f", "g"), "a": ("e", "d", "c", "b")}
"""The files that king or rook cross in castling, by the file of the rook; the king's file is first."""
WINGS, RIGHTS = {"h": "O-O", "a": "O-O-O"}, {"h": "K", "a": "Q"}
TAKERS = {"h": "bd5 ng3 qd5 pg2", "a": "be5 nb3 qd4 pb2"}
"""Pieces that may capture the rook of a file."""


def mirrored_text() -> str:
    """Return the text of the suite."""
    return suite_text(NAME, mirrored_cases(), ABOUT)


def mirrored_cases() -> Iterator[Case]:
    """Yield all cases, each position once, images last."""
    left = chain(_castling_at_once(), _rooks_replaced(), _edges(), rights_cases(), en_passant_cases(), field_cases())
    pinned = chain(_both_colors(chain(capture_cases(), pinned_cases())), _all_images(pin_cases()))
    at_once = count_cases(chain(_both_colors(left), pinned), MOST_NODES, 1)
    played = chain(_castling_played(), _rooks_taken(), _en_passant(), _promotions(), _double_steps())
    seen: set[object] = {_key(case) for case in load_suite(bundled_path(SWEEPS[False]))}
    played_at_once = count_cases(_both_colors(played), MOST_NODES, 2)
    beside = count_cases(_both_colors(_promotions_beside()), MOST_TREE_NODES, 2)
    for case in chain(at_once, played_at_once, beside, _small_trees(), _images()):
        if _key(case) not in seen:
            seen.add(_key(case))
            yield case


def _key(case: Case) -> object:
    """Return the question: the position without its counters, the moves, and the depth."""
    return tuple(case.position.fen().split()[:4]), case.moves, case.max_depth


def _both_colors(cases: Iterable[Case]) -> Iterator[Case]:
    for case in cases:
        yield case
        yield turn(case, 1)


def _all_images(cases: Iterable[Case]) -> Iterator[Case]:
    for case in cases:
        yield from (turn(case, flags) for flags in range(4))


def turn(case: Case, flags: int) -> Case:
    """Return the image of a case with the colors swapped (bit 0 of `flags`) and the files mirrored (bit 1)."""
    position, moves, words = case.position, case.moves, []
    if flags & 2:
        position, moves = mirror_files(position), tuple(map(mirror_move, moves))
        words.append("mirrored")
    if flags & 1:
        position, moves = flip_colors(position), tuple(map(flip_move, moves))
        words.append("colors swapped")
    return replace(case, name=", ".join([case.name, *words]), position=position, moves=moves)


def _small_trees() -> Iterator[Case]:
    """Yield the small trees, each with only its deepest count."""
    about = "A right is lost when its rook moves or is captured."
    trees = ((depth, True, build(name, about, fen)) for name, (depth, fen) in SMALL_TREES.items())
    for depth, is_for_both, tree in chain(trees, tree_cases()):
        yield from count_cases(_both_colors([tree]) if is_for_both else [tree], MOST_TREE_NODES, depth)


def _images() -> Iterator[Case]:
    """Yield the mirror images of the small questions of the sweep."""
    for case in load_suite(bundled_path(SWEEPS[False])):
        for flags in (1, 2, 3):
            if case.counts[-1][1] <= MOST_IMAGE_NODES and not case.moves and not (flags & 2 and case.position.castling):
                yield replace(turn(case, flags), purpose="")


def _castling_at_once() -> Iterator[Case]:
    """Yield cases of castling on each wing with an attacked or occupied square; faults show in the root moves."""
    for rook, (king, *path) in PATHS.items():
        wing, right, base = WINGS[rook], RIGHTS[rook], f"Ke1 R{rook}1 kc8"
        for file in (king, *path, rook):
            fen = place(f"{base} r{file}7", rights=right)
            yield build(f"{wing}, {file}1 attacked by a rook", f"A rook attacks {file}1.", fen)
        for file in "bcdefg":
            fen = place(f"{base} p{file}2", rights=right)
            yield build(f"{wing}, pawn on {file}2", f"A pawn on {file}2 attacks the squares next to it.", fen)
        for file in path:
            for piece in "Nb":
                fen = place(f"{base} {piece}{file}1", rights=right)
                yield build(f"{wing}, {piece} on {file}1", f"A piece on {file}1 blocks castling.", fen)


def _castling_played() -> Iterator[Case]:
    """Yield cases in which the king castles on each wing, or a move keeps or ends the right to do so."""
    both = place("Ke1 Ra1 Rh1 ke8", rights="KQ")
    for rook, wing in WINGS.items():
        fen = place(f"Ke1 R{rook}1 ke8", rights=RIGHTS[rook])
        target = "g1" if rook == "h" else "c1"
        yield build(f"{wing} is played", "Castling moves king and rook.", fen, f"e1{target}")
        for moves in ("e1e2 e8e7 e2e1 e7e8", f"{rook}1{rook}2 e8e7 {rook}2{rook}1 e7e8"):
            yield build(f"{wing} lost by {moves[:4]}", "The first move loses the right.", fen, moves)
        moves = f"{rook}1{rook}3 e8e7 {rook}3{rook}1 e7e8"
        yield build(f"the other right kept by {moves[:4]}", "The move loses only one right.", both, moves)


def _rooks_taken() -> Iterator[Case]:
    """Yield cases in which a piece of each type captures a rook in its corner."""
    for rook, takers in TAKERS.items():
        for taker in takers.split():
            fen = place(f"Ke1 R{rook}1 kc7 {taker}", chess.BLACK, rights=RIGHTS[rook])
            yield build(f"{taker} takes on {rook}1", f"The rook on {rook}1 is captured.", fen)
        fen = place(f"Ke1 R{rook}1 ke8 r{rook}8", rights=RIGHTS[rook] + RIGHTS[rook].lower())
        yield build(f"rook takes rook on {rook}8", "Both sides lose a right.", fen)


def _rooks_replaced() -> Iterator[Case]:
    """Yield cases in which a rook is captured in its corner, and another rook stands there later."""
    for rook, takers in TAKERS.items():
        for taker in takers.split():
            fen = place(f"Ke1 R{rook}1 R{rook}3 kc7 {taker}", chess.BLACK, rights=RIGHTS[rook])
            for piece in "qrbn" if taker[0] == "p" else [""]:
                capture = f"{taker[1:]}{rook}1{piece}"
                name = f"{taker} takes{f' and promotes to {piece}' * bool(piece)}, another rook on {rook}1"
                yield build(name, "A lost right does not come back.", fen, f"{capture} {rook}3{rook}1 c7c8")


def _en_passant() -> Iterator[Case]:
    """Yield cases of en passant on each file from each side, after a double push that was played or is in the FEN."""
    for index, file in enumerate(FILES):
        for other in (FILES[near] for near in (index - 1, index + 1) if 0 <= near < 8):
            fen = _with_kings(f"p{file}7 P{other}5", chess.BLACK, f"{file}7{file}5 {other}5{file}6")
            name, about = f"{other}5{file}6 after {file}7{file}5", f"En passant from {other}5 to {file}6."
            yield build(name, about, fen, f"{file}7{file}5")
            fen = _with_kings(f"p{file}5 P{other}5", chess.WHITE, f"{other}5{file}6", f"{file}6")
            yield build(f"{other}5{file}6 from a FEN", about, fen)


def _promotions() -> Iterator[Case]:
    """Yield cases of promotions on each file, with and without a capture."""
    for index, file in enumerate(FILES):
        beside = [FILES[near] for near in (index - 1, index + 1) if 0 <= near < 8]
        knights = " ".join(f"n{other}8" for other in beside)
        fen = _with_kings(f"P{file}7 {knights}", chess.WHITE, f"{file}7{file}8q")
        yield build(f"promotion from {file}7", f"Promotions from {file}7 with and without a capture.", fen)


def _promotions_beside() -> Iterator[Case]:
    """Yield cases of promotions that capture different pieces, and of promotions beside another piece of each type."""
    fen = place("Kg3 Pb7 qa8 rc8 kh5")
    yield build("promotion on a8 and c8", "Undoing a promotion restores the captured piece.", fen)
    for piece in ("Nf6", "Bf5", "Rg1", "Qg4"):
        fen = place(f"Ka1 Pb7 na8 nc8 kh8 {piece}")
        yield build(f"promotion beside {piece}", "The promoted piece is the second of its kind.", fen)


def _double_steps() -> Iterator[Case]:
    """Yield cases of double pushes on every file: free, past pawns that may capture en passant, and blocked."""
    pawns = " ".join(f"P{file}2" for file in FILES)
    yield build("double steps", "Double steps on every file.", place(f"{pawns} Ke1 ke8"))
    for start in (0, 1):
        takers = " ".join(f"p{file}4" for file in FILES[start::2])
        some = " ".join(f"P{file}2" for file in FILES[1 - start :: 2])
        fen = place(f"{some} {takers} Ke1 kh8")
        yield build(f"double steps past {FILES[start]}4", "Each double step may be answered en passant.", fen)
    for rank in "34":
        blocks = " ".join(f"n{file}{rank}" for file in FILES[::2]) + " " + " ".join(f"b{file}4" for file in FILES[1::2])
        fen = place(f"{pawns} {blocks} Kh1 kh8")
        if fen:
            yield build(f"double steps blocked on rank {rank}", "Pawns are blocked on every file.", fen)


def _edges() -> Iterator[Case]:
    """Yield cases with pawns that could capture only across the edge of the board, and with kings on the edge."""
    for edge, far in (("a", "h"), ("h", "a")):
        pieces = " ".join(f"n{far}{rank}" for rank in "3456")
        fen = _with_kings(f"P{edge}4 P{edge}2 {pieces}", chess.WHITE, f"{edge}4{edge}5")
        yield build(f"pawns on the {edge} file", "Captures do not reach across the edge of the board.", fen)
        double_step = f"{far}7{far}5"
        fen = _with_kings(f"P{edge}5 P{edge}6 p{far}7", chess.BLACK, double_step)
        about = "En passant does not reach across the edge of the board."
        yield build(f"double step beyond the {edge} file", about, fen, double_step)
    for square in ("a1", "h1", "a8", "h8", "a4", "h5"):
        fen = place(f"K{square} kd5 Nd2")
        yield build(f"king on {square}", "The king stands on the edge of the board.", fen)


def _with_kings(pieces: str, turn: chess.Color, moves: str, en_passant: str = "-") -> str:
    """Return the FEN of pieces, with kings on squares that leave these moves legal."""
    for kings in KINGS:
        fen = place(f"{kings} {pieces}", turn, en_passant=en_passant)
        if fen and not (board := chess.Board(fen)).is_check() and _are_legal(board, moves):
            return fen
    raise ValueError(f"no place for the kings beside {pieces}")


def _are_legal(board: chess.Board, moves: str) -> bool:
    for word in moves.split():
        move = chess.Move.from_uci(word)
        if not board.is_legal(move):
            return False
        board.push(move)
    return True
