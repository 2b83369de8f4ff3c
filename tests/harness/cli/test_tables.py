"""The output of every command at every width, on a terminal and in a pipe, compared with snapshots.

Times and speeds are always the same here. UPDATE_SNAPSHOTS=1 updates the snapshots.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from helpers.commands import commands
from helpers.made_outcomes import OUTCOMES
from helpers.made_pages import BENCH
from helpers.program import Run
from helpers.terminal import call_on_terminal, compare_with_snapshot, plain_lines, run_on_terminal
from perft_check import reports
from perft_check.harness import cli
from perft_check.harness.zoo.hunt import OutcomeFile
from perft_check.reports import text

SNAPSHOTS = Path(__file__).parent / "snapshots"
WIDTHS = (60, 80, 100, 200)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SUITE = f"""\
{KIWIPETE} ;D1 48 ;D2 2040 ;id "a name of several words, as suites of others have them"
k7/8/8/3r4/8/8/3N4/3K4 w - - 0 1 ;D1 4 ;id "pinned"
k7/8/8/7r/8/8/3N4/3K4 w - - 0 1 ;D1 10 ;D3 2000 ;id "free"
"""
CRASHES = """
import chess

def moves(fen):
    if " b " in fen:
        raise RuntimeError("no attacks of a slider for the key " + "of very many bits " * 8)
    return [move.uci() for move in chess.Board(fen).legal_moves]
"""
CRASHED = """\
4k3/8/8/8/8/8/8/4K2R b K - 0 1 ;D1 5 ;id "first"
4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 14 ;id "second"
"""
HUNTED = "zoo score --results score.jsonl --no-hunt --method fuzz --method smoke --seeds 2 --budget 10s"
COMMANDS = {
    "run": ["-s smoke -s chess960-special -s setups", "-s wrong.epd -e zoo:pins-forgotten -v"],
    "run durations": ["-s wrong.epd --filter free --max-depth 1 --durations 5"],
    "run crashes": ["-s crashed.epd -e python:crashes:moves"],
    "perft": ["perft kiwipete 4 --stats"],
    "divide": [
        "divide 'k7/8/8/7r/8/8/3N4/3K4 w - - 0 1' 3 -e zoo:pins-forgotten -a own:turbo -a python-chess",
        "divide 'k7/8/8/7r/8/8/3N4/3K4 w - - 0 1' 1 -a own",
    ],
    "moves": ["moves kiwipete --type CAPTURES", "moves 'k7/8/8/8/8/2N5/8/K7 w - - 0 1' -e own:linked-list"],
    "count": ["count startpos 3 --ledger ledger.db"],
    "bench": ["bench -p kiwipete"],
    "fuzz": ["fuzz -e own --examples 20 --seed 1 -j 1 -v"],
    "explain": ["explain", "explain pinned"],
    "doctor": ["doctor -e zoo:pins-forgotten"],
    "init": ["init -e own", "init -e zoo:pins-forgotten --name 'the old one'"],
    "suites list": ["suites list"],
    "suites show": ["suites show crashed.epd"],
    "suites make": ["suites make mine.epd --from crashed.epd --depth 2"],
    "zoo list": ["zoo list castling"],
    "zoo show": ["zoo show pins-forgotten", "zoo show inner-right-not-printed"],
    "zoo score": [HUNTED],
}
"""Command lines whose output is kept."""
SLOW = ("fuzz", "run crashes", "doctor", "init")
WITHOUT_TABLE = {
    "diagnose": "no table; tests/harness/cli/test_diagnose.py has its lines",
    "explore": "a screen of its own",
    "cover": "it needs an engine with counters; tests/reports/test_coverage.py looks at what it shows",
    "worker": "it answers a cluster",
    "uci": "it speaks UCI",
    "zoo serve": "it speaks UCI",
}
"""Commands that are not carried out here, and why."""
STAYS_WHOLE = re.compile(r"\b(?:[1-8pnbrqkPNBRQK]+/){7}|perft-check |python[3.0-9]* at ")
"""What stands in lines that are not broken, since readers copy them."""


def test_no_command_is_forgotten() -> None:
    known = {re.sub(" (crashes|durations)$", "", name) for name in COMMANDS} | set(WITHOUT_TABLE)
    assert known == {" ".join(path) for path, command in commands() if path and not hasattr(command, "commands")}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with suites and a score; what is printed there has always the same times."""
    same = {text.speed: lambda nodes, _seconds: "98.7 Mn/s" if nodes else "", text.duration: lambda _seconds: "0.12 s"}
    rooms = [one for room in (reports, cli) for one in walk_packages(room.__path__, f"{room.__name__}.")]
    for module in [import_module(one.name) for one in rooms]:
        for function, always in same.items():
            if getattr(module, function.__name__, None) is function:
                monkeypatch.setattr(module, function.__name__, always)
    monkeypatch.setattr("perft_check.harness.cli.actions.bench._run", lambda *_: BENCH)
    (tmp_path / "wrong.epd").write_text(SUITE)
    (tmp_path / "crashed.epd").write_text(CRASHED)
    (tmp_path / "crashes.py").write_text(CRASHES)
    results = OutcomeFile(tmp_path / "score.jsonl")
    for outcome in OUTCOMES:
        results.keep(outcome, 2)
    return tmp_path


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] if one in SLOW else []) for one in COMMANDS]
)
def test_every_table_fits(run: Run, folder: Path, name: str) -> None:
    shown: list[str] = []
    for line in COMMANDS[name]:
        arguments, places = shlex.split(line), defaultdict[str, list[str]](list)
        for columns in WIDTHS:
            (folder / "perft-check.toml").unlink(missing_ok=True)
            status, sampled = call_on_terminal(folder, arguments, columns)
            assert status in (0, 1, 3), sampled
            lines = plain_lines(sampled)
            assert [one for one in lines if len(one) > columns and not STAYS_WHOLE.search(one)] == []
            places["\n".join(lines)].append(str(columns))
        (folder / "perft-check.toml").unlink(missing_ok=True)
        piped = run(*arguments, COLUMNS="20").stdout.removesuffix("\n")
        assert [one for one in piped.split("\n") if one != one.rstrip()] == []
        places[piped].append("pipe")
        shown += (f"=== perft-check {line}  [{', '.join(at)}]\n{said}\n" for said, at in places.items())
    compare_with_snapshot(SNAPSHOTS / f"{name.replace(' ', '-')}.txt", "".join(shown))


