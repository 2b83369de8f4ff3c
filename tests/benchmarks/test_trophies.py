"""The trophies: the lists of packages and engines, how findings are confirmed, and the page."""

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
from perft_check.harness.checking.causes import is_ordinary
from sources import Source, sources

BLOCKED = "1k6/8/8/8/8/8/8/Rn2K3 w Q - 0 1"
ADAPTER = re.compile(r"(?:^|:|node )([a-z_]+)(?::[a-z_]+$|(\.mjs)|(\.json))")


class PythonChess(References):
    """python-chess alone, without Stockfish."""

    def __init__(self) -> None:
        pass

    def legal_moves(self, fen: str, moves: tuple[str, ...]) -> frozenset[str] | None:
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        return frozenset(move.uci() for move in board.legal_moves)


def finding_with(**more: Any) -> dict[str, Any]:
    """Return a finding in the form of the JSON report."""
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
        spec = package.resolved_spec(Path("/some where"))
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
def test_python_chess_confirms_the_bugs_in_engines(source: Source) -> None:
    for bug in source.bugs:
        board = chess.Board(bug.fen)
        for move in bug.moves:
            board.push_uci(move)
        legal = {move.uci() for move in board.legal_moves}
        assert is_ordinary(bug.fen, chess960=False)
        assert len(set(bug.wrong) & legal) == (0 if bug.says.startswith("lists ") else len(bug.wrong))


def test_a_finding_is_confirmed() -> None:
    assert confirmed(finding_with(), PythonChess(), 3.2) == BUG


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
def test_a_finding_that_is_no_bug(more: dict[str, Any]) -> None:
    assert confirmed(finding_with(**more), PythonChess(), 3.2) is None


def test_a_finding_that_the_references_contradict() -> None:
    legal = finding_with()
    legal["finding"]["wrong"][0]["uci"] = "e1d1"
    assert confirmed(legal, PythonChess(), None) is None


def test_a_crash_is_a_bug() -> None:
    bug = confirmed(finding_with(finding=None, verdict="crash", message="it ended with status 1"), PythonChess(), None)
    assert bug is not None
    assert (bug.title, bug.says, bug.references) == ("crash", "does not answer: it ended with status 1", "12 moves")


def test_a_crash_in_an_unreachable_position_is_no_bug() -> None:
    place = {"fen": "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1", "moves": [], "chess960": False}
    crash = finding_with(finding=None, verdict="crash", message="it ended", place=place, first={"place": place})
    assert confirmed(crash, PythonChess(), None) is None


def test_the_time_until_a_position_is_in_the_corpus(tmp_path: Path) -> None:
    corpus = tmp_path / "found.epd"
    assert positions_in(corpus) == []
    corpus.write_text(f"# a comment\n{BLOCKED} ;D1 15\n", encoding="utf-8")
    assert positions_in(corpus) == ["1k6/8/8/8/8/8/8/Rn2K3 w Q -"]
    assert found_after({"first": {"place": {"fen": BLOCKED}}}, {"1k6/8/8/8/8/8/8/Rn2K3 w Q -": 3.2}) == 3.2


def test_a_cause_is_one_bug() -> None:
    shown = [finding_with(first={"place": {"fen": fen}}) for fen in (BLOCKED, BLOCKED)]
    cause = {"title": "extra move: Castling", "positions": 62, "failures": [f"extra castling: {BLOCKED}"]}
    bug = bug_of(cause, shown, {"1k6/8/8/8/8/8/8/Rn2K3 w Q -": 3.2}, PythonChess())
    assert bug == replace(BUG, title="extra move: Castling", examples=62)
    assert bug_of({**cause, "failures": []}, shown, {}, PythonChess()) is None


@needs_stockfish
@pytest.mark.slow
def test_drawn_positions_are_not_compared() -> None:
    references = References(f"uci:{STOCKFISH}")
    for fen in ("8/8/8/8/8/k7/8/4K3 w - - 0 36", "1k6/8/8/8/8/8/8/Rn2K3 w Q - 100 90"):
        assert references.legal_moves(fen, ()) is None
    assert len(references.legal_moves(BLOCKED, ("e1d1",)) or ()) == 6


def test_the_readme_has_the_figures_of_the_page() -> None:
    shown = (ROOT / "benchmarks" / "trophies" / "trophies.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for noun in ("packages", "engines"):
        figures = re.search(rf"[\d,]+ bugs in \d+ of \d+ {noun}", shown)
        assert figures is not None
        assert figures[0] in readme
