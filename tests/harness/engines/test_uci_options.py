"""Options of UCI engines: their syntax, those that an engine offers, and the commands that are sent."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest
from helpers.fakes import fake, quirky, quirky_descriptor
from helpers.program import Run, wrong
from perft_check.errors import UsageError
from perft_check.harness.engines.command_lines import name_engine
from perft_check.harness.engines.stdio.offered import OfferedOption
from perft_check.harness.engines.uci_options import UciOption, add_options, parse_options, split_options

RIGHT = ("perft", "startpos", "2")


@pytest.mark.parametrize(
    ("options", "spec"),
    [
        (("Hash=16",), "./engine [Hash=16]"),
        (("Hash=16", "Clear Hash"), "./engine [Hash=16 'Clear Hash']"),
        (("Name=it's [b", "A=]"), """./engine ['Name=it'"'"'s [b' 'A=]']"""),
    ],
)
def test_a_spec_contains_its_options(options: tuple[str, ...], spec: str) -> None:
    joined = add_options("./engine", options)
    assert split_options(joined) == ("./engine", options)
    assert joined == spec


@pytest.mark.parametrize(
    "spec", ["./engine", "uci:./engine --seed [3", "python[/usr/bin/python3]:m:f", "cmd:x [{fen}]y"]
)
def test_a_spec_without_options_is_unchanged(spec: str) -> None:
    assert split_options(spec) == (spec, ())


def test_options_are_added_to_those_of_a_spec() -> None:
    assert add_options("e [Hash=1]", ["Clear Hash"]) == "e [Hash=1 'Clear Hash']"
    assert name_engine("e [Hash=1 'Clear Hash']") == ["-e", "e", "-o", "Hash=1", "-o", "Clear Hash"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Hash=16", "setoption name Hash value 16"),
        ("Clear Hash", "setoption name Clear Hash"),
        ("Skill Level = 3", "setoption name Skill Level value 3"),
        ("Path=a=b", "setoption name Path value a=b"),
        ("Path=", "setoption name Path value <empty>"),
    ],
)
def test_an_option_is_sent_as_one_line(text: str, line: str) -> None:
    option = UciOption.read(text)
    assert option.line == line
    assert UciOption.of_line(line) == option


@pytest.mark.parametrize("text", ["", "=3", " = 3", "Hash=1\nquit", "A\0=1"])
def test_invalid_options_are_rejected(text: str) -> None:
    with pytest.raises(UsageError, match="is not an option: write NAME=VALUE, or the NAME of a button, on one line"):
        UciOption.read(text)


def test_an_option_cannot_be_set_twice() -> None:
    with pytest.raises(UsageError, match="option hash is set twice: leave one out"):
        parse_options(["Hash=1", "hash=2"])


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("option name Hash type spin default 16 min 1 max 64", OfferedOption("Hash", "spin", "16", 1, 64)),
        ("option name Clear Hash type button", OfferedOption("Clear Hash", "button")),
        ("option name A type combo default b var b var C d", OfferedOption("A", "combo", "b", choices=("b", "C d"))),
        ("option name File type string default a max b", OfferedOption("File", "string", "a max b")),
        ("option name Bare", OfferedOption("Bare")),
        ("option name Odd type spin default x min one max 9", OfferedOption("Odd", "spin", "x", most=9)),
        ("id name Hash", None),
        ("option", None),
    ],
)  # fmt: skip
def test_an_option_line_of_an_engine_is_parsed(line: str, option: OfferedOption | None) -> None:
    assert OfferedOption.read(line) == option


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def engine(log: Path) -> str:
    return fake("offers-options", str(log))


def test_options_are_sent_before_isready_in_the_spelling_of_the_engine(run: Run, engine: str, log: Path) -> None:
    options = "hash=32", "PONDER=True", "analysis contempt=off", "clear hash", "Eval File="
    done = run(*RIGHT, "-e", engine, *(word for one in options for word in ("-o", one)))
    assert (done.returncode, done.stdout) == (0, "400\n")
    lines = log.read_text().splitlines()
    assert lines[:7] == [
        "uci",
        "setoption name Hash value 32",
        "setoption name Ponder value true",
        "setoption name Analysis Contempt value Off",
        "setoption name Clear Hash",
        "setoption name Eval File value <empty>",
        "isready",
    ]


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("Hahs=1", "has no option 'Hahs': did you mean 'Hash'? perft-check doctor -e"),
        ("Zzz=1", "has no option 'Zzz': perft-check doctor -e"),
        ("Hash=0", "option Hash must be a whole number from 1 to 1024, not '0'"),
        ("Hash=16M", "option Hash must be a whole number from 1 to 1024, not '16M'"),
        ("Ponder=maybe", "option Ponder must be true or false, not 'maybe'"),
        ("Analysis Contempt=on", "option Analysis Contempt must be Off or White or Both, not 'on'"),
        ("Clear Hash=1", "option Clear Hash is a button, which takes no value: write 'Clear Hash' alone"),
        ("Hash", "option Hash needs a value, a whole number from 1 to 1024: write Hash=VALUE"),
    ],
)
def test_an_unknown_option_is_reported_in_one_line(run: Run, engine: str, option: str, complaint: str) -> None:
    assert complaint in wrong(run, *RIGHT, "-e", engine, "-o", option)


@pytest.mark.slow
@pytest.mark.parametrize("command", [("run", "-q"), ("fuzz", "-n", "10"), ("divide", "startpos", "2"), ("doctor",)])
def test_every_command_rejects_an_unknown_option(run: Run, engine: str, command: tuple[str, ...]) -> None:
    assert "has no option 'Hahs': did you mean 'Hash'?" in wrong(run, *command, "-e", engine, "-o", "Hahs=1")


def test_an_option_for_an_engine_without_options(run: Run) -> None:
    message = wrong(run, *RIGHT, "-e", quirky("standard"), "-o", "Hash=1")
    assert message.endswith("has no option 'Hash': it has no options")


@pytest.mark.parametrize(
    "spec",
    [
        "own",
        "python-chess",
        "cmd:true {fen} {depth}",
        "python:m:f",
        "zoo:list-of-200",
    ],
)
def test_other_engine_types_take_no_options(run: Run, spec: str) -> None:
    message = f"{spec} takes no options: they are for UCI engines, uci:COMMAND, a path or FILE.json"
    assert message in wrong(run, *RIGHT, "-e", spec, "-o", "Hash=1")


def test_options_need_an_engine_and_cannot_set_chess960(run: Run, engine: str) -> None:
    assert wrong(run, "run", "-o", "Hash=1") == "-o sets an option of a UCI engine: add -e SPEC, or leave out -o"
    message = wrong(run, "run", "-e", engine, "-o", "uci_chess960=true")
    assert message.endswith("perft-check sets UCI_Chess960 itself, as each position needs it: leave it out")


def test_doctor_lists_options_and_saves_those_that_are_set(run: Run, engine: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    done = run("doctor", "-e", engine, "-o", "Hash=32", "--save", str(file), COLUMNS="1000")
    for title, text in (
        ("sent first", "setoption name Hash value 32"),
        ("option Hash", "a whole number from 1 to 1024, by default 16"),
        ("option Ponder", "true or false, by default false"),
        ("option Analysis Contempt", "Off or White or Both, by default Both"),
        ("option Clear Hash", "a button"),
        ("option Eval File", "a text, by default the best max net.nnue"),
    ):
        assert any(line.split("  ")[0].strip() == title and line.endswith(text) for line in done.stdout.splitlines())
    assert json.loads(file.read_text())["setup"] == ["setoption name Hash value 32"]


def test_options_of_a_descriptor_are_checked_and_can_be_replaced(run: Run, tmp_path: Path) -> None:
    setup = ["setoption name UCI_Chess960 value maybe"]
    file = quirky_descriptor(tmp_path / "one.json", "uci", setup=setup)
    assert "one: option UCI_Chess960 must be true or false, not 'maybe'" in wrong(run, *RIGHT, "-e", file)
    plain = quirky_descriptor(tmp_path / "two.json", "plain")
    assert f'{plain} takes no options: its descriptor has no "uci": true' in wrong(
        run, *RIGHT, "-e", plain, "-o", "Hash=1"
    )


def test_a_configuration_and_a_variable_set_options(run: Run, engine: str, log: Path, tmp_path: Path) -> None:
    text = f"engine = {json.dumps(engine)}\noption = ['Hash=32', 'Eval File=./net']\n"
    (tmp_path / "perft-check.toml").write_text(text)
    assert run(*RIGHT).returncode == 0
    assert log.read_text().splitlines()[1:3] == ["setoption name Hash value 32", "setoption name Eval File value ./net"]
    log.unlink()
    assert run(*RIGHT, PERFT_CHECK_OPTION="Hash=64\nClear Hash").returncode == 0
    assert log.read_text().splitlines()[1:3] == ["setoption name Hash value 64", "setoption name Clear Hash"]
    assert run("perft", "startpos", "2", "-e", "own").stdout == "400\n"
    (tmp_path / "perft-check.toml").write_text(text.replace("Hash=32", "Hahs=32"))
    assert wrong(run, *RIGHT).startswith("perft-check.toml:2: option: ")


@pytest.mark.slow
def test_reports_contain_the_options_and_a_command_that_sets_them(run: Run, engine: str, tmp_path: Path) -> None:
    arguments = ("-s", "smoke", "--max-nodes", "3000", "--report", "json=r.json")
    done = run("run", *arguments, "-e", engine, "-o", "Hash=32", "-o", "Clear Hash", COLUMNS="1000")
    assert done.returncode == 1
    assert json.loads((tmp_path / "r.json").read_text())["engine"] == f"{engine} [Hash=32 'Clear Hash']"
    assert f"-e {shlex.quote(engine)} -o Hash=32 -o 'Clear Hash' -a own:turbo" in done.stdout


def test_init_writes_options_as_a_key(run: Run, engine: str, tmp_path: Path) -> None:
    assert run("init", "-e", engine, "-o", "Hash=32").returncode == 0
    written = tomllib.loads((tmp_path / "perft-check.toml").read_text())
    assert (written["engine"], written["option"]) == (engine, ["Hash=32"])
