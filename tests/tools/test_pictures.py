"""The pictures of the pages are small, have descriptions, and are all used."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import chess
from pages.generated import PICTURES, ROOT, quick_pictures
from pages.pictures.techniques import POSITION, UNTRACED, file_of
from pages.pictures.trees import TREE
from perft_check.generator.events import Event
from perft_check.generator.techniques.registry import ENTRIES

MOST_BYTES = 60_000
FOLDER = ROOT / PICTURES
WALKS = [FOLDER / file_of(name) for name in ENTRIES if name not in UNTRACED]


def pictures() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}


def test_a_tree_has_as_many_leaf_nodes_as_python_chess_counts() -> None:
    board, leaves = chess.Board(TREE), 0
    for move in list(board.legal_moves):
        board.push(move)
        leaves += board.legal_moves.count()
        board.pop()
    assert f">perft 2 = {leaves}<" in pictures()["perft.svg"]
    assert pictures()["perft.svg"].count("<circle") == leaves + chess.Board(TREE).legal_moves.count() + 1


def test_the_page_of_concepts_shows_every_event() -> None:
    page = Path(FOLDER.parent, "concepts.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\(pictures/(.*?)\)", page)
    elsewhere = ("two-plies.svg", "architecture.svg", "coverage.svg")
    assert sorted([*shown, *elsewhere]) == sorted(Path(name).name for name in quick_pictures())
    assert all(f"**{event.label}**: {event.sentence}" in page for event in Event)


def test_pictures_are_small_and_have_descriptions() -> None:
    for name, text in pictures().items():
        root = ElementTree.fromstring(text)
        assert len(text.encode()) < MOST_BYTES, name
        assert root.get("role") == "img", name
        assert root[0].text, name
        assert root[1].text, name
        assert "<script" not in text, name


def test_pictures_load_nothing() -> None:
    for path in (ROOT / "docs").rglob("*.svg"):
        assert not re.search(r"(?:href|src)=[\"'](?!#)|url\((?!#)|@import", path.read_text(encoding="utf-8")), path


def test_the_page_of_techniques_shows_every_walk() -> None:
    page = Path(FOLDER.parent, "techniques.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(pictures/(.*?)\)", page) == [path.name for path in WALKS]
    assert f'perft-check moves "{POSITION}" -e own:linked-list\n' in page
