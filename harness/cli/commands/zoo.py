"""`perft-check zoo`: list and show the faults that measure how much a suite or a fuzzer detects."""

from __future__ import annotations

from rich.text import Text

from ....reports.terminal.parts.board import board_text
from ....reports.terminal.zoo import facts, fault_table, summary
from ...model.results.verdict import ExitCode
from ...zoo.catalogue import faults_of, find_fault
from ..output import console
from ..settings.zoo import FaultSettings, FaultsSettings


def list_faults(settings: FaultsSettings) -> ExitCode:
    """Print a table of the faults, of one class if asked for. Raises UsageError where there is no such class."""
    faults = faults_of(settings.theme)
    console.out().print(fault_table(faults))
    console.err().print(summary(faults), style="dim")
    return ExitCode.AGREE


def show(settings: FaultSettings) -> ExitCode:
    """Print one fault: its story, the engines that had it, and a position that shows it. Raises UsageError."""
    fault, out = find_fault(settings.fault), console.out()
    out.print(Text(fault.story, style="bold"))
    if fault.shows.fen.count("/") == 7:  # one fault is about a board of nine ranks
        out.print(board_text(fault.shows.fen))
    out.print(facts(fault))
    return ExitCode.AGREE
