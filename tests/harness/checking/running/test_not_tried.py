"""Each run that agrees reports what the engine was not asked for, and how to ask for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.fakes import COUNTING
from helpers.program import Run
from perft_check.harness.model.capabilities import Capability, CapabilityUse, line_of, sentence_of

MINE = f"""{COUNTING}
def moves(fen): return list(chess.Board(fen, chess960=True).legal_moves)
def count(fen, depth): return perft(chess.Board(fen, chess960=True), depth)
class Board(chess.Board): pass
"""
SUITE = ("-s", "smoke", "--max-nodes", "500")
LISTS = [
    "not tried: counts deeper than 1 (give push, or divide(fen, depth))",
    "not tried: playing moves (give push, or divide(fen, depth, moves))",
    "not tried: taking moves back (give push and pop, or divide(fen, depth))",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "expected", "explained"),
    [
        ("moves", "not tried: counts deeper than 1, playing moves and 2 more (-v explains how)", LISTS),
        ("count", "not tried: playing moves, Chess960 (-v explains how)", LISTS[1:2]),
    ],
)
def test_the_summary_says_what_was_not_tried(run: Run, name: str, expected: str, explained: list[str]) -> None:
    done = run("-e", f"python:mine:{name}", *SUITE)
    *_, above, last = done.stdout.splitlines()
    assert (done.returncode, last.startswith("all 36 positions agree")) == (0, True)
    assert above == expected
    assert run("-e", f"python:mine:{name}", *SUITE, "-q").stdout.splitlines()[0] == expected
    verbose = run("-e", f"python:mine:{name}", *SUITE, "-v").stdout.splitlines()
    assert set(explained) <= set(verbose)


@pytest.mark.parametrize("name", ["moves", "count"])
def test_untried_capabilities_fail_with_require_all(run: Run, name: str) -> None:
    done = run("-e", f"python:mine:{name}", *SUITE, "--require-all", "--report", "json=-")
    assert done.returncode == 4, done.stderr
    document = json.loads(done.stdout)
    required = [one["name"] for one in document["not_tried"] if one["is_required"]]
    assert (document["exit_code"], document["verdicts"]) == (4, {"agree": 36})
    assert "moves" in required
    done = run("-e", f"python:mine:{name}", *SUITE, "--require-all")
    assert "all 36 positions agree, but --require-all requires more than was tried" in done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_fuzz_tries_all_capabilities_of_a_class(run: Run) -> None:
    both = ("-n", "160", "--careful", "--seed", "5", "--require-all")
    done = run("fuzz", "-e", "python:mine:Board", *both, COLUMNS="1000")
    assert (done.returncode, "not tried: Chess960 (use fuzz --chess960)" in done.stdout) == (4, True), done.stdout
    done = run("fuzz", "-e", "python:mine:moves", "-n", "20", "--careful", "--require-all", "-v", COLUMNS="1000")
    assert (done.returncode, set(LISTS) <= set(done.stdout.splitlines())) == (4, True), done.stdout


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("json", '"title": "playing moves"'),
        ("jsonl", '"title":"playing moves"'),
        ("junit", '<property name="not tried" value="counts deeper than 1 ('),
        ("md", "Not tried: counts deeper than 1 "),
        ("html", "counts deeper than 1 (give push"),
        ("sarif", "not tried: counts deeper than 1 (give push"),
        ("github", "::notice title=not tried::counts deeper than 1 ("),
    ],
)
def test_every_report_says_what_was_not_tried(run: Run, folder: Path, kind: str, says: str) -> None:
    run("-e", "python:mine:moves", *SUITE, "--filter", "^zoo", "--report", f"{kind}=report", COLUMNS="200")
    text = (folder / "report").read_text()
    assert says in text, text[-3000:]


def test_essential_capabilities_come_first_and_inapplicable_ones_are_omitted() -> None:
    advice = dict.fromkeys(Capability, "ask")
    use = CapabilityUse(frozenset({Capability.LISTS}), {Capability.FEN: "", Capability.GENTYPES: "give lists"})
    untried = use.list_untried(advice)
    names = ["counts", "moves", "undo", "startpos", "chess960", "search", "keys", "predicates"]
    names += ["systematic", "gentypes"]
    assert [one.capability.value for one in untried] == names
    assert [one.is_required for one in untried] == [True] * 9 + [False]
    asked = (
        "counts deeper than 1, playing moves, taking moves back, the starting position by its name, Chess960, "
        "the moves of a search, its hash keys, its predicates, such as is_check, "
        "special moves on every file, wing and color"
    )
    assert sentence_of(untried) == f"{asked} (ask); lists by move type (give lists)"
    assert line_of(untried) == "counts deeper than 1, playing moves and 7 more (-v explains how)"
    assert line_of(untried, 1000) == f"{asked} (ask)"
    assert line_of(untried[-1:]) == "", "the engine cannot do it"
    other = CapabilityUse(frozenset(Capability), {Capability.GENTYPES: "give lists"})
    assert use.join(other).list_untried(advice) == ()
