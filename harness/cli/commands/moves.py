"""`perft-check moves`: the moves of each GenType in a position, on a board."""

from __future__ import annotations

from rich.text import Text

from ....errors import UsageError
from ....generator.movelist import MoveList
from ....generator.position import Position
from ....generator.reachability.labels import en_passant_contradiction
from ....generator.types.moves import GenType
from ....reports.terminal.moves import render
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
    contradiction = en_passant_contradiction(resolved)
    oddities = [*resolved.oddities, *([] if contradiction is None else [contradiction])]
    if oddities:
        console.out().print(Text(f"no game leads here: {'; '.join(oddities)}", style="yellow"))
    for gentype in wanted:
        console.out().print()
        console.out().print(render(resolved, gentype, MoveList(resolved, gentype)))
    return ExitCode.AGREE


def _applicable(position: Position) -> list[GenType]:
    if position.in_check:
        return [GenType.EVASIONS, GenType.LEGAL]
    return [gentype for gentype in GenType if gentype is not GenType.EVASIONS]
