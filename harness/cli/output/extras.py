"""Packages that only some commands need."""

from __future__ import annotations

from importlib.util import find_spec

from ....errors import UsageError


def require(package: str, extra: str, what: str) -> None:
    """Raise UsageError where a package is not here that comes with an extra."""
    if find_spec(package) is None:
        raise UsageError(f"{what} needs {package}, which is not here: pip install 'perft-check[{extra}]'")
