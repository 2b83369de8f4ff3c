"""The configuration in force for a command, as `perft-check config` shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class InForce:
    """The value of an option."""

    key: str
    value: bool | int | float | str | list[str] | None
    """None and an empty list where it is not set."""
    source: str
    """`default`, a place such as `perft-check.toml:7`, or the name of a variable."""


@dataclass(frozen=True)
class ConfigurationShown:
    """All options of a command."""

    command: str
    """Its words, such as "zoo score"."""
    file: str | None
    """The configuration file, if there is one."""
    profile: str | None
    options: tuple[InForce, ...]
