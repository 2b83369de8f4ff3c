"""docs/dependencies.md names what the package needs and nothing else; commands load what they use and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from docs.blocks import ROOT
from helpers.program import PROGRAM, STOCKFISH

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
INSTALLING = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
FIRST_CELL = re.compile(r"^\| `([\w.-]+)` \|", re.MULTILINE)
FOR_DEVELOPERS = {"dev", "docs", "coverage"}

RARE = {"asyncio", "dask", "distributed", "jinja2", "junitparser", "pytest", "textual"}
"""What no command loads that has no use for it."""
NETWORK = {"http", "ssl", "urllib.request"}
HEAVY = RARE | NETWORK | {"chess", "hypothesis", "numba"}
BEYOND_HELP = {"llvmlite", "msgspec", "multiprocessing", "numpy", "platformdirs", "psutil", "regex", "rich"}
NOT_LOADED = {
    "--help": HEAVY | BEYOND_HELP,
    "run --help": HEAVY | BEYOND_HELP,
    "--version": HEAVY | {"msgspec", "multiprocessing", "numpy", "psutil", "regex", "rich"},
    "perft startpos 1": HEAVY | {"msgspec", "psutil", "regex"},
    "perft startpos 4 --hash 1M": {"numba"},
    "perft startpos 3 --stats": {"numba"},
    "divide startpos 1": HEAVY | {"msgspec", "psutil"},
    "moves startpos": HEAVY | {"msgspec", "psutil"},
    "run --max-nodes 1k": {"numba"},
    "run -s smoke -q -e uci:STOCKFISH": HEAVY | {"msgspec"},
}
"""Command lines, each with what it does not load."""


def names(bounds: list[str]) -> set[str]:
    """Return the names of packages, without their versions."""
    return {re.split(r"[^\w.-]", bound)[0] for bound in bounds}


def test_the_page_lists_what_the_package_needs() -> None:
    assert FIRST_CELL.findall(PAGE) == sorted(names(PROJECT["dependencies"]))


def test_the_page_names_what_these_bring() -> None:
    """As far as it is installed here: a package with a condition may be for another Python or system."""
    missing = [
        brought
        for package in names(PROJECT["dependencies"])
        for brought in names([one for one in requires(package) or [] if ";" not in one])
        if f"`{brought.lower()}`" not in PAGE.lower()
    ]
    assert missing == []


def test_the_page_about_installing_lists_the_extras() -> None:
    assert set(FIRST_CELL.findall(INSTALLING)) == set(PROJECT["optional-dependencies"]) - FOR_DEVELOPERS


@pytest.mark.slow
@pytest.mark.parametrize("line", NOT_LOADED)
def test_a_command_loads_what_it_uses(line: str, tmp_path: Path) -> None:
    if "STOCKFISH" in line and STOCKFISH is None:
        pytest.skip("Stockfish is not installed")
    words = [word.replace("STOCKFISH", STOCKFISH or "") for word in line.split()]
    subprocess.run([*PROGRAM, *words], capture_output=True, check=True, cwd=tmp_path)  # it may compile kernels, once
    command = [sys.executable, "-X", "importtime", *PROGRAM[1:], *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=tmp_path)
    loaded = {
        found.rpartition("|")[2].strip() for found in done.stderr.splitlines() if found.startswith("import time:")
    }
    assert "perft_check.harness.cli.app" in loaded
    assert {one for one in NOT_LOADED[line] if one in loaded} == set()
