"""The results of `moves`: the moves of each GenType in a position."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UsageError
from ...generator.movelist import MoveList
from ...generator.position import Position
from ...generator.reachability.classification import en_passant_contradiction
from ...generator.types.moves import GenType
from ...generator.types.squares import name_of
from ...suites.positions import resolve_gentype
from ..model.results.positions import ListedMove, MoveListing, MoveLists


def list_types(position: Position, wanted: Sequence[GenType]) -> MoveLists:
    """Return the moves of each wanted GenType in a position."""
    listings = tuple(_list_moves(position, gentype) for gentype in wanted)
    contradiction = en_passant_contradiction(position)
    oddities = [*position.oddities, *([] if contradiction is None else [contradiction])]
    return MoveLists("own", position.fen(), position.chess960, tuple(oddities), listings)


def named_types(names: Sequence[str], position: Position) -> list[GenType]:
    """Return the GenTypes with these names. Raises UsageError if one of them cannot be used in the position."""
    wanted = [resolve_gentype(name, "--type") for name in names]
    for gentype in wanted:
        if gentype not in possible_types(position):
            state = "in check" if position.in_check else "not in check"
            raise UsageError(
                f"--type {gentype.name}: the side to move is {state}; "
                f"ask for {', '.join(possible.name for possible in possible_types(position))}"
            )
    return wanted


def possible_types(position: Position) -> list[GenType]:
    """Return the GenTypes that can be used in a position."""
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


def list_in_order(technique: str, position: Position) -> MoveLists:
    """Return the legal moves in the order in which a technique (own:NAME) generates them. Raises UsageError."""
    from ...generator.techniques.registry import NoChess960, legal_moves

    try:
        moves = legal_moves(technique.removeprefix("own:"), position)
    except NoChess960 as refusal:
        raise UsageError(f"{technique}: {refusal}; use another technique, or a position of standard chess") from None
    listed = (ListedMove(move.uci(position.chess960), position.san(move), 0, name_of(move.landing)) for move in moves)
    listing = MoveListing("LEGAL", tuple(listed))
    return MoveLists(technique, position.fen(), position.chess960, tuple(position.oddities), (listing,))
