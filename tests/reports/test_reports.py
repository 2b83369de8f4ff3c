"""Terminal reports of runs."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.printed import printed
from perft_check.harness.engines.command_lines import difference_command
from perft_check.harness.model.results.events import CaseResult, RunFinished, RunStarted, SuiteTotal
from perft_check.harness.model.results.finding import Difference, RootMove
from perft_check.harness.model.results.verdict import Verdict
from perft_check.reports import text
from perft_check.reports.board import board_text
from perft_check.reports.terminal import run as terminal

FEN = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
DIFFERENCE = Difference(
    engine="odd",
    reference="python-chess",
    fen=FEN,
    chess960=False,
    depth=2,
    got=62,
    expected=66,
    moves=(RootMove("e1g1", "O-O", None, 3), RootMove("e1g3", None, 4, None), RootMove("h1h8", "Rh8+", 3, 8)),
)


def result(name: str, verdict: Verdict, **more: object) -> CaseResult:
    fields: dict[str, object] = {
        "suite": "made",
        "source": "made.epd:3",
        "fen": FEN,
        "chess960": False,
        "depth": 2,
        "expected": 66,
        "got": 66,
        "references": (),
        "nodes": 81,
        "seconds": 0.5,
    }
    return CaseResult(name=name, verdict=verdict, **(fields | more))  # type: ignore[arg-type]


def finished(*results: CaseResult, **more: Any) -> RunFinished:
    started = RunStarted("1.2.3", "odd", (), (SuiteTotal("made", len(results), 2 * len(results), 81 * len(results)),))
    return RunFinished(started, results, 1.5, **more)


def shown(run: RunFinished, verbose: bool = False, quiet: bool = False) -> list[str]:
    return [line for line in printed(terminal.render(run, verbose, quiet)) if line]


def test_a_green_run() -> None:
    assert shown(finished(result("a", Verdict.AGREE), result("b", Verdict.AGREE))) == [
        "perft-check 1.2.3  odd, 2 positions, 162 nodes",
        "suite  positions  agree  fail  deepest  nodes    time    speed",
        "──────────────────────────────────────────────────────────────",
        "made           2      2     0        2    162  1.00 s  162 n/s",
        "all 2 positions agree  162 nodes in 1.50 s, odd at 162 n/s",
    ]


def test_a_mismatch_shows_board_moves_and_command() -> None:
    wrong = result("wrong", Verdict.MISMATCH, got=62, message="-4 nodes", difference=DIFFERENCE)
    lines = shown(finished(result("a", Verdict.AGREE), wrong), quiet=True)
    assert lines == [
        "MISMATCH  made:wrong  (made.epd:3)",
        "  4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "  depth 2: 62 nodes, the suite says 66",
        "  -4 nodes",
        "  8  .  .  .  .  k  .  . [.]   move  SAN               odd  python-chess  difference",
        "  7  .  .  .  .  .  .  .  .    e1g1  O-O                 -             3     missing",
        "  6  .  .  .  .  .  .  .  .    e1g3  not a legal move    4             -       extra",
        "  5  .  .  .  .  .  .  .  .    h1h8  Rh8+                3             8          -5",
        "  4  .  .  .  .  .  .  .  .",
        "  3  .  .  .  .  .  . [.] .",
        "  2  .  .  .  .  .  .  .  .",
        "  1  .  .  .  . [K] . [.][R]",
        "     a  b  c  d  e  f  g  h",
        f"  reproduce: perft-check divide '{FEN}' 2 -e odd -a python-chess",
        "1 of 2 positions agree, 1 mismatch  162 nodes in 1.50 s, odd at 162 n/s",
    ]


def test_a_failure_without_a_count() -> None:
    crash = result("bad", Verdict.CRASH, got=None, message="odd was killed by SIGSEGV")
    assert shown(finished(crash), quiet=True)[:4] == [
        "CRASH  made:bad  (made.epd:3)",
        "  4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "  at depth 2",
        "  odd was killed by SIGSEGV",
    ]


OUT_OF_TIME = "out of time: 0 of 1 positions agree, 100 % of the nodes counted  81 nodes"


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (finished(), "nothing to run: the options exclude every count  0 nodes in 1.50 s"),
        (finished(result("a", Verdict.AGREE), interrupted=True), "interrupted: 1 of 1 positions agree  81 nodes"),
        (finished(result("a", Verdict.UNFINISHED), out_of_time=True), OUT_OF_TIME),
        (finished(result("a", Verdict.SPLIT)), "0 of 1 positions agree, 1 references disagree  81 nodes"),
    ],
)
def test_the_last_line(run: RunFinished, line: str) -> None:
    assert terminal.summary(run).plain.startswith(line)


def test_positions_that_were_not_compared_are_never_agreement() -> None:
    started = RunStarted("1", "odd", (), (SuiteTotal("made", 3, 3, 3),))
    run = RunFinished(started, (result("a", Verdict.AGREE), result("b", Verdict.SKIPPED)), 1.0)
    assert terminal.summary(run).plain.startswith("1 of 3 positions agree, 2 not compared")


def test_external_text_is_never_markup() -> None:
    odd = result("[red]name[/red]", Verdict.CRASH, got=None, message="[bold]boo[/bold] [/]")
    lines = shown(finished(odd), verbose=True)
    assert "CRASH  made:[red]name[/red]  (made.epd:3)" in lines
    assert "  [bold]boo[/bold] [/]" in lines


def test_the_command_is_quoted() -> None:
    spaced = Difference("uci:a b", "own", FEN, True, 1, 0, 1, ())
    assert difference_command(spaced) == f"perft-check divide '{FEN}' 1 -e 'uci:a b' -a own --chess960"


def test_a_board_can_be_read_without_colors() -> None:
    lines = board_text("8/8/8/8/8/8/8/K6k", {"a1": "red", "a2": "red"}).plain.splitlines()
    assert lines[6:] == ["2 [.] .  .  .  .  .  .  . ", "1 [K] .  .  .  .  .  .  k ", "   a  b  c  d  e  f  g  h"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0"), (7, "7"), (999, "999"), (1000, "1.00 k"), (9_812_345, "9.81 M"), (99_950, "100 k"),
        (999_600, "1.00 M"), (123_456_789_012, "123 G"),
    ],
)  # fmt: skip
def test_short_numbers(number: int, words: str) -> None:
    assert text.short(number) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.123, "0.12 s"), (9.996, "10.0 s"), (59.94, "59.9 s"), (59.96, "1 min 00 s"), (185.2, "3 min 05 s")],
)
def test_durations(seconds: float, words: str) -> None:
    assert text.duration(seconds) == words


def test_no_speed_without_a_measurement() -> None:
    assert text.speed(0, 1) == text.speed(100, 0) == ""
    assert text.speed(2_000_000, 0.5) == "4.00 Mn/s"
