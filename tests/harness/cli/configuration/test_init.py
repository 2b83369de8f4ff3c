"""`perft-check init`: a configuration for an engine."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import perft_check
import pytest
from helpers.program import Run, wrong
from perft_check.harness.checking.budget import Budget, QuestionCost
from perft_check.harness.cli.actions.init import document, is_as_written
from perft_check.suites.bundled import ALL_BUNDLED

FILE = "perft-check.toml"
KEPT = f"{FILE} already exists: to replace it, add --force"


def test_a_configuration_is_written_and_used(run: Run, tmp_path: Path) -> None:
    done = run("init", "-e", "own:turbo")
    assert (done.returncode, done.stderr) == (0, "")
    facts = dict(line.split("  ", 1) for line in done.stdout.splitlines())
    assert (facts["engine"].strip(), facts["written"].strip(), facts["next"].strip()) == (
        "own:turbo",
        FILE,
        "perft-check run",
    )
    written = tomllib.loads((tmp_path / FILE).read_text())
    assert written["engine"] == "own:turbo"
    assert set(written["suite"]) <= set(ALL_BUNDLED)
    assert (
        f"#   perft-check run {' '.join(f'-s {name}' for name in ALL_BUNDLED)} --max-nodes 1G\n"
        in (tmp_path / FILE).read_text()
    )
    done = run("--max-depth", "1")
    assert (done.returncode, done.stdout.split(",")[0]) == (0, f"perft-check {perft_check.__version__}  own:turbo")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take an engine to be of a known speed."""
    monkeypatch.setattr(
        "perft_check.harness.cli.actions.init.measure_cost", lambda *_: QuestionCost(0.001, 1e6, chess960=True)
    )


@pytest.mark.usefixtures("measured")
def test_an_existing_file_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("broken [\n")
    assert wrong(run, "init") == KEPT
    assert wrong(run, "init", "-e", "python-chess") == KEPT
    assert (tmp_path / FILE).read_text() == "broken [\n"
    assert run("init", "-e", "python-chess", "--force").returncode == 0
    assert tomllib.loads((tmp_path / FILE).read_text())["engine"] == "python-chess"


CHANGES: dict[str, Callable[[str], str]] = {
    "another engine": lambda text: text.replace('engine = "own:turbo"', 'engine = "./mine"'),
    "a comment": lambda text: text.replace("# The engine under test:", "# Mine:"),
    "a key at the end": lambda text: text + "seed = 7\n",
    "a space": lambda text: text.replace("seed = 1", "seed  = 1"),
    "other line ends": lambda text: text.replace("\n", "\r\n"),
    "a last line less": lambda text: "".join(text.splitlines(keepends=True)[:-1]),
    "a last line twice": lambda text: text + text.splitlines(keepends=True)[-1],
    "nothing left": lambda text: "",
    "bytes that are no text": lambda text: text.replace("Paths", "\udcff"),
}


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("change", CHANGES)
def test_an_edited_file_is_kept(run: Run, tmp_path: Path, change: str) -> None:
    assert run("init", "-e", "own:turbo").returncode == 0
    changed = CHANGES[change]((tmp_path / FILE).read_text()).encode(errors="surrogateescape")
    (tmp_path / FILE).write_bytes(changed)
    assert wrong(run, "init", "-e", "python-chess") == KEPT
    assert (tmp_path / FILE).read_bytes() == changed


@pytest.mark.usefixtures("measured")
def test_an_unedited_file_is_replaced(run: Run, tmp_path: Path) -> None:
    assert run("init", "-e", "own:turbo").returncode == 0
    for engine in ("zoo:castling-through-pieces", "own:magic", "python-chess"):
        done = run("init", "-e", engine)
        assert (done.returncode, done.stderr) == (0, "")
        assert tomllib.loads((tmp_path / FILE).read_text())["engine"] == engine
        assert f"{FILE} (replaced)" in done.stdout
    assert run("--max-depth", "1", "-q").returncode == 0


@pytest.mark.usefixtures("measured")
def test_a_link_and_a_pipe_are_kept(run: Run, tmp_path: Path) -> None:
    assert run("init", "-e", "own:turbo").returncode == 0
    (tmp_path / FILE).rename(tmp_path / "shared.toml")
    (tmp_path / FILE).symlink_to("shared.toml")
    assert wrong(run, "init", "-e", "python-chess") == KEPT
    (tmp_path / FILE).unlink()
    os.mkfifo(tmp_path / FILE)
    assert wrong(run, "init", "-e", "python-chess") == KEPT


def test_a_file_that_is_edited_while_the_engine_is_examined_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edit(*_: object) -> QuestionCost:
        (tmp_path / FILE).write_text('engine = "./mine"\n')
        return QuestionCost(0.001, 1e6, chess960=True)

    monkeypatch.setattr("perft_check.harness.cli.actions.init.measure_cost", edit)
    assert wrong(run, "init", "-e", "own:turbo") == KEPT
    assert (tmp_path / FILE).read_text() == 'engine = "./mine"\n'


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("kernel", ["own", "own:turbo", "own:two-plies"])
def test_a_configuration_for_our_own_generator_says_so(run: Run, kernel: str) -> None:
    told = run("init", "-e", kernel).stdout.splitlines()[-2:]
    assert [re.split("  +", line) for line in told] == [
        ["warning", "this configuration tests perft-check's own generator, not your engine"],
        ["to test yours", "perft-check init -e ./my-engine"],
    ]
    assert "warning" not in run("init", "-e", "python-chess").stdout


def test_an_engine_that_does_not_work_leaves_no_file(run: Run, tmp_path: Path) -> None:
    assert wrong(run, "init", "-e", "./gone") == "engine './gone': there is no file ./gone"
    assert wrong(run, "init", "-e", "\udcff").endswith(": the name is not valid UTF-8; rename the file")
    for engine, name in (
        ("cmd:true {fen} {depth}", "true"),
        ("cmd:echo {fen} {depth}", "echo"),
        ("uci:false", "false"),
    ):
        done = run("init", "-e", engine)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr.startswith(f"perft-check: {name} ")
        assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("measured")
def test_an_engine_that_counts_wrongly_has_a_configuration(run: Run, tmp_path: Path) -> None:
    done = run("init", "-e", "zoo:castling-through-pieces")
    assert done.returncode == 0, done.stderr
    assert "\n#   startpos 3: incorrect: 11,596 instead of 8,902\n" in (tmp_path / FILE).read_text()
    assert "incorrect: 11,596 instead of 8,902" in done.stdout


@pytest.mark.usefixtures("measured")
def test_where_nothing_can_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert wrong(run, "init", "-e", "own:turbo", "--force") == f"cannot write {FILE}: Is a directory"


def test_whatever_an_engine_is_called_the_file_is_toml() -> None:
    name = 'uci:"a\\b" \x7f\n\t é {fen}'
    text = document(name, [("a\nb", "c\r\x00[x]")], Budget(("smoke",), 500, 3.0), chess960=False)
    written = tomllib.loads(text)
    assert written == {"engine": name, "suite": ["smoke"], "max-nodes": 500, "seed": 1, "examples": "10k"}
    assert "-s smoke -s standard -s special -s sweep -s mirrored -s setups --max-nodes" in text
    assert "#   a?b: c??[x]\n" in text
    assert is_as_written(text.encode())


def test_a_table_of_a_pyproject_that_no_longer_holds_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.perft-check]\njobs = 2\n")
    done = run("init", "-e", "own:turbo")
    assert done.returncode == 0
    assert "[tool.perft-check] in pyproject.toml, which is no longer used here" in done.stdout
