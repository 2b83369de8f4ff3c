"""Environment variables for perft-check's own Python processes, which engines must not inherit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

VARIABLES = {
    "PYTHONSAFEPATH": "perft-check",  # any value keeps the current folder out of Python's path
    "OPENBLAS_NUM_THREADS": "01",  # otherwise NumPy starts a thread per core for matrix products, which are not used
}
"""The variables, with values that no user would write, so that `remove_variables` recognizes them."""


@contextmanager
def variables_set() -> Iterator[None]:
    """Set the variables within the `with` block, except those that the user has set."""
    new = [name for name in VARIABLES if name not in os.environ]
    os.environ.update((name, VARIABLES[name]) for name in new)
    try:
        yield
    finally:
        for name in new:
            os.environ.pop(name, None)


def remove_variables() -> None:
    """Remove the inherited variables in a child process, so that its engines get the user's environment."""
    for name, value in VARIABLES.items():
        if os.environ.get(name) == value:
            del os.environ[name]


def load_numpy() -> None:
    """Import NumPy with the variables set, because NumPy reads them on import."""
    with variables_set():
        import_module("numpy")
