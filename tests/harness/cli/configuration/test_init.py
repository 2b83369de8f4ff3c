"""`perft-check init`: a configuration for an engine."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import perft_check
import pytest
from helpers.program import Run, wrong
from perft_check.harness.cli.actions.init import document
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
    assert set(written) == {"engine", "seed", "examples"}
    assert (
        f"#   perft-check run {' '.join(f'-s {name}' for name in ALL_BUNDLED)} --max-nodes 1G\n"
        in (tmp_path / FILE).read_text()
    )
    done = run("--max-depth", "1")
    assert (done.returncode, done.stdout.split(",")[0]) == (0, f"perft-check {perft_check.__version__}  own:turbo")


def test_an_existing_file_is_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("broken [\n")
    assert wrong(run, "init", "-e", "python-chess") == KEPT
    assert (tmp_path / FILE).read_text() == "broken [\n"
    assert run("init", "-e", "python-chess", "--force").returncode == 0
    assert tomllib.loads((tmp_path / FILE).read_text())["engine"] == "python-chess"


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


def test_an_engine_that_counts_wrongly_has_a_configuration(run: Run, tmp_path: Path) -> None:
    done = run("init", "-e", "zoo:castling-through-pieces")
    assert done.returncode == 0, done.stderr
    assert "\n#   startpos 3: incorrect: 11,596 instead of 8,902\n" in (tmp_path / FILE).read_text()
    assert "incorrect: 11,596 instead of 8,902" in done.stdout


def test_where_nothing_can_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert wrong(run, "init", "-e", "own:turbo", "--force") == f"cannot write {FILE}: Is a directory"


def test_whatever_an_engine_is_called_the_file_is_toml() -> None:
    name = 'uci:"a\\b" \x7f\n\t é {fen}'
    text = document(name, [("a\nb", "c\r\x00[x]")], quick=True, chess960=False)
    written = tomllib.loads(text)
    assert written == {"engine": name, "quick": True, "seed": 1, "examples": "10k"}
    assert "-s smoke -s standard -s special -s sweep -s mirrored -s setups --max-nodes" in text
    assert "#   a?b: c??[x]\n" in text


def test_a_table_of_a_pyproject_that_no_longer_holds_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.perft-check]\njobs = 2\n")
    done = run("init", "-e", "own:turbo")
    assert done.returncode == 0
    assert "[tool.perft-check] in pyproject.toml, which is no longer used here" in done.stdout
