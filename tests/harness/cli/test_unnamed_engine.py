"""Where nobody names an engine: `init` asks, a run says that it has tested perft-check itself, and CI is refused."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
import tomllib
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from helpers.fakes import COUNTING_PROGRAM, FAKES
from helpers.processes import until
from helpers.program import PROGRAM, Run, called_in, run_in, wrong
from helpers.screens import Screen
from perft_check.harness.cli.dialogue import UNATTENDED

pytestmark = pytest.mark.slow  # most tests start processes

MISSING = "init needs an engine, such as perft-check init -e ./my-engine; perft-check init --help lists all forms"
TESTED = "no engine given, so this tested perft-check itself; to test yours: perft-check "
UCI = "uci:" + shlex.join([sys.executable, str(FAKES / "one_bug.py"), "uci", "none"])
FILE = "perft-check.toml"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the program in a process of its own."""
    return partial(run_in, tmp_path)


def asked(folder: Path, **variables: str) -> Screen:
    """Return a terminal on which `init` asks."""
    return Screen(["init"], folder, columns=200, rows=60, **variables)


def engine_of(folder: Path) -> object:
    """Return the engine of the configuration."""
    return tomllib.loads((folder / FILE).read_text())["engine"]


def test_without_a_terminal_init_needs_the_engine(run: Run, tmp_path: Path) -> None:
    assert wrong(run, "init") == MISSING
    assert wrong(run, "init", "--force") == MISSING
    for text in ("./engine\n", "own\n", ""):
        command = [*PROGRAM, "init"]
        done = subprocess.run(command, cwd=tmp_path, input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"perft-check: {MISSING}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("variable", ["CI", "JENKINS_URL", "PRE_COMMIT"])
def test_nobody_is_asked_in_ci(tmp_path: Path, variable: str) -> None:
    with Screen(["init"], tmp_path, 200, 24, **{variable: "1"}) as screen:
        assert screen.shows(MISSING)
        assert screen.status() == 2


ANSWERS = {
    "a command": ([UCI], UCI),
    "a command in quotes, after empty lines": (["", "   ", f"'{UCI}'"], UCI),
    "a function": (["python:mine:total"], "python:mine:total"),
    "a program, after names of nothing": (
        ["stokfish", "./gone", "./gone --fast", "cmd:./perft.py", f"cmd:{sys.executable} perft.py {{fen}} {{depth}}"],
        f"cmd:{sys.executable} perft.py {{fen}} {{depth}}",
    ),
    "after programs that are no engines": (["true", "uci:false", "cmd:echo {fen} {depth}", UCI], UCI),
}
"""What is answered, and the engine that this names at last."""
COMPLAINTS = {
    "stokfish": "no engine named 'stokfish': use own",
    "./gone": "engine './gone': there is no file ./gone",
    "./gone --fast": "there is no file ./gone, nor ./gone --fast",
    "cmd:./perft.py": "./perft.py has no #! line, so the system cannot start it",
    "true": "true exited with status 0",
    "uci:false": "false exited with status 1",
    "cmd:echo {fen} {depth}": "echo prints no count",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_terminal_asks_until_an_engine_is_named(tmp_path: Path, name: str) -> None:
    answers, engine = ANSWERS[name]
    (tmp_path / "perft.py").write_text(COUNTING_PROGRAM)
    (tmp_path / "mine.py").write_text(
        COUNTING_PROGRAM.rpartition("print")[0] + "def total(fen, depth): return perft(chess.Board(fen), depth)\n"
    )
    with asked(tmp_path) as screen:
        assert screen.shows("Which engine do you want to test? For example:")
        assert screen.shows(
            "cmd:./my-perft {fen} {depth}  a program that takes a FEN and a depth, and prints the count"
        )
        for answer in answers:
            screen.press(f"{answer}\n")
            assert screen.shows(COMPLAINTS.get(answer, "engine:")), screen.text
        assert screen.status() == 0
        assert screen.text.count("engine:") == len(answers)
    assert engine_of(tmp_path) == engine


ENDS = {"Ctrl-C": ("\x03", 130, "perft-check: interrupted"), "Ctrl-D": ("\x04", 2, f"perft-check: {MISSING}")}
BEFORE = {"at once": "", "after an empty line": "\n", "after a name of nothing": "stokfish\n"}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("before", BEFORE)
def test_no_answer_ends_with_one_line_and_no_file(tmp_path: Path, end: str, before: str) -> None:
    key, status, line = ENDS[end]
    with asked(tmp_path) as screen:
        assert screen.shows("engine:")
        screen.press(BEFORE[before])
        if before == "after a name of nothing":
            assert screen.shows("no engine named 'stokfish'")
        until(lambda: screen.reads() and screen.text.count("engine:") == 1 + bool(BEFORE[before]), "it asks again")
        screen.press(key)
        assert screen.shows(line)
        assert screen.status() == status
        assert "Traceback" not in screen.text
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_an_engine_is_examined(tmp_path: Path) -> None:
    with asked(tmp_path) as screen:
        assert screen.shows("engine:")
        screen.press("uci:sleep 60\n")
        assert screen.shows("uci:sleep 60")
        time.sleep(0.5)
        screen.press("\x03")
        assert screen.status() == 130
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_kept_is_reported_before_the_question(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('engine = "./mine"\n')
    with asked(tmp_path) as screen:
        assert screen.shows(f"{FILE} already exists: to replace it, add --force")
        assert screen.status() == 2
        assert "Which engine" not in screen.text


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
