"""The commands that `benchmarks/robustness/kills.py` kills are valid; otherwise, they end before the signal."""

from __future__ import annotations

import shlex

import pytest
from helpers.commands import parameters_read
from killed_commands import COMMANDS
from perft_check.harness.cli.program import run_command_line


def test_every_command_is_valid(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    parsed = parameters_read(monkeypatch)
    for name, command in COMMANDS.items():
        assert run_command_line(tuple(shlex.split(command.words))) == 0, (name, capfd.readouterr().err)
    assert len(parsed) == len(COMMANDS)
