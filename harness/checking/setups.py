"""Determine which setup options an engine accepts. Refusing one in an easy position is a limit, not a fault.

A notation also counts as refused if the engine silently ignores it, reads it as the notation of the other variant, or
counts the starting position instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import PositionSetup, SetupOption, options_of, with_same_setup
from ...generator.types.moves import Move, MoveKind
from ..engines.asking.session import EngineSession
from ..engines.base import Divide, EngineError, EngineRejection, EngineTimeout
from ..explaining.rules import join_words
from .comparing import agree, counts_correctly, is_correct, is_count_of_start, least_depth

SetupLimits = Mapping[SetupOption, str]
"""Options that an engine does not accept, mapped to the reasons."""

WHITE_CASTLES, BLACK_CASTLES = "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k2r/8/8/8/8/8/8/4K3 b k - 0 1"
WHITE_CASTLES_960, BLACK_CASTLES_960 = "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "4k1r1/8/8/8/8/8/8/4K3 b g - 0 1"
_EASY: dict[SetupOption, tuple[Position, ...]] = {
    SetupOption.START_BY_NAME: (Position.start(),),
    SetupOption.NEW_GAME: (Position.start(),),
    SetupOption.SHREDDER: (Position.from_fen(WHITE_CASTLES), Position.from_fen(BLACK_CASTLES)),
    SetupOption.XFEN: (
        Position.from_fen(WHITE_CASTLES_960, chess960=True),
        Position.from_fen(BLACK_CASTLES_960, chess960=True),
    ),
    SetupOption.FOUR_FIELDS: (Position.from_fen(WHITE_CASTLES),),
}
"""Easy positions for each option that may be refused; an engine must accept the option in at least one of them."""
_PLAIN: dict[SetupOption, Position] = {
    SetupOption.SHREDDER: Position.start(),
    SetupOption.XFEN: Position.from_fen("nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w KQkq - 0 1", chess960=True),
    SetupOption.FOUR_FIELDS: Position.start(),
}
"""Positions with all castling rights, for which any engine that accepts the notation gives some count."""
_OF_PROTOCOL = (SetupOption.START_BY_NAME, SetupOption.NEW_GAME)
"""Options that every UCI program sends: an engine may report that it does not know them, but must not crash."""
_NAMES = {
    SetupOption.START_BY_NAME: "`position startpos`",
    SetupOption.NEW_GAME: "`ucinewgame`",
    SetupOption.SHREDDER: "castling rights as the files of the rooks in standard chess",
    SetupOption.XFEN: "castling rights as KQkq in Chess960",
    SetupOption.FOUR_FIELDS: "FENs of four fields",
}


def setup_limits(engine: EngineSession, variants: Collection[bool] = (False, True)) -> SetupLimits:
    """Return the options that an engine does not accept in each of `variants` (True means Chess960).

    The engine must have been started. Raises Interrupted.
    """
    limits: dict[SetupOption, str] = {}
    for option, positions in _EASY.items():
        if positions[0].chess960 not in variants:
            continue
        setups = [PositionSetup(position, (), frozenset({option})) for position in positions]
        asked = [setup for setup in setups if engine.can_take(setup)]
        if asked and (why := _plain_refusal(engine, option) or _common_refusal(engine, asked, option)) is not None:
            limits[option] = why
    return limits


def _plain_refusal(engine: EngineSession, option: SetupOption) -> str | None:
    """Return the reason why an engine gives no count for an ordinary position in a notation, or None if it does."""
    if option not in _PLAIN:
        return None
    setup = PositionSetup(_PLAIN[option], (), frozenset({option}))
    try:
        engine.perft(setup, least_depth(engine))
    except EngineError as error:
        return _refusal_by_error(option, error)
    return None


def _common_refusal(engine: EngineSession, setups: Iterable[PositionSetup], option: SetupOption) -> str | None:
    """Return the reason why an engine refuses the first of several easy setups, or None if it accepts any of them."""
    refusals = []
    for setup in setups:
        if (refusal := _refusal(engine, setup, option)) is None:
            return None
        refusals.append(refusal)
    return refusals[0]


def limit_notice(engine: str, limits: SetupLimits) -> str | None:
    """Return a one-line notice that lists all limits of an engine, or None if it has none."""
    if not limits:
        return None
    names = [_NAMES[option] for option in limits]
    return f"{engine} does not take {join_words(names)}; this is not a fault, and it is not asked in this way"


def with_fewest_options(setup: PositionSetup, depth: int, engine: EngineSession, expected: Divide) -> PositionSetup:
    """Return a setup for which the engine still miscounts, without the options that make no difference.

    Options about earlier questions are removed first, then the notation of the FEN, then the name of the starting
    position. Raises Interrupted.
    """
    for option in [one for one in reversed(SetupOption) if one in setup.options]:
        less = setup.without(option)
        if not (less.options or less.moves):
            break
        with suppress(EngineError):
            if not agree(engine.divide(less, depth), expected):
                setup = less
    return setup


def is_correct_by_name(engine: EngineSession, start: Position, depth: int, expected: int) -> bool:
    """Return True if an engine counts the starting position correctly after `position startpos`."""
    by_name = PositionSetup(start, (), frozenset({SetupOption.START_BY_NAME}))
    try:
        return engine.can_take(by_name) and engine.perft(by_name, depth) == expected
    except EngineError:
        return False


def _refusal(engine: EngineSession, setup: PositionSetup, option: SetupOption) -> str | None:
    """Return the reason why an engine refuses an easy setup, or None if it gives a count, correct or not."""
    depth = least_depth(engine)
    try:
        total = engine.perft(setup, depth)
    except EngineError as error:
        return _refusal_by_error(option, error)
    base = setup.base
    without_rights = perft(Position(base.pieces, base.turn, 0, None, chess960=base.chess960), depth)
    if option in (SetupOption.SHREDDER, SetupOption.XFEN) and total == without_rights:
        # An engine that cannot castle gives this count with any notation.
        return "it reads no rights from them" if counts_correctly(Game(base), depth, engine) else None
    if is_count_of_start(total, perft(base, depth), depth) and counts_correctly(Game(base), depth, engine):
        return "it counts the starting position"
    if option is SetupOption.SHREDDER and _ignores_castling(engine, setup, depth):
        return "it reads them as Chess960, where castling is written differently"
    if option is SetupOption.FOUR_FIELDS and total == 0:
        return "its count is 0"
    return None


def _refusal_by_error(option: SetupOption, error: EngineError) -> str | None:
    """Return the refusal that an error indicates, or None if the error is a fault."""
    if isinstance(error, EngineRejection | EngineTimeout):
        return f"it answers: {error}"
    return None if option in _OF_PROTOCOL else f"it fails: {error}"


def _ignores_castling(engine: EngineSession, setup: PositionSetup, depth: int) -> bool:
    """Return True if an engine does not castle in an easy setup when the move is in standard notation."""
    castling = next(move for move in setup.base.legal_moves if move.kind is MoveKind.CASTLING)
    after = replace(setup, moves=(castling,))
    if not engine.can_take(after):
        return False
    try:
        return engine.perft(after, depth) == perft(setup.base, depth)
    except EngineError as error:
        return isinstance(error, EngineRejection)


LONG = 200
"""Games with fewer moves fit into the line buffer of any program."""
SHORT = 40
"""Number of moves of a shortened game, after which the engine must count correctly."""
MOVES_OUT_AND_BACK = "g1f3 g8f6 f3g1 f6g8"
"""Moves that lead back to the starting position; inserted before a game, they only make the line longer."""
PADDING = 4 * 8


def explain_long_game(game: Game, depth: int, engine: EngineSession) -> str | None:
    """Return a remark if an engine miscounts after a game because the `position` line is too long, or None.

    As evidence, the engine must count correctly after a shorter part of the game, but incorrectly if moves that return
    to the starting position are inserted before it. Raises Interrupted.
    """
    if len(game.moves) < LONG or game.base != Position.start():
        return None
    padding = Game.from_uci(game.base, " ".join([MOVES_OUT_AND_BACK] * (PADDING // 4))).moves

    def is_correct_after(moves: Sequence[Move]) -> bool:
        part = with_same_setup(game, game.base, tuple(moves))
        return part is not None and is_correct(part, depth, engine)

    if not is_correct_after((*padding, *game.moves[:SHORT])):
        return None
    correct, incorrect = SHORT, len(game.moves)
    while incorrect - correct > 1:
        middle = (correct + incorrect) // 2
        correct, incorrect = (middle, incorrect) if is_correct_after(game.moves[:middle]) else (correct, middle)
    kept = game.moves[: max(SHORT, correct - PADDING // 2)]
    if is_correct_after((*padding, *kept)) or not is_correct_after(kept):
        return None
    return f"{engine.name} cannot read a line of {_bytes_of(game, incorrect):,} bytes, a game of {incorrect} plies"


def _bytes_of(game: Game, moves: int) -> int:
    """Return the length in bytes of the UCI `position` line with the first `moves` moves of a game."""
    start = "startpos" if options_of(game) else f"fen {game.base.fen()}"
    return len(f"position {start} moves {' '.join(game.uci_moves()[:moves])}\n")
