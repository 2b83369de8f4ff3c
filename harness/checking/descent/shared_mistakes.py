"""Mistakes that affect several moves but are reported once: promotion letters, swapped wings and truncated lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from ....generator.game import Game
from ....generator.position import Position
from ....generator.symmetry import flip_colors
from ....generator.types.squares import square_of
from ...engines.asking.session import EngineSession
from ...engines.base import Divide, EngineError
from ...explaining import Rule, because
from ...model.results.finding import WrongMove
from ..comparing import agree, correct_divide, explain_wrong_move, is_correct

Letters = dict[str, str]
"""Maps each promotion piece to the letter that is written for it, or ""."""
SHIFTS: dict[str, Letters] = {
    "shifted by one up": dict(zip("nbrq", "brqk", strict=True)),
    "shifted by one down": dict(zip("nbrq", "pnbr", strict=True)),
    "shifted by one up, around": dict(zip("nbrq", "brqn", strict=True)),
    "shifted by one down, around": dict(zip("nbrq", "qnbr", strict=True)),
    "in reverse": dict(zip("nbrq", "qrbn", strict=True)),
    "k for a knight": dict(zip("nbrq", "kbrq", strict=True)),
    "k for a knight and none for a queen": {"n": "k", "b": "b", "r": "r", "q": ""},
}
PIECES = {"n": "knight", "b": "bishop", "r": "rook", "q": "queen"}


def name_shift(got: Divide, expected: Divide) -> str | None:
    """Return the name of the shift in `SHIFTS` that explains the promotions of a divide, or None."""
    if got.is_total_only or expected.is_total_only:
        return None
    correct = {text: count for text, count in expected.counts.items() if len(text) == 5}
    listed = {text: count for text, count in got.counts.items() if _is_promotion(text, correct)}
    if not correct or listed == correct:
        return None
    for name, letters in SHIFTS.items():
        if listed == {text[:4] + letters[text[4]]: count for text, count in correct.items()}:
            return name
    return None


def _is_promotion(text: str, correct: Collection[str]) -> bool:
    """Return True if a move is one of the promotions in `correct`, ignoring its letter, which may be missing."""
    return text[:4] + "q" in correct


def with_correct_letters(got: Divide, expected: Divide) -> Divide:
    """Return a divide in which shifted promotion letters are corrected."""
    name = name_shift(got, expected)
    if name is None:
        return got
    meant = {written: letter for letter, written in SHIFTS[name].items()}

    def corrected(text: str) -> str:
        return text[:4] + meant[text[4:]] if _is_promotion(text, expected.counts) else text

    counts = {corrected(text): count for text, count in got.counts.items()}
    return replace(got, counts=counts, repeated={corrected(text): times for text, times in got.repeated.items()})


def wrong_letters(position: Position, got: Divide, expected: Divide) -> WrongMove | None:
    """Return the first promotion as a wrong move if the promotion letters of a divide are shifted, or None."""
    name = name_shift(got, expected)
    if name is None:
        return None
    first = next(text for text in sorted(expected.counts) if len(text) == 5)
    return _shift(position, first, name)


def explain_played_letters(before: Game, after: Game, engine: EngineSession) -> WrongMove | None:
    """Return a wrong move if the counts show that the engine promotes to a different piece for each letter, or None.

    Raises Interrupted.
    """
    text = after.moves[-1].uci(chess960=True)
    if len(text) != 5:
        return None
    depth = max(2, engine.min_depth)
    divides: dict[str, Divide] = {}
    try:
        for letter in PIECES:
            divides[letter] = engine.divide(_promoting(before, text, letter), depth)
    except EngineError:
        return None
    correct = {letter: correct_divide(_promoting(before, text, letter).position, depth) for letter in PIECES}
    for name, letters in SHIFTS.items():
        meant = {written: letter for letter, written in letters.items() if written in PIECES}
        differ = [written for written, letter in meant.items() if not agree(correct[written], correct[letter])]
        if text[4] in differ and all(agree(divides[written], correct[letter]) for written, letter in meant.items()):
            return _shift(before.position, text, name)
    return None


def _promoting(before: Game, text: str, letter: str) -> Game:
    return before.after(before.position.parse_uci(text[:4] + letter))


def _shift(position: Position, text: str, name: str) -> WrongMove:
    changed = {letter: written for letter, written in SHIFTS[name].items() if letter != written}
    letters = ", ".join(f"{written or 'none'} for a {PIECES[letter]}" for letter, written in changed.items())
    title = f"Promotion letters are {name}"
    why = because(Rule.PROMOTION_LETTERS, f"{title}: {letters}.")
    return replace(explain_wrong_move(position, text, "state", why), title=title)


PAIRS = (
    (("extra", Rule.CASTLING_NO_RIGHT), ("missing", Rule.CASTLING)),
    (("state", Rule.CASTLING_RIGHT_KEPT), ("state", Rule.CASTLING_RIGHT_LOST)),
)
"""Pairs of rules that together indicate that the rights of the two wings are swapped."""
CASTLINGS = frozenset(rule.value for rule in Rule if rule.value.startswith("castling"))


def with_swapped_wings(position: Position, wrong: Sequence[WrongMove]) -> tuple[WrongMove, ...]:
    """Merge two wrong moves that together show that the castling rights of the two wings are swapped."""
    for (first_kind, first_rule), (second_kind, second_rule) in PAIRS:
        first = [move for move in wrong if move.kind == first_kind and move.rule == first_rule.value]
        second = [move for move in wrong if move.kind == second_kind and _is_of(move, second_rule)]
        if first and second and not (first[0].engine_is_correct or second[0].engine_is_correct):
            text = f"{first[0].sentence} {second[0].sentence} The right of one wing is taken for that of the other."
            squares = map(square_of, dict.fromkeys((*first[0].squares, *second[0].squares)))
            why = because(Rule.CASTLING_WINGS, text, *squares)
            swapped = explain_wrong_move(position, first[0].uci, first_kind, why)
            return (swapped, *(move for move in wrong if move not in first and move not in second))
    return tuple(wrong)


def _is_of(move: WrongMove, rule: Rule) -> bool:
    return move.rule in CASTLINGS if rule is Rule.CASTLING else move.rule == rule.value


LEAST_LENGTH = 24
"""Shorter lists are not considered truncated, because any program has space for more moves."""
_MANY = (
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "8/1Q4Q1/8/2Q4R/8/3Q4/1Q4Rp/1K1B3k w - - 0 1",
    "8/8/1Q6/2Q4R/8/3Q4/7p/1K1B3k w - - 0 1",
    "8/8/8/2Q4R/8/3Q4/7p/1K1B3k w - - 0 1",
    "8/8/8/2Q4R/8/8/7p/1K1B3k w - - 0 1",
    "8/8/8/7R/8/8/7p/1K1B3k w - - 0 1",
)
"""Positions with a decreasing number of moves."""


def explain_by_short_list(game: Game, wrong: Sequence[WrongMove], engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return the wrong moves of a list, or only one if the list is truncated at a fixed length.

    Raises EngineError.
    """
    if len(wrong) < 2 or any(move.kind != "missing" or move.engine_is_correct for move in wrong):
        return tuple(wrong)
    length = len(game.position.legal_moves) - len(wrong)
    return explain_short_list(game, length, engine) or tuple(wrong)


