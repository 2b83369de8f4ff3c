"""The output of live displays without a terminal."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

from helpers.games import game_from
from helpers.made_results import FEN, WRONG, case, run_of
from perft_check.harness.fuzzing.model import Discrepancy, DiscrepancySeen, DiscrepancySettled, FuzzFinding, Hit
from perft_check.harness.model.results.events import CaseFailed, CaseFinished, Notice
from perft_check.harness.model.results.finding import Cause, Finding
from perft_check.harness.model.results.verdict import Verdict
from perft_check.reports.live import FuzzLive, Live
from rich.console import Console


def test_a_notice_of_every_process_is_printed_once() -> None:
    written = StringIO()
    with FuzzLive(Console(file=written)) as live:
        for text in ("compiling", "compiling", "the disk is full", "compiling"):
            live.handle(Notice(text))
    assert written.getvalue() == "compiling\nthe disk is full\n"


def test_a_fault_found_by_two_checks_is_printed_once() -> None:
    finding, written = Finding(cause=Cause.MOVES, fen=FEN, chess960=False, wrong=(WRONG,), divides=3), StringIO()
    missing = Discrepancy("moves", Verdict.MISMATCH, game_from(FEN), finding)
    with FuzzLive(Console(file=written, width=200)) as live:
        for check in ("moves", "lists"):
            live.handle(DiscrepancySeen(Hit(replace(missing, check=check), "walks", 1)))
        for reproducible in (True, False):
            settled = FuzzFinding(missing, Hit(missing, "walks", 1), 1, 5, "", reproducible=reproducible)
            live.handle(DiscrepancySettled(settled))
    assert written.getvalue() == "".join(
        f"{state}: missing move c4b3: En passant along the line of a pin: {FEN}\n"
        for state in ("suspect", "found", "not reproduced")
    )


def test_a_run_shows_the_number_of_failures() -> None:
    """Failures that turn out not to be reproducible are no longer counted."""
    written = StringIO()
    results = case("one", Verdict.MISMATCH), case("two", Verdict.NOT_REPRODUCED)
    with Live(Console(file=written, width=200, force_terminal=True, color_system=None)) as live:
        live.handle(run_of(*results).started)
        for result in results:
            live.handle(CaseFailed(result.name, result.suite))
        for nodes, result in enumerate(results):
            live.handle(CaseFinished(result, nodes, 0.0))
    shown = re.findall(r"(\d) failed", written.getvalue())
    assert shown[-1] == "1"
