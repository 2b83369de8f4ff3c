"""`perft-check zoo`: list, show and serve the faults that measure how much a suite or a fuzzer sees."""

from __future__ import annotations

import sys

from rich.table import Table
from rich.text import Text

from ...reports.board import board_text
from ...reports.text import count
from .. import console
from ..errors import UsageError
from ..verdict import ExitCode
from ..zoo.catalogue import faults_of, find_fault


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
        mode = " --chess960" if shows.chess960 else ""
        spec = f'perft-check divide "{shows.fen}" {shows.depth} -e zoo:{name} -a own:turbo{mode}'
        out.print(f"{'see:':10}{spec}", soft_wrap=True)
    return ExitCode.AGREE


def serve(name: str) -> int:
    """Speak UCI over stdin and stdout as this fault; return the exit status. Raises UsageError."""
    from ..zoo.serve import serve as answer

    fault = find_fault(name)
    if not fault.is_served:
        raise UsageError(
            f"fault {name!r} shows only inside the API of a generator, so it cannot be served as an engine"
        )
    return answer(fault, sys.stdin)