def explain_short_list(game: Game, length: int, engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return one wrong move if the engine truncates its lists at `length`, or none if other positions disprove that.

    In all known positions with more moves, the list must have this length; in the next one with fewer moves, it must be
    correct.
    """
    position = game.position
    if length < max(LEAST_LENGTH, engine.min_depth) or engine.min_depth > 1:
        return ()
    longer = [one for one in _positions_by_length() if len(one.legal_moves) > length and one.pieces != position.pieces]
    shorter = [one for one in _positions_by_length() if len(one.legal_moves) <= length]
    if not longer or not shorter or not is_correct(Game(shorter[0]), 1, engine):
        return ()
    try:
        if any(engine.divide(Game(one), 1).total != length for one in longer):
            return ()
    except EngineError:
        return ()
    many = len(position.legal_moves)
    text = f"It lists {length} of {many} moves here, and {length} in other positions with more: the list is full."
    why = because(Rule.LIST_TOO_SHORT, text)
    first = min(move.uci(chess960=True) for move in position.legal_moves)
    return (replace(explain_wrong_move(position, first, "missing", why), title=f"List of moves ends at {length}"),)


@cache
def _positions_by_length() -> tuple[Position, ...]:
    """Return positions for both colors, sorted by number of moves in descending order."""
    positions = [Position.from_fen(fen) for fen in _MANY]
    both = [color for one in positions for color in (one, flip_colors(one))]
    return tuple(sorted(both, key=lambda one: -len(one.legal_moves)))
