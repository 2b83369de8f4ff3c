"""`run --lf`, `--durations`, `--format concise`: last failures, slowest positions, one line per failure."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from helpers.program import Run, wrong
from perft_check.suites.bundled import bundled_path
from platformdirs import user_state_path

FAULTY = "zoo:castling-through-attack"
SMOKE = ("run", "-s", "smoke", "-e", FAULTY, "--explain=none", "-q")
FAILED = [
    "ca-lost-rookxrook-both",
    "cpw-2-kiwipete",
    "walk-030",
    "zoo-right-of-wrong-color",
    "zoo-right-survives-capture",
]
"""The positions of the suite smoke that the engine counts incorrectly."""
ALL = "--lf: zoo:castling-through-attack has no known failures in these suites, so all positions are checked\n"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder in which the failures of this test are stored."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return user_state_path("perft-check") / "failures"


def kept(folder: Path) -> dict[str, list[str]]:
    (file,) = folder.iterdir()
    suites: dict[str, list[str]] = json.loads(file.read_text())["suites"]
    return suites


def test_only_what_failed_last_time_is_checked(run: Run, folder: Path) -> None:
    assert run(*SMOKE).returncode == 1
    assert kept(folder) == {"smoke": FAILED}
    done = run(*SMOKE, "--lf")
    assert (done.returncode, done.stderr) == (1, "--lf: checking only the 5 positions that failed last time, of 36\n")
    assert done.stdout.splitlines()[-1].startswith("0 of 5 positions agree, 5 mismatches from 1 cause")
    assert kept(folder) == {"smoke": FAILED}


def test_without_a_failure_all_are_checked(run: Run, folder: Path) -> None:
    done = run(*SMOKE, "--last-failed", "--filter", "start")
    assert (done.returncode, done.stderr) == (0, ALL)
    assert not folder.exists()


def test_failures_that_were_not_checked_are_kept(run: Run, folder: Path) -> None:
    run(*SMOKE)
    assert run(*SMOKE, "--filter", "startpos|cpw-2", "--max-depth", "1").returncode == 0
    assert kept(folder) == {"smoke": [name for name in FAILED if name != "cpw-2-kiwipete"]}
    assert run(*SMOKE, "--fail-fast").returncode == 1
    assert set(FAILED) - {"cpw-2-kiwipete"} <= set(kept(folder)["smoke"])


def test_failures_are_stored_for_each_engine_and_suite(run: Run, folder: Path, tmp_path: Path) -> None:
    run(*SMOKE)
    (tmp_path / "mine.epd").write_text("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 25\n")
    assert run("run", "-s", "mine.epd", "-e", FAULTY, "-q").returncode == 1
    assert set(kept(folder)) == {"smoke", str(tmp_path / "mine.epd")}
    assert run("run", "-s", "mine.epd", "-e", "own", "-q").returncode == 1
    assert len([*folder.iterdir()]) == 2
    assert run("run", "-s", "smoke", "-e", "own", "-q", "--lf").stderr.startswith("--lf: own has no known failures")
    assert not [*tmp_path.glob("*.json")]
    (file, _) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "[]", "{", '{"suites": 3}', '{"suites": {"smoke": 3}}', "\0"])
def test_an_unreadable_file_is_ignored(run: Run, folder: Path, text: str) -> None:
    run(*SMOKE)
    (file,) = folder.iterdir()
    file.write_text(text)
    assert run(*SMOKE, "--lf").stderr == ALL
    assert kept(folder) == {"smoke": FAILED}


@pytest.mark.skipif(os.name != "posix", reason="a file where a folder should be")
def test_a_read_only_folder_is_no_failure(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    assert run(*SMOKE).returncode == 1
    assert run(*SMOKE, "--lf").stderr == ALL


def test_the_slowest_positions_are_shown(run: Run) -> None:
    done = run("run", "-s", "smoke", "-e", "python-chess", "-q", "--durations", "3", COLUMNS="200")
    lines = [line.split() for line in done.stdout.splitlines() if line.strip()]
    assert lines[0] == ["slowest", "depth", "nodes", "time", "speed"]
    rows = lines[2:5]
    assert all(row[0].startswith("smoke:") for row in rows)
    times = [float(row[row.index("s") - 1]) for row in rows]
    assert times == sorted(times, reverse=True)
    assert lines[5][0] != rows[0][0].partition(":")[0]
    assert "'0' is not a whole number of 1 or more" in wrong(run, "run", "--durations", "0")


def test_a_failure_is_one_line_with_its_location(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.epd").write_text("# two positions\nr3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 25\n")
    done = run("run", "-s", "smoke", "-s", "mine.epd", "-e", FAULTY, "--format", "concise", "--filter", "^mine|^cpw-2")
    assert done.returncode == 1
    *lines, last = done.stdout.splitlines()
    smoke = bundled_path("smoke")
    assert ';id "cpw-2-kiwipete"' in smoke.read_text(encoding="utf-8").splitlines()[4]
    assert lines == [
        f"{smoke}:5: mismatch: cpw-2-kiwipete; depth 2: 2,043 nodes, the suite says 2,039; "
        "extra move e8c8: Castling through an attacked square [castling-through-check]",
        "mine.epd:2: mismatch: mine:2; depth 1: 26 nodes, the suite says 25; +1 nodes; own:turbo agrees with "
        "zoo:castling-through-attack: the count in the suite looks wrong",
    ]
    assert last.startswith("0 of 2 positions agree, 2 mismatches from 2 causes")
    assert wrong(run, "run", "--format", "consise").endswith("'consise': did you mean 'concise'?")
