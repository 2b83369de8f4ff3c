"""Without an engine: `init` needs one, a run says that it has tested perft-check itself, and CI is refused."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path

import pytest
from helpers.program import Run, called_in, run_in, wrong
from helpers.screens import Screen
from perft_check.harness.cli.checks import UNATTENDED

pytestmark = pytest.mark.slow  # most tests start processes

MISSING = "init needs an engine: add -e ./my-engine; perft-check init --help lists all forms"
TESTED = "no engine given, so this tested perft-check itself; to test yours: perft-check "
FILE = "perft-check.toml"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the program in a process of its own."""
    return partial(run_in, tmp_path)


def test_init_needs_the_engine(run: Run, tmp_path: Path) -> None:
    assert wrong(run, "init") == MISSING
    assert wrong(run, "init", "--force") == MISSING
    assert list(tmp_path.iterdir()) == []


RUNS = {
    "run": (["-s", "smoke"], "-e ./my-engine"),
    "a part of a suite, quietly": (["run", "--quick", "--max-depth", "1", "-q"], "-e ./my-engine"),
    "fuzz": (["fuzz", "-n", "20", "--seed", "1"], "fuzz -e ./my-engine"),
    "replay": (["fuzz", "--replay", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"], "fuzz -e ./my-engine"),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_says_that_it_has_tested_perft_check(run: Run, name: str) -> None:
    arguments, yours = RUNS[name]
    done = run(*arguments)
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == f"{TESTED}{yours}"
    assert TESTED not in run("--filter", "nowhere").stderr
    named = run(*arguments, "-e", "own")
    assert (named.returncode, TESTED in named.stderr) == (0, False)


@pytest.mark.parametrize(("name", "variable"), [*product(RUNS, ["CI"]), *product(["run"], UNATTENDED[1:])])
def test_ci_is_refused_where_no_engine_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, variable: str
) -> None:
    run, (arguments, _) = partial(called_in, tmp_path, capfd), RUNS[name]
    assert wrong(run, *arguments, **{variable: "true"}) == (
        f"no engine given, and {variable} is set: perft-check would only test itself; "
        "add -e ./my-engine, or -e own to test perft-check's generator"
    )


def test_whatever_names_an_engine_lets_ci_go_on(run: Run, tmp_path: Path) -> None:
    few = ("--quick", "--max-depth", "1", "-q")
    assert run(*few, "-e", "own", CI="true").returncode == 0
    assert run(*few, CI="true", PERFT_CHECK_ENGINE="python-chess").returncode == 0
    assert run(*few, CI="false").returncode == 0
    assert wrong(run, *few, CI="true", PERFT_CHECK_ENGINE="").startswith("no engine given")
    (tmp_path / FILE).write_text("jobs = 1\n")
    assert wrong(run, *few, CI="true").startswith("no engine given")
    (tmp_path / FILE).write_text('engine = "own:turbo"\n')
    assert run(*few, CI="true").returncode == 0


@pytest.mark.parametrize("engine", ["", " ", "\t"])
@pytest.mark.parametrize(
    "command", [["run"], ["fuzz"], ["divide", "startpos", "1"], ["perft", "startpos", "1"], ["bench"], ["init"]]
)
def test_an_empty_name_is_none(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: list[str], engine: str
) -> None:
    run = partial(called_in, tmp_path, capfd)
    assert wrong(run, *command, "-e", engine) == f"engine {engine!r}: the name is empty; was a variable not set?"


def test_an_empty_name_is_none_for_the_explorer_and_as_reference(run: Run, tmp_path: Path) -> None:
    empty = "engine '': the name is empty; was a variable not set?"
    assert wrong(run, "divide", "startpos", "1", "-a", "") == empty
    assert wrong(run, "-e", "own", "-a", "") == empty
    with Screen(["explore", "startpos", "-e", ""], tmp_path, columns=100) as screen:
        assert screen.shows(empty)
        assert screen.status() == 2


FORMS = {
    "mine.py": "no engine named 'mine.py': mine.py has no #! line, so the system cannot start it; try: perft-check "
    "doctor -e 'python3 ./mine.py', or -e python:mine:FUNCTION",
    "mine:moves": "no engine named 'mine:moves': write python:mine:moves for a Python function",
    "python:mine.py:moves": "engine 'python:mine.py:moves': name the module, not its file: python:mine:moves",
    "./mine.py x": "engine './mine.py x': ./mine.py has no #! line, so the system cannot start it; try: perft-check "
    "doctor -e 'python3 ./mine.py x'",
    "LEVEL=1 ./mine.py x": "engine 'LEVEL=1 ./mine.py x': LEVEL=1 sets a variable: write -e 'env LEVEL=1 ./mine.py x'",
    "uci:LEVEL=1 ./mine.py": "engine 'uci:LEVEL=1 ./mine.py': LEVEL=1 sets a variable: write -e "
    "'uci:env LEVEL=1 ./mine.py'",
}
"""Engines as they are written at first, and what is answered."""


@pytest.mark.parametrize("spec", FORMS)
def test_the_right_form_of_a_name_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str], spec: str) -> None:
    (tmp_path / "mine.py").write_text("def moves(fen): return []\n")
    assert wrong(partial(called_in, tmp_path, capfd), "-e", spec) == FORMS[spec]
