"""Suites as tests of pytest: what is collected, how it ends, and what pytest's own options do with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.fakes import FAKES, moody
from helpers.processes import PATIENCE, processes_with, restore_signals, until
from helpers.program import run_in
from helpers.pytest_process import KERNELS, Pytest, pytest_of

pytest_plugins = ["pytester"]

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902"
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25"
RANK = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1 ;D1 6"
"""A pawn that may not take en passant, because the queen would attack the king."""
QUEEN = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1 ;D1 21"
SUITE = f'# Three positions.\n{START} ;id "start"\n{RANK} ;id "ep on the rank"\n{KINGS}\n'
BLOCKS = "id two kings\nepd 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nperft 1 5\n"
STRANGER = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";\n'
SMALL = ("--perft-suite", "smoke", "--perft-max-nodes", "30")
NO_ERROR = "Traceback"


@pytest.fixture
def run_pytest(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Pytest:
    """Run pytest with these arguments, without Hypothesis, which takes long to load."""
    return pytest_of(pytester, monkeypatch, "-p", "no:hypothesispytest")


def suite_in(folder: Path, text: str = SUITE, name: str = "mine.epd") -> Path:
    path = folder / "suites" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.slow
def test_a_line_is_a_test(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    """Files below the folders of pytest are collected, but for those without any count."""
    suite_in(pytester.path)
    suite_in(pytester.path, BLOCKS, "blocks.perft")
    suite_in(pytester.path, STRANGER, "stranger.epd")
    (pytester.path / "suites" / "binary.epd").write_bytes(b"\x00\x01\xff;D1 20")
    pytester.makeini(f"[pytest]\nperft_engine = script:{sys.executable} {FAKES / 'perftree.py'}\ntestpaths = suites")
    done = run_pytest("-v", "-o", "junit_family=xunit1", "--junitxml=r.xml", "--durations=1", "-vv")
    assert done.ret == 0
    assert [line.split(" PASSED")[0] for line in done.outlines if " PASSED" in line] == [
        "suites/blocks.perft::two kings",
        "suites/mine.epd::start",
        "suites/mine.epd::ep on the rank",
        "suites/mine.epd::mine:4",
    ]
    assert " call     suites/" in done.stdout.str()
    cases = ElementTree.parse("r.xml").getroot().iter("testcase")
    assert [(case.get("classname"), case.get("name"), case.get("file"), case.get("line")) for case in cases] == [
        ("suites.blocks.perft", "two kings", "suites/blocks.perft", "1"),
        ("suites.mine.epd", "start", "suites/mine.epd", "1"),
        ("suites.mine.epd", "ep on the rank", "suites/mine.epd", "2"),
        ("suites.mine.epd", "mine:4", "suites/mine.epd", "3"),
    ]


@pytest.mark.slow
def test_without_an_engine_nothing_is_there(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    suite_in(pytester.path)
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_loaded(request):
            heavy = {"numba", "numpy", "chess", "hypothesis", "rich", "typer", "perft_check.generator"}
            assert heavy.isdisjoint(sys.modules)
            ours = [name for name in sys.modules if name.startswith("perft_check")]
            assert len(ours) == 5, ours
            assert not request.config.pluginmanager.has_plugin("perft-check-collecting")
        """
    )
    done = run_pytest()
    done.assert_outcomes(passed=1)
    assert done.ret == 0
    done = run_pytest("--perft-suite", "smoke")
    assert (done.ret, done.errlines[0]) == (4, "ERROR: --perft-suite needs an engine: give --perft-engine SPEC")


