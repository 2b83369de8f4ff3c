"""`perft-check zoo`: list, show and serve the faults that measure how much a suite or a fuzzer detects."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import TextIO

from rich.text import Text

from ....errors import UsageError
from ....reports.terminal.parts.board import board_text
from ....reports.terminal.zoo import facts, fault_table, summary
from ...model.results.verdict import ExitCode
from ...zoo.catalogue import faults_of, find_fault
from ..output import console

LONGEST_COMMAND = 100_000
"""Characters of a command: more than the longest possible game needs."""


def list_faults(theme: str | None = None) -> ExitCode:
    """Print a table of the faults, of one class if asked for. Raises UsageError where there is no such class."""
    faults = faults_of(theme)
    console.out().print(fault_table(faults))
    console.err().print(summary(faults), style="dim")
    return ExitCode.AGREE


def show(name: str) -> ExitCode:
    """Print one fault: its story, the engines that had it, and a position that shows it. Raises UsageError."""
    fault, out = find_fault(name), console.out()
    out.print(Text(fault.story, style="bold"))
    if fault.shows.fen.count("/") == 7:  # one fault is about a board of nine ranks
        out.print(board_text(fault.shows.fen))
    out.print(facts(fault))
    return ExitCode.AGREE


def serve(name: str) -> int:
    """Speak UCI over stdin and stdout as this fault; return the exit status. Raises UsageError."""
    from ...zoo.serve import serve as answer

    fault = find_fault(name)
    if not fault.is_served:
        raise UsageError(
            f"fault {name!r} shows only inside the API of a generator, so it cannot be served as an engine"
        )
    return answer(fault, _commands(sys.stdin))


def _commands(stdin: TextIO) -> Iterator[str]:
    """Yield lines. Raises UsageError at one that is no command."""
    if isinstance(stdin, TextIOWrapper):
        stdin.reconfigure(errors="replace")
    while line := stdin.readline(LONGEST_COMMAND + 1):
        if len(line) > LONGEST_COMMAND:
            raise UsageError(f"stdin has a line of more than {LONGEST_COMMAND:,} characters: write one command a line")
        yield line
