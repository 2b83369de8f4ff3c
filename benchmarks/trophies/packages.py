"""The published generators: which they are, how each is installed, and how `-e` names it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LIST = Path(__file__).with_name("packages.toml")
ROOT = Path(__file__).parents[2]
ADAPTERS = "docs/adapters"
GAMES = "/usr/games"
"""Where Debian puts them."""
REGISTRIES = ("PyPI", "npm", "Debian")


@dataclass(frozen=True)
class Package:
    """One published generator."""

    name: str
    version: str
    registry: str
    """PyPI, npm or Debian."""
    spec: str
    """What `-e` takes, with {python} and {folder} for where it is installed."""
    folder: str = ADAPTERS
    """Where the adapter is, from the root of the repository."""
    needs: tuple[str, ...] = ()
    """Other packages without which it does not start."""
    slow: bool = False
    """Whether it takes so long for two plies that only depth 1 is asked for."""
    limits: dict[str, str] = field(default_factory=dict)
    """Finds by their name that are known limits of what it offers rather than bugs, and why."""

    def home(self, folder: Path) -> Path:
        """Return the folder of the package below that of all."""
        return folder / self.registry.lower() / self.name.replace("/", "-")

    def filled(self, folder: Path) -> str:
        """Return the SPEC for a package that is installed below the folder."""
        home = self.home(folder)
        return self.spec.format(python=shlex.quote(str(home / "bin" / "python")), folder=shlex.quote(str(home)))


def packages() -> list[Package]:
    """Return all packages of the list."""
    table: dict[str, list[dict[str, Any]]] = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return [Package(**{**row, "needs": tuple(row.get("needs", ()))}) for row in table["package"]]


def install(package: Package, folder: Path) -> None:
    """Install a package below the folder, unless it is there. Raises CalledProcessError.

    A package of Debian is installed for the whole machine.
    """
    home = package.home(folder)
    ready = home / ".installed"
    if ready.exists():
        return
    home.mkdir(parents=True, exist_ok=True)
    for command in _commands(package, home):
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    ready.touch()


def _commands(package: Package, home: Path) -> list[list[str]]:
    if package.registry == "PyPI":
        python = str(home / "bin" / "python")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, "install", "--quiet"]
        venv = [sys.executable, "-m", "venv", "--without-pip", str(home)]
        return [venv, [*pip, f"{package.name}=={package.version}", *package.needs]]
    if package.registry == "npm":
        return [
            ["npm", "install", "--silent", "--omit=peer", "--prefix", str(home), f"{package.name}@{package.version}"]
        ]
    return [] if shutil.which(package.name) else [["apt-get", "install", "--yes", package.name]]