@pytest.mark.slow
def test_figures_are_never_cut(run: Run) -> None:
    """Where the counts of all depths do not fit, those of the least depths are left out."""
    narrow = plain_lines(run("perft", "kiwipete", "5", "--stats", COLUMNS="60", FORCE_COLOR="1").stdout)
    assert [line.split() for line in narrow[-12:]] == [
        ["depth", "1", "2", "3", "4", "5"],
        ["nodes", "48", "2,039", "97,862", "4,085,603", "193,690,690"],
        ["captures", "8", "351", "17,102", "757,163", "35,043,416"],
        ["en", "passant", "0", "1", "45", "1,929", "73,365"],
        ["castles", "2", "91", "3,162", "128,013", "4,993,637"],
        ["promotions", "0", "0", "0", "15,172", "8,392"],
        ["checks", "0", "3", "993", "25,523", "3,309,887"],
        ["discovered", "checks", "0", "0", "0", "42", "19,883"],
        ["double", "checks", "0", "0", "0", "6", "2,645"],
        ["mates", "0", "0", "1", "43", "30,171"],
        ["columns", "left", "out:", "0"],
        ["193690690"],
    ]


def test_the_width_is_that_of_the_terminal(tmp_path: Path) -> None:
    for columns in (60, 110):
        _, sampled = run_on_terminal(["perft", "--help"], tmp_path, columns)
        assert columns - 12 < max(map(len, plain_lines(sampled))) <= columns


def test_a_terminal_narrower_than_60_columns_breaks_lines_itself(run: Run) -> None:
    assert (
        run("suites", "list", COLUMNS="30", FORCE_COLOR="1").stdout
        == run("suites", "list", COLUMNS="60", FORCE_COLOR="1").stdout
    )


def test_a_pipe_in_color_has_no_width_either(run: Run) -> None:
    piped = run("zoo", "show", "castling-from-check", FORCE_COLOR="1", COLUMNS="")
    assert plain_lines(piped.stdout) == plain_lines(run("zoo", "show", "castling-from-check").stdout)
