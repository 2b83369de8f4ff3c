"""Boards with arrows, rings, checks and pins, and their descriptions in words."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import chess
from helpers.made_pages import EXTRA
from helpers.made_results import FEN, WRONG
from pages.pictures.svg import board_document
from perft_check.reports.html.board import BoardPicture, board_of, sprites


def drawn(fen: str) -> BoardPicture:
    board = board_of(fen)
    assert board is not None
    return board


def test_wrong_moves_are_arrows_and_relevant_squares_are_ringed() -> None:
    board = board_of(FEN, (WRONG, EXTRA))
    assert board is not None
    assert re.findall(r'<line .*?class="(.*?)"', board.drawing) == ["arrow pin", "arrow missing", "arrow extra"]
    assert board.drawing.count("<polygon") == 2
    assert board.drawing.count('class="circle look"') == 2
    assert board.arrows == (("missing", "missing move"), ("extra", "extra move"))
    assert board.ringed == ("white bishop a2", "black king g8")
    assert board.pieces == "White: Kg1, Ba2, b4. Black: Kg8, c4."
    assert "style" not in board.drawing + sprites()


def test_invalid_boards_and_moves_are_not_drawn() -> None:
    assert board_of("</svg>") is None
    board = board_of(FEN, (replace(WRONG, uci="z9", squares=()), replace(WRONG, kind="odd", squares=("i9",))))
    assert board is not None
    assert "<polygon" not in board.drawing
    assert "<circle" not in board.drawing


def test_a_check_is_a_frame_around_the_king_and_a_line_from_the_checker() -> None:
    board = drawn("4k3/8/8/8/8/8/4r3/K3R3 b - - 0 1")
    assert board.lines == (("pin", "white rook e1 pins black rook e2"),)
    board = drawn("4k3/8/8/8/8/8/8/K3R3 b - - 0 1")
    assert board.lines == (("check", "white rook e1 gives check to black king e8"),)
    assert '<rect x="180" y="0" width="45" height="45" class="check" />' in board.drawing
    assert drawn("4k3/8/8/8/8/8/8/K3R3 w - - 0 1").lines == ()


def test_pins_are_those_of_python_chess() -> None:
    for fen in ("4r2k/8/8/8/4N2b/8/5B2/r1N1K3 w - - 0 1", "k7/1q6/8/3r4/8/5B2/8/Q6K b - - 0 1"):
        board = drawn(fen)
        base = chess.BaseBoard(fen.split()[0])
        pinned = {square for square, piece in base.piece_map().items() if base.is_pinned(piece.color, square)}
        squares = {chess.parse_square(caption.split()[-1]) for kind, caption in board.lines if kind == "pin"}
        assert squares == pinned


def test_a_board_is_described_in_words() -> None:
    text = board_document(drawn(FEN), "A <pawn>")
    root = ElementTree.fromstring(text)
    assert [root[n].text for n in (0, 1)] == [
        "A <pawn>",
        "White: Kg1, Ba2, b4. Black: Kg8, c4. White bishop a2 pins black pawn c4.",
    ]
    assert root.attrib["role"] == "img"
    used = set(re.findall(r'href="#(.*?)"', text))
    assert used <= set(re.findall(r' id="(.*?)"', text))
    assert "url(" not in text
