"""Failures that are not reproduced, and those that a baseline lists, do not fail a run."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from helpers.program import WIDE, Run, wrong

WRONG_ONCE = """\
import os
import chess

ASKED = 0


def moves(fen):
    global ASKED
    ASKED += 1
    legal = [move.uci() for move in chess.Board(fen).legal_moves]
    if ASKED == 10 and not os.path.exists("flag"):
        open("flag", "w").close()
        return legal + legal[:1]
    return legal
"""
WRONG_AT_THE_TENTH = WRONG_ONCE.replace(' and not os.path.exists("flag")', "")
WRONG_LATER = WRONG_ONCE.replace("ASKED == 10", "ASKED == 16")
"""`fuzz` asks about ten positions before it draws any."""
SMALL = ("-n", "20", "--strategy", "walks", "--seed", "1", "-j", "1", "--depth", "1", "--careful")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "once.py").write_text(WRONG_ONCE)
    (tmp_path / "later.py").write_text(WRONG_LATER)
    (tmp_path / "tenth.py").write_text(WRONG_AT_THE_TENTH)
    return tmp_path


@pytest.mark.slow
def test_a_find_that_does_not_come_again_is_no_fault(fuzz: Run, folder: Path) -> None:
    done = fuzz("-e", "python:later:moves", *SMALL)
    assert (folder / "flag").exists()
    assert done.returncode == 0, done.stdout
    assert "1. not reproduced: " in done.stdout
    assert "; not reproduced in a new process, even by replaying all " in done.stdout
    lines = done.stdout.splitlines()
    assert "no fault of python:later:moves found in 20 positions, and 1 failure not reproduced" in lines
    assert lines[-1].startswith("reproduce: perft-check fuzz --replay ")


@pytest.mark.slow
def test_it_counts_if_asked_to(fuzz: Run, folder: Path) -> None:
    done = fuzz("-e", "python:later:moves", *SMALL, "--fail-not-reproduced", "--report", "json=r.json")
    assert done.returncode == 1, done.stdout
    report = json.loads((folder / "r.json").read_text())
    assert [finding["verdict"] for finding in report["findings"]] == ["not reproduced"]
    assert report["exit_code"] == 1


@pytest.mark.slow
def test_a_fault_that_needs_its_history_is_one(fuzz: Run, folder: Path) -> None:
    """The replay asks for all of it."""
    done = fuzz("-e", "python:tenth:moves", *SMALL)
    assert done.returncode == 1, done.stdout
    assert "; this position alone may not reproduce it, so the command below replays all " in done.stdout
    again = next(line for line in done.stdout.splitlines() if line.startswith("reproduce: "))
    done = fuzz(*shlex.split(again)[3:], **WIDE)
    assert done.returncode == 1, done.stdout


COUNTS = {"4K3": 5, "3K4": 5, "2K5": 5, "1K6": 5, "K7": 3, "5K2": 5, "6K1": 5, "7K": 3, "4K2R": 14, "3QK3": 21}
COUNTS |= {"4KN2": 8, "N3K3": 7}
SUITE = "".join(f"4k3/8/8/8/8/8/8/{rank} w - - 0 1 ;D1 {count}\n" for rank, count in COUNTS.items())
"""Twelve positions, of which the tenth question is one."""


def suite_in(folder: Path) -> tuple[str, ...]:
    (folder / "twelve.epd").write_text(SUITE)
    return "-s", "twelve.epd", "-j", "1"


@pytest.mark.slow
def test_a_case_that_is_right_when_asked_anew_is_no_mismatch(run: Run, folder: Path) -> None:
    done = run("-e", "python:once:moves", *suite_in(folder), COLUMNS="1000")
    assert done.returncode == 0, done.stdout
    assert "NOT REPRODUCED  twelve:" in done.stdout
    assert "; a new process, asked for all " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("11 of 12 positions agree, 1 not reproduced")
    again = next(line for line in done.stdout.splitlines() if "reproduce: perft-check fuzz --replay " in line)
    assert again.endswith(" -e python:once:moves --depth 1")
    assert run(*shlex.split(again)[2:], "-a", "own").returncode == 0


@pytest.mark.slow
def test_such_a_case_counts_if_asked_to(run: Run, folder: Path) -> None:
    done = run("-e", "python:once:moves", *suite_in(folder), "--fail-not-reproduced", "--report", "json=-")
    assert done.returncode == 1, done.stdout
    report = json.loads(done.stdout)
    assert report["verdicts"] == {"agree": 11, "not reproduced": 1}
    (failed,) = (result for result in report["results"] if result["verdict"] != "agree")
    assert failed["at_first"] == "mismatch"
    assert Path(failed["replay"]).read_text().count("\n") == int(failed["message"].split(" position")[0].split()[-1])


@pytest.mark.slow
def test_a_case_that_needs_its_history_is_a_mismatch(run: Run, folder: Path) -> None:
    done = run("-e", "python:tenth:moves", *suite_in(folder), COLUMNS="1000")
    assert done.returncode == 1, done.stdout
    assert "; a new process fails only once it has been asked for all " in done.stdout
    assert done.stdout.splitlines()[-1].startswith("11 of 12 positions agree, 1 mismatch")


@pytest.mark.slow
def test_a_crash_that_comes_once_is_not_reproduced(run: Run, folder: Path) -> None:
    crashes = WRONG_ONCE.replace("return legal + legal[:1]", "os.abort()")
    (folder / "crashes.py").write_text(crashes)
    done = run("-e", "python:crashes:moves", *suite_in(folder), "--report", "json=-")
    assert done.returncode == 0, done.stdout
    assert [r["at_first"] for r in json.loads(done.stdout)["results"] if r["verdict"] == "not reproduced"] == ["crash"]


SUITE_OF_BASELINE = """\
7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1 ;D1 4 ;D2 45 ;D3 257 ;id "pinned"
4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;id "castling"
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;id "start"
"""
COMMAND = ("run", "-s", "suite.epd", "-e", "zoo:ep-pinned-along", "--baseline", "known.json")


@pytest.fixture(autouse=True)
def _suite(tmp_path: Path) -> None:
    (tmp_path / "suite.epd").write_text(SUITE_OF_BASELINE)


def test_a_known_failure_does_not_fail(run: Run, tmp_path: Path) -> None:
    done = run(*COMMAND, "--update-baseline")
    assert (done.returncode, done.stderr) == (0, "wrote 1 known failure of run to known.json\n")
    assert json.loads((tmp_path / "known.json").read_text()) == {
        "version": 1,
        "run": [
            {
                "cause": "missing move: En passant along the line of a pin",
                "position": "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1",
                "chess960": False,
            }
        ],
    }
    done = run(*COMMAND)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 3 positions agree, 1 in the baseline" in done.stdout.splitlines()[-1]


def test_a_new_failure_fails(run: Run, tmp_path: Path) -> None:
    assert run(*COMMAND, "--update-baseline").returncode == 0
    (tmp_path / "suite.epd").write_text(SUITE_OF_BASELINE.replace("D2 66", "D2 67"))
    done = run(*COMMAND)
    assert done.returncode == 1
    assert "1 mismatch" in done.stdout.splitlines()[-1]
    assert "suite.epd:1" not in done.stdout


def test_an_update_keeps_what_was_not_compared(run: Run, tmp_path: Path) -> None:
    assert run(*COMMAND, "--update-baseline").returncode == 0
    before = (tmp_path / "known.json").read_text()
    assert run(*COMMAND, "--filter", "^castling$", "--update-baseline").returncode == 0
    assert (tmp_path / "known.json").read_text() == before


def test_what_no_longer_fails_is_named(run: Run) -> None:
    assert run(*COMMAND, "--update-baseline").returncode == 0
    done = run(*COMMAND[:4], "own", *COMMAND[5:])
    assert done.returncode == 0
    expected = "fixed: missing move: En passant along the line of a pin: 7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1"
    assert expected in done.stdout.replace("\n", " ")


def test_a_failure_that_depends_on_earlier_questions_is_not_called_fixed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tenth.py").write_text(WRONG_AT_THE_TENTH)
    fuzzing = ("fuzz", "-e", "python:tenth:moves", "--careful", "-j", "1", "--seed", "1", "--baseline", "known.json")
    assert run(*fuzzing, "-n", "12", "--update-baseline", **WIDE).returncode == 0
    before = (tmp_path / "known.json").read_text()
    (known,) = json.loads(before)["fuzz"]
    assert known["alone"] is False
    (tmp_path / "tenth.py").write_text(WRONG_AT_THE_TENTH.replace("10", "1000000"))
    done = run(*fuzzing, "-n", "1", "-q", "--update-baseline", **WIDE)
    assert (done.returncode, "fixed" in done.stdout) == (0, False), done.stdout
    why = "not examined, because it depends on earlier questions or on chance"
    assert f"{why}: {known['cause']}: {known['position']}\n" in done.stderr
    assert (tmp_path / "known.json").read_text() == before


def test_findings_have_a_list_of_their_own(run: Run, tmp_path: Path) -> None:
    assert run(*COMMAND, "--update-baseline").returncode == 0
    fuzzing = ("fuzz", "-e", "zoo:pins-forgotten", "-n", "30", "--seed", "1", "-j", "1", "--baseline", "known.json")
    assert run(*fuzzing).returncode == 1
    assert run(*fuzzing, "--update-baseline").returncode == 0
    document = json.loads((tmp_path / "known.json").read_text())
    assert list(document) == ["version", "run", "fuzz"]
    done = run(*fuzzing)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("no new fault of zoo:pins-forgotten found in 30 positions\n1 finding in the baseline\n")


def test_a_finding_elsewhere_is_known_while_its_cause_still_fails(run: Run, tmp_path: Path) -> None:
    fuzzing = ("fuzz", "-n", "30", "-j", "1", "--seed", "1", "--baseline", "known.json")
    cause = "extra move: Pinned piece leaves its line"
    other = {"cause": cause, "position": "7k/8/8/8/7r/7N/8/7K w - - 0 1", "chess960": False}
    (tmp_path / "known.json").write_text(json.dumps({"version": 1, "fuzz": [other]}))
    assert run(*fuzzing, "-e", "zoo:pins-forgotten").returncode == 0
    done = run(*fuzzing, "-e", "own")
    assert done.returncode == 0
    assert f"fixed: {cause}: {other['position']}\n" in done.stdout
    assert run(*fuzzing, "-e", "own", "--update-baseline").returncode == 0
    assert json.loads((tmp_path / "known.json").read_text()) == {"version": 1}
    assert run(*fuzzing, "-e", "zoo:pins-forgotten").returncode == 1


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (None, [], "--baseline known.json: no such file; to create it, add --update-baseline"),
        (
            "[]",
            [],
            "--baseline known.json: not a baseline file; to create one, use --update-baseline with another file name",
        ),
        ("{", [], "--baseline known.json: invalid JSON: Expecting property name"),
        ('{"version": 1, "run": [{}]}', [], "--baseline known.json: failure 1 of run needs the fields cause, position"),
        (
            '{"version": 1, "fuzz": [{"cause": "a", "position": "8/8 w", "chess960": false}]}',
            [],
            "--baseline known.json: failure 1 of fuzz: ",
        ),
    ],
)
def test_a_file_that_is_no_baseline_is_one_line(
    run: Run, tmp_path: Path, text: str | None, options: list[str], message: str
) -> None:
    if text is not None:
        (tmp_path / "known.json").write_text(text)
    assert wrong(run, *COMMAND, *options).startswith(message)


def test_an_update_needs_a_file(run: Run) -> None:
    done = run("run", "-e", "own", "--update-baseline")
    assert (done.returncode, done.stderr) == (2, "perft-check: --update-baseline needs --baseline FILE\n")
