"""Engines that do not play moves after a FEN are detected, and are sent the FEN after the moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import quirky, quirky_descriptor, quirky_program, quirky_script
from helpers.program import WIDE, Run

pytestmark = pytest.mark.slow  # most tests start processes

REFUSAL = """not played (does not answer, and is ready for more; it said "error: unexpected argument 'moves'")"""


@pytest.mark.parametrize(
    ("quirks", "message"),
    [
        ([], "played"),
        (["moves=errors"], f"{REFUSAL}: it is sent the FEN after them"),
        (["moves=ignores"], "ignored: it is sent the FEN after them"),
        (["moves=dies"], "not played (exited with status 2: unexpected moves): it is sent the FEN after them"),
        (["moves=mute"], "not played (does not answer, and is ready for more): it is sent the FEN after them"),
    ],
)
def test_doctor_reports_whether_moves_are_played(run: Run, quirks: list[str], message: str) -> None:
    done = run("doctor", "-e", quirky(*quirks), **WIDE)
    assert done.returncode == 0
    assert [line.split(maxsplit=4)[-1] for line in done.stdout.splitlines() if "moves after" in line] == [message]


@pytest.mark.parametrize("kind", ["errors", "mute", "ignores", "dies"])
def test_correct_engine_that_plays_no_moves_has_no_findings(fuzz: Run, kind: str) -> None:
    done = fuzz("-e", quirky(f"moves={kind}"), "--careful", "--examples", "8", "--seed", "2", "--jobs", "1")
    assert (done.returncode, "no fault of quirks.py found in 8 positions" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize("kind", ["errors", "mute"])
def test_engine_without_isready_is_waited_for_once(fuzz: Run, tmp_path: Path, kind: str) -> None:
    engine = quirky_descriptor(tmp_path / "plain.json", "plain", f"moves={kind}")
    done = fuzz("-e", engine, "--careful", "--timeout", "4", "--examples", "8", "--seed", "2", "--jobs", "1")
    assert (done.returncode, "no fault of plain found in 8 positions" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize(
    ("quirks", "message"),
    [
        ([], "played"),
        (["moves=ignores"], "ignored: it is sent the FEN after them"),
        (["moves=dies"], "not played (exited with status 2: unexpected moves): it is sent the FEN after them"),
        (["moves=mute"], "not played (exited with status 1): it is sent the FEN after them"),
    ],
)
@pytest.mark.parametrize("kind", ["script", "cmd"])
def test_program_without_moves(run: Run, fuzz: Run, kind: str, quirks: list[str], message: str) -> None:
    engine = quirky_script(*quirks) if kind == "script" else f"{quirky_program(*quirks)} {{moves?}}"
    done = run("doctor", "-e", engine, **WIDE)
    assert [line.split(maxsplit=4)[-1] for line in done.stdout.splitlines() if "moves after" in line] == [message]
    done = fuzz("--replay", "4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1 moves c2c4 d4c3", "-e", engine)
    assert (done.returncode, "no fault" in done.stdout) == (0, True), done.stdout
