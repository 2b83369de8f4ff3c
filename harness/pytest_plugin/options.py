"""The options of the plugin, and the settings that they give."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

ENGINE = "perft_engine"
"""The name of the option and of the key in the configuration of pytest."""


@dataclass(frozen=True)
class Settings:
    """What the options say."""

    engine: str
    is_in_command: bool
    """Whether the command line names the engine, and not the configuration of pytest."""
    against: tuple[str, ...]
    suites: tuple[str, ...]
    """Bundled suites."""
    max_depth: int | None
    max_nodes: int | None
    timeout: float | None
    fail_not_reproduced: bool


def declare(parser: pytest.Parser) -> None:
    """Declare the options."""
    for name, options in _OPTIONS.items():
        parser.getgroup("perft-check", "chess engines").addoption(name, **options)
    parser.addini(ENGINE, "Engine under test, where --perft-engine is not given (perft-check).", default="")


def settings_of(config: pytest.Config) -> Settings | None:
    """Return the settings; None where no engine is given. Raises UsageError where one is needed."""
    given, configured = config.getoption(ENGINE), config.getini(ENGINE)
    suites = tuple(config.getoption("perft_suites"))
    if given is None and not configured:
        if suites:
            raise pytest.UsageError("--perft-suite needs an engine: give --perft-engine SPEC")
        return None
    return Settings(
        engine=configured if given is None else given,
        is_in_command=given is not None,
        against=tuple(config.getoption("perft_against")),
        suites=tuple(dict.fromkeys(suites)),
        max_depth=config.getoption("perft_max_depth"),
        max_nodes=config.getoption("perft_max_nodes"),
        timeout=config.getoption("perft_timeout"),
        fail_not_reproduced=config.getoption("perft_fail_not_reproduced"),
    )


def _reads(kind: str, least: float) -> Callable[[str], Any]:
    """Return what reads a value of a kind that `harness/model/values.py` knows."""

    def read(text: str) -> Any:
        from ..model import values

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
        "help": "Let failures count, too, that do not come again when asked anew.",
    },
}
"""What pytest is told of each option."""
