"""A dataclass as the options of a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from perft_check.errors import UsageError
from perft_check.harness.cli import command
from perft_check.harness.cli.command import App
from perft_check.harness.cli.options import argument, option
from perft_check.harness.cli.settings.fuzz import FuzzSettings
from perft_check.harness.cli.settings.position import DivideSettings
from perft_check.harness.cli.value_types import ValueType, whole
from typer.main import get_command


@dataclass(frozen=True)
class SettingsOfTest:
    """The settings of a command made for this test."""

    place: Annotated[str, argument("PLACE", help="Where.")]
    names: Annotated[tuple[str, ...], option("--name", type=ValueType("NAME"), help="Who.")] = ()
    depth: Annotated[int | None, option("--depth", type=whole(1), help="How deep.")] = None
    loud: Annotated[bool, option("--loud/--quiet", help="How loud.")] = True


def filled(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[SettingsOfTest, Any]:
    """Return the settings that a command gets from these arguments, and the exit status."""
    heard: list[SettingsOfTest] = []

    def remember(settings: SettingsOfTest) -> int:
        heard.append(settings)
        return 3

    monkeypatch.setattr(command, "load", lambda _function: remember)
    app = App("A program made for this test.")
    app.add("made", "made.main", SettingsOfTest, "Remember the settings.", configured=False)
    program: Any = get_command(app)
    with program.make_context("program", ["made", *arguments]) as context:
        status = program.invoke(context)
    return heard[0], status


def test_fields_have_their_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert filled(monkeypatch, "here") == (SettingsOfTest("here"), 3)


def test_fields_are_filled_by_their_options(monkeypatch: pytest.MonkeyPatch) -> None:
    made = SettingsOfTest("here", ("a", "b"), 2, loud=False)
    assert filled(monkeypatch, "here", "--name", "a", "--name", "b", "--depth", "2", "--quiet") == (made, 3)


def test_settings_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^--examples and --time: give one of them$"):
        FuzzSettings(examples=5, seconds=1.0)
    with pytest.raises(UsageError, match=r"^divide needs a depth of 1 or more, not 0$"):
        DivideSettings("startpos", 0)
