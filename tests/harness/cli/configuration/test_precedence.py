"""Which value holds: that of the command line, a variable, a profile, a command's table, the top of the file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import options
from helpers.program import Run
from perft_check.harness.cli.options import variable
from perft_check.harness.cli.settings.fuzz import FuzzSettings
from perft_check.harness.cli.settings.run import RunSettings

FILE = """\
timeout = 1
[run]
timeout = 2
[profile.p]
timeout = 3
[profile.p.run]
timeout = 4
"""
TOP, COMMAND, PROFILE, COMMAND_OF_PROFILE = ("1", 1), ("2", 3), ("3", 5), ("4", 7)


def in_force(run: Run, key: str, *arguments: str, **variables: str) -> tuple[object, str]:
    """Return the value of an option and its source."""
    done = run("config", "--json", *arguments, **variables)
    assert done.returncode == 0, done.stderr
    (option,) = [one for one in json.loads(done.stdout)["options"] if one["key"] == key]
    return option["value"], option["source"]


def listening(monkeypatch: pytest.MonkeyPatch, command: str) -> list[Any]:
    """Let a command do nothing but note its settings in the list that is returned."""
    heard: list[Any] = []

    def main(settings: Any) -> int:
        heard.append(settings)
        return 0

    monkeypatch.setattr(f"perft_check.harness.cli.commands.{command}.main", main)
    return heard


def test_what_goes_before(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text(FILE)
    place = "perft-check.toml:{}".format
    variables = {"PERFT_CHECK_TIMEOUT": "5"}
    both = variables | {"PERFT_CHECK_RUN_TIMEOUT": "6"}
    for arguments, environ, expected in [
        (("run",), {}, ("2", place(3))),
        (("fuzz",), {}, ("1", place(1))),
        (("run", "--profile", "p"), {}, ("4", f"{place(7)} (profile p)")),
        (("fuzz", "--profile", "p"), {}, ("3", f"{place(5)} (profile p)")),
        (("fuzz",), {"PERFT_CHECK_PROFILE": "p"}, ("3", f"{place(5)} (profile p)")),
        (("run",), variables, ("5", "PERFT_CHECK_TIMEOUT")),
        (("run", "--profile", "p"), both, ("6", "PERFT_CHECK_RUN_TIMEOUT")),
        (("fuzz", "--profile", "p"), both, ("5", "PERFT_CHECK_TIMEOUT")),
        (("run",), {"PERFT_CHECK_TIMEOUT": ""}, ("2", place(3))),
        (("run", "--no-config"), {}, (10, "default")),
        (("run", "--no-config"), variables, ("5", "PERFT_CHECK_TIMEOUT")),
    ]:
        assert in_force(run, "timeout", *arguments, **environ) == expected, (arguments, environ)


def test_the_command_line_goes_before_all(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[RunSettings] = listening(monkeypatch, "run")
    (tmp_path / "perft-check.toml").write_text(
        'engine = "own:turbo"\nsuite = ["smoke", "special"]\nfail-fast = true\nmax-nodes = "2k"\nexplain = false\n'
    )
    for arguments, environ, field, value in [
        ((), {}, "engine", "own:turbo"),
        (("-e", "own"), {}, "engine", "own"),
        (("--no-engine",), {}, "tested", "own"),
        ((), {}, "suites", ("smoke", "special")),
        (("-s", "standard"), {"PERFT_CHECK_SUITE": "chess960"}, "suites", ("standard",)),
        ((), {"PERFT_CHECK_SUITE": "chess960\n a b.epd \n"}, "suites", ("chess960", "a b.epd")),
        (("--no-suite",), {"PERFT_CHECK_SUITE": "chess960"}, "suites", ()),
        ((), {}, "fail_fast", True),
        (("--no-fail-fast",), {}, "fail_fast", False),
        ((), {"PERFT_CHECK_FAIL_FAST": "off"}, "fail_fast", False),
        ((), {}, "max_nodes", 2000),
        (("--max-nodes", "3k"), {"PERFT_CHECK_MAX_NODES": "4k"}, "max_nodes", 3000),
        (("--no-max-nodes",), {}, "max_nodes", None),
        ((), {}, "explain", 0),
        (("--explain",), {}, "explain", 3),
        (("--explain", "-x"), {}, "explain", 3),
        (("--explain", "none"), {"PERFT_CHECK_EXPLAIN": "all"}, "explain", 0),
        (("--explain", "three"), {}, "explain", 3),
        (("--explain=all",), {}, "explain", sys.maxsize),
        (("--explain", "--no-explain"), {}, "explain", 0),
        (("--no-explain", "--explain", "all"), {}, "explain", sys.maxsize),
        (("--no-config",), {}, "explain", 3),
        ((), {"PERFT_CHECK_EXPLAIN": "all"}, "explain", sys.maxsize),
        ((), {"PERFT_CHECK_EXPLAIN": "true"}, "explain", 3),
        ((), {"PERFT_CHECK_RUN_EXPLAIN": "off"}, "explain", 0),
        (("--no-config",), {}, "suites", ()),
    ]:
        done = run(*arguments, **environ)
        assert (done.returncode, done.stderr) == (0, "")
        assert getattr(heard.pop(), field) == value, (arguments, environ, field)


def test_where_options_do_not_fit_together_the_one_that_goes_before_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[FuzzSettings] = listening(monkeypatch, "fuzz")
    (tmp_path / "perft-check.toml").write_text(
        'engine = "./engine"\nagainst = ["python-chess"]\n[fuzz]\ntime = "1m"\n[profile.p.fuzz]\nexamples = 7\n'
    )
    assert run("fuzz").returncode == 0
    assert run("fuzz", "-n", "5").returncode == 0
    assert run("fuzz", "--profile", "p").returncode == 0
    assert run("fuzz", "--self-consistency").returncode == 0
    assert [(*one.tested, one.against, one.seconds, one.examples) for one in heard] == [
        ("./engine", ("python-chess",), 60, None),
        ("./engine", ("python-chess",), None, 5),
        ("./engine", ("python-chess",), None, 7),
        ("./engine", (), 60, None),
    ]


def test_an_option_that_means_something_else_needs_the_table_of_its_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text('engine = "./engine"\nmax-nodes = 1\n')
    assert in_force(run, "engine", "moves") == ("own", "default")
    assert in_force(run, "engine", "divide") == ("./engine", "perft-check.toml:1")
    assert in_force(run, "max-nodes", "suites", "make") == (None, "default")
    (tmp_path / "perft-check.toml").write_text(
        '[moves]\nengine = "own:magic"\n[suites]\n[suites.make]\nmax-nodes = 2\n'
    )
    assert in_force(run, "engine", "moves") == ("own:magic", "perft-check.toml:2")
    assert in_force(run, "max-nodes", "suites", "make") == ("2", "perft-check.toml:5")
    assert in_force(run, "max-nodes", "suites", "make", PERFT_CHECK_MAX_NODES="3") == ("2", "perft-check.toml:5")
    assert in_force(run, "max-nodes", "suites", "make", PERFT_CHECK_SUITES_MAKE_MAX_NODES="3")[0] == "3"


def test_a_profile_is_for_every_command_and_for_none(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text('[profile.quick]\nsuite = "smoke"\nmax-nodes = 100\nquiet = true\n')
    for arguments in (("--profile", "quick"), ("run", "--profile", "quick")):
        assert run(*arguments).stdout.splitlines()[-1].startswith("all 35 positions agree  1.65 k nodes in ")
    assert run("suites", "list", "--profile", "quick").returncode == 0


def test_every_variable_has_one_meaning() -> None:
    """`RUN_MAX_NODES` could be an option of all commands; and some variables are taken."""
    named = {}
    for command, name, option in options():
        if name.startswith("--") and name in option.opts:
            words = (*command.split(), name.removeprefix("--"))
            named[words] = variable(*words)
            named[words[-1:]] = variable(words[-1])
    assert len(set(named.values())) == len(named)
    assert not {"PERFT_CHECK_PROCESS", "PERFT_CHECK_NODE_MODULES", "PERFT_CHECK_KILLED"} & set(named.values())


def test_unknown_variables_are_nothing_to_us(run: Run) -> None:
    assert in_force(run, "engine", "run", PERFT_CHECK_ENGIN="x", PERFT_CHECK_="y") == (None, "default")
