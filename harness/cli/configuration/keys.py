"""The keys that a configuration may have: the options of the commands, as typer knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

OF_THEIR_OWN = {("moves", "engine"), ("suites", "make", "seed")}
"""Options that mean something else than those of the same name: only the table of their command sets them."""
PROFILE = "profile"
"""The table of the profiles."""


@dataclass(frozen=True)
class OptionKey:
    """An option of a command, and the key that sets it."""

    key: str
    """The long name without its dashes, such as `max-nodes`."""
    parameter: Any
    """As typer has it."""

    @property
    def name(self) -> str:
        """The field of the settings."""
        return str(self.parameter.name)

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off, without a value."""
        return bool(self.parameter.is_flag)

    @property
    def is_repeated(self) -> bool:
        """Whether it may be given several times."""
        return bool(self.parameter.multiple)

    @property
    def kind(self) -> str:
        """What its value is, as the help says: SPEC, FILE, TIME ..."""
        return self.parameter.metavar or ""

    @property
    def opposite(self) -> str | None:
        """The key that the opposite of a switch would have, where there is an option for that."""
        return self.parameter.secondary_opts[0].removeprefix("--") if self.parameter.secondary_opts else None


def options_of(command: Any) -> dict[str, OptionKey]:
    """Return the options of a command by their keys. Those that act at once, such as --help, have none."""
    options = {}
    for parameter in command.params:
        if parameter.param_type_name == "option" and not parameter.is_eager:
            key = next(name for name in parameter.opts if name.startswith("--")).removeprefix("--")
            options[key] = OptionKey(key, parameter)
    return options


def commands_of(group: Any) -> Mapping[str, Any]:
    """Return the commands of a group that can be configured, and its groups, by their names."""
    commands: Mapping[str, Any] = getattr(group, "commands", {})
    return {name: one for name, one in commands.items() if hasattr(one, "commands") or one.is_configured}


def leaves(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each command that can be configured, with the words that call it; a command yields itself."""
    if not hasattr(group, "commands"):
        yield path, group
    for name, command in commands_of(group).items():
        yield from leaves(command, (*path, name))


def applies(path: tuple[str, ...], key: str, table: tuple[str, ...]) -> bool:
    """Tell whether a key of a table sets the option of a command; both are named by their words."""
    return path[: len(table)] == table and (table == path or (*path, key) not in OF_THEIR_OWN)
