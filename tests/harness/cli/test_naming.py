"""Names of engines, and command lines that are long."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from helpers.processes import PATIENCE
from helpers.program import PROGRAM, Run, wrong

PINNED = "k7/8/8/7r/8/8/3N4/3K4 w - - 0 1"
SUITE = f'{PINNED} ;D3 1000 ;id "wrong"\n'
DESCRIPTOR = {"name": "The Old One", "launch": "true", "case": "fen {fen}\nperft {depth}", "uci": False}
WRONG = {
    ("--name", ""): "Invalid value for '--name': '' is not a name: write one, such as mine",
    ("--name", "two\nlines"): "Invalid value for '--name': 'two\\nlines': a name is one line of printable characters",
    ("--name", "a\x1b[31m"): "Invalid value for '--name': 'a\\x1b[31m': a name is one line of printable characters",
    ("--name", "m" * 200): f"Invalid value for '--name': {'m' * 17 + ' ... ' + 'm' * 18!r} has 200 characters: "
    "a name has at most 40",
    ("--name", "a", "--name", "b"): "--name is given 2 times, and one engine is named: leave one out",
    ("-a", "own:turbo", "--name", "a", "--name", "a"): "--name 'a' is given to two engines: choose different names",
    (
        "-a",
        "own:turbo",
        "--name",
        "own:turbo",
    ): "--name 'own:turbo' is the name of another engine here: choose another name",
}


@pytest.mark.parametrize("words", WRONG)
def test_bad_names_get_one_line(run: Run, words: tuple[str, ...]) -> None:
    assert wrong(run, "run", "-e", "own", *words) == WRONG[words]


def test_a_name_without_an_engine_is_refused(run: Run) -> None:
    assert wrong(run, "run", "--name", "mine") == "--name names the engine of -e: add -e SPEC, or leave out --name"


def test_names_are_given_in_order_first_to_engines_then_to_references(run: Run) -> None:
    engines = ("-e", "zoo:pins-forgotten", "-a", "own:turbo", "--name", "new", "--name", "old one")
    words = ("divide", "k7/8/8/3r4/8/8/3N4/3K4 w - - 0 1", "1", *engines)
    done = run(*words)
    told = done.stdout.splitlines()
    assert "depth 1: new 10, old one 4" in told
    assert any("-e zoo:pins-forgotten -a own:turbo --name new --name 'old one'" in line for line in told)
    document = json.loads(run(*words, "--json").stdout)
    assert (document["engine"], document["references"]) == ("zoo:pins-forgotten", ["own:turbo"])
    assert document["names"] == {"zoo:pins-forgotten": "new", "own:turbo": "old one"}


def test_one_name_is_shown_everywhere(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.epd").write_text(SUITE)
    kinds = ("md", "html", "json", "junit")
    reports = [word for kind in kinds for word in ("--report", f"{kind}=report.{kind}")]
    engine = ("-e", "zoo:pins-forgotten", "--name", "my engine")
    done = run("run", *engine, "-s", "wrong.epd", "--explain=none", *reports)
    assert done.stdout.splitlines()[0].startswith("perft-check 0.1.0  my engine (zoo:pins-forgotten), 1 position, ")
    assert ", my engine at " in done.stdout.splitlines()[-1]
    told = {kind: (tmp_path / f"report.{kind}").read_text() for kind in kinds}
    assert told["md"].startswith("# perft-check: my engine (zoo:pins-forgotten)\n")
    assert "<title>✗ my engine: run - perft-check</title>" in told["html"]
    assert "my engine (zoo:pins-forgotten)" in told["html"]
    document = json.loads(told["json"])
    assert (document["engine"], document["names"]) == ("zoo:pins-forgotten", {"zoo:pins-forgotten": "my engine"})
    assert 'name="engine" value="zoo:pins-forgotten"' in told["junit"]
    assert 'name="engine name" value="my engine"' in told["junit"]


def test_engines_of_one_program_are_reported_apart_in_messages(run: Run, tmp_path: Path) -> None:
    for folder in ("new", "old"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "engine").write_text("#!/bin/sh\nexit 7\n")
        (tmp_path / folder / "engine").chmod(0o755)
    done = run("divide", "startpos", "1", "-e", "./new/engine", "-a", "./old/engine")
    assert done.stderr.startswith("perft-check: new/engine exited with status 7; try: perft-check doctor -e ")


def test_a_name_in_a_configuration_is_that_of_its_engine_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text('engine = "zoo:pins-forgotten"\nname = "mine"\nmax-depth = 1\n')
    words = ("run", "-s", "smoke", "-q")
    assert "mine at " in run(*words).stdout
    assert "own:turbo at " in run(*words, "-e", "own:turbo").stdout
    assert "own:turbo at " in run(*words, PERFT_CHECK_ENGINE="own:turbo").stdout
    assert "yours at " in run(*words, "--name", "yours").stdout
    (tmp_path / "perft-check.toml").write_text('engine = "own"\nname = "two\\nlines"\n')
    assert wrong(run, *words) == ("perft-check.toml:2: name: 'two\\nlines': a name is one line of printable characters")


def test_init_writes_the_name(run: Run, tmp_path: Path) -> None:
    told = run("init", "-e", "python-chess", "--name", "mine").stdout
    assert told.startswith("engine                 mine (python-chess)\n")
    assert 'engine = "python-chess"\nname = "mine"\n' in (tmp_path / "perft-check.toml").read_text()


def test_an_engine_has_the_name_in_its_descriptor_and_another_one_over_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(json.dumps(DESCRIPTOR))
    perft = ("perft", "startpos", "1", "-e", "old.json")
    assert run(*perft).stderr.startswith("perft-check: The Old One exited with status 0")
    assert run(*perft, "--name", "older").stderr.startswith("perft-check: older exited with status 0")
    (tmp_path / "old.json").write_text(json.dumps(DESCRIPTOR | {"name": "a" * 200}))
    shown = "a" * 17 + " ... " + "a" * 18
    assert wrong(run, *perft) == f"old.json: 'name' {shown!r} has 200 characters: a name has at most 40"


def test_uci_engine_has_the_name() -> None:
    command = [*PROGRAM, "uci", "--name", "counts alone"]
    done = subprocess.run(command, input="uci\nquit\n", capture_output=True, text=True, timeout=60, check=True)
    assert "\nid name counts alone\nid author " in done.stdout


LONG = "x" * 20_000


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        (["perft", "8/" * 10_000 + " w - - 0 1", "2"], ": the board has 10001 ranks instead of 8"),
        (["perft", "8/8/8/8/8/8/8/" + "Q" * 20_000 + " w - - 0 1", "2"], "QQQ'"),
        (["divide", LONG, "2"], ": give a FEN (quoted in a shell), or a name such as startpos or kiwipete"),
        (["moves", "startpos", "--type", LONG], "LEGAL"),
        (["run", "-s", LONG], ": File name too long"),
        (["run", "-e", f"uci:{LONG}"], ""),
        (["run", "--report", LONG], ""),
        (["fuzz", "--replay", f"startpos moves {LONG}"], ": legal moves include a3, b3, c3, d3"),
        (["zoo", "show", LONG], ""),
        ([f"--{LONG}"], ""),
        (["run", LONG], ""),
    ],
    ids=lambda value: value[0][:8] if isinstance(value, list) else "",
)
def test_long_arguments(run: Run, arguments: list[str], end: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) in [(2, ""), (3, "")]
    (line,) = done.stderr.splitlines()
    assert len(line) <= 1_020
    assert line.endswith(end), line


def test_a_long_command_for_a_served_fault(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "zoo", "serve", "promotion-no-bishop"],
        input=b"\xff\nisready\n" + b"x" * 200_000,
        cwd=tmp_path,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"readyok\n")
    told = b"perft-check: stdin has a line of more than 100,000 characters: write one command per line\n"
    assert done.stderr == told
