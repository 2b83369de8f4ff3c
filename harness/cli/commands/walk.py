"""`perft-check moves -e own:TECHNIQUE`: the moves in the order of a technique, and the squares that it visits."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ....errors import UsageError, did_you_mean
from ....generator.position import Position
from ....generator.types.moves import Move
from ....generator.types.squares import name_of
from ....reports.terminal.parts.board import board_text
from ....reports.terminal.walk import walk_sum, walk_table
from ....reports.text import count
from ....suites.positions import resolve_position
from ...engines.registry import OWN
from ...model.results.listing import Listed, ListedMove, MoveListing
from ...model.results.verdict import ExitCode
from ..output import console
from ..output.json_out import print_json
from ..settings.position import MovesSettings

NAMED = [spec for spec in OWN if ":" in spec]


def main(settings: MovesSettings) -> ExitCode:
    """Print the moves of a technique in its order, and, if asked for, its walk. Raises UsageError."""
    from ....generator.techniques.registry import ENTRIES, NoChess960, legal_moves
    from ....generator.techniques.tracing import trace

    engine = settings.engine
    if engine not in NAMED:
        raise UsageError(f"moves are listed by a technique, own:NAME, not by {engine!r}: {did_you_mean(engine, NAMED)}")
    if settings.gentypes or settings.everything:
        raise UsageError(f"{engine} lists legal moves: leave out --type and --all")
    name = engine.removeprefix("own:")
    if settings.trace and not ENTRIES[name].technique.traced:
        others = ", ".join(f"own:{other}" for other, entry in ENTRIES.items() if entry.technique.traced)
        raise UsageError(f"--trace: {engine} is written for speed, and cannot be followed; there are {others}")
    resolved = resolve_position(settings.position, settings.chess960)
    try:
        moves = legal_moves(name, resolved)
        walk = trace(name, resolved) if settings.trace else None
    except NoChess960 as refusal:
        raise UsageError(f"{engine}: {refusal}; take another technique, or a position of standard chess") from None
    if settings.json:
        print_json(_listed(engine, resolved, moves))
        return ExitCode.AGREE
    technique = ENTRIES[name].technique
    out = console.out()
    out.print(resolved.fen(), soft_wrap=True)
    out.print(board_text(resolved.fen(), {}))
    out.print(Text(f"{engine}: {technique.idea} ({technique.origin})"))
    if walk is not None:
        out.print(walk_table(walk, resolved))
        out.print(walk_sum(walk, technique))
    out.print(Text(f"{count(len(moves), 'legal move')}, in the order in which they are found:", style="bold"))
    out.print(" ".join(move.uci(chess960=resolved.chess960) for move in moves))
    return ExitCode.AGREE


def _listed(engine: str, position: Position, moves: Sequence[Move]) -> Listed:
    listed = (ListedMove(move.uci(position.chess960), position.san(move), 0, name_of(move.landing)) for move in moves)
    listing = MoveListing("LEGAL", tuple(listed))
    return Listed(engine, position.fen(), position.chess960, tuple(position.oddities), (listing,))
