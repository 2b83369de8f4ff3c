"""Determine whether an engine miscounts a position because it misreads the FEN.

The count is correct without the field in question, or the engine reads `-` as castling rights. In addition, one of
these observations shows that the fault is in reading:

- The count is correct if the engine plays the double step that leads to the en passant square of the FEN.
- After the same moves, the engine castles from `position startpos` but not from a FEN.
- The FEN that the engine prints has other castling rights, and its moves are the legal moves of that FEN.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position, read_fen
from ....generator.position_setup import PositionSetup, SetupOption
from ....generator.types.pieces import Color, PieceType, with_piece, without
from ....generator.types.squares import name_of, pushed_pawn
from ....generator.validation import FenError
from ...engines.asking.session import EngineSession
from ...engines.base import EngineError
from ...explaining import Rule, because
from ...model.results.finding import Cause, Finding, WrongMove
from ...model.results.verdict import Verdict
from ..comparing import explain_wrong_move, is_correct, least_depth

CASTLING_GAMES = ("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7", "d2d4 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7")
"""Moves from the starting position after which both sides may castle, king-side and queen-side."""
A_MOVE = "h2h3"
"""A move by White, appended to such a game if Black is to move."""


CASTLINGS = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
"""The castling moves in the order of their letters in a FEN (KQkq), each as king takes rook."""
_AT_HOME = "r3k2r/8/8/8/8/8/8/R3K2R"


def explain_by_fen(game: Game, wrong: Sequence[WrongMove], engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return the wrong moves of a position set up from its FEN, or only one if the engine misreads the FEN."""
    is_plain = not (game.moves or isinstance(game, PositionSetup) or game.base.chess960 or engine.is_kernel)
    if not wrong or not is_plain or any(move.engine_is_correct or move.kind in ("undo", "draw") for move in wrong):
        return tuple(wrong)
    try:
        why = next(_explanations(game.base, wrong, engine), None)
    except EngineError:
        why = None
    if why is None:
        return tuple(wrong)
    rule, sentence = why
    first = wrong[0]
    return (replace(first, rule=rule.value, title=rule.title, sentence=f"{first.sentence} {sentence}"),)


def explain_crash(game: Game, verdict: Verdict, engine: EngineSession) -> Finding | None:
    """Return a finding if an engine crashes because it misreads a FEN, or None otherwise.

    An engine that lists the moves of the position has read the FEN; its crash comes from deeper in the tree.
    """
    position = game.position
    if verdict is not Verdict.CRASH or position.chess960 or engine.is_kernel or not position.legal_moves:
        return None
    try:
        sentence = None if _is_correct(game, engine) else _explain_en_passant(position, engine)
    except EngineError:
        return None
    if sentence is None:
        return None
    moves = sorted(position.legal_moves, key=lambda move: (move.target != position.en_passant, move.uci()))
    why = because(Rule.FEN_EN_PASSANT, f"It crashes at the FEN. {sentence}", *_squares_of_step(position))
    wrong = explain_wrong_move(position, moves[0].uci(chess960=True), "missing", why)
    return Finding(cause=Cause.MOVES, fen=position.fen(), chess960=False, wrong=(wrong,))


def reads_other_rights(position: Position, engine: EngineSession) -> bool:
    """Return True if an engine prints other castling rights for a position and does not castle from every FEN.

    Raises EngineError.
    """
    if position.chess960 or _printed_with_other_rights(position, engine) is None:
        return False
    return not all(_is_correct(game.without_moves(), engine) for turn in Color for game in _castling_games(turn))


def _explanations(position: Position, wrong: Sequence[WrongMove], engine: EngineSession) -> Iterator[tuple[Rule, str]]:
    """Yield rules that describe how the FEN is misread, each with an explanation. Raises EngineError."""
    if sentence := _explain_en_passant(position, engine):
        yield Rule.FEN_EN_PASSANT, sentence
    if not position.castling:
        if sentence := _explain_hyphen(wrong, engine):
            yield Rule.FEN_CASTLING, sentence
        return
    if not _is_correct(Game(replace(position, castling=0)), engine):
        return
    if sentence := _explain_printed_rights(position, wrong, engine) or _explain_castling_games(position.turn, engine):
        yield Rule.FEN_CASTLING, sentence


def _explain_en_passant(position: Position, engine: EngineSession) -> str | None:
    """Return an explanation if the en passant square is misread, or None. Raises EngineError."""
    played = _double_step(position)
    if (
        position.en_passant is None
        or played is None
        or not _is_correct(Game(replace(position, en_passant=None)), engine)
    ):
        return None
    if not _is_correct_once_played(played, engine):
        return None
    square, move = name_of(position.en_passant), played.uci_moves()[0]
    return (
        f"It is correct after {move} is played, and for the same FEN without an en passant square: {square} is misread."
    )


