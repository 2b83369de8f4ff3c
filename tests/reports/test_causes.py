"""Grouping of failures by cause, and the presentation of a cause."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from helpers.made_results import FEN, FINDING, WRONG
from helpers.printed import printed
from perft_check.harness.checking.causes import causes_of_run
from perft_check.harness.engines.command_lines import difference_command
from perft_check.harness.explaining.rules import Rule
from perft_check.harness.model.results.events import CaseResult, RunFinished, RunStarted, SuiteTotal
from perft_check.harness.model.results.finding import Cause, Difference, Finding, WrongMove
from perft_check.harness.model.results.verdict import Verdict
from perft_check.reports.formats.json import JSON
from perft_check.reports.formats.markdown import MARKDOWN
from perft_check.reports.terminal import run as terminal

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
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
    return [line for line in printed(terminal.render(RunFinished(started, results, 1.0), quiet=True)) if line]


def test_failures_of_one_rule_are_one_cause_the_smallest_first() -> None:
    small = replace(FINDING, fen="6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1")
    large = replace(FINDING, fen="6k1/5ppp/8/8/1Pp5/8/B7/6K1 b - b3 0 1")
    groups = causes_of_run((case("large", large), case("state", STATE), case("small", small)))
    assert [[result.name for result in group.members] for group in groups] == [["small", "large"], ["state"]]


def test_a_mistake_with_two_verdicts_is_one_cause() -> None:
    """Symptoms that differ only in the verdict must not be compared directly, since verdicts have no order."""
    rule = Rule.FEN_EN_PASSANT
    finding = replace(FINDING, wrong=(replace(WRONG, rule=rule.value, title=rule.title),))
    verdicts = (Verdict.MISMATCH, Verdict.UNPARSEABLE)
    groups = causes_of_run(tuple(case(verdict.value, finding, verdict) for verdict in verdicts))
    assert [len(group.members) for group in groups] == [2]


def test_unexplained_failures_are_grouped_by_message() -> None:
    crash = [case(name, None, Verdict.CRASH, f"odd exited with status {name}") for name in ("1", "22")]
    other = case("x", None, Verdict.TIMEOUT, "odd has not answered within 3 seconds")
    assert [len(group.members) for group in causes_of_run((*crash, other))] == [2, 1]


def test_each_incorrect_count_of_a_suite_is_a_cause() -> None:
    agrees = replace(DIFFERENCE, expected=256)
    less, least = (
        replace(case(name, None, message=f"{name} nodes; odd agrees"), difference=agrees, source=f"made.epd:{line}")
        for line, name in enumerate(("-1", "-2"), 1)
    )
    assert [group.members for group in causes_of_run((less, least))] == [(less,), (least,)]


def wrong(rule: str, kind: str = "extra") -> WrongMove:
    return replace(WRONG, kind=kind, rule=rule, title=Rule(rule).title)


def test_the_cause_that_breaks_most_reachable_positions_of_standard_chess_is_first() -> None:
    often, rare = (replace(FINDING, wrong=(wrong(rule),)) for rule in ("pinned", "jumps-over"))
    chess960 = [replace(case(f"c{number}", often), chess960=True) for number in range(3)]
    groups = causes_of_run((*chess960, *(replace(case(f"r{number}", rare), fen=START) for number in range(2))))
    summaries = [(group.title, group.positions, group.ordinary) for group in groups]
    assert summaries == [("extra move: Jump over a piece", 2, 2), ("extra move: Pinned piece leaves its line", 3, 0)]


def test_a_failure_with_several_rules_belongs_to_the_cause_that_breaks_most() -> None:
    both = replace(FINDING, wrong=(wrong("jumps-over"), wrong("pinned")))
    pinned = replace(FINDING, wrong=(wrong("pinned"),))
    groups = causes_of_run((case("both", both), case("one", pinned), case("two", pinned)))
    assert [(group.title, len(group.members)) for group in groups] == [("extra move: Pinned piece leaves its line", 3)]


FAMILIES_TOLD = {
    "no en passant at all": ("missing", ["en-passant", "en-passant-takes-checker"], ["missing move: En passant"]),
    "en passant along a pin only": (
        "missing",
        ["en-passant-along-pin"],
        ["missing move: En passant along the line of a pin"],
    ),
    "no test of checks": (
        "extra",
        ["pinned", "check-not-answered", "king-attacked", "en-passant-pinned", "king-next-to-king"],
        ["extra move: Moves that leave the king attacked"],
    ),
    "two faults": ("extra", ["pinned", "king-attacked"], ["extra move: Pinned piece", "extra move: King steps"]),
}


@pytest.mark.parametrize("name", FAMILIES_TOLD)
def test_rules_that_break_together_are_one_cause(name: str) -> None:
    kind, rules, titles = FAMILIES_TOLD[name]
    results = (case(rule, replace(FINDING, wrong=(wrong(rule, kind),))) for rule in rules)
    found = [group.title for group in causes_of_run(results)]
    assert len(found) == len(titles)
    assert all(one.startswith(title) for one, title in zip(found, titles, strict=True)), found


REFUSALS = [
    [
        "mine refuses the position: ValueError (engine.py:42): bad fen 6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1",
        "mine refuses the position: ValueError (engine.py:42): bad fen 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1'",
    ],
    [
        "mine refuses the position: info string invalid fen: rank 3 is 'PPP', en passant e3",
        "mine refuses the position: info string invalid fen: rank 7 is 'pp', en passant a6",
    ],
    [
        "thread 'main' panicked at src/board.rs:12:5: index 64 out of bounds",
        "thread 'main' panicked at src/board.rs:99:1: index 77 out of bounds",
    ],
    [
        "mine refuses the position: ValueError (core.py:6): invalid literal for int() with base 10: 'c'",
        "mine refuses the position: ValueError (core.py:6): invalid literal for int() with base 10: 'd'",
    ],
]


def test_refusals_and_crashes_are_grouped_regardless_of_quoted_text() -> None:
    results = [case(text, None, Verdict.REJECTED, text) for alike in REFUSALS for text in alike]
    groups = causes_of_run(tuple(results))
    assert sorted(sorted(one.name for one in group.members) for group in groups) == sorted(map(sorted, REFUSALS))


def test_the_report_ends_with_a_table_of_causes() -> None:
    results = (*(case(f"p{number}", FINDING) for number in range(3)), case("state", STATE))
    started = RunStarted("1", "odd", (), (SuiteTotal("made", len(results), 1, 1),))
    finished = RunFinished(started, results, 1.0)
    lines = [line.strip() for line in printed(terminal.render(finished)) if line]
    assert [line.split() for line in lines[-5:-4]] == [["positions", "first", "example", "cause"]]
    assert [line.split(None, 2) for line in lines[-3:-1]] == [
        ["3", "made:p0", "missing move: En passant along the line of a pin"],
        ["1", "made:state", "wrong state: Right is kept"],
    ]
    (first, second) = json.loads(JSON.render(finished))["causes"]
    assert (first["title"], first["positions"]) == ("missing move: En passant along the line of a pin", 3)
    assert first["failures"] == ["made:p0", "made:p1", "made:p2"]
    assert second["title"] == "wrong state: Right is kept"
    document = MARKDOWN.render(finished)
    assert "| missing move: En passant along the line of a pin | 3 | `made:p0` |" in document
    assert document.index("### missing move: En passant along") < document.index("### wrong state: Right is kept")
    assert f"```\n{difference_command(DIFFERENCE, FINDING)}\n```" in document


def test_many_failures_are_summarized_by_cause() -> None:
    lines = shown(*(case(f"p{number}", FINDING) for number in range(9)), case("state", STATE))
    assert lines.count("  missing move c4b3: En passant along the line of a pin") == 1
    assert "  same cause in 8 other positions, among them made:p1, made:p2, made:p3, made:p4, made:p5, made:p6" in lines
    assert lines[-1].startswith("0 of 10 positions agree, 10 mismatches from 2 causes")


def test_a_fault_of_state_names_the_position_it_is_played_from() -> None:
    assert STATE.headline == "wrong state: Right is kept"
    assert difference_command(DIFFERENCE, STATE) == f"perft-check divide '{STATE.base_fen}' 2 -e odd -a python-chess"


def test_a_failure_that_vanished_shows_the_complete_difference() -> None:
    vanished = FINDING.noting(Cause.VANISHED, "the difference is not reproduced")
    assert difference_command(DIFFERENCE, vanished) == difference_command(DIFFERENCE)
    assert difference_command(DIFFERENCE, FINDING) == f"perft-check divide '{FEN}' 1 -e odd -a python-chess"


def test_the_command_stays_on_one_line() -> None:
    long = replace(DIFFERENCE, engine="uci:an engine with a very long command line, and many options on top of it")
    lines = shown(replace(case("x", FINDING), difference=long))
    assert f"  reproduce: {difference_command(long, FINDING)}" in lines
