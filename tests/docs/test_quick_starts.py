"""Follow the quick starts like a reader with the installed package, in a new folder outside the repository.

Files are written and commands typed as the page has them, one after the other, and outputs compared. What the page has
copied from the repository comes from a copy of what is published.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from docs.blocks import ROOT, Block, blocks_of
from docs.environment import NAME, Environment, build_wheel
from docs.pages import IN_SEQUENCE, shown_in
from helpers.node_modules import NODE_MODULES
from helpers.program import STOCKFISH

FOUND_WRONG = (0, 1)
"""Exit statuses of commands that compared everything."""
PUBLISHED = ("examples", *(f"harness/engines/library/{name}" for name in ("perft_check.h", "perft_check_coverage.h")))
"""Folders from which the quick starts copy files."""
BEGIN = ("README.md", "docs/index.md")
"""Pages that describe how to install perft-check."""
INSTALLED = re.compile(r"pip install (\S+)")
NPM = re.compile(r"npm install (.+)")


@dataclass
class NewTerminal:
    """A terminal with perft-check installed, and a working folder."""

    environment: Environment
    folder: Path

    def type(self, command: str) -> str:
        """Run commands, and return their output; `cd` affects the following commands."""
        moved = self.folder.parent / "moved"
        script = f"trap 'pwd >{moved}' EXIT\n{command}"
        done = subprocess.run(
            ["bash", "-ec", script],
            cwd=self.folder,
            env=self.environment.variables() | {"COLUMNS": "", "NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        expected = FOUND_WRONG if command.startswith(NAME) else (0,)
        if done.returncode not in expected:  # `assert` would shorten the output
            raise AssertionError(f"{command} exited with status {done.returncode}\n{done.stdout}\n{done.stderr}")
        self.folder = Path(moved.read_text(encoding="utf-8").strip())
        return done.stdout

    def install(self, command: str) -> None:
        """Install packages from the environment of the tests instead of the network."""
        for name in INSTALLED.findall(command):
            self.environment.install(name)
        for names in NPM.findall(command):
            missing = [name for name in names.split() if not (NODE_MODULES and Path(NODE_MODULES, name).is_dir())]
            if missing:
                pytest.skip(f"not installed: {', '.join(missing)} of npm")
            (self.folder / "node_modules").symlink_to(NODE_MODULES)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """Return the wheel of the package, unless it is installed."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def terminal(tmp_path: Path, wheel: Path | None) -> NewTerminal:
    """Return a terminal in the folder of the repository, with the package installed."""
    repository = tmp_path / "repository"
    for name in PUBLISHED:
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, repository / name)
    environment = Environment(tmp_path / "environment", wheel)
    environment.install(NAME)
    return NewTerminal(environment, repository)


def compilers_of(blocks: list[Block]) -> set[str]:
    """Return the other programs that the blocks of a page call."""
    typed = [line for block in blocks if block.language == "sh" for line in block.text.splitlines()]
    named = {line.split()[0] for line in typed} | {"node" for block in blocks if "node " in block.text}
    return named & {"c++", "cc", "clang", "clang++", "gcc", "rustc", "node"}


def follow(terminal: NewTerminal, block: Block) -> None:
    """Run a block of a page, or write its file."""
    if block.title:
        (terminal.folder / block.title).write_text(block.text, encoding="utf-8")
    elif block.language == "sh" and re.match(r"(pip|npm) install", block.text):
        terminal.install(block.text)
    elif block.language == "sh" and ("stockfish" not in block.text or STOCKFISH is not None):
        terminal.type(block.text)
    elif block.language == "console":
        for shown in shown_in(block.text, block.page):
            printed = terminal.type(shown.command)
            assert shown.is_like(printed), (block.place, shown.command, printed)


@pytest.mark.slow
@pytest.mark.quick_start
@pytest.mark.parametrize("page", sorted(path.stem for path in IN_SEQUENCE.glob("*.md")))
def test_the_page_works(terminal: NewTerminal, page: str) -> None:
    for block in blocks_of(IN_SEQUENCE / f"{page}.md"):
        missing = [name for name in compilers_of([block]) if shutil.which(name) is None]
        if missing:
            pytest.skip(f"stopped at a block that needs {', '.join(missing)}, which is not installed: {block.place}")
        follow(terminal, block)


@pytest.mark.slow
@pytest.mark.quick_start
def test_only_dependencies_are_installed(terminal: NewTerminal) -> None:
    assert terminal.type("python -c 'import perft_check; print(perft_check.__file__)'").startswith(
        str(terminal.environment.programs.parent)
    )
    with pytest.raises(AssertionError, match="ModuleNotFoundError"):
        terminal.type("python -c 'import pytest'")


def beginning_of(page: str) -> str:
    """Return the section about the first steps, without link targets."""
    found = re.search(r"## Begin\n(.*?)\n## ", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return re.sub(r"\]\([^)]*\)", "]", found[1])


def test_both_first_pages_begin_alike_and_name_all_types_of_generators() -> None:
    first, again = map(beginning_of, BEGIN)
    assert first == again
    assert "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/perft-check\n" in first
    for way in ("-e ./engine", '-e "cmd:./engine perft {depth} {fen}"', "doctor -e ./engine", "C++", "Rust", "Python"):
        assert way in first


@pytest.mark.slow
@pytest.mark.quick_start
def test_the_first_step_succeeds(terminal: NewTerminal) -> None:
    assert re.search(r"^all [\d,]+ positions agree", terminal.type(NAME), re.MULTILINE)
