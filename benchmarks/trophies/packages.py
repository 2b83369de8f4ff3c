"""The published generators, how to install them, and their SPECs."""

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
"""The folder of engines installed from Debian."""
REGISTRIES = ("PyPI", "npm", "Debian")


@dataclass(frozen=True)
class Package:
    """One published generator."""

    name: str
    version: str
    registry: str
    """PyPI, npm or Debian."""
    spec: str
    """The SPEC, with placeholders {python} and {folder} for the installation."""
    folder: str = ADAPTERS
    """The folder of its adapter, relative to the root of the repository."""
    needs: tuple[str, ...] = ()
    """Other packages that the package needs."""
    slow: bool = False
    """True if two plies take so long that only depth 1 is tested."""
    limits: dict[str, str] = field(default_factory=dict)
    """Findings, by name, that are known limits of the package and not bugs, with the reason."""

    def home(self, folder: Path) -> Path:
        """Return the folder of the package below the common folder."""
        return folder / self.registry.lower() / self.name.replace("/", "-")

    def resolved_spec(self, folder: Path) -> str:
        """Return the SPEC of the package installed below the folder."""
        home = self.home(folder)
        return self.spec.format(python=shlex.quote(str(home / "bin" / "python")), folder=shlex.quote(str(home)))


def packages() -> list[Package]:
    """Return all packages in `packages.toml`."""
    table: dict[str, list[dict[str, Any]]] = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return [Package(**{**row, "needs": tuple(row.get("needs", ()))}) for row in table["package"]]


def install(package: Package, folder: Path) -> None:
    """Install a package below the folder unless it is already installed. Raises CalledProcessError.

    Debian packages are installed system-wide.
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
