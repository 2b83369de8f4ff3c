"""The finding at the end of the way down: wrong moves, or the wrong state that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....generator.line import Line
from ....generator.position import Position, read_fen
from ....generator.setup import Setup, options_of, words_of
from ...asking.client import EngineClient
from ...engines.base import EngineError
from ...explaining import Rule, because, explain_state
from ...explaining.rules import UNREADABLE
from ...model.results.events import Cause, Finding, WrongMove
from ..comparing import explain_wrong_move
from ..consistency import counts_as_before
from .shared_mistakes import explain_played_letters, with_swapped_wings
from .way import Way


def finding_at(way: Way, setup: Line, wrong: Sequence[WrongMove] = (), *, plays: bool) -> Finding:
    """Return what is wrong at the end of a way; `plays` where the engine has to play the moves of `setup`."""
    printed = _note_printed_fen(setup, way.engine) if plays and isinstance(setup, Setup) else ""
    return Finding(
        cause=Cause.STATE if plays else Cause.MOVES,
        path=way.render_moves(),
        fen=setup.position.fen(),
        chess960=setup.position.chess960,
        wrong=with_swapped_wings(setup.position, wrong),
        base_fen=setup.base.fen() if plays else None,
        base_moves=tuple(setup.uci_moves()) if plays else (),
        state=() if printed or not plays else with_swapped_wings(setup.position, _state(setup, way.engine)),
        divides=way.asked,
        setup=words_of(options_of(setup)) if plays else "",
        note=printed if plays else _after_missing(setup, wrong, way.engine),
    )


def _note_printed_fen(setup: Setup, engine: EngineClient) -> str:
    """Return that the engine's own FEN is wrong before it has played any move of a setup, if it prints one that is."""
    base = setup.base
    printed = engine.fen(replace(setup, moves=()))
    if printed is None:
        return ""
    position = read_fen(printed, base.chess960)
    if not isinstance(position, Position):
        return f"the engine's own FEN is then {printed}"
    same = (position.pieces, position.turn, position.castling) == (base.pieces, base.turn, base.castling)
    passed = position.en_passant in (base.en_passant, base.legal_en_passant)
    return "" if same and passed else f"the engine's own FEN is then {printed}"


def _after_missing(setup: Line, wrong: Sequence[WrongMove], engine: EngineClient) -> str:
    """Return that the engine ignores a move that it does not list, where it is told to play it and does."""
    missing = next((move for move in wrong if move.kind == "missing" and not move.engine_is_right), None)
    if missing is None or not engine.plays_moves:
        return ""
    if not counts_as_before(setup, setup.after(setup.position.parse_uci(missing.uci)), engine):
        return ""
    return f"after {missing.uci}, which it does not list, it still counts the position before"


def _state(setup: Line, engine: EngineClient) -> tuple[WrongMove, ...]:
    """Return what is wrong after the first move that the engine plays wrongly: by its own FEN, if it prints any."""
    for number, move in enumerate(setup.moves, 1):
        before, after = (replace(setup, moves=setup.moves[:end]) for end in (number - 1, number))
        try:
            printed = engine.fen(after)
        except EngineError:  # only the count at the top is to be told
            return ()
        if printed is None:
            letters = explain_played_letters(before, after, engine)
            if letters is not None:
                return (letters,)
            ignored = _not_played(before, after, engine) if number == 1 else ()
            if ignored:
                return ignored
            continue
        text = move.uci(chess960=True)
        found = explain_state(before.position, text, after.position.fen(), printed)
        explanations = [explanation for explanation in found if explanation.rule not in UNREADABLE]
        if explanations:
            return tuple(
                explain_wrong_move(before.position, text, "state", explanation) for explanation in explanations
            )
    return ()


def _not_played(before: Line, after: Line, engine: EngineClient) -> tuple[WrongMove, ...]:
    """Return the last move of a line as one that is not played at all, if the engine counts as before it."""
    if not counts_as_before(before, after, engine):
        return ()
    text = f"After {after.uci_moves()[-1]}, which it lists, it still counts the position before."
    why = because(Rule.MOVE_NOT_PLAYED, text)
    return (explain_wrong_move(before.position, after.moves[-1].uci(chess960=True), "state", why),)
