"""A Python environment with only perft-check and its dependencies, as after `pip install .`."""

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
NAME = "perft-check"
NOT_IN_THE_WHEEL = (".*", "build", "dist", "site", "tests", "docs", "node_modules", "*.egg-info", "__pycache__")
"""Files that building the wheel does not need."""
TEST_PREFIXES = ("PERFT_CHECK_", "PYTEST_", "PYTHON", "COV_")
"""Prefixes of environment variables that a reader does not have."""


class Environment:
    """A virtual environment with links to the packages of the tests, so that it needs no network.

    perft-check itself comes from a wheel, if there is one.
    """

    def __init__(self, folder: Path, wheel: Path | None) -> None:
        self._wheel = wheel
        venv.create(folder, symlinks=True)
        self.programs = folder / "bin"
        [self._packages] = folder.glob("lib/python*/site-packages")

    def install(self, name: str) -> None:
        """Install a distribution with its dependencies. Skip the test if one is not installed here."""
        try:
            needed = dict(_closure(name))
        except PackageNotFoundError as missing:
            pytest.skip(f"{missing.name} is not installed")
        for one in needed.values():
            self._install(one)

    def variables(self) -> dict[str, str]:
        """Return the environment variables of a terminal in which the environment is active."""
        here = Path(sys.executable).parent
        folders = [one for one in os.environ["PATH"].split(os.pathsep) if Path(one) != here]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(TEST_PREFIXES)}
        return kept | {"PATH": os.pathsep.join([str(self.programs), *folders, "/usr/games"])}

    def _install(self, one: Distribution) -> None:
        if one.name == NAME and self._wheel is not None:
            with zipfile.ZipFile(self._wheel) as packed:
                packed.extractall(self._packages)
        else:
            self._link(one)
        for entry in one.entry_points.select(group="console_scripts"):
            program = self.programs / entry.name
            # As pip writes it: a spawned process runs this file again, under another name.
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
    """Build the wheel from a copy of the sources, unless the tests run on an installed package.

    Skip the test if setuptools is missing.
    """
    if Path(perft_check.__file__).parent != ROOT:
        return None
    pytest.importorskip("setuptools", "77", reason="a wheel needs: pip install 'setuptools>=77'")
    sources = folder / "sources"
    shutil.copytree(ROOT, sources, ignore=shutil.ignore_patterns(*NOT_IN_THE_WHEEL))
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
    """Yield a distribution and its dependencies without extras, with their names."""
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