@pytest.mark.slow
def test_a_failure_is_what_a_run_prints(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    suite_in(pytester.path)
    done = run_pytest("--perft-engine", "zoo:ep-bishop-lines-only", "suites/mine.epd", "--junitxml=r.xml")
    assert done.ret == 1
    done.assert_outcomes(passed=2, failed=1)
    told = run_in(pytester.path, "run", "-e", "zoo:ep-bishop-lines-only", "-s", "suites/mine.epd", "-q").stdout
    failure = told[: told.index("\n\n")]
    assert failure.startswith("MISMATCH  mine:ep on the rank  (suites/mine.epd:3)")
    assert failure in done.stdout.str()
    assert NO_ERROR not in done.stdout.str()
    title = "extra move e4d3: En passant takes both pawns off the king's rank"
    assert f"FAILED suites/mine.epd::ep on the rank - {title}" in done.outlines
    case = ElementTree.parse("r.xml").getroot().find(".//testcase/failure")
    assert case is not None
    assert case.get("message") == title
    assert (case.text or "").startswith("MISMATCH  mine:ep on the rank")
    again = run_pytest("--perft-engine", "zoo:ep-bishop-lines-only", "suites/mine.epd", "--lf", "-n", "1")
    again.assert_outcomes(failed=1)
    one = run_pytest("--perft-engine", "python-chess", "suites/mine.epd::ep on the rank")
    one.assert_outcomes(passed=1)


@pytest.mark.slow
def test_bundled_suites(run_pytest: Pytest) -> None:
    """They need no file; limits and choice by name are those of any suite."""
    done = run_pytest("--perft-engine", "own", *SMALL, "-k", "cpw", "-v")
    assert done.ret == 0
    assert [line.split(" PASSED")[0] for line in done.outlines if " PASSED" in line] == ["smoke::cpw-1-start"]
    done = run_pytest("--perft-engine", "own", "--perft-suite", "smok")
    hint = "did you mean 'smoke'?; pass a file without an option"
    assert (done.ret, done.errlines[0]) == (4, f"ERROR: --perft-suite 'smok' is not a bundled suite: {hint}")


@pytest.mark.slow
def test_names_are_unique(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    """Each line has a name of its own: parts that pytest divides are joined, long names lose their middle."""
    names = ["one", "one", "a::b", "one:2", "x" * 300, "<&>\u2028é"]
    suite_in(pytester.path, "".join(f'{KINGS} ;id "{name}"\n' for name in names))
    done = run_pytest("--perft-engine", "python-chess", "suites", "--junitxml=r.xml", "--perft-max-depth", "1")
    assert done.ret == 0
    cases = ElementTree.parse("r.xml").getroot().iter("testcase")
    long = "x" * 97 + " ... " + "x" * 98
    assert {case.get("name") for case in cases} == {"one:1", "one:2:2", "a:b", "one:2:4", long, "<&>\u2028é"}


@pytest.mark.slow
def test_bad_lines_are_reported(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    """A file with counts is a suite, wherever it is found; one without only where it is named."""
    bad = suite_in(pytester.path, f"{START}\n{KINGS} ;D3 many\n", "bad.epd")
    stranger = suite_in(pytester.path, STRANGER, "stranger.epd")
    done = run_pytest("--perft-engine", "own", "suites")
    assert done.ret == 2
    done.assert_outcomes(errors=1)
    message = f"{bad}:2: depth 3 has 'many' instead of a number of nodes"
    assert message in done.outlines
    done = run_pytest("--perft-engine", "own", "suites/stranger.epd")
    assert done.ret == 2
    message = f"{stranger}:1: a position without counts: add those that are known, such as ;D1 20"
    assert [line for line in done.outlines if str(stranger) in line] == [message]
    assert NO_ERROR not in done.stdout.str()


JUNK = """\
import chess

def moves(fen):
    has_queen = fen.startswith("4k3/8/8/8/8/8/8/3QK3")
    return ["\\x1b[31m"] if has_queen else [move.uci() for move in chess.Board(fen).legal_moves]
"""
FAILURES: dict[str, tuple[str, str, list[str]]] = {
    "python:junk:moves": (
        "CRASH",
        "crash: python:junk:moves fails: returned '\\x1b[31m' as a move; expected a list of UCI moves",
        [],
    ),
    moody("hang"): ("TIMEOUT", "timeout: moody.py has not answered within 3 seconds", ["-k", "queen"]),
}
"""What is told of the position with a queen, and the choice of positions."""


@pytest.mark.slow
def test_engines_that_give_no_answer(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    """The failure says so, and the tests of other positions go on."""
    suite_in(pytester.path, f'{START} ;id "start"\n{QUEEN} ;id "queen"\n{KINGS}\n')
    (pytester.path / "junk.py").write_text(JUNK)
    for engine, (verdict, message, chosen) in FAILURES.items():
        done = run_pytest("--perft-engine", engine, "suites", *chosen, *(["--perft-timeout", "3"] if chosen else []))
        assert done.ret == 1, engine
        done.assert_outcomes(passed=0 if chosen else 2, failed=1, deselected=2 if chosen else 0)
        assert f"{verdict}  mine:queen  (suites/mine.epd:2)" in done.outlines, engine
        assert f"FAILED suites/mine.epd::queen - {message}" in done.outlines, engine
        assert NO_ERROR not in done.stdout.str(), engine


@pytest.mark.slow
def test_engines_that_cannot_be_started(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    """One line and status 4, before any test runs, in workers of xdist as well."""
    suite_in(pytester.path)
    for spec, message, *more in (
        ("./missing", "ERROR: engine './missing': there is no file ./missing"),
        ("uci:true", "ERROR: true ", "--perft-timeout", "0.5", "-n", "1"),
    ):
        done = run_pytest("--perft-engine", spec, "suites", *more)
        assert done.ret == 4, (spec, done.outlines)
        told = [line for line in done.errlines if line]
        assert len(told) == 1, told
        assert told[0].startswith(message)
        assert NO_ERROR not in done.stdout.str()


@pytest.mark.slow
def test_a_configured_engine_that_is_not_there(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    """It matters where a test needs it; workers of xdist say so at each of these tests."""
    suite_in(pytester.path)
    pytester.makeini("[pytest]\nperft_engine = ./missing")
    pytester.makepyfile("def test_nothing(): pass")
    message = "engine './missing': there is no file ./missing"
    assert run_pytest("-k", "nothing").ret == 0
    done = run_pytest("suites")
    assert (done.ret, done.errlines[0]) == (4, f"ERROR: {message}")
    done = run_pytest("suites", "-n", "1")
    done.assert_outcomes(errors=3)
    assert done.outlines.count(message) == 3


def test_values_that_are_none(run_pytest: Pytest) -> None:
    done = run_pytest("--perft-engine", "own", "--perft-max-nodes", "1q")
    assert done.ret == 4
    expected = "argument --perft-max-nodes: '1q' is not a count of 0 or more: write 250000, 250k, 1.5M or 2G"
    assert expected in done.stderr.str()


@pytest.mark.slow
def test_positions_that_cannot_be_asked_are_skipped(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    suite_in(pytester.path, f"{KINGS}\n1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1 ;D1 17\n")
    engine = f"uci:{sys.executable} {FAKES / 'one_bug.py'} uci none standard"
    done = run_pytest("--perft-engine", engine, "suites", "-rs")
    assert done.ret == 0
    done.assert_outcomes(passed=1, skipped=1)
    assert (
        "SKIPPED [1] suites/mine.epd:2: one_bug.py does not support Chess960: it has no option UCI_Chess960"
        in done.outlines
    )


ONCE = """\
import os
import chess

def moves(fen):
    legal = [move.uci() for move in chess.Board(fen).legal_moves]
    if fen.startswith("4k3/") and not os.path.exists("flag"):
        open("flag", "w").close()
        return legal[1:]
    return legal
"""


@pytest.mark.slow
def test_what_does_not_come_again_is_a_warning(pytester: pytest.Pytester, run_pytest: Pytest) -> None:
    """It fails where warnings are errors."""
    suite_in(pytester.path, KINGS)
    (pytester.path / "once.py").write_text(ONCE)
    for status, options in ((0, ()), (1, ("-W", "error"))):
        Path("flag").unlink(missing_ok=True)
        done = run_pytest("--perft-engine", "python:once:moves", "suites", *options)
        assert done.ret == status, (options, done.outlines)
        done.assert_outcomes(passed=1 - status, failed=status, warnings=1 - status)
        assert "NOT REPRODUCED  mine:1  (suites/mine.epd:1)" in done.stdout.str()
        assert NO_ERROR not in done.stdout.str()


@pytest.mark.slow
def test_no_engine_outlives_pytest(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither after Ctrl-C, nor after the first failure."""
    suite_in(pytester.path, f"{QUEEN}\n{KINGS}\n")
    mark = f"PERFT_CHECK_TEST={os.getpid()}-{pytester.path.name}"
    monkeypatch.setenv(*mark.split("="))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(KERNELS))
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "suites", "--perft-engine", moody("hang")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=restore_signals)
    until(lambda: any(pid != process.pid for pid in processes_with(mark)), "the engine")
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "KeyboardInterrupt" in printed) == (2, True)
    until(lambda: not processes_with(mark), "the end of the engine")
    done = subprocess.run([*command[:-1], moody("crash"), "-x"], capture_output=True, text=True, check=False)
    assert (done.returncode, "1 failed" in done.stdout) == (1, True)
    until(lambda: not processes_with(mark), "the end of the engine")
