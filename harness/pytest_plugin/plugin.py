"""The entry point of the plugin: its options and fixtures. Everything else is registered only if an engine is given.

Every pytest session loads this file if perft-check is installed, so expensive imports are local.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from .settings import ENGINE, settings_of

if TYPE_CHECKING:
    from .fixtures import AskedEngine, AssertSameMoves


def _reads(kind: str, least: float) -> Callable[[str], Any]:
    """Return a parser for argparse that calls the function `kind` of `harness/values.py`."""

    def read(text: str) -> Any:
        from .. import values

        try:
            return getattr(values, kind)(least)(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None

    return read


_OPTIONS: dict[str, dict[str, Any]] = {
    "--perft-engine": {
        "metavar": "SPEC",
        "help": "Collect suites (.epd, .perft) and check this engine with their positions: a path, uci:COMMAND, "
        "python:MODULE:CALLABLE, or any other SPEC of perft-check.",
    },
    "--perft-suite": {
        "metavar": "NAME",
        "action": "append",
        "default": [],
        "dest": "perft_suites",
        "help": "Also collect this bundled suite; may be repeated.",
    },
    "--perft-max-depth": {"metavar": "PLIES", "type": _reads("whole", 0), "help": "Skip deeper counts."},
    "--perft-max-nodes": {
        "metavar": "NODES",
        "type": _reads("count", 0),
        "help": "Skip larger counts: 250000, 250k, 1.5M.",
    },
    "--perft-timeout": {
        "metavar": "TIME",
        "type": _reads("seconds", 0.01),
        "help": "Time limit of the engine for one count: 60, 60s, 2m.",
    },
}
"""The arguments to `addoption` for each option."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    for name, options in _OPTIONS.items():
        parser.getgroup("perft-check", "chess engines").addoption(name, **options)
    parser.addini(ENGINE, "Engine under test unless --perft-engine is given (perft-check).", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Register the hooks that collect suites if an engine is given. Raises UsageError."""
    settings = settings_of(config)
    if settings is not None:
        from .collecting import Collecting

        config.pluginmanager.register(Collecting(config, settings), "perft-check-collecting")


@pytest.fixture(scope="session")
def perft_engine(pytestconfig: pytest.Config) -> AskedEngine:
    """Return the engine given by `--perft-engine`, with `perft(position, depth)` and `divide(position, depth)`."""
    from .fixtures import open_asked_engine

    return open_asked_engine(pytestconfig)


@pytest.fixture(scope="session")
def assert_same_moves() -> AssertSameMoves:
    """Return `assert_same_moves(position, moves)`, which compares a list of moves with the legal moves."""
    from .fixtures import assert_same_moves

    return assert_same_moves
