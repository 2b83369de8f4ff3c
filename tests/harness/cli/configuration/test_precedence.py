"""What overrides what: command line, variables and file; and the line of each key."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest
from helpers.commands import options, parameters_read
from helpers.program import Run


def test_what_goes_before(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = parameters_read(monkeypatch)
    (tmp_path / "perft-check.toml").write_text("timeout = 1\n")
    (tmp_path / "other.toml").write_text("timeout = 2\n")
    variables = {"PERFT_CHECK_TIMEOUT": "5"}
    for arguments, environ, seconds in [
        ((), {}, 1),
        (("--config", "other.toml"), {}, 2),
        ((), {"PERFT_CHECK_CONFIG": "other.toml"}, 2),
        ((), variables, 5),
        (("--timeout", "6"), variables, 6),
        ((), {"PERFT_CHECK_TIMEOUT": ""}, 1),
        (("--no-config",), {}, 10),
        (("--no-config",), variables, 5),
        ((), {"PERFT_CHECK_TIMEOU": "5", "PERFT_CHECK_": "y"}, 1),
    ]:
        assert run("run", *arguments, **environ).returncode == 0
        assert heard.pop()["timeout"] == seconds, (arguments, environ)


def test_the_command_line_goes_before_all(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = parameters_read(monkeypatch)
    (tmp_path / "perft-check.toml").write_text(
        'engine = "own:turbo"\nsuite = ["smoke", "special"]\nfail-fast = true\nmax-nodes = "2k"\nexplain = "none"\n'
    )
    for arguments, environ, name, value in [
        ((), {}, "engine", ("own:turbo",)),
        (("-e", "own"), {}, "engine", ("own",)),
        ((), {}, "suite", ("smoke", "special")),
        (("-s", "standard"), {"PERFT_CHECK_SUITE": "chess960"}, "suite", ("standard",)),
        ((), {"PERFT_CHECK_SUITE": "chess960\n a b.epd \n"}, "suite", ("chess960", "a b.epd")),
        ((), {}, "fail_fast", True),
        ((), {"PERFT_CHECK_FAIL_FAST": "off"}, "fail_fast", False),
        ((), {}, "max_nodes", 2000),
        (("--max-nodes", "3k"), {"PERFT_CHECK_MAX_NODES": "4k"}, "max_nodes", 3000),
        ((), {}, "explain", 0),
        (("--explain", "none"), {"PERFT_CHECK_EXPLAIN": "all"}, "explain", 0),
        (("--explain", "three"), {}, "explain", 3),
        (("--explain=all",), {}, "explain", sys.maxsize),
        (("--no-config",), {}, "explain", 3),
        ((), {"PERFT_CHECK_EXPLAIN": "all"}, "explain", sys.maxsize),
        (("--no-config",), {}, "suite", ()),
    ]:
        done = run(*arguments, **environ)
        assert (done.returncode, done.stderr) == (0, "")
        assert heard.pop()[name] == value, (arguments, environ, name)


def test_where_options_do_not_fit_together_the_one_that_goes_before_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = parameters_read(monkeypatch)
    (tmp_path / "perft-check.toml").write_text('engine = "./engine"\nagainst = ["python-chess"]\ntime = "1m"\n')
    assert run("fuzz").returncode == 0
    assert run("fuzz", "-n", "5").returncode == 0
    assert run("fuzz", PERFT_CHECK_EXAMPLES="7").returncode == 0
    assert run("fuzz", "--self-consistency").returncode == 0
    names = ("engine", "against", "time", "examples")
    assert [tuple(one[name] for name in names) for one in heard] == [
        (("./engine",), ("python-chess",), 60, None),
        (("./engine",), ("python-chess",), None, 5),
        (("./engine",), ("python-chess",), None, 7),
        (("./engine",), (), 60, None),
    ]


@pytest.mark.parametrize(
    ("command", "line", "words"),
    [
        ("count", 'hash = "64M"', ("startpos", "3", "-e", "own")),
        ("perft", "threads = 2", ("startpos", "3", "-e", "python-chess")),
        ("bench", "rounds = 2", ("-e", "own", "--compare", "own:skip")),
        ("bench", "fail-below = 0.9", ("-e", "own")),
        ("bench", 'compare = "own"', ()),
    ],
)
def test_what_does_not_fit_a_command_line_is_left_out(
    command: str, line: str, words: tuple[str, ...], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = parameters_read(monkeypatch)
    (tmp_path / "perft-check.toml").write_text(f"{line}\n")
    done = run(command, *words)
    assert (done.returncode, done.stderr, len(heard)) == (0, "", 1)


def test_an_option_that_means_something_else_is_not_set(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`engine` of `moves` is a technique, and `max-nodes` of `suites make` the size of a count that is made."""
    heard = parameters_read(monkeypatch)
    (tmp_path / "perft-check.toml").write_text('engine = "./engine"\n')
    assert run("moves", "startpos", PERFT_CHECK_ENGINE="./other").returncode == 0
    assert not heard.pop()["engine"]


def test_a_key_is_for_every_command_that_has_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "quick.toml").write_text('suite = "smoke"\nmax-nodes = 100\nquiet = true\n')
    for arguments in (("--config", "quick.toml"), ("run", "--config", "quick.toml")):
        assert run(*arguments).stdout.splitlines()[-1].startswith("all 35 positions agree  1.65 k nodes in ")
    assert run("moves", "startpos", "--config", "quick.toml").returncode == 0


def test_every_variable_has_one_meaning() -> None:
    """Some variables are taken."""
    assert {name for _, name, option in options() if f"--{option.name}".replace("_", "-") not in option.opts} == {
        "--from"
    }
    named = {f"PERFT_CHECK_{option.name.upper()}" for _, _, option in options()}
    assert not {"PERFT_CHECK_PROCESS", "PERFT_CHECK_NODE_MODULES", "PERFT_CHECK_KILLED"} & named


def test_the_example_of_the_page_is_right(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[4] / "docs/configuration.md").read_text(encoding="utf-8")
    example = page[page.index("    # perft-check.toml") : page.index("\n| to | run |")]
    (tmp_path / "perft-check.toml").write_text(textwrap.dedent(example))
    heard = parameters_read(monkeypatch)
    assert run("fuzz").returncode == 0
    names = ("engine", "timeout", "seed", "examples")
    assert [heard[0][name] for name in names] == [("./my-engine",), 5, 1, 10_000]
