"""A dataclass as the options of a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from perft_check.errors import UsageError
from perft_check.harness.cli.command import takes
from perft_check.harness.cli.settings.fuzz import FuzzSettings
from perft_check.harness.cli.settings.position import DivideSettings


@dataclass(frozen=True)
class Made:
    """The settings of a command made for this test."""

    place: Annotated[str, typer.Argument()]
    names: Annotated[tuple[str, ...], typer.Option("--name")] = ()
    depth: Annotated[int | None, typer.Option(min=1)] = None
    loud: Annotated[bool, typer.Option("--loud/--quiet")] = True


def filled(*arguments: str) -> tuple[Made, Any]:
    """Return the settings that a command gets from these arguments, and the exit status."""
    heard: list[Made] = []
    app = typer.Typer()

    @app.command()
    @takes(Made)
    def command(settings: Made) -> int:
        """Remember the settings."""
        heard.append(settings)
        return 3

    status = app(list(arguments), standalone_mode=False)
    return heard[0], status


def test_fields_have_their_defaults() -> None:
    assert filled("here") == (Made("here"), 3)


def test_fields_are_filled_by_their_options() -> None:
    made = Made("here", ("a", "b"), 2, loud=False)
    assert filled("here", "--name", "a", "--name", "b", "--depth", "2", "--quiet") == (made, 3)


def test_settings_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^--examples and --time: give one of them$"):
        FuzzSettings(examples=5, seconds=1.0)
    with pytest.raises(UsageError, match=r"^divide needs a depth of 1 or more, not 0$"):
        DivideSettings("startpos", 0)
    with pytest.raises(UsageError, match=r"leave out --fail-fast$"):
        FuzzSettings(soak=True, fail_fast=True)
