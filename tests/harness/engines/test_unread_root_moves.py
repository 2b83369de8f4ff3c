"""If only some root moves are understood, only the total is used; without a total, an unread line is quoted."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import quirky, quirky_descriptor, quirky_program, quirky_script
from helpers.program import WIDE, Run
from perft_check.generator import Position
from perft_check.harness.engines.stdio.transcript import Transcript

FORMS = [
    ("4k3/8/8/6pP/8/8/8/4K3 w - g6 0 1 ;D1 7", ["h5g6:hxg6"]),
    ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 ;D1 16", ["e1c1:Castle"]),
    ("7k/4P3/8/8/8/8/8/K7 w - - 0 1 ;D1 7", ["e7e8q:e8=Q", "e7e8n:e8=N"]),
    ("7k/4P3/8/8/8/8/8/K7 w - - 0 1 ;D1 7", ["e7e8q:Queen!", "e7e8n:Knight!"]),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5", ["e1d1:e1xx"]),
]
"""Cases, and root moves with the texts that replace them."""


def engine_of(folder: Path, engine_type: str, *quirks: str) -> str:
    if engine_type == "descriptor":
        return quirky_descriptor(folder / "mine.json", "plain", *quirks)
    return {"uci": quirky, "cmd": quirky_program, "script": quirky_script}[engine_type](*quirks)


@pytest.mark.parametrize(
    ("engine_type", "case", "misspelt"),
    [
        (engine_type, *form)
        for number, form in enumerate(FORMS)
        for engine_type in ("uci", ("cmd", "script", "descriptor")[number % 3])
    ],
)
def test_only_the_total_is_used(run: Run, tmp_path: Path, engine_type: str, case: str, misspelt: list[str]) -> None:
    engine = engine_of(tmp_path, engine_type, *(f"misspells={one}" for one in misspelt))
    (tmp_path / "mine.epd").write_text(f"{case}\n")
    done = run("run", "-e", engine, "-s", "mine.epd", **WIDE)
    assert (done.returncode, "the one position agrees" in done.stdout) == (0, True), done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "misspelt", "message"),
    [
        (*FORMS[1], "as in 'Castle: 1': e1c1 is missing"),
        (*FORMS[4], "as in 'e1xx: 1': e1d1 is missing"),
    ],
)
def test_unread_line_is_quoted_if_no_total_is_printed(
    run: Run, tmp_path: Path, case: str, misspelt: list[str], message: str
) -> None:
    engine = quirky_script("no-total", *(f"misspells={one}" for one in misspelt))
    (tmp_path / "mine.epd").write_text(f"{case}\n")
    done = run("run", "-e", engine, "-s", "mine.epd", **WIDE)
    read_as_few = (
        "is not understood: a root move is written in an unknown way" in done.stdout and message in done.stdout
    )
    assert (done.returncode, read_as_few) == (3, True), done.stdout


@pytest.mark.slow
def test_fuzz_compares_only_totals(fuzz: Run) -> None:
    engine = quirky("misspells=e1g1:O--O", "misspells=e8g8:O--O", "misspells=e1c1:O--O--O", "misspells=e8c8:O--O--O")
    done = fuzz("-e", engine, "--examples", "40", "--seed", "4", "--jobs", "1", "--strategy", "templates", "--careful")
    assert (done.returncode, "no fault of quirks.py in 40 positions" in done.stdout) == (0, True), done.stdout


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
def test_total_may_include_an_unlisted_move(answer: list[str], gap: str) -> None:
    transcript = Transcript(1, None)
    for line in answer:
        transcript.add(line)
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert transcript.total is not None
    assert transcript.gap(position, transcript.total - transcript.divide().total) == gap
