"""What live displays write where there is no terminal."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

from helpers.lines import line_from
from helpers.made_results import FEN, WRONG
from perft_check.harness.fuzzing.model import Discrepancy, DiscrepancySeen, DiscrepancySettled, Find, Hit
from perft_check.harness.model.results.events import Notice
from perft_check.harness.model.results.finding import Cause, Finding
from perft_check.harness.model.results.verdict import Verdict
from perft_check.reports.live.fuzz import FuzzLive
from rich.console import Console


def test_what_every_process_says_is_told_once() -> None:
    written = StringIO()
    with FuzzLive(Console(file=written)) as live:
        for text in ("compiling", "compiling", "the disk is full", "compiling"):
            live.handle(Notice(text))
    assert written.getvalue() == "compiling\nthe disk is full\n"


def test_a_fault_that_two_checks_see_is_told_once() -> None:
    finding, written = Finding(cause=Cause.MOVES, fen=FEN, chess960=False, wrong=(WRONG,), divides=3), StringIO()
    missing = Discrepancy("moves", Verdict.MISMATCH, line_from(FEN), finding)
    with FuzzLive(Console(file=written, width=200)) as live:
        for check in ("moves", "lists"):
            live.handle(DiscrepancySeen(Hit(replace(missing, check=check), "walks", 1)))
        for comes_again in (True, False):
            find = Find(missing, Hit(missing, "walks", 1), 1, 5, "", comes_again=comes_again)
            live.handle(DiscrepancySettled(find))
    assert written.getvalue() == "".join(
        f"{state}: missing move c4b3: En passant along the line of a pin: {FEN}\n"
        for state in ("suspect", "found", "not reproduced")
    )
