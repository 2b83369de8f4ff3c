"""The options of the plugin. Every pytest session loads this file if perft-check is installed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

ENGINE = "perft_engine"
"""The name of the option, which is also a key in pytest's configuration."""


@dataclass(frozen=True)
class Settings:
    """The values of the options."""

    engine: str
    is_in_command: bool
    """Whether the engine was given on the command line instead of in pytest's configuration."""
    suites: tuple[str, ...]
    """Names of bundled suites."""
    max_depth: int | None
    max_nodes: int | None
    timeout: float | None


def settings_of(config: pytest.Config) -> Settings | None:
    """Return the settings, or None if no engine is given. Raises UsageError if an option needs one."""
    given, configured = config.getoption(ENGINE), config.getini(ENGINE)
    suites = tuple(config.getoption("perft_suites"))
    if given is None and not configured:
        if suites:
            raise pytest.UsageError("--perft-suite needs an engine: give --perft-engine SPEC")
        return None
    return Settings(
        engine=configured if given is None else given,
        is_in_command=given is not None,
        suites=tuple(dict.fromkeys(suites)),
        max_depth=config.getoption("perft_max_depth"),
        max_nodes=config.getoption("perft_max_nodes"),
        timeout=config.getoption("perft_timeout"),
    )
