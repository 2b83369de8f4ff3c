"""How wide lines are: as wide as the terminal, down to 60 columns; in a pipe a record is a line."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from helpers.program import Run
from helpers.terminal import plain_lines, run_on_terminal

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
WRONG = f'{KIWIPETE} ;D1 48 ;D2 2040 ;id "a name of several words, as suites of others have them"\n'
COMMANDS = [
    "-e zoo:pins-forgotten -s wrong.epd -v",
    "divide 'k7/8/8/7r/8/8/3N4/3K4 w - - 0 1' 3 -e zoo:pins-forgotten -a own:turbo -a own",
    "divide kiwipete 1 -a own",
    "divide kiwipete 2 -e zoo:right-survives-capture --self-consistency",
    "perft kiwipete 4 --stats",
    "moves kiwipete --all",
    "moves kiwipete -e own:linked-list",
    "doctor",
    "doctor -e zoo:pins-forgotten",
    "fuzz -e zoo:pins-forgotten --replay 'k7/8/8/7r/8/8/3N4/3K4 w - - 0 1'",
    "bench -e own -e own:turbo -p cpw-3 -p startpos --rounds 1",
    "zoo list",
    "zoo show pins-forgotten",
    "zoo show inner-right-not-printed",
    "suites list",
    "suites show smoke",
    "suites verify wrong.epd -a python-chess -a own",
]
SLOW = COMMANDS[5:10:2] + COMMANDS[-3:]
SCORE = "zoo score pins --method cpw"
DIVIDE = ["divide", "kiwipete", "3", "-e", "zoo:pins-forgotten", "-a", "own:turbo"]
COPIED = re.compile(r"\b(?:[1-8pnbrqkPNBRQK]+/){7}|perft-check |\bgo perft|python[3.0-9]* at |/")
"""What stands in lines that stay whole, because readers copy them: FENs and commands; and paths have no spaces."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wrong.epd").write_text(WRONG)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        *(pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW)) for one in COMMANDS),
        pytest.param(SCORE, marks=pytest.mark.long),
    ],
)
def test_lines_fit_the_terminal_and_are_records_in_a_pipe(run: Run, folder: Path, command: str) -> None:
    narrow, wide = (run(*shlex.split(command), COLUMNS=columns, FORCE_COLOR="1") for columns in ("60", "1000"))
    piped = run(*shlex.split(command), COLUMNS="20")
    assert narrow.returncode == wide.returncode == piped.returncode in (0, 1), piped.stderr
    assert [line for line in plain_lines(narrow.stdout) if len(line) > 60 and not COPIED.search(line)] == []
    assert "…" not in narrow.stdout
    lines = piped.stdout.splitlines()
    assert all(line == line.rstrip() for line in lines)
    if command != SCORE:  # its curve is one of seconds
        assert list(map(_timeless, lines)) == list(map(_timeless, plain_lines(wide.stdout)))


def _timeless(line: str) -> str:
    """Return a line without times, speeds, and the width that they give to their columns."""
    figures = re.sub(r"[ ─]*\d[\d.,]*(?: [kMG])?(?: ?[kMG]?n/s| ms| s|\b)[ ─]*", "#", re.sub("─+", "─", line))
    return re.sub(r"(?<=\S) +", " ", figures)


@pytest.mark.slow
def test_sentences_are_whole_in_a_pipe(run: Run) -> None:
    done = run("divide", "kiwipete", "3", "-e", "zoo:pins-forgotten", "-a", "own:turbo")
    sentence = "d2e1 extra: The bishop on d2 is pinned against the king on c1 by the bishop on h6, and leaves that line"
    assert any(sentence in line and line.endswith("by going to e1.") for line in done.stdout.splitlines())


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


@pytest.mark.slow
def test_commands_and_fens_are_whole_on_a_narrow_terminal(folder: Path) -> None:
    status, sampled = run_on_terminal(["-s", "wrong.epd"], folder, columns=60)
    assert status == 1
    assert f"  {KIWIPETE}" in plain_lines(sampled)
    status, sampled = run_on_terminal(DIVIDE, folder, columns=60)
    assert status == 1
    again = [line for line in plain_lines(sampled) if line.startswith("reproduce: ")]
    assert again[0] == f"reproduce: perft-check divide '{KIWIPETE}' 3 -e zoo:pins-forgotten -a own:turbo"


def test_the_width_is_that_of_the_terminal(folder: Path) -> None:
    for columns in (60, 110):
        _, sampled = run_on_terminal(["perft", "--help"], folder, columns)
        assert columns - 12 < max(map(len, plain_lines(sampled))) <= columns


def test_a_terminal_narrower_than_60_columns_breaks_lines_itself(run: Run) -> None:
    assert (
        run("suites", "list", COLUMNS="30", FORCE_COLOR="1").stdout
        == run("suites", "list", COLUMNS="60", FORCE_COLOR="1").stdout
    )


def test_a_pipe_in_color_has_no_width_either(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    piped = run("zoo", "show", "castling-from-check", FORCE_COLOR="1", COLUMNS="")
    assert plain_lines(piped.stdout) == plain_lines(run("zoo", "show", "castling-from-check").stdout)
