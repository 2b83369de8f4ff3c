"""The pictures of the pages are what their script makes."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import chess
import pytest
from events_page import sections
from perft_check.generator import Position
from perft_check.generator.events import Event
from perft_check.generator.techniques.registry import ENTRIES
from perft_check.generator.techniques.tracing import Step, Trace
from pictures.all import FOLDER, pictures, quick_pictures
from pictures.techniques import POSITION, UNTRACED, file_of
from pictures.trees import TREE
from pictures.walk import picture

MOST_BYTES = 60_000
REMAKE = "make them anew: cd tools && python -m pictures"
WALKS = [FOLDER / file_of(name) for name in ENTRIES if name not in UNTRACED]


def kept() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}


def test_boards_and_trees_are_what_the_script_makes() -> None:
    made = quick_pictures()
    assert len(made) == 113
    for name, text in made.items():
        assert kept()[name] == text, (name, REMAKE)


def test_a_tree_has_as_many_leaves_as_perft_counts_by_python_chess() -> None:
    board, leaves = chess.Board(TREE), 0
    for move in list(board.legal_moves):
        board.push(move)
        leaves += board.legal_moves.count()
        board.pop()
    assert f">perft 2 = {leaves}<" in kept()["perft.svg"]
    assert kept()["perft.svg"].count("<circle") == leaves + chess.Board(TREE).legal_moves.count() + 1


def test_the_page_of_concepts_shows_every_event() -> None:
    page = Path(FOLDER.parent, "concepts.md").read_text(encoding="utf-8")
    assert page.endswith(sections() + "\n"), "remake it: cd tools && python -m events_page"
    shown = re.findall(r"\]\(pictures/(.*?)\)", page)
    assert sorted([*shown, "two-plies.svg"]) == sorted(quick_pictures())
    assert all(f"**{event.label}**: {event.sentence}" in page for event in Event)


@pytest.mark.slow
def test_all_pictures_are_what_the_script_makes() -> None:
    made = pictures()
    assert kept().keys() == made.keys(), REMAKE
    for name, text in made.items():
        assert kept()[name] == text, (name, REMAKE)


def test_pictures_are_small_and_say_what_they_show() -> None:
    for name, text in kept().items():
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
    assert f'perft-check moves "{POSITION}" -e own:linked-list --trace' in page
