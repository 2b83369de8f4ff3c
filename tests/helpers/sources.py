"""The Python sources of the package."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The root of the repository, which is the package `perft_check`."""
PACKAGES = ("generator", "harness", "platforms", "reports", "strategies", "suites")
"""The top-level folders that belong to the package, beside the modules of the root."""


def module_paths() -> list[Path]:
    """Return the path of every module of the package, without the `__init__.py` files."""
    paths = [path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py"))] + sorted(ROOT.glob("*.py"))
    return [path for path in paths if path.name != "__init__.py"]
