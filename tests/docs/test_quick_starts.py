"""The quick starts, done as a reader does them: files written, commands typed one after the other, outputs compared."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from docs.blocks import ROOT, blocks_of
from docs.pages import IN_SEQUENCE, shown_in
from helpers.node_modules import NODE_MODULES
from helpers.program import STOCKFISH

NOT_TYPED = {"npm install chess.js chessops": "it needs the network; the tests have these packages"}
"""Commands that a test does not type, with the reason."""
FOUND_WRONG = (0, 1)
"""The exit statuses of commands that have compared everything."""


@dataclass(frozen=True)
class Start:
    """What a quick start takes for granted."""

    page: str
    files: tuple[str, ...] = ()
    """Files of the repository that the reader has copied."""
    programs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    """Packages of npm."""

    def missing(self) -> list[str]:
        """Return what is not installed here."""
        programs = [name for name in self.programs if shutil.which(name) is None]
        modules = [name for name in self.modules if find_spec(name) is None]
        return programs + modules + [name for name in self.packages if not _has_package(name)]


STARTS = (
    Start(
        "cpp",
        ("examples/cpp/generator.hpp", "examples/cpp/library.cpp", "harness/engines/library/perft_check.h"),
        programs=("c++",),
    ),
    Start(
        "rust",
        ("examples/rust/src/generator.rs", "examples/rust/src/lib.rs"),
        programs=("rustc",),
        modules=("rust_chess",),
    ),
    Start("python"),
    Start("javascript", programs=("node",), packages=("chess.js", "chessops")),
)


def _has_package(name: str) -> bool:
    return bool(NODE_MODULES) and Path(NODE_MODULES, name).is_dir()


def prepared(folder: Path, start: Start) -> Path:
    """Return a folder with what the reader has before the first line of the page."""
    for name in start.files:
        shutil.copy(ROOT / name, folder)
    if start.packages:
        (folder / "node_modules").symlink_to(NODE_MODULES)
    return folder


def typed(folder: Path, command: str) -> str:
    """Type commands into a shell where perft-check is installed, and return what they print."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"], "/usr/games"])
    done = subprocess.run(
        ["bash", "-ec", command],
        cwd=folder,
        env=os.environ | {"PATH": programs, "COLUMNS": "", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode in FOUND_WRONG, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def test_every_quick_start_is_tried() -> None:
    assert {start.page for start in STARTS} == {path.stem for path in IN_SEQUENCE.glob("*.md")}


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.page)
def test_it_works_as_the_page_says(start: Start, tmp_path: Path) -> None:
    if start.missing():
        pytest.skip(f"not installed: {', '.join(start.missing())}")
    folder = prepared(tmp_path, start)
    for block in blocks_of(IN_SEQUENCE / f"{start.page}.md"):
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            if block.text.strip() in NOT_TYPED or ("stockfish" in block.text and STOCKFISH is None):
                continue
            typed(folder, block.text)
        elif block.language == "console":
            for shown in shown_in(block.text, block.page):
                printed = typed(folder, shown.command)
                assert shown.is_like(printed), (block.place, shown.command, printed)