def _explain_hyphen(wrong: Sequence[WrongMove], engine: EngineSession) -> str | None:
    """Return an explanation if the castling field `-` is read as rights, or None. Raises EngineError."""
    if any(move.kind != "extra" or move.uci not in CASTLINGS for move in wrong):
        return None
    listed: list[str] = []
    for turn, rights in ((Color.WHITE, "KQ"), (Color.BLACK, "kq")):
        without, having = (Position.from_fen(f"{_AT_HOME} {'wb'[turn]} {field} - 0 1") for field in ("-", rights))
        if not _is_correct(Game(having), engine):
            return None
        divide = engine.divide(Game(without), least_depth(engine))
        listed += [castling for castling, text in CASTLINGS.items() if {castling, text} & divide.counts.keys()]
    if not {move.uci for move in wrong} <= set(listed):
        return None
    letters = "".join(letter for castling, letter in zip(CASTLINGS, "KQkq", strict=True) if castling in listed)
    return (
        f"The castling field '-' is read as {letters!r}: with all rooks at home and '-' it lists {', '.join(listed)}."
    )


def _explain_printed_rights(position: Position, wrong: Sequence[WrongMove], engine: EngineSession) -> str | None:
    """Return an explanation if the engine's FEN shows that it misread castling rights. Raises EngineError."""
    printed = _printed_with_other_rights(position, engine)
    if printed is None:
        return None
    legal, listed = ({move.uci() for move in one.legal_moves} for one in (position, printed))
    if legal ^ listed != {move.uci for move in wrong}:
        return None
    return f"Its own FEN of the position is {printed.fen()}, and its moves are those of that FEN."


def _printed_with_other_rights(position: Position, engine: EngineSession) -> Position | None:
    """Return the position of the FEN that the engine prints, if it differs only in castling rights."""
    text = engine.fen(Game(position))
    printed = None if text is None else read_fen(text)
    if not isinstance(printed, Position) or (printed.pieces, printed.turn) != (position.pieces, position.turn):
        return None
    return None if printed.castling == position.castling else printed


def _explain_castling_games(turn: Color, engine: EngineSession) -> str | None:
    """Return an explanation if games from `startpos` show that castling rights are misread. Raises EngineError."""
    for moves, played in zip(CASTLING_GAMES, _castling_games(turn), strict=True):
        by_name = PositionSetup.of(played, [SetupOption.START_BY_NAME])
        if not engine.can_take(by_name):
            return None
        if _is_correct(by_name, engine) and not _is_correct(played.without_moves(), engine):
            return f"After position startpos moves {moves} it castles, but not from the FEN of that position."
    return None


def _castling_games(turn: Color) -> list[Game]:
    """Return games after which `turn` may castle king-side and queen-side."""
    last = "" if turn is Color.WHITE else f" {A_MOVE}"
    return [Game.from_uci(Position.start(), moves + last) for moves in CASTLING_GAMES]


def _double_step(position: Position) -> Game | None:
    """Return the double step that leads to the en passant square of a position, or None if it is impossible."""
    if position.en_passant is None:
        return None
    origin, target = _squares_of_step(position)
    mover = position.turn.other
    pieces = with_piece(without(position.pieces, 1 << target), mover, PieceType.PAWN, origin)
    before = replace(position, pieces=pieces, turn=mover, en_passant=None)
    try:
        before = Position.from_fen(before.fen())
    except FenError:
        return None
    return Game.from_uci(before, f"{name_of(origin)}{name_of(target)}")


def _squares_of_step(position: Position) -> tuple[int, int]:
    """Return the squares of the double step that the en passant square of a FEN implies."""
    assert position.en_passant is not None, "the FEN has an en passant square"
    target = pushed_pawn(position.en_passant)
    return 2 * position.en_passant - target, target


def _is_correct_once_played(played: Game, engine: EngineSession) -> bool:
    """Return True if an engine counts correctly after or below a move that it plays itself. Raises EngineError."""
    if engine.plays_moves:
        return _is_correct(played, engine)
    depth = max(2, engine.min_depth)
    below = engine.divide(Game(played.base), depth)
    expected = perft(played.base, depth) if below.is_total_only else perft(played.position, depth - 1)
    return expected == (below.total if below.is_total_only else below.counts.get(played.moves[0].uci(chess960=True)))


def _is_correct(game: Game, engine: EngineSession) -> bool:
    return is_correct(game, least_depth(engine), engine)
