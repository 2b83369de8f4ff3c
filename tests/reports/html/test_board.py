"""Boards with arrows and rings, and their descriptions in words."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

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
    assert re.findall(r'<line .*?class="(.*?)"', board.drawing) == ["arrow missing", "arrow extra"]
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


def test_a_board_is_described_in_words() -> None:
    text = board_document(drawn(FEN), "A <pawn>")
    root = ElementTree.fromstring(text)
    assert [root[n].text for n in (0, 1)] == [
        "A <pawn>",
        "White: Kg1, Ba2, b4. Black: Kg8, c4.",
    ]
    assert root.attrib["role"] == "img"
    used = set(re.findall(r'href="#(.*?)"', text))
    assert used <= set(re.findall(r' id="(.*?)"', text))
    assert "url(" not in text
