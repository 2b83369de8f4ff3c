"""A root move in a form that cannot be read is quoted, and the move that is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import quirky, quirky_descriptor, quirky_program, quirky_script
from helpers.program import WIDE, Run
from perft_check.generator import Position
from perft_check.harness.engines.stdio.transcript import Transcript

FORMS = [
    (
        "4k3/8/8/6pP/8/8/8/4K3 w - g6 0 1 ;D1 7",
        ["h5g6:hxg6"],
        "a root move is written in an unknown way, as in 'hxg6: 1': h5g6 is missing",
    ),
    (
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 ;D1 16",
        ["e1c1:Castle"],
        "a root move is written in an unknown way, as in 'Castle: 1': e1c1 is missing",
    ),
    (
        "7k/4P3/8/8/8/8/8/K7 w - - 0 1 ;D1 7",
        ["e7e8q:e8=Q", "e7e8n:e8=N"],
        "a root move is written in an unknown way, as in 'e8=Q: 1' and 'e8=N: 1': e7e8n and e7e8q are missing",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5",
        ["e1d1:e1xx"],
        "a root move is written in an unknown way, as in 'e1xx: 1': e1d1 is missing",
    ),
]


@pytest.mark.parametrize("kind", ["uci", "cmd", "script", "descriptor"])
@pytest.mark.parametrize(("case", "misspelt", "told"), FORMS)
def test_it_is_quoted(run: Run, tmp_path: Path, kind: str, case: str, misspelt: list[str], told: str) -> None:
    quirks = [f"misspells={one}" for one in misspelt]
    if kind == "descriptor":
        engine = quirky_descriptor(tmp_path / "mine.json", "plain", *quirks)
    else:
        engine = {"uci": quirky, "cmd": quirky_program, "script": quirky_script}[kind](*quirks)
    (tmp_path / "mine.epd").write_text(f"{case}\n")
    done = run("run", "-e", engine, "-s", "mine.epd", **WIDE)
    total = int(case.rpartition(" ")[2])
    sums = f"its total is {total}, its divide adds up to {total - len(misspelt)}"
    assert done.returncode == 3
    name = "mine" if kind == "descriptor" else "quirks.py"
    assert f"  {name} contradicts itself: {sums}; {told}\n" in done.stdout


@pytest.mark.parametrize(("case", "misspelt", "told"), [FORMS[0], FORMS[2], FORMS[3]])
def test_it_is_quoted_where_no_total_is_printed(
    run: Run, tmp_path: Path, case: str, misspelt: list[str], told: str
) -> None:
    engine = quirky_script("no-total", *(f"misspells={one}" for one in misspelt))
    (tmp_path / "mine.epd").write_text(f"{case}\n")
    done = run("run", "-e", engine, "-s", "mine.epd", **WIDE)
    assert done.returncode == 3
    assert f"  quirks.py is not understood: {told}\n" in done.stdout


def test_fuzz_tells_of_one_cause(fuzz: Run) -> None:
    engine = quirky("misspells=e1g1:O--O", "misspells=e8g8:O--O", "misspells=e1c1:O--O--O", "misspells=e8c8:O--O--O")
    done = fuzz("-e", engine, "--examples", "40", "--seed", "4", "--jobs", "1", "--strategy", "templates", "--careful")
    assert "1 kind of fault of quirks.py" in done.stdout
    assert "as in 'O--O" in done.stdout


@pytest.mark.parametrize(
    ("answer", "gap"),
    [
        (["e1d1: 1", "e1f1: 1", "e1d2: 1", "e1e2: 1", "Nodes: 5"], "root moves are missing, as in e1f2"),
        (
            ["depth: 1", "e1d1: 1", "e1f1: 1", "e1d2: 1", "e1e2: 1", "Time: 3", "Nodes: 5"],
            "root moves are missing, as in e1f2",
        ),
        (["e1d1: 1", "Nodes: 5"], ""),
        (["e1d1: 1", "e1f1: 1", "e1d2: 1", "e1e2: 1", "e1f2: 1", "Nodes: 6"], ""),
    ],
)
def test_a_total_may_have_a_move_that_no_line_tells(answer: list[str], gap: str) -> None:
    heard = Transcript(1, None)
    for line in answer:
        heard.hear(line)
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert heard.total is not None
    assert heard.gap(position, heard.total - heard.divide().total) == gap
