"""The commands of the program with their options, and the parameters that commands parse."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from perft_check.harness.cli import actions
from perft_check.harness.cli.app import program
from perft_check.harness.cli.command import Command


def commands(group: Any = None, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each command and group with its path, the program itself first."""
    group = group or program
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, *path, name)


def options() -> Iterator[tuple[str, str, Any]]:
    """Yield the command, the name and the option, for each name of each option of each command."""
    for path, command in commands():
        for option in command.params:
            if option.param_type_name == "option":
                for name in (*option.opts, *option.secondary_opts):
                    yield " ".join(path), name, option


def parameters_read(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Make commands exit after checking their parameters; return a list that collects the parameters."""
    collected: list[dict[str, Any]] = []
    invoke = Command.invoke

    def note(command: Command, context: Any) -> Any:
        try:
            return invoke(command, context)
        except ModuleNotFoundError:
            raise typer.Exit from None
        finally:
            read = context.params.items()
            collected.append({name: tuple(value) if isinstance(value, list) else value for name, value in read})

    monkeypatch.setattr(Command, "invoke", note)
    for module in pkgutil.iter_modules(actions.__path__):
        monkeypatch.setitem(sys.modules, f"{actions.__name__}.{module.name}", None)
        monkeypatch.delattr(actions, module.name, raising=False)
    return collected
