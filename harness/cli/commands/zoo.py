"""`perft-check zoo`: list, show and serve the faults that measure how much a suite or a fuzzer sees."""

from __future__ import annotations

import shlex
import sys

from rich.table import Table
from rich.text import Text

from ....errors import UsageError
from ....reports.terminal.board import board_text
from ....reports.text import count
from ...model.verdict import ExitCode
from ...zoo.catalogue import faults_of, find_fault
from ...zoo.fault import Fault
from .. import console


def list_faults(theme: str | None = None) -> ExitCode:
    """Print a table of the faults, of one class if asked for. Raises UsageError where there is no such class."""
    shown = faults_of(theme)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("fault", "class", "shows as", "bugs"):
        table.add_column(title)
    for one in shown:
        table.add_row(one.name, one.theme, one.effect or "nothing", " ".join(one.ids))
    console.print_table(table)
    faults = [one for one in shown if not one.control]
    families = count(len({one.family for one in faults}), "family", "families")
    controls = count(len(shown) - len(faults), "control")
    console.err().print(f"{count(len(faults), 'fault')} of {families}, {controls}", style="dim")
    return ExitCode.AGREE


def show(name: str) -> ExitCode:
    """Print what is wrong with one fault, who had it, and where it shows. Raises UsageError."""
    fault = find_fault(name)
    out, shows = console.out(), fault.shows
    out.print(Text(fault.story, style="bold"))
    rows = {
        "class": f"{fault.theme}, family {fault.family}, scope {fault.scope}",
        "shows as": fault.effect or "nothing: a control, which nobody must report",
        "seen in": "; ".join(fault.sources) or "textbooks",
        "rules": ", ".join(fault.rules) or "-",
        "position": " ".join([shows.fen, *(["moves", *shows.moves] if shows.moves else [])]),
        "depth": str(shows.depth),
    }
    for title, text in rows.items():
        out.print(f"{title + ':':10}{text}", soft_wrap=True)
    if shows.fen.count("/") == 7:  # one fault is about a board of nine ranks
        out.print(board_text(shows.fen))
    if fault.is_served:
        out.print(f"{'see:':10}{_demonstration(fault)}", soft_wrap=True)
    return ExitCode.AGREE


def _demonstration(fault: Fault) -> str:
    """Return the command that shows a fault: a divide, unless it takes moves that are played, or a FEN printed."""
    shows = fault.shows
    words = ["divide", shows.fen, str(shows.depth)]
    if shows.moves or fault.effect == "fen":
        words = ["fuzz", "--replay", " ".join([shows.fen, *(["moves", *shows.moves] if shows.moves else [])])]
    mode = ["--chess960"] if shows.chess960 else []
    return shlex.join(["perft-check", *words, "-e", f"zoo:{fault.name}", "-a", "own:turbo", *mode])


def serve(name: str) -> int:
    """Speak UCI over stdin and stdout as this fault; return the exit status. Raises UsageError."""
    from ...zoo.serve import serve as answer

    fault = find_fault(name)
    if not fault.is_served:
        raise UsageError(
            f"fault {name!r} shows only inside the API of a generator, so it cannot be served as an engine"
        )
    return answer(fault, sys.stdin)
