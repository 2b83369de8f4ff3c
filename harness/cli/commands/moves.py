"""`perft-check moves`: the moves of each GenType in a position, on a board."""

from __future__ import annotations

from ....errors import UsageError
from ....generator.movelist import MoveList
from ....generator.position import Position
from ....generator.reachability.labels import en_passant_contradiction
from ....generator.types.moves import GenType
from ....generator.types.squares import name_of
from ....reports.terminal.moves import render
from ....suites.positions import resolve_gentype, resolve_position
from ...engines.kinds.own import compile_notice
from ...model.results.listing import Listed, ListedMove, MoveListing
from ...model.results.verdict import ExitCode
from ..output import console
from ..output.json_out import print_json
from ..settings.position import MovesSettings


def main(settings: MovesSettings) -> ExitCode:
    """Print board and moves of the GenTypes asked for. Raises UsageError."""
    position = resolve_position(settings.position, settings.chess960)
    wanted = _wanted(settings, position)
    if (line := compile_notice("generate")) is not None:
        console.err().print(line, style="dim")
    listings = tuple(_listing(position, gentype) for gentype in wanted)
    contradiction = en_passant_contradiction(position)
    oddities = [*position.oddities, *([] if contradiction is None else [contradiction])]
    listed = Listed(settings.engine, position.fen(), position.chess960, tuple(oddities), listings)
    if settings.json:
        print_json(listed)
    else:
        console.out().print(render(listed))
    return ExitCode.AGREE


def _wanted(settings: MovesSettings, position: Position) -> list[GenType]:
    """Return the GenTypes asked for. Raises UsageError where the position does not allow one."""
    if settings.everything:
        return _applicable(position)
    wanted = [resolve_gentype(name, "--type") for name in settings.gentypes] or [GenType.LEGAL]
    for gentype in wanted:
        if gentype not in _applicable(position):
            state = "in check" if position.in_check else "not in check"
            raise UsageError(
                f"--type {gentype.name}: the side to move is {state}; "
                f"ask for {', '.join(possible.name for possible in _applicable(position))}"
            )
    return wanted


def _applicable(position: Position) -> list[GenType]:
    if position.in_check:
        return [GenType.EVASIONS, GenType.LEGAL]
    return [gentype for gentype in GenType if gentype is not GenType.EVASIONS]


def _listing(position: Position, gentype: GenType) -> MoveListing:
    legal = set(position.legal_moves)
    ordered = sorted(MoveList(position, gentype), key=lambda extended: -extended.value)
    moves = (
        ListedMove(
            uci=move.uci(position.chess960),
            san=position.san(move) if move in legal else None,
            value=value,
            landing=name_of(move.landing),
        )
        for move, value in ordered
    )
    return MoveListing(gentype.name, tuple(moves))
