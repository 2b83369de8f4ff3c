"""`--baseline`: known failures do not fail, new ones do, and those that no longer fail are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.program import Run

SUITE = """\
7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1 ;D1 4 ;D2 45 ;D3 257 ;id "pinned"
4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D2 66 ;id "castling"
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;id "start"
"""
COMMAND = ("run", "-s", "suite.epd", "-e", "zoo:ep-pinned-along", "--baseline", "known.json")


@pytest.fixture(autouse=True)
def _suite(tmp_path: Path) -> None:
    (tmp_path / "suite.epd").write_text(SUITE)


def test_a_known_failure_does_not_fail(run: Run, tmp_path: Path) -> None:
    done = run(*COMMAND, "--update-baseline")
    assert (done.returncode, done.stderr) == (0, "known.json: 1 known failure of run\n")
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
    (tmp_path / "suite.epd").write_text(SUITE.replace("D2 66", "D2 67"))
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


def test_findings_have_a_list_of_their_own(run: Run, tmp_path: Path) -> None:
    assert run(*COMMAND, "--update-baseline").returncode == 0
    fuzzing = ("fuzz", "-e", "zoo:pins-forgotten", "-n", "30", "--seed", "1", "-j", "1", "--baseline", "known.json")
    assert run(*fuzzing).returncode == 1
    assert run(*fuzzing, "--update-baseline").returncode == 0
    document = json.loads((tmp_path / "known.json").read_text())
    assert list(document) == ["version", "run", "fuzz"]
    done = run(*fuzzing)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("no new fault of zoo:pins-forgotten in 30 positions\n1 finding in the baseline\n")


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
        (None, [], "--baseline known.json: no such file; add --update-baseline to write it"),
        ("[]", [], "--baseline known.json: not a baseline; --update-baseline writes one to another file"),
        ("{", [], "--baseline known.json: Expecting property name"),
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
    done = run(*COMMAND, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"perft-check: {message}")
    assert done.stderr.count("\n") == 1


def test_an_update_needs_a_file(run: Run) -> None:
    done = run("run", "-e", "own", "--update-baseline")
    assert (done.returncode, done.stderr) == (2, "perft-check: --update-baseline needs --baseline FILE\n")
