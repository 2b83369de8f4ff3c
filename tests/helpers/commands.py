"""All commands of the program and their options, as typer has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from perft_check.harness.cli.app import program


def commands(group: Any = None, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each command and group with the words that call it, the program itself first."""
    group = group or program
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, *path, name)


def options() -> Iterator[tuple[str, str, Any]]:
    """Yield the command, one of its names, and the option itself, for each option of each command."""
    for path, command in commands():
        for option in command.params:
            if option.param_type_name == "option":
                for name in (*option.opts, *option.secondary_opts):
                    yield " ".join(path), name, option
