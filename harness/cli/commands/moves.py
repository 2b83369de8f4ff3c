"""`perft-check moves`: the moves of each GenType in a position, on a board, or in the order of a technique."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ....errors import UsageError, did_you_mean
from ....generator.movelist import MoveList
from ....generator.position import Position
from ....generator.reachability.labels import en_passant_contradiction
from ....generator.types.moves import GenType, Move
from ....generator.types.squares import name_of
from ....reports.board import board_text
from ....reports.terminal.divide import render_moves
from ....reports.text import count
from ....suites.positions import resolve_gentype, resolve_line
from ...engines.opening import OWN
from ...engines.spec import short_name
from ...model.results.listing import Listed, ListedMove, MoveListing
from ...model.results.verdict import ExitCode
from ..output import console
from ..output.console import print_json
from ..settings.position import MovesSettings

NAMED = [spec for spec in OWN if ":" in spec]


def main(settings: MovesSettings) -> ExitCode:
    """Print board and moves of the GenTypes asked for, or those of a technique. Raises UsageError."""
    if settings.by_technique:
        return _show_technique(settings)
    position = resolve_line(settings.position, settings.chess960, settings.moves).position
    wanted = _gentypes_asked_for(settings, position)
    listings = tuple(_list_moves(position, gentype) for gentype in wanted)
    contradiction = en_passant_contradiction(position)
    oddities = [*position.oddities, *([] if contradiction is None else [contradiction])]
    listed = Listed(settings.engine, position.fen(), position.chess960, tuple(oddities), listings)
    if settings.json:
        print_json(listed)
    else:
        console.out().print(render_moves(listed))
    return ExitCode.AGREE


def _gentypes_asked_for(settings: MovesSettings, position: Position) -> list[GenType]:
    """Return the GenTypes asked for. Raises UsageError where the position does not allow one."""
    if settings.everything:
        return _possible_gentypes(position)
    wanted = [resolve_gentype(name, "--type") for name in settings.gentypes] or [GenType.LEGAL]
    for gentype in wanted:
        if gentype not in _possible_gentypes(position):
            state = "in check" if position.in_check else "not in check"
            raise UsageError(
                f"--type {gentype.name}: the side to move is {state}; "
                f"ask for {', '.join(possible.name for possible in _possible_gentypes(position))}"
            )
    return wanted


def _possible_gentypes(position: Position) -> list[GenType]:
    if position.in_check:
        return [GenType.EVASIONS, GenType.LEGAL]
    return [gentype for gentype in GenType if gentype is not GenType.EVASIONS]


def _list_moves(position: Position, gentype: GenType) -> MoveListing:
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


def _show_technique(settings: MovesSettings) -> ExitCode:
    """Print the moves of a technique in its order. Raises UsageError."""
    from ....generator.techniques.registry import ENTRIES, NoChess960, legal_moves

    engine = settings.engine
    if engine not in NAMED:
        raise UsageError(
            f"moves are listed by a technique, own:NAME, not by {engine!r}: {did_you_mean(engine, NAMED)}", engine
        )
    if settings.gentypes or settings.everything:
        raise UsageError(f"{engine} lists legal moves: leave out --type and --all", engine)
    name = engine.removeprefix("own:")
    resolved = resolve_line(settings.position, settings.chess960, settings.moves).position
    try:
        moves = legal_moves(name, resolved)
    except NoChess960 as refusal:
        raise UsageError(f"{engine}: {refusal}; take another technique, or a position of standard chess") from None
    if settings.json:
        print_json(_list_in_order(engine, resolved, moves))
        return ExitCode.AGREE
    technique = ENTRIES[name].technique
    out = console.out()
    out.print(resolved.fen(), soft_wrap=True)
    out.print(board_text(resolved.fen(), {}))
    out.print(Text(f"{short_name(engine)}: {technique.idea} ({technique.origin})"))
    out.print(Text(f"{count(len(moves), 'legal move')}, in the order in which they are found:", style="bold"))
    out.print(" ".join(move.uci(chess960=resolved.chess960) for move in moves))
    return ExitCode.AGREE


def _list_in_order(engine: str, position: Position, moves: Sequence[Move]) -> Listed:
    listed = (ListedMove(move.uci(position.chess960), position.san(move), 0, name_of(move.landing)) for move in moves)
    listing = MoveListing("LEGAL", tuple(listed))
    return Listed(engine, position.fen(), position.chess960, tuple(position.oddities), (listing,))
