"""`perft-check moves`: the moves of each GenType in a position, on a board."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from ....errors import UsageError
from ....generator.position import Position
from ....generator.types.moves import GenType, Move
from ....generator.types.squares import name_of
from ....reports.terminal.board import board_text
from ....reports.text import count
from ....suites.positions import resolve_gentype, resolve_position
from ...engines.kinds.own import compile_notice
from ...model.verdict import ExitCode
from .. import console
from ..settings.position import MovesSettings


def main(settings: MovesSettings) -> ExitCode:
    """Print board and moves of the GenTypes asked for. Raises UsageError."""
    resolved = resolve_position(settings.position, settings.chess960)
    wanted = (
        _applicable(resolved)
        if settings.everything
        else [resolve_gentype(name, "--type") for name in settings.gentypes] or [GenType.LEGAL]
    )
    for gentype in wanted:
        if gentype not in _applicable(resolved):
            state = "in check" if resolved.in_check else "not in check"
            raise UsageError(
                f"--type {gentype.name}: the side to move is {state}; "
                f"ask for {', '.join(possible.name for possible in _applicable(resolved))}"
            )
    if (line := compile_notice("generate")) is not None:
        console.err().print(line, style="dim")
    console.out().print(resolved.fen(), soft_wrap=True)
    if resolved.oddities:
        console.out().print(Text(f"no game leads here: {'; '.join(resolved.oddities)}", style="yellow"))
    for gentype in wanted:
        _print_moves(resolved, gentype)
    return ExitCode.AGREE


def _applicable(position: Position) -> list[GenType]:
    if position.in_check:
        return [GenType.EVASIONS, GenType.LEGAL]
    return [gentype for gentype in GenType if gentype is not GenType.EVASIONS]


def _print_moves(position: Position, gentype: GenType) -> None:
    from ....generator.movelist import MoveList

    moves = sorted(MoveList(position, gentype), key=lambda extended: -extended.value)
    legal = set(position.legal_moves)
    marks = {name_of(extended.move.landing): "black on green" for extended in moves if extended.move in legal}
    marks |= {name_of(extended.move.landing): "black on yellow" for extended in moves if extended.move not in legal}
    console.out().print()
    console.out().print(Text(f"{gentype.name}: {count(len(moves), 'move')}", style="bold"))
    console.out().print(board_text(position.fen(), marks))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("move")
    table.add_column("SAN")
    table.add_column("value", justify="right")
    for move, value in moves:
        table.add_row(move.uci(position.chess960), _san(position, move, legal), str(value) if value else "")
    console.out().print(table)


def _san(position: Position, move: Move, legal: set[Move]) -> str:
    return position.san(move) if move in legal else "leaves the king in check"
