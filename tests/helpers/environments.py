"""An environment that has perft-check and what it needs, and nothing else: what a reader has after `pip install .`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import perft_check
import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
OURS = "perft-check"
NOT_OF_THE_PACKAGE = (".*", "build", "dist", "site", "tests", "docs", "node_modules", "*.egg-info", "__pycache__")
"""What a build of the wheel does not need."""
OF_OUR_TESTS = ("PERFT_CHECK_", "PYTEST_", "PYTHON", "COV_")
"""How variables begin that a reader does not have."""


class Environment:
    """A Python environment that borrows what is installed where the tests run, so that it needs no network.

    Perft-check itself comes out of a wheel, if there is one.
    """

    def __init__(self, folder: Path, wheel: Path | None) -> None:
        self._wheel = wheel
        venv.create(folder, symlinks=True)
        self.programs = folder / "bin"
        [self._packages] = folder.glob("lib/python*/site-packages")

    def install(self, name: str) -> None:
        """Install a distribution and all that it needs; the test is skipped where that is not installed here."""
        try:
            needed = dict(_closure(name))
        except PackageNotFoundError as missing:
            pytest.skip(f"{missing.name} is not installed")
        for one in needed.values():
            self._install(one)

    def variables(self) -> dict[str, str]:
        """Return the variables of a terminal in which the environment is active."""
        here = Path(sys.executable).parent
        folders = [one for one in os.environ["PATH"].split(os.pathsep) if Path(one) != here]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(OF_OUR_TESTS)}
        return kept | {"PATH": os.pathsep.join([str(self.programs), *folders, "/usr/games"])}

    def _install(self, one: Distribution) -> None:
        if one.name == OURS and self._wheel is not None:
            with zipfile.ZipFile(self._wheel) as packed:
                packed.extractall(self._packages)
        else:
            self._link(one)
        for entry in one.entry_points.select(group="console_scripts"):
            program = self.programs / entry.name
            # As pip writes it: a process that is spawned runs this file once more, under another name.
            call = f'if __name__ == "__main__":\n    sys.exit({entry.attr}())'
            text = f"#!{self.programs / 'python'}\nimport sys\nfrom {entry.module} import {entry.attr}\n{call}\n"
            program.write_text(text, encoding="utf-8")
            program.chmod(0o755)

    def _link(self, one: Distribution) -> None:
        for top in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            link = self._packages / top
            if not top.endswith(".pth") and not link.exists():
                link.symlink_to(Path(str(one.locate_file(top))))


def build_wheel(folder: Path) -> Path | None:
    """Build the wheel of the package from a copy of its sources, unless the tests run on an installed package.

    The test is skipped where setuptools is missing.
    """
    if Path(perft_check.__file__).parent != ROOT:
        return None
    pytest.importorskip("setuptools", "77", reason="a wheel needs: pip install 'setuptools>=77'")
    sources = folder / "sources"
    shutil.copytree(ROOT, sources, ignore=shutil.ignore_patterns(*NOT_OF_THE_PACKAGE))
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        ".",
    ]
    done = subprocess.run(build, cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("*.whl")
    return wheel


def _closure(name: str) -> Iterator[tuple[str, Distribution]]:
    """Yield a distribution, and those that it needs without extras, by their names."""
    found: dict[str, Distribution] = {}
    left = [name]
    while left:
        wanted = left.pop()
        if wanted.lower() in found:
            continue
        found[wanted.lower()] = distribution(wanted)
        needs = map(Requirement, found[wanted.lower()].requires or ())
        left += [one.name for one in needs if one.marker is None or one.marker.evaluate({"extra": ""})]
    yield from found.items()
