"""`perft-check moves -e own:TECHNIQUE`: the moves as a technique finds them, and how it walks."""

from __future__ import annotations

import difflib

from rich.text import Text

from ...reports.board import board_text
from ...reports.text import count
from ...reports.walk import walk_table
from .. import console
from ..engines.registry import OWN
from ..errors import UsageError
from ..positions import resolve_position
from ..verdict import ExitCode

NAMED = [spec for spec in OWN if ":" in spec]


def main(position: str, engine: str, with_trace: bool, with_gentypes: bool, chess960: bool) -> ExitCode:
    """Print the moves of a technique in its order, and, if asked for, its walk. Raises UsageError."""
    from ...generator.techniques.registry import ENTRIES, NoChess960, legal_moves
    from ...generator.techniques.tracing import trace

    if engine not in NAMED:
        close = difflib.get_close_matches(engine, NAMED, n=1, cutoff=0.6)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(NAMED)}"
        raise UsageError(f"moves are listed by a technique, own:NAME, not by {engine!r}: {hint}")
    if with_gentypes:
        raise UsageError(f"{engine} lists legal moves: leave out --type and --all")
    resolved = resolve_position(position, chess960)
    name = engine.removeprefix("own:")
    try:
        moves = legal_moves(name, resolved)
        walk = trace(name, resolved) if with_trace else None
    except NoChess960 as refusal:
        raise UsageError(str(refusal)) from None
    technique = ENTRIES[name].technique
    out = console.out()
    out.print(resolved.fen(), soft_wrap=True)
    out.print(board_text(resolved.fen(), {}))
    out.print(Text(f"{engine}: {technique.idea} ({technique.origin})"), soft_wrap=True)
    if walk is not None:
        console.print_table(walk_table(walk, resolved))
        out.print(
            f"{count(walk.number('visit'), 'square')} visited, {count(walk.number('look-up'), 'look-up')}, "
            f"{count(walk.number('store'), 'move')} stored; pawns, castling and the test of legality as for all",
            soft_wrap=True,
        )
    out.print(Text(f"{count(len(moves), 'legal move')}, in the order in which they are found:", style="bold"))
    out.print(" ".join(move.uci(chess960=resolved.chess960) for move in moves), soft_wrap=True)
    return ExitCode.AGREE
