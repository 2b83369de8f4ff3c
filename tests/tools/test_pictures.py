"""The pictures of the pages are small, have descriptions, and are all used."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import chess
from pages.generated import PICTURES, ROOT, quick_pictures
from pages.pictures.techniques import POSITION, UNTRACED, file_of
from pages.pictures.trees import TREE
from pages.pictures.walk import picture
from perft_check.generator import Position
from perft_check.generator.events import Event
from perft_check.generator.techniques.registry import ENTRIES
from perft_check.generator.techniques.tracing import Step, Trace

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


def test_a_walk_has_a_mark_for_each_step() -> None:
    steps = (
        Step("look-up", 4, targets=(3, 5)),
        Step("visit", 36, questions=2),
        Step("store", 36, move=28 << 6 | 36),
        Step("store", 44, move=28 << 6 | 44, kept=False),
        Step("test", 0),
    )
    text = picture("made", Trace(steps, 1), Position.from_fen(POSITION))
    frames = [
        re.findall(r'class="(seen|kept|lost|found)"', line) for line in text.splitlines() if '<g class="a' in line
    ]
    assert frames == [["found", "found"], ["seen"], ["kept"], ["lost"]]
    assert "looks up e1: 2 squares at once" in text
    assert "visits e5: empty, asked 2 times" in text
    assert "1 square visited, 1 look-up, 1 move stored" in text


def test_the_page_of_techniques_shows_every_walk() -> None:
    page = Path(FOLDER.parent, "techniques.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(pictures/(.*?)\)", page) == [path.name for path in WALKS]
    assert f'perft-check moves "{POSITION}" -e own:linked-list\n' in page
