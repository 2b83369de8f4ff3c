"""Failures grouped by cause, and how a cause is shown."""

from __future__ import annotations

import io
from dataclasses import replace

from perft_check.harness.model.command_lines import difference_command
from perft_check.harness.model.events import (
    CaseResult,
    Cause,
    Difference,
    Finding,
    RunFinished,
    RunStarted,
    SuiteTotal,
    WrongMove,
)
from perft_check.harness.model.verdict import Verdict
from perft_check.reports.terminal import run as terminal
from perft_check.reports.terminal.parts.causes import group_by_cause
from perft_check.reports.terminal.parts.finding import headline, render_finding
from rich.console import Console

FEN = "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1"
WRONG = WrongMove(
    "c4b3",
    "cxb3",
    "missing",
    "en-passant-along-pin",
    "En passant along the line of a pin",
    "The pawn stays on the line of its pin.",
    ("a2", "g8"),
)
FINDING = Finding(
    cause=Cause.MOVES, path=(("h8g8", "Kg8"), ("b2b4", "b4")), fen=FEN, chess960=False, wrong=(WRONG,), divides=3
)
STATE = replace(
    FINDING,
    cause=Cause.STATE,
    base_fen="4k3/1b6/8/8/8/8/8/4K2R b K - 0 1",
    base_moves=("b7h1",),
    state=(replace(WRONG, uci="b7h1", san="Bxh1", kind="state", rule="castling-right-kept", title="Right is kept"),),
)

DIFFERENCE = Difference("odd", "python-chess", FEN, False, 3, 256, 257, ())


def case(
    name: str, finding: Finding | None, verdict: Verdict = Verdict.MISMATCH, message: str = "-1 nodes"
) -> CaseResult:
    return CaseResult(
        name=name,
        suite="made",
        source="made.epd:1",
        fen=FEN,
        chess960=False,
        verdict=verdict,
        depth=3,
        expected=257,
        got=256,
        references=(),
        nodes=300,
        seconds=0.1,
        message=message,
        difference=DIFFERENCE,
        finding=finding,
    )


def shown(*results: CaseResult) -> list[str]:
    started = RunStarted("1", "odd", (), (SuiteTotal("made", len(results), 1, 1),))
    console = Console(width=100, file=io.StringIO(), color_system=None)
    with console.capture() as capture:
        console.print(terminal.render(RunFinished(started, results, 1.0), quiet=True), crop=False)
    return [line.rstrip() for line in capture.get().splitlines() if line.strip()]


def test_failures_of_one_rule_are_one_cause_the_smallest_first() -> None:
    small = replace(FINDING, fen="6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1")
    large = replace(FINDING, fen="6k1/5ppp/8/8/1Pp5/8/B7/6K1 b - b3 0 1")
    groups = group_by_cause((case("large", large), case("state", STATE), case("small", small)))
    assert [[result.name for result in group.results] for group in groups] == [["small", "large"], ["state"]]


def test_unexplained_failures_are_grouped_by_what_they_say() -> None:
    crash = [case(name, None, Verdict.CRASH, f"odd ended with status {name}") for name in ("1", "22")]
    other = case("x", None, Verdict.TIMEOUT, "odd has not answered within 3 seconds")
    assert [len(group.results) for group in group_by_cause((*crash, other))] == [2, 1]


def test_many_failures_are_told_by_their_causes() -> None:
    lines = shown(*(case(f"p{number}", FINDING) for number in range(9)), case("state", STATE))
    assert lines.count("  missing move: En passant along the line of a pin") == 1
    others = "  the same cause in 8 others: made:p1, made:p2, made:p3, made:p4, made:p5, made:p6 and 2 more"
    assert others in lines
    assert lines[-1].startswith("0 of 10 positions agree, 10 mismatches from 2 causes")


def test_a_finding() -> None:
    console = Console(width=100, file=io.StringIO(), color_system=None)
    with console.capture() as capture:
        console.print(render_finding(FINDING))
    assert [line.rstrip() for line in capture.get().splitlines()] == [
        "missing move: En passant along the line of a pin",
        "after Kg8 b4",
        f"in    {FEN}",
        "  8  .  .  .  .  .  . [k] .    c4b3 (cxb3) missing: The pawn stays on the line of its pin.",
        "  7  .  .  .  .  .  .  .  .",
        "  6  .  .  .  .  .  .  .  .",
        "  5  .  .  .  .  .  .  .  .",
        "  4  .  P [p] .  .  .  .  .",
        "  3  . [.] .  .  .  .  .  .",
        "  2 [B] .  .  .  .  .  .  .",
        "  1  .  .  .  .  .  .  K  .",
        "     a  b  c  d  e  f  g  h",
    ]


def test_a_fault_of_state_is_shown_from_where_it_is_played() -> None:
    assert headline(STATE) == "wrong state: Right is kept"
    assert difference_command(DIFFERENCE, STATE) == f"perft-check divide '{STATE.base_fen}' 2 -e odd -a python-chess"


def test_what_vanished_is_shown_by_the_whole_difference() -> None:
    vanished = FINDING.noting(Cause.VANISHED, "the difference does not come again")
    assert difference_command(DIFFERENCE, vanished) == difference_command(DIFFERENCE)
    assert difference_command(DIFFERENCE, FINDING) == f"perft-check divide '{FEN}' 1 -e odd -a python-chess"


def test_the_command_stays_on_one_line() -> None:
    long = replace(DIFFERENCE, engine="uci:an engine with a very long command line, and many options on top of it")
    lines = shown(replace(case("x", FINDING), difference=long))
    assert f"  again: {difference_command(long, FINDING)}" in lines
