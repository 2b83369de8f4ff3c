"""The report of a fuzzing run, word for word; it does not depend on time."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from helpers.games import game_from
from helpers.made_results import FEN, WRONG
from helpers.planted import discrepancy_at
from helpers.printed import printed
from perft_check.generator.events import Event
from perft_check.generator.reachability.classification import Reachability
from perft_check.harness.fuzzing.model import Coverage, Discrepancy, FuzzFinding, FuzzFinished, FuzzStarted, Hit
from perft_check.harness.model.results.finding import Cause, Finding
from perft_check.harness.model.results.verdict import ExitCode, Verdict
from perft_check.reports.formats.json import JSON
from perft_check.reports.terminal.fuzz import render

FINDING = Finding(cause=Cause.MOVES, fen=FEN, chess960=False, wrong=(WRONG,), divides=3)
MISSING = Discrepancy("moves", Verdict.MISMATCH, game_from(FEN), FINDING)
FUZZ_FINDING = FuzzFinding(
    MISSING, Hit(MISSING, "walks", 1436), 2, 17, f"perft-check fuzz --replay '{FEN}' -e uci:mine -a own:turbo"
)
CRASHED = Discrepancy("moves", Verdict.CRASH, game_from("k7/8/8/8/8/8/8/K7 w - - 0 1", "a1a2"), None, "mine has died")
CRASH = FuzzFinding(CRASHED, Hit(CRASHED, "games", 3), 1, 32, "perft-check fuzz --replay ...")
POSSIBLE = tuple(event.value for event in Event if not event.chess960)
STARTED = FuzzStarted("1.2.3", "uci:mine", ("own:turbo",), ("moves", "fen"), 7, ("walks",), 2000, POSSIBLE)
MET = ((Event.EP_LEGAL.value, 12), (Event.MATE.value, 3))
COVERAGE = Coverage(MET, (("games", 750), ("walks", 1250)))
FINISHED = FuzzFinished(STARTED, (FUZZ_FINDING,), COVERAGE, 12.5)


def text(finished: FuzzFinished, verbose: bool = False, quiet: bool = False, columns: int = 100) -> str:
    """Return the printed report, without spaces at the ends of lines."""
    return "\n".join(printed(render(finished, verbose, quiet), columns))


WHOLE = """\
perft-check 1.2.3  fuzzing uci:mine against own:turbo, seed 7; checks: moves, fen

examined: 2,000 positions
rare events covered: 2 of 91 (-v lists them); fewer than 1 in 2,000 further positions would cover a
new one
1 kind of fault of mine found in 2,000 positions

1. missing move c4b3: En passant along the line of a pin
check: moves; occurs in 2 positions, first in position 1,436 (walks); 5 pieces, reduced from 17
in 6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1
  8  .  .  .  .  .  . [k] .    c4b3 (cxb3) missing: The pawn stays on the line of its pin.
  7  .  .  .  .  .  .  .  .
  6  .  .  .  .  .  .  .  .
  5  .  .  .  .  .  .  .  .
  4  .  P [p] .  .  .  .  .
  3  . [.] .  .  .  .  .  .
  2 [B] .  .  .  .  .  .  .
  1  .  .  .  .  .  .  K  .
     a  b  c  d  e  f  g  h
