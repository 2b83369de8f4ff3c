"""The options of the plugin. Every pytest session loads this file if perft-check is installed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

ENGINE, NAME = "perft_engine", "perft_name"
"""Names of options, which are also keys in pytest's configuration."""


@dataclass(frozen=True)
class Settings:
    """The values of the options."""

    engine: str
    names: tuple[str, ...]
    """The names of the engine and of the references."""
    is_in_command: bool
    """Whether the engine was given on the command line instead of in pytest's configuration."""
    against: tuple[str, ...]
    suites: tuple[str, ...]
    """Names of bundled suites."""
    max_depth: int | None
    max_nodes: int | None
    timeout: float | None
    fail_not_reproduced: bool


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
        names=tuple(config.getoption(NAME) or filter(None, [config.getini(NAME) if given is None else ""])),
        is_in_command=given is not None,
        against=tuple(config.getoption("perft_against")),
        suites=tuple(dict.fromkeys(suites)),
        max_depth=config.getoption("perft_max_depth"),
        max_nodes=config.getoption("perft_max_nodes"),
        timeout=config.getoption("perft_timeout"),
        fail_not_reproduced=config.getoption("perft_fail_not_reproduced"),
    )
