"""The Python modules of the package, and copies of them to be edited."""

from __future__ import annotations

import shutil
from pathlib import Path

import perft_check

INSTALLED = Path(perft_check.__file__).parent
ROOT = Path(__file__).parents[2]
"""The root of the repository, which is the package `perft_check`."""
PACKAGES = ("generator", "harness", "platforms", "reports", "strategies", "suites")
"""The top-level folders of the package, in addition to the modules in the root."""


def module_paths() -> list[Path]:
    """Return the paths of all modules of the package, without the `__init__.py` files."""
    paths = [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))] + sorted(ROOT.glob("*.py"))
    return [path for path in paths if path.name != "__init__.py"]


def copy_generator(folder: Path) -> Path:
    """Copy the generator and the modules that it needs into a folder; return the folder of the generator."""
    copied = folder / "perft_check"
    for package in ("generator", "platforms"):
        shutil.copytree(INSTALLED / package, copied / package)
    for module in ("__init__.py", "atomic.py", "errors.py"):
        shutil.copy(INSTALLED / module, copied)
    return copied / "generator"
