"""The trophies: the list of packages is in order, finds are confirmed by others, and the page shows the results."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest
from confirming import ConfirmedBug, References, confirmed
from helpers.program import STOCKFISH, needs_stockfish
from hunt import bug_of, found_after, positions_in
from packages import REGISTRIES, ROOT, packages
from page import Conditions, Result, page
from perft_check.harness.checking.causes import is_ordinary
from sources import Source, sources

BLOCKED = "1k6/8/8/8/8/8/8/Rn2K3 w Q - 0 1"
ADAPTER = re.compile(r"(?:^|:|node )([a-z_]+)(?::[a-z_]+$|(\.mjs)|(\.json))")


class PythonChess(References):
    """One reference is enough for a test."""

    def __init__(self) -> None:
        pass

    def legal_moves(self, fen: str, moves: tuple[str, ...]) -> frozenset[str] | None:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        return frozenset(move.uci() for move in board.legal_moves)


def find(**more: Any) -> dict[str, Any]:
    """Return a finding as the JSON report has it."""
    place = {"fen": BLOCKED, "moves": [], "chess960": False}
    wrong = {"uci": "e1c1", "kind": "extra", "title": "Castling through pieces", "sentence": "A knight is in the way."}
    finding = {"fen": BLOCKED, "base_fen": None, "base_moves": [], "wrong": [wrong]}
    known = {
        "is_of_engine": True,
        "reproducible": True,
        "reachability": "reachable",
        "verdict": "mismatch",
        "times": 31,
    }
    return {
        "name": "extra castling",
        "place": place,
        "finding": finding,
        "message": "",
        "first": {"place": place},
        **known,
        **more,
    }


BUG = ConfirmedBug(
    title="extra move: Castling through pieces",
    fen=BLOCKED,
    moves=(),
    wrong=("e1c1",),
    says="lists e1c1",
    sentence="A knight is in the way.",
    references="12 moves, without e1c1",
    seconds=3.2,
    examples=31,
)


def test_the_list_of_packages() -> None:
    listed = packages()
    assert len(listed) >= 25
    assert len({package.name for package in listed}) == len(listed)
    assert {package.registry for package in listed} == set(REGISTRIES)
    for package in listed:
        assert package.version
        spec = package.filled(Path("/some where"))
        assert "{" not in spec
        for module, *endings in ADAPTER.findall(spec):
            files = [f"{module}{ending}" for ending in endings if ending] or [f"{module}.py"]
            is_kernel = module in ("pyrust_chess",)
            assert is_kernel or all((ROOT / package.folder / file).exists() for file in files), spec


def test_the_engines_from_public_sources() -> None:
    listed = sources()
    assert len(listed) >= 55
    assert len({source.repository for source in listed}) == len(listed)
    assert not {source.name for source in listed} & {package.name for package in packages()}
    for source in listed:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", source.repository)
        assert re.fullmatch(r"[0-9a-f]{40}", source.commit)
        assert source.language in ("C", "C++", "Go", "Java", "JavaScript", "Python", "Rust")
        assert source.positions > 0
        assert set(source.found) in (set(), {"with", "without"})
        assert not any(source.found.values()) or source.bugs


@pytest.mark.parametrize(
    "source", [source for source in sources() if source.bugs], ids=lambda source: source.repository
)
def test_python_chess_contradicts_what_was_found_in_engines(source: Source) -> None:
    for bug in source.bugs:
        board = chess.Board(bug.fen)
        for move in bug.moves:
            board.push_uci(move)
        legal = {move.uci() for move in board.legal_moves}
        assert is_ordinary(bug.fen, chess960=False)
        assert len(set(bug.wrong) & legal) == (0 if bug.says.startswith("lists ") else len(bug.wrong))


def test_a_find_is_confirmed() -> None:
    assert confirmed(find(), PythonChess(), 3.2) == BUG


@pytest.mark.parametrize(
    "more",
    [
        {"is_of_engine": False},
        {"reproducible": False},
        {"reachability": "valid"},
        {"place": {"fen": BLOCKED, "moves": [], "chess960": True}},
        {"finding": None, "verdict": "timeout"},
    ],
)
def test_what_is_no_bug(more: dict[str, Any]) -> None:
    assert confirmed(find(**more), PythonChess(), 3.2) is None


def test_what_the_references_contradict() -> None:
    legal = find()
    legal["finding"]["wrong"][0]["uci"] = "e1d1"
    assert confirmed(legal, PythonChess(), None) is None


def test_a_crash_is_a_bug_of_its_own() -> None:
    bug = confirmed(find(finding=None, verdict="crash", message="it ended with status 1"), PythonChess(), None)
    assert bug is not None
    assert (bug.title, bug.says, bug.references) == ("crash", "does not answer: it ended with status 1", "12 moves")


def test_a_crash_where_no_game_leads_is_no_bug() -> None:
    place = {"fen": "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1", "moves": [], "chess960": False}
    crash = find(finding=None, verdict="crash", message="it ended", place=place, first={"place": place})
    assert confirmed(crash, PythonChess(), None) is None


def test_when_a_find_was_kept(tmp_path: Path) -> None:
    corpus = tmp_path / "found.epd"
    assert positions_in(corpus) == []
    corpus.write_text(f"# a comment\n{BLOCKED} ;D1 15\n", encoding="utf-8")
    assert positions_in(corpus) == ["1k6/8/8/8/8/8/8/Rn2K3 w Q -"]
    assert found_after({"first": {"place": {"fen": BLOCKED}}}, {"1k6/8/8/8/8/8/8/Rn2K3 w Q -": 3.2}) == 3.2


def test_a_cause_is_one_bug() -> None:
    shown = [find(first={"place": {"fen": fen}}) for fen in (BLOCKED, BLOCKED)]
    cause = {"title": "extra move: Castling", "positions": 62, "failures": [f"extra castling: {BLOCKED}"]}
    bug = bug_of(cause, shown, {"1k6/8/8/8/8/8/8/Rn2K3 w Q -": 3.2}, PythonChess())
    assert bug == replace(BUG, title="extra move: Castling", examples=62)
    assert bug_of({**cause, "failures": []}, shown, {}, PythonChess()) is None


@needs_stockfish
@pytest.mark.slow
def test_a_drawn_position_shows_nothing() -> None:
    references = References(f"uci:{STOCKFISH}")
    for fen in ("8/8/8/8/8/k7/8/4K3 w - - 0 36", "1k6/8/8/8/8/8/8/Rn2K3 w Q - 100 90"):
        assert references.legal_moves(fen, ()) is None
    assert len(references.legal_moves(BLOCKED, ("e1d1",)) or ()) == 6


def test_the_readme_says_what_the_page_says() -> None:
    shown = (ROOT / "benchmarks" / "trophies" / "trophies.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for those in ("packages", "engines"):
        told = re.search(rf"[\d,]+ bugs in \d+ of \d+ {those}", shown)
        assert told is not None
        assert told[0] in readme


def test_the_page() -> None:
    results = [Result("right", "1.0", "npm", 1234, ()), Result("wrong|", "2.0", "PyPI", 99, (BUG,), "a note")]
    text = page(results, [], Conditions(30, "1.11.2", "Stockfish 15.1"))
    assert "30 s each" in text
    assert "It found 1 bug in 1 of 2 packages." in text
    assert text.partition("| --- | --- |")[2].partition("\n")[2] == PAGE


def test_the_page_of_engines_from_public_sources() -> None:
    right = Source("right", "someone/right", "0" * 40, "C", "UCI", 1234, 60.0, ())
    wrong = replace(right, name="wrong|", repository="some_one/wrong", bugs=(BUG,), note="a note")
    text = page([], [right, wrong], Conditions(30, "1.11.2", "Stockfish 15.1"))
    assert "at most\n60 s each, under the same conditions. It found 1 bug in 1 of 2 engines." in text
    assert text.partition("| --- | --- | --- | --- |")[2].partition("\n")[2] == ENGINES


def test_the_page_says_how_soon_bugs_were_found_with_coverage_and_without() -> None:
    wrong = Source(
        "wrong", "a/wrong", "0" * 40, "C", "UCI", 1, 60.0, (BUG,), found={"with": (1.24, 2_000), "without": None}
    )
    right = replace(wrong, name="right", bugs=(), found={"with": None, "without": None})
    text = page([], [wrong, right, replace(wrong, found={})], Conditions(30, "1.11.2", "Stockfish 15.1"))
    assert "2 engines in C, C++ and Rust were built once more" in text
    assert "In 1 neither way found a bug." in text
    assert "\nNot tried both ways, of the engines in these languages: 1." in text
    assert text.count("| wrong | C | - | - | 1.2 s | 2,000 |") == 1
    assert "| right | C | -" not in text


PAGE = """\
| wrong\\| 2.0 | PyPI | 99 | 1 | 3 s | a note |
| right 1.0 | npm | 1,234 | 0 | - |  |

## wrong\\| 2.0 (PyPI)

1. **extra move: Castling through pieces**, after 3 s, in 31 positions
   - `1k6/8/8/8/8/8/8/Rn2K3 w Q - 0 1`
   - It lists e1c1. A knight is in the way.
   - Stockfish and python-chess: 12 moves, without e1c1.
"""

ENGINES = """\
| wrong\\| | C | some\\_one/wrong 0000000000 | UCI | 1,234 | 1 | 3 s | a note |
| right | C | someone/right 0000000000 | UCI | 1,234 | 0 | - |  |

### wrong\\| (C)

1. **extra move: Castling through pieces**, after 3 s, in 31 positions
   - `1k6/8/8/8/8/8/8/Rn2K3 w Q - 0 1`
   - It lists e1c1. A knight is in the way.
   - Stockfish and python-chess: 12 moves, without e1c1.
"""
