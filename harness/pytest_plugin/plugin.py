"""What pytest loads of the plugin: options, and fixtures. Without an engine nothing else is there.

Every pytest loads this file where perft-check is installed. So all that is not cheap is imported where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from . import options

if TYPE_CHECKING:
    from .fixtures import AskedEngine, AssertSameMoves


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare our options."""
    options.declare(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Have suites collected where an engine is given. Raises UsageError."""
    settings = options.settings_of(config)
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
