"""The command that replays a finding has the options of the run."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest
from helpers.games import game_from
from helpers.planted import discrepancy_at, make_plan
from perft_check.harness.cli.actions import fuzz
from perft_check.harness.cli.program import run_command_line
from perft_check.harness.engines.asking.histories import parse_game
from perft_check.harness.engines.stdio.process import ProcessLimits
from perft_check.harness.fuzzing.examining import replay_command
from perft_check.harness.fuzzing.plan import FuzzPlan
from perft_check.harness.model.results.verdict import ExitCode, Verdict

LINE = game_from("b3k3/8/8/8/8/8/P7/4K2R w K - 0 1", "a2a3", "a8h1")
MINE = make_plan("uci:my engine", ("own:turbo",))

PLANS = {
    "our own": make_plan(),
    "a command with spaces": MINE,
    "two references": replace(MINE, references=("own", "python-chess")),
    "no reference": replace(MINE, references=(), self_consistency=True),
    "little memory": replace(MINE, limits=ProcessLimits(memory_bytes=512 << 20)),
}


def understood(command: str, monkeypatch: pytest.MonkeyPatch) -> tuple[FuzzPlan, str, bool]:
    """Return the plan, the game and the variant that the program reads from a command."""
    heard: list[tuple[FuzzPlan, str, bool]] = []

    def replayed_game(text: str, chess960: bool | None, plan: FuzzPlan, *, is_named: bool) -> ExitCode:
        heard.append((plan, text, bool(chess960)))
        return ExitCode.AGREE

    monkeypatch.setattr(fuzz, "replayed_game", replayed_game)
    program, *arguments = shlex.split(command)
    assert program == "perft-check"
    assert run_command_line(arguments) == 0
    return heard[0]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", PLANS)
def test_the_command_repeats_the_options_of_the_run(name: str, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PLANS[name]
    again, line, chess960 = understood(replay_command(plan, discrepancy_at(LINE, "planted"), depth), monkeypatch)
    assert asked(again) == asked(plan)
    assert again.depth == depth
    assert parse_game(line, chess960) == LINE


def asked(plan: FuzzPlan) -> tuple[object, ...]:
    return plan.engine, plan.references, plan.self_consistency, plan.limits


def test_the_command_for_a_chess960_position_has_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    line = game_from("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", chess960=True)
    _, text, chess960 = understood(replay_command(MINE, discrepancy_at(line, "planted"), 1), monkeypatch)
    assert chess960
    assert parse_game(text, True) == line


def test_the_command_for_a_timeout_has_the_same_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    discrepancy = discrepancy_at(LINE, "hangs", verdict=Verdict.TIMEOUT)
    plan, _, _ = understood(replay_command(replace(MINE, timeout=0.5), discrepancy, 1), monkeypatch)
    assert plan.timeout == 0.5
