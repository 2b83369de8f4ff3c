"""Mistakes in a configuration: one line with file, line and key, and exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.program import Run, wrong
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

KEYS = "keys are the long names of options, without dashes"
NO_TABLES = "a configuration has no tables: write its keys at the top level"
ON_LINE_2 = {
    "max-node = 5": "max-node: unknown key: did you mean 'max-nodes'?",
    "zzzzzz = 5": f"zzzzzz: unknown key: {KEYS}",
    "explain = 'some'": "explain: 'some': write one of none, three, all",
    "explain = false": "explain: write text or a number, not true or false",
    "standard = true": "standard: write chess960 = false",
    "timeout = 'never'": "timeout: 'never' is not a time of 0.01 s or more: write seconds, or 90s, 2m, 1h",
    "timeout = true": "timeout: write text or a number, not true or false",
    "timeout = 2026-01-01": "timeout: write text or a number, not a date or a time",
    "timeout = [1]": "timeout: write one value, not a list",
    "timeout.x = 1": "timeout: write text or a number, not a table",
    "jobs = 0x7fffffffffffffff1": "jobs: the number is too large",
    "jobs = 1.5": "jobs: '1.5' is not a whole number from 1 to 256",
    "suite = [['smoke']]": "suite: write text or a number, not a list",
    "fail-fast = 'yes'": "fail-fast: write true or false, not text",
    "suite = 'smok'": "suite: no suite named 'smok' (did you mean 'smoke'?): "
    "name a file or one of smoke, standard, chess960, special, chess960-special, sweep, chess960-sweep, mirrored, "
    "chess960-castling, setups",
    "run.suite = 'smoke'": f"run: {NO_TABLES}",
    "profile.p.run.timeout = 'x'": f"profile: {NO_TABLES}",
    "force = true": f"force: unknown key: {KEYS}",
    "engine = ['own', 'own:turbo']": "engine: --engine is given 2 times, but this command takes one engine",
    "engine = 'owm'": "engine: no engine named 'owm': did you mean 'own'?",
    "engine = './gone'": "engine: engine './gone': there is no file ./gone",
    "report = 'x.y/a.json'": "report: --report 'x.y/a.json': there is no folder 'x.y'",
    "filter = '('": "filter: --filter '(' is not a valid regular expression: missing ), "
    "unterminated subpattern at position 0",
}
"""What stands on the second line of a file, and what is said about it."""
TOML = st.text(st.characters(codec="utf-8"), max_size=60)
VALUES = st.sampled_from(["1", "true", "'x'", "[]", "[1, 'smoke']", "{ a = 1 }", "1979-05-27", "inf", "'1k'", "'./x'"])
STATEMENTS = st.lists(
    st.one_of(
        st.builds("{} = {}".format, st.sampled_from(["timeout", "suite", "run", "engine", "json"]), VALUES),
        st.sampled_from(["[run]", "[a.b]", "[[fuzz]]", "# x"]),
        TOML,
    ),
    max_size=5,
).map("\n".join)


def test_a_mistake_is_reported_with_file_line_and_key(run: Run, tmp_path: Path) -> None:
    for line, said in ON_LINE_2.items():
        (tmp_path / "perft-check.toml").write_text(f"# a comment\n{line}\n")
        assert wrong(run, "run") == f"perft-check.toml:2: {said}"


def test_in_a_pyproject_lines_count_from_the_top(run: Run, tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    for line in ("max-node = 5", "timeout.x = 1", "engine = './gone'"):
        project.write_text(f"[project]\nname = 'x'\n\n[tool.perft-check]\n{line}\n")
        assert wrong(run, "run") == f"pyproject.toml:5: {ON_LINE_2[line]}"
    project.write_text("[project]\n[tool]\nperft-check = 5\n")
    assert wrong(run, "run") == "pyproject.toml: [tool.perft-check] must be a table"


def test_a_mistake_is_reported_whatever_the_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text("# of zoo score:\n\nseeds = 0\n")
    for arguments in (("perft", "startpos", "1"), ("moves", "startpos")):
        assert wrong(run, *arguments) == "perft-check.toml:3: seeds: '0' is not a whole number of 1 or more"
    assert run("run", "--help").returncode == run("--version").returncode == 0
    assert run("perft", "startpos", "1", "--no-config").returncode == 0


def test_mistakes_of_variables_and_of_the_command_line(run: Run, tmp_path: Path) -> None:
    assert wrong(run, PERFT_CHECK_TIMEOUT="never").startswith("PERFT_CHECK_TIMEOUT: 'never' is not a time of 0.01 s")
    assert wrong(run, PERFT_CHECK_QUIET="maybe") == "PERFT_CHECK_QUIET: 'maybe' is neither true nor false"
    assert wrong(run, PERFT_CHECK_ENGINE="./x") == "PERFT_CHECK_ENGINE: engine './x': there is no file ./x"
    (tmp_path / "perft-check.toml").write_text("against = 'own'\n")
    assert wrong(run, "-e", "owm") == "no engine named 'owm': did you mean 'own'?"
    assert wrong(run).startswith("perft-check.toml:1: against: own would be compared with itself")
    (tmp_path / "perft-check.toml").write_text("\n\nexamples = 5\ntime = 1\n")
    assert wrong(run, "fuzz") == "perft-check.toml:3: examples: --examples and --time exclude each other: leave one out"
    assert wrong(run, "--no-config", "--config", "p") == "--config and --no-config exclude each other: leave one out"


FOUND_LATER = {
    ("fuzz", "strategy = ['walks', 'game']"): "strategy: --strategy 'game': did you mean 'games'?",
    ("fuzz", "ignore = 'x'"): "ignore: --ignore 'x': only clocks can be ignored",
    ("fuzz", "corpus = 'gone/found.epd'"): "corpus: --corpus gone/found.epd: give a file in an existing folder",
    ("count startpos 3", "scheduler = 'x'"): "scheduler: 'x' is not the address of a scheduler: write tcp://HOST:8786",
    ("run", "suite = ['smoke', 'gone']"): "suite: no suite named 'gone': name a file or one of ",
    ("bench", "position = 'nowhere'"): "position: no position named 'nowhere': ",
    ("moves startpos", "type = 'quiet'"): "type: --type 'quiet': did you mean 'QUIETS'?",
    ("count startpos 3", "ledger = 'gone/x'"): "ledger: ledger 'gone/x': there is no folder 'gone'",
    ("zoo score", "method = 'smok'"): "method: --method 'smok': did you mean 'smoke'?",
    ("count startpos 3", "split = 5"): "split: --split 5 must be less than the depth, 3",
    ("zoo score", "results = 'gone/x'"): "results: --results gone/x: there is no folder 'gone'",
    ("divide startpos 2", "against = ['own', 'lib:gone']"): "against: engine 'lib:gone': there is no file gone",
}
"""Mistakes that a command finds in its settings, by the command and the line of the file."""


def test_a_mistake_that_the_command_finds_is_reported_with_its_place(run: Run, tmp_path: Path) -> None:
    for (command, line), said in FOUND_LATER.items():
        (tmp_path / "perft-check.toml").write_text(f"engine = 'own:turbo'\n{line}\n")
        assert wrong(run, *command.split()).startswith(f"perft-check.toml:2: {said}"), (command, line)


def test_a_mistake_on_the_command_line_is_not_looked_for_in_the_file(run: Run, tmp_path: Path) -> None:
    """What an error is about is known, not read out of its words: both have the same value here."""
    (tmp_path / "perft-check.toml").write_text("filter = 'own'\nsuite = 'smoke'\n")
    assert wrong(run, "-e", "lib:smoke") == "engine 'lib:smoke': there is no file smoke"
    assert wrong(run, "-e", "own", "-a", "own") == "own would be compared with itself: name another engine with -a"


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    for name, data, said in [
        ("a.toml", b"# \xc3\xa9\n# \xff\n", "a.toml:2: not valid UTF-8: save the file as UTF-8"),
        ("b.toml", b"jobs = 1\njobs 2\n", "b.toml:2: invalid TOML in column 6: "),
        ("c.toml", b"jobs = 1\nsuite = [", "c.toml:2: invalid TOML"),
        ("d.toml", b"x = " + b"[" * 100_000, "d.toml: values are nested too deeply"),
        ("e.toml", b"#" * (2 << 20), "e.toml is larger than 1 MiB: is it a configuration file?"),
        ("f.toml", b"jobs = " + b"9" * 5000, "f.toml:1: invalid TOML: Exceeds the limit"),
        ("pyproject.toml", b"[tool.other]\n", "pyproject.toml has no table [tool.perft-check]"),
    ]:
        (tmp_path / name).write_bytes(data)
        assert wrong(run, "--config", name).startswith(said)
    assert wrong(run, "--config", "gone.toml") == "cannot read gone.toml: No such file or directory"
    assert wrong(run, "--config", "") == "cannot read .: Is a directory"
    assert wrong(run, PERFT_CHECK_CONFIG="gone.toml") == "cannot read gone.toml: No such file or directory"
    assert wrong(run, "--config", "a\nb") == "cannot read 'a\\nb': No such file or directory"


def test_a_broken_pyproject_of_others_is_nothing_to_us(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\n")
    assert run("perft", "startpos", "1").returncode == 0
    (tmp_path / "pyproject.toml").write_text("[tool.perft-check\n")
    assert wrong(run, "perft", "startpos", "1").startswith("pyproject.toml:1: invalid TOML")


@pytest.mark.slow
@given(STATEMENTS)
@settings(max_examples=30, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_whatever_is_a_fault_of_ours(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "perft-check.toml").write_text(text, encoding="utf-8", newline="")
    done = run("moves", "startpos")
    assert done.returncode in (0, 2)
    if done.returncode == 2:
        assert done.stdout == ""
        assert done.stderr.startswith("perft-check: perft-check.toml:")
        assert len(done.stderr.splitlines()) == 1
