"""What pytest loads of the plugin: options, and fixtures. Without an engine nothing else is there.

Every pytest loads this file where perft-check is installed. So all that is not cheap is imported where it is used.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from .settings import ENGINE, NAME, settings_of

if TYPE_CHECKING:
    from .fixtures import AskedEngine, AssertSameMoves


def _reads(kind: str, least: float) -> Callable[[str], Any]:
    """Return what reads a value of a kind that `harness/values.py` knows."""

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
        "help": "Collect suites (.epd, .perft), and check this engine with each of their positions: a path, "
        "uci:COMMAND, python:MODULE:CALLABLE, or what else perft-check takes.",
    },
    "--perft-name": {
        "metavar": "NAME",
        "action": "append",
        "default": [],
        "help": "What the engine is called in all that is shown; may be repeated, then for each --perft-against.",
    },
    "--perft-suite": {
        "metavar": "NAME",
        "action": "append",
        "default": [],
        "dest": "perft_suites",
        "help": "Collect a bundled suite, too; may be repeated.",
    },
    "--perft-against": {
        "metavar": "SPEC",
        "action": "append",
        "default": [],
        "help": "Reference engine; may be repeated.",
    },
    "--perft-max-depth": {"metavar": "PLIES", "type": _reads("whole", 0), "help": "Leave deeper counts out."},
    "--perft-max-nodes": {
        "metavar": "NODES",
        "type": _reads("count", 0),
        "help": "Leave larger counts out: 250000, 250k, 1.5M.",
    },
    "--perft-timeout": {
        "metavar": "TIME",
        "type": _reads("seconds", 0.01),
        "help": "Time that an engine may take for a count: 60, 60s, 2m.",
    },
    "--perft-fail-not-reproduced": {
        "action": "store_true",
        "help": "Failures that are not reproduced count as well.",
    },
}
"""The arguments of `addoption` for each option."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare our options."""
    for name, options in _OPTIONS.items():
        parser.getgroup("perft-check", "chess engines").addoption(name, **options)
    parser.addini(ENGINE, "Engine under test, where --perft-engine is not given (perft-check).", default="")
    parser.addini(NAME, "What the engine under `perft_engine` is called (perft-check).", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Have suites collected where an engine is given. Raises UsageError."""
    settings = settings_of(config)
    if settings is not None:
        from .collecting import Collecting

        config.pluginmanager.register(Collecting(config, settings), "perft-check-collecting")


@pytest.fixture(scope="session")
def perft_engine(pytestconfig: pytest.Config) -> AskedEngine:
    """Ask the engine of `--perft-engine`: `perft(position, depth)` and `divide(position, depth)`."""
    from .fixtures import open_asked_engine

    return open_asked_engine(pytestconfig)


@pytest.fixture(scope="session")
def assert_same_moves() -> AssertSameMoves:
    """Compare a list of moves with the legal moves of a position: `assert_same_moves(position, moves)`."""
    from .fixtures import assert_same_moves

    return assert_same_moves
