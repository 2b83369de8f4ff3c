"""Which file is the configuration, and from where its paths start."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest
from helpers.program import Run, called_in, wrong
from perft_check.harness.cli.configuration.layers import (
    Folder,
    resolve_file,
    resolve_report,
    resolve_spec,
    resolve_suite,
)

EPD = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n"


@pytest.fixture
def inside(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Carry out a command line in `a/b` of the folder of the test."""
    (tmp_path / "a/b").mkdir(parents=True)
    return partial(called_in, tmp_path / "a/b", capfd)


WRONG = "jobs = 0\n"
"""What a file has to be named for."""


def found(run: Run, *arguments: str, **variables: str) -> str | None:
    """Return the configuration file that is read: the one with a mistake, by the message about that."""
    done = run("moves", "startpos", *arguments, **variables)
    return done.stderr.removeprefix("perft-check: ").split(":")[0] if done.returncode else None


def test_the_nearest_file_is_taken(inside: Run, tmp_path: Path) -> None:
    assert found(inside) is None
    for name in ("pyproject.toml", "perft-check.toml", "a/pyproject.toml", "a/b/perft-check.toml"):
        table = "[tool.perft-check]\n" if "pyproject" in name else ""
        (tmp_path / name).write_text(f"{table}{WRONG}")
        assert found(inside) == os.path.relpath(tmp_path / name, tmp_path / "a/b")
    (tmp_path / "a/b/perft-check.toml").unlink()
    (tmp_path / "a/pyproject.toml").write_text("[tool.other]\n")
    assert found(inside) == "../../perft-check.toml"
    assert found(inside, "--no-config") is None
    assert found(inside, "--config", "../../pyproject.toml") == "../../pyproject.toml"
    assert found(inside, PERFT_CHECK_CONFIG="../../pyproject.toml") == "../../pyproject.toml"
    assert found(inside, "--config", "../../perft-check.toml", PERFT_CHECK_CONFIG="x") == "../../perft-check.toml"


def test_a_folder_with_the_name_of_the_file_is_reported(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "a/perft-check.toml").symlink_to("gone")
    done = inside("moves", "startpos")
    line = "perft-check: ../perft-check.toml is not a file: remove it, or ignore it with --no-config\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line)
    assert found(inside, "--no-config") is None


def test_the_search_ends_at_a_repository_and_at_the_home_folder(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text(WRONG)
    assert found(inside, HOME=str(tmp_path)) == "../../perft-check.toml"
    assert found(inside, HOME=str(tmp_path / "a")) is None
    (tmp_path / "a/.git").write_text("gitdir: elsewhere\n")
    assert found(inside) is None
    (tmp_path / "a/perft-check.toml").write_text(WRONG)
    assert found(inside) == "../perft-check.toml"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_refused_unless_it_is_named(inside: Run, tmp_path: Path) -> None:
    file = tmp_path / "perft-check.toml"
    file.write_text("jobs = 2\n")
    os.chown(file, 12345, -1)
    assert wrong(inside, "perft", "startpos", "1") == (
        "../../perft-check.toml belongs to another user: "
        "use it anyway with --config ../../perft-check.toml, or ignore it with --no-config"
    )
    assert inside("perft", "startpos", "1", "--config", "../../perft-check.toml").returncode == 0
    assert inside("perft", "startpos", "1", "--no-config").returncode == 0


def test_paths_start_from_the_folder_of_the_file(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.epd").write_text(EPD)
    (tmp_path / "own.py").write_text("import chess, sys\nprint(chess.Board(sys.argv[1]).legal_moves.count())\n")
    (tmp_path / "perft-check.toml").write_text(
        'suite = ["mine.epd", "smoke"]\nengine = "cmd:python3 ./own.py {fen} {depth}"\nreport = ["json=out.json"]\n'
        'filter = "mine"\nmax-depth = 1\n'
    )
    done = inside()
    assert (done.returncode, done.stderr) == (0, ""), done
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["engine"] == "cmd:python3 ../../own.py {fen} {depth}"
    assert [case["name"] for case in document["results"]] == ["mine:1"]
    assert not (tmp_path / "a/b/out.json").exists()


def test_paths_of_variables_start_from_the_working_folder(inside: Run, tmp_path: Path) -> None:
    (tmp_path / "a/b/mine.epd").write_text(EPD)
    (tmp_path / "perft-check.toml").write_text("quiet = true\n")
    done = inside(PERFT_CHECK_SUITE="mine.epd")
    assert done.stdout.splitlines()[-1].startswith("the one position agrees")


def test_what_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    folder = Folder(tmp_path)
    for place, text, expected in [
        (resolve_spec, "own:turbo", "own:turbo"),
        (resolve_spec, "python-chess", "python-chess"),
        (resolve_spec, "stockfish", "stockfish"),
        (resolve_spec, "./engine", "../engine"),
        (resolve_spec, "build/my engine", "../build/my engine"),
        (resolve_spec, "a/engine", "./engine"),
        (resolve_spec, "/usr/games/stockfish", "/usr/games/stockfish"),
        (resolve_spec, "mine.json", "../mine.json"),
        (resolve_spec, "uci:stockfish --x ./net", "uci:stockfish --x ../net"),
        (resolve_spec, "uci:'my build/engine' a/b", "uci:'../my build/engine' a/b"),
        (resolve_spec, "uci:stockfish  a/b", "uci:stockfish  a/b"),
        (resolve_spec, "uci:'open", "uci:'open"),
        (resolve_spec, "cmd:./count {fen} {depth}", "cmd:../count {fen} {depth}"),
        (resolve_spec, "script:../count", "script:../../count"),
        (resolve_spec, "python:engine.moves:perft", "python:engine.moves:perft"),
        (resolve_spec, "python[venv/bin/python]:engine:perft", "python[../venv/bin/python]:engine:perft"),
        (resolve_spec, "python[python3.12]:engine:perft", "python[python3.12]:engine:perft"),
        (resolve_spec, "lib:./libmine.so", "lib:../libmine.so"),
        (resolve_spec, "lib:libmine.so", "lib:../libmine.so"),
        (resolve_spec, "lib:/usr/lib/libmine.so", "lib:/usr/lib/libmine.so"),
        (resolve_spec, "zoo:en-passant", "zoo:en-passant"),
        (resolve_spec, "./a:b", "../a:b"),
        (resolve_spec, "", ""),
        (resolve_suite, "smoke", "smoke"),
        (resolve_suite, "./smoke", "../smoke"),
        (resolve_suite, "mine.epd", "../mine.epd"),
        (resolve_report, "json=-", "json=-"),
        (resolve_report, "json=x", "json=../x"),
        (resolve_report, "x.json", "../x.json"),
        (resolve_report, "junit", "junit"),
        (resolve_file, "corpus.epd", "../corpus.epd"),
    ]:
        assert place(text, folder) == expected
        assert place(text, Folder(tmp_path / "a")) == text
