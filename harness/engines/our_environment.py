"""How processes of our own start: variables that Python and numpy read then, and that engines must not see."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

OURS = {
    "PYTHONSAFEPATH": "perft-check",  # whatever its value, it keeps the current folder out of Python's path
    "OPENBLAS_NUM_THREADS": "01",  # numpy would start one thread a core, for matrices that we do not have
}
"""Each variable with a value that works, and that nobody else gives it: so we know it again."""


@contextmanager
def ours() -> Iterator[None]:
    """Have our variables in this block, as far as the user has not set them."""
    new = [name for name in OURS if name not in os.environ]
    os.environ.update((name, OURS[name]) for name in new)
    try:
        yield
    finally:
        for name in new:
            os.environ.pop(name, None)


def load_numpy() -> None:
    """Load numpy while it reads our variables."""
    with ours():
        import_module("numpy")


def forget() -> None:
    """Leave no trace in the environment that a new process of ours was given: its engines start as they always do."""
    for name, value in OURS.items():
        if os.environ.get(name) == value:
            del os.environ[name]
