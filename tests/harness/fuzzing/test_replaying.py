"""The command that shows a find again asks for what the run has asked for."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest
from helpers.lines import line_from
from helpers.planted_faults import fault_at, make_plan
from perft_check.generator.types.moves import GenType
from perft_check.harness.cli.app import app
from perft_check.harness.cli.commands import fuzz
from perft_check.harness.engines.stdio.process import Limits
from perft_check.harness.fuzzing.plan import Plan
from perft_check.harness.fuzzing.replaying import read_place, replay_command
from perft_check.harness.model.verdict import ExitCode, Verdict
from typer.testing import CliRunner

LINE = line_from("b3k3/8/8/8/8/8/P7/4K2R w K - 0 1", "a2a3", "a8h1")
MINE = make_plan("uci:my engine", ("own:turbo",))

PLANS = {
    "our own": make_plan(),
    "one list": replace(make_plan(), gentypes=(GenType.QUIET_CHECKS,)),
    "two lists": replace(make_plan(), gentypes=(GenType.QUIETS, GenType.LEGAL)),
    "all lists": replace(make_plan(), gentypes=tuple(GenType)),
    "a command with spaces": MINE,
    "two references": replace(MINE, references=("own", "python-chess")),
    "no reference": replace(MINE, references=(), self_consistency=True),
    "little memory": replace(MINE, limits=Limits(memory_bytes=512 << 20)),
}


def understood(command: str, monkeypatch: pytest.MonkeyPatch) -> fuzz.Options:
    """Return what the command line makes of a command."""
    heard: list[fuzz.Options] = []

    def main(options: fuzz.Options) -> ExitCode:
        heard.append(options)
        return ExitCode.AGREE

    monkeypatch.setattr(fuzz, "main", main)
    program, *arguments = shlex.split(command)
    assert program == "perft-check"
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return heard[0]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", PLANS)
def test_the_same_is_asked_again(name: str, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PLANS[name]
    options = understood(replay_command(plan, fault_at(LINE, "planted"), depth), monkeypatch)
    again = fuzz.make_plan(options)
    assert asked(again) == asked(plan)
    assert again.depth == depth
    assert options.replay is not None
    assert read_place(options.replay, bool(options.chess960)) == LINE


def asked(plan: Plan) -> tuple[object, ...]:
    return plan.engine, plan.references, plan.gentypes, plan.self_consistency, plan.limits


def test_a_fault_of_chess960(monkeypatch: pytest.MonkeyPatch) -> None:
    line = line_from("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", chess960=True)
    options = understood(replay_command(MINE, fault_at(line, "planted"), 1), monkeypatch)
    assert options.chess960
    assert read_place(str(options.replay), True) == line


def test_who_did_not_answer_in_time_gets_as_much_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = fault_at(LINE, "hangs", verdict=Verdict.TIMEOUT)
    options = understood(replay_command(replace(MINE, timeout=0.5), fault, 1), monkeypatch)
    assert options.timeout == 0.5
