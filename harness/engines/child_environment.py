"""Environment variables with which perft-check starts its own Python processes, and which engines must not inherit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

VARIABLES = {
    "PYTHONSAFEPATH": "perft-check",  # any value keeps the current folder out of Python's path
    "OPENBLAS_NUM_THREADS": "01",  # NumPy would start a thread per core, for matrices that are never multiplied
}
"""The variables with values that work but that no user would write, so that `remove_variables` recognizes them."""


@contextmanager
def variables_set() -> Iterator[None]:
    """Set the variables in this block, except those that the user has set."""
    new = [name for name in VARIABLES if name not in os.environ]
    os.environ.update((name, VARIABLES[name]) for name in new)
    try:
        yield
    finally:
        for name in new:
            os.environ.pop(name, None)


def remove_variables() -> None:
    """Remove the variables that a child process has inherited, so that its engines start in the user's environment."""
    for name, value in VARIABLES.items():
        if os.environ.get(name) == value:
            del os.environ[name]


def load_numpy() -> None:
    """Import NumPy, which reads the variables when it is imported."""
    with variables_set():
        import_module("numpy")