rule: perft-check explain en-passant-along-pin
reproduce: perft-check fuzz --replay '6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1' -e uci:mine -a own:turbo
"""


def test_a_finding_is_printed_word_for_word() -> None:
    """The findings come last, and the command that reproduces the last one is at the very end."""
    assert text(FINISHED) == WHOLE.removesuffix("\n")


def test_another_finding_of_the_same_cause_has_its_own_line_and_command() -> None:
    by_lists = replace(FUZZ_FINDING, discrepancy=replace(MISSING, check="lists"), times=1)
    facts = "(check: lists; occurs in 1 position)"
    line = f"same cause: missing move c4b3: En passant along the line of a pin {facts}: "
    shown = text(replace(FINISHED, findings=(FUZZ_FINDING, by_lists)), columns=300)
    assert shown.splitlines()[-2:] == [WHOLE.splitlines()[-1], line + FEN]
    shown = text(
        replace(FINISHED, findings=(FUZZ_FINDING, replace(by_lists, replay="perft-check fuzz --replay x"))), columns=300
    )
    assert shown.splitlines()[-2:] == [line + FEN, "  reproduce: perft-check fuzz --replay x"]


def test_a_crash_of_the_reference_is_named() -> None:
    assert text(replace(FINISHED, findings=(UNJUDGED,)), quiet=True).splitlines()[2] == "1. crash of the reference"


def test_events_that_occurred_and_others_are_listed() -> None:
    lines = [line.split() for line in text(FINISHED, verbose=True).splitlines()]
    assert ["games", "750"] in lines
    assert ["walks", "1,250"] in lines
    mate, legal = (next(line for line in lines if line[:1] == [event.label]) for event in (Event.MATE, Event.EP_LEGAL))
    assert (mate[1], legal[1]) == ("3", "12")
    assert lines.index(mate) < lines.index(legal), "the rarest first"
    number = len(STARTED.possible_events)
    assert f"rare events covered: 2 of {number}; never: " in text(FINISHED, verbose=True)
    missed = Event.STALEMATE
    met = tuple((event.value, 1) for event in Event if event is not missed)
    almost = text(replace(FINISHED, coverage=replace(COVERAGE, events=met)), verbose=True)
    assert f"rare events covered: {number - 1} of {number}; never: {missed.label}" in almost
    every = replace(FINISHED, coverage=replace(COVERAGE, events=tuple((event, 1) for event in STARTED.possible_events)))
    assert f"rare events covered: {number} of {number} (-v lists them)\n" in text(every)
    assert "would cover a new" not in text(every) + text(every, verbose=True)


MET_IN_SHORT = [
    "examined: 2,000 positions; sweep cases: 0 of 166",
    "rare events covered: 2 of 91 (-v lists them); fewer than 1 in 2,000 further",
    "positions would cover a new one",
    "speed: 33 positions a second, 1 min 00 s",
]
SUMMED = {(): "no fault of mine", (FUZZ_FINDING,): "1 kind of fault of mine"}


@pytest.mark.parametrize("findings", SUMMED)
def test_the_coverage_takes_at_most_four_lines(findings: tuple[FuzzFinding, ...]) -> None:
    """On a screen of 80 columns, with all possible lines: sweep, events and speed."""
    started = replace(STARTED, sweep=166)
    whole = FuzzFinished(started, findings, COVERAGE, 60.0, depends_on_time=True)
    lines = text(whole, columns=80).splitlines()
    start, end = (
        next(n for n, line in enumerate(lines) if line.startswith(one)) for one in ("examined", SUMMED[findings])
    )
    assert lines[start:end] == MET_IN_SHORT


def test_quiet_prints_findings_and_the_last_line() -> None:
    found = text(FINISHED, quiet=True)
    assert found.splitlines()[:3] == [
        "1 kind of fault of mine found in 2,000 positions",
        "",
        "1. missing move c4b3: En passant along the line of a pin",
    ]
    assert "games" not in found
    assert "seed" not in found
    clean = replace(FINISHED, findings=())
    assert text(clean, quiet=True) == "no fault of mine found in 2,000 positions"


def test_a_crash_of_the_engine_is_named() -> None:
    lines = text(replace(FINISHED, findings=(CRASH,)), quiet=True).splitlines()
    assert lines[2:6] == [
        "1. crash",
        "check: moves; occurs in 1 position, first in position 3 (games); 2 pieces, reduced from 32",
        "mine has died",
        "in k7/8/8/8/8/8/8/K7 w - - 0 1 moves a1a2",
    ]
    assert lines[-1] == "reproduce: perft-check fuzz --replay ..."


BEYOND = replace(FUZZ_FINDING, label=Reachability.IMPOSSIBLE)
WRONG_REFERENCE = replace(FINDING, wrong=(replace(WRONG, engine_is_correct=True),))
RIGHT = replace(FUZZ_FINDING, discrepancy=replace(MISSING, finding=WRONG_REFERENCE))
UNJUDGED = replace(CRASH, discrepancy=replace(CRASHED, reference_failed=True))
SUMMARIES = {
    "no fault of mine found in 2,000 positions": replace(FINISHED, findings=()),
    "interrupted: no fault of mine found in 2,000 positions": replace(FINISHED, findings=(), interrupted=True),
    "interrupted: 1 kind of fault of mine found in 2,000 positions": replace(FINISHED, interrupted=True),
    "2 kinds of faults of mine found in 2,000 positions": replace(FINISHED, findings=(FUZZ_FINDING, CRASH)),
    "no fault of mine found in 2,000 positions, and 1 difference not caused by the engine": replace(
        FINISHED, findings=(BEYOND,)
    ),
    "1 kind of fault of mine found in 2,000 positions, and 2 differences not caused by the engine": replace(
        FINISHED, findings=(FUZZ_FINDING, RIGHT, UNJUDGED)
    ),
    "1 kind of fault of mine found in 2,000 positions; saved in my.epd": replace(FINISHED, stored="my.epd"),
    "no fault of an engine found in 2,000 positions": replace(
        FINISHED, findings=(), started=replace(STARTED, engine="uci:'./an engine' with a long command")
    ),
}


@pytest.mark.parametrize("line", SUMMARIES)
def test_a_line_before_the_findings_summarizes_the_run(line: str) -> None:
    lines = text(SUMMARIES[line]).splitlines()
    end = next((number for number, one in enumerate(lines) if one.startswith("1. ")), len(lines) + 1)
    assert lines[end - 2] == line


def test_a_run_without_a_reference_says_so() -> None:
    alone = replace(FINISHED, started=replace(STARTED, references=()))
    assert text(alone).splitlines()[0].startswith("perft-check 1.2.3  fuzzing uci:mine against itself, seed 7")


@pytest.mark.parametrize(
    ("finished", "status"),
    [
        (replace(FINISHED, findings=()), ExitCode.AGREE),
        (FINISHED, ExitCode.MISMATCH),
        (replace(FINISHED, findings=(CRASH,)), ExitCode.ENGINE_FAILED),
        (replace(FINISHED, findings=(CRASH, FUZZ_FINDING)), ExitCode.MISMATCH),
        (replace(FINISHED, interrupted=True), ExitCode.INTERRUPTED),
    ],
)
def test_the_exit_status_depends_on_the_findings(finished: FuzzFinished, status: ExitCode) -> None:
    assert finished.exit_code is status


def test_json_has_all_results() -> None:
    failed = replace(
        FINISHED,
        findings=(FUZZ_FINDING, replace(CRASH, reproducible=False, label=Reachability.IMPOSSIBLE)),
        failure="no more",
    )
    found = json.loads(JSON.render(failed))
    first, second = found.pop("findings")
    events, causes = found.pop("events"), found.pop("causes")
    assert found.pop("chance_of_new_event") == 0.0
    assert [(cause["title"], cause["positions"]) for cause in causes] == [
        ("missing move: En passant along the line of a pin", 2),
        ("not reproduced: mine has died", 1),
    ]
    assert {label: number for label, number in events.items() if number} == {"ep-legal": 12, "mate": 3}
    assert found == {
        "format": 1,
        "kind": "fuzz",
        "perft_check": "1.2.3",
        "engine": "uci:mine",
        "references": ["own:turbo"],
        "names": {"uci:mine": "mine", "own:turbo": "own:turbo"},
        "checks": ["moves", "fen"],
        "seed": 7,
        "exit_code": 1,
        "interrupted": False,
        "is_cut_short": False,
        "failure": "no more",
        "fixed": [],
        "examples": 2000,
        "strategies": {"games": 750, "walks": 1250},
        "not_tried": [],
    }
    assert (first["name"], first["times"], first["pieces"], first["pieces_before"]) == (
        "missing en-passant-along-pin",
        2,
        5,
        17,
    )
    assert first["place"] == {"fen": FEN, "moves": [], "chess960": False}
    assert (first["reproducible"], first["is_impossible"]) == (True, False)
    wrong = first["finding"]["wrong"][0]
    assert (wrong["uci"], wrong["kind"], wrong["rule"]) == ("c4b3", "missing", "en-passant-along-pin")
    assert second == {
        "name": "crash",
        "times": 1,
        "ordinary_times": 0,
        "first": {
            "example": 3,
            "strategy": "games",
            "check": "moves",
            "verdict": "crash",
            "message": "mine has died",
            "place": {"fen": "k7/8/8/8/8/8/8/K7 w - - 0 1", "moves": ["a1a2"], "chess960": False},
            "finding": None,
        },
        "pieces_before": 32,
        "pieces": 2,
        "reproducible": False,
        "is_impossible": True,
        "reachability": "impossible",
        "is_of_engine": False,
        "replay": "perft-check fuzz --replay ...",
        "check": "moves",
        "verdict": "not reproduced",
        "message": "mine has died",
        "place": {"fen": "k7/8/8/8/8/8/8/K7 w - - 0 1", "moves": ["a1a2"], "chess960": False},
        "finding": None,
    }


def test_signatures_distinguish_kinds_of_faults() -> None:
    line = game_from(FEN)
    one, same, other = (
        discrepancy_at(line, "pinned"),
        discrepancy_at(game_from("k7/8/8/8/8/8/8/K7 w - - 0 1"), "pinned"),
        MISSING,
    )
    assert one.signature == same.signature != other.signature
    assert one.signature != discrepancy_at(line, "pinned", "missing").signature
    assert one.name == "extra pinned"
    assert CRASHED.name == "crash"
    numbered = [replace(CRASHED, message=f"mine has died at {number}") for number in (3, 14)]
    assert numbered[0].signature == numbered[1].signature != CRASHED.signature
