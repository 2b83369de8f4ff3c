"""A report may come from other people: `explore` does not start programs that it names."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.program import Run, run_in
from helpers.screens import Screen

pytestmark = pytest.mark.slow  # each test starts a process

FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FAULT = "zoo:castling-through-attack"
PROGRAM = "#!/bin/sh\ntouch executed\n"
MODULE = "open('executed', 'w').close()\n"
LIBRARY = "no library"
SPECS = (
    "uci:./program",
    "./program",
    "cmd:./program {fen} {depth}",
    "script:./program",
    "python:planted:moves",
    f"python[{sys.executable}]:planted:moves",
    "lib:./planted.so",
    "engine.json",
    "uci:/usr/bin/touch executed",
)
REPORTS = {
    "run.json": "run -s chess960-special -e {fault} --report run.json --max-nodes 2000",
    "run.jsonl": "run -s chess960-special -e {fault} --report run.jsonl --max-nodes 2000",
    "fuzz.json": "fuzz -e {fault} -n 60 --seed 1 --report fuzz.json",
    "divide.json": "divide kiwipete 3 -e {fault} --report divide.json",
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a report of each format, about an engine of the zoo."""
    folder = tmp_path_factory.mktemp("reports")
    for command in REPORTS.values():
        done = run_in(folder, *command.format(fault=FAULT).split())
        assert done.returncode == 1, done.stderr
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with programs that record in a file `executed` that they were started."""
    (tmp_path / "program").write_text(PROGRAM)
    (tmp_path / "program").chmod(0o755)
    (tmp_path / "planted.py").write_text(MODULE)
    (tmp_path / "planted.so").write_text(LIBRARY)
    (tmp_path / "engine.json").write_text(json.dumps({"launch": "./program", "case": "fen {fen}\nperft {depth}"}))
    return tmp_path


def planted(reports: Path, name: str, folder: Path, engine: str | None = None, reference: str | None = None) -> Path:
    """Write a report that names other engines into a folder."""
    texts = (reports / name).read_text().splitlines()
    whole = [json.loads(line) for line in texts] if name.endswith("jsonl") else [json.loads("\n".join(texts))]

    def changed(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: changed(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [changed(one, key) for one in value]
        if engine is not None and value == FAULT:
            return engine
        return reference if reference is not None and key in ("reference", "references") else value

    path = folder / name
    path.write_text("\n".join(json.dumps(changed(one)) for one in whole))
    return path


@pytest.mark.parametrize("name", REPORTS)
def test_no_report_starts_its_engine(name: str, reports: Path, folder: Path, run: Run) -> None:
    planted(reports, name, folder, engine="uci:./program")
    done = run("explore", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"perft-check: {name} names 'uci:./program', but a report may not start programs: name the engine with -e\n"
    )
    assert not (folder / "executed").exists()


@pytest.mark.parametrize("spec", SPECS)
def test_no_kind_of_engine_is_started(spec: str, reports: Path, folder: Path, run: Run) -> None:
    planted(reports, "divide.json", folder, engine=spec)
    done = run("explore", "divide.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"names {spec!r}, but a report may not start programs" in done.stderr
    assert not (folder / "executed").exists()


def test_no_reference_is_started(reports: Path, folder: Path, run: Run) -> None:
    planted(reports, "divide.json", folder, reference="uci:./program")
    done = run("explore", "divide.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "names 'uci:./program', but a report may not start programs" in done.stderr
    assert not (folder / "executed").exists()


@pytest.mark.parametrize("options", [[], ["-e", FAULT]])
def test_faults_of_the_zoo_and_named_engines_start(options: list[str], reports: Path, folder: Path) -> None:
    planted(reports, "run.json", folder, engine=None if not options else "uci:./program")
    with Screen(["explore", "run.json", *options], folder) as screen:
        assert screen.shows("Enter opens one")
        screen.press("\r")
        assert screen.shows("[1 Rule]")
        screen.press("q")
        assert screen.status() == 0
    assert os.listdir(folder).count("executed") == 0
