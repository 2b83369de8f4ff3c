"""Strategy for positions that are not set up by a plain FEN, and for long games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..generator.game import Game
from ..generator.position import Position
from ..generator.position_setup import PositionSetup, SetupOption, truncated_at
from ..generator.reachability.classification import is_impossible
from ..generator.symmetry import flip_colors
from ..generator.types.moves import Move, MoveKind
from ..generator.types.pieces import Color, PieceType, with_piece
from ..generator.validation import FenError
from .common import DrawFunction, tricky_positions, when_ready
from .games import walks
from .mutations import mutations
from .placements import chess960_castlings, placements
from .templates import templates

LEAST_PLIES, MOST_PLIES = 150, 300
"""Range of the length of games that do not end earlier; some programs have room for only 256 positions."""
OPENING_PLIES, QUIET_FROM = 18, 40
"""Number of plies with developing moves, so that castling becomes legal; the ply from which a game may be quiet."""
FIFTY_MOVES = 100
"""The halfmove clock at which a draw can be claimed; no game exceeds it."""
SHUFFLES = 2
"""Number of times that two pieces move away and back, so that a position occurs three times."""

_SEEDS = st.integers(0, 2**32 - 1)
_OF_GAMES: tuple[frozenset[SetupOption], ...] = tuple(
    frozenset({SetupOption.START_BY_NAME, *more})
    for more in ((), (SetupOption.NEW_GAME,), (SetupOption.AFTER_ANOTHER,), (SetupOption.TWICE,))
)
_OF_POSITIONS = (
    (SetupOption.AFTER_ANOTHER,),
    (SetupOption.SHREDDER,),
    (SetupOption.XFEN,),
    (SetupOption.FOUR_FIELDS, SetupOption.AFTER_ANOTHER),
    (SetupOption.EN_PASSANT_IF_LEGAL,),
    (SetupOption.NEW_GAME,),
    (SetupOption.TWICE,),
    (SetupOption.FOUR_FIELDS,),
    (SetupOption.COLORS_SWAPPED,),
    (SetupOption.FILES_MIRRORED,),
    (SetupOption.NEW_GAME, SetupOption.AFTER_ANOTHER),
)
_AFTER = frozenset({SetupOption.AFTER_ANOTHER, SetupOption.NEW_GAME})
"""Options after which an engine may have kept rights or an en passant square that the position lacks."""
_RARELY_APPLICABLE = (
    (SetupOption.SHREDDER,),
    (SetupOption.XFEN,),
    (SetupOption.EN_PASSANT_IF_LEGAL,),
)
"""Options that apply to few positions. If they apply, they are chosen half of the time, as are four-field FENs for
positions with an en passant square.
"""


def setups(*, chess960: bool = False) -> SearchStrategy[Game]:
    """Generate games with setup options; in standard chess one in eleven is a long game from the starting position."""
    positions = when_ready(_set_up_positions(chess960))
    return positions if chess960 else st.one_of(when_ready(_games()), *[positions] * 10)


@st.composite
def _games(draw: DrawFunction) -> Game:
    """Draw a long game from the starting position, like those that UCI programs send.

    Only a seed is drawn, because drawing hundreds of moves would take longer than many engines need for an answer.
    """
    random = Random(draw(_SEEDS))
    plies = random.randint(LEAST_PLIES, MOST_PLIES)
    is_quiet, shuffle_at = random.random() < 0.5, random.randint(4, QUIET_FROM)
    position, moves = Position.start(), list[Move]()
    while len(moves) < plies and position.legal_moves:
        if len(moves) >= shuffle_at:
            shuffle_at = plies
            for move in _shuffle(position) * SHUFFLES:
                moves.append(move)
                position = position.play_unchecked(move)
            continue
        move = random.choice(_move_options(position, len(moves), is_quiet))
        moves.append(move)
        position = position.play_unchecked(move)
    return truncated_at(PositionSetup(Position.start(), tuple(moves), random.choice(_OF_GAMES)), len(moves), position)


def _move_options(position: Position, ply: int, is_quiet: bool) -> Sequence[Move]:
    legal = position.legal_moves
    if ply < OPENING_PLIES:
        return [move for move in legal if _develops(position, move)] or legal
    clock = position.halfmove
    if clock >= FIFTY_MOVES - 1:
        return [move for move in legal if _is_irreversible(position, move)] or legal
    if is_quiet and ply >= QUIET_FROM:
        return [move for move in legal if not _is_irreversible(position, move)] or legal
    return legal


def _develops(position: Position, move: Move) -> bool:
    """Return True if a move develops a knight or bishop, or is a pawn move that makes room for one."""
    own, origin = position.pieces[position.turn], 1 << move.origin
    if own[PieceType.PAWN] & origin:
        return move.origin % 8 in (3, 4, 6) and abs(move.target - move.origin) <= 16
    return (
        bool((own[PieceType.KNIGHT] | own[PieceType.BISHOP]) & origin) and move.origin // 8 == position.turn.back_rank
    )


def _is_irreversible(position: Position, move: Move) -> bool:
    is_pawn = bool(position.pieces[position.turn][PieceType.PAWN] >> move.origin & 1)
    return is_pawn or position.is_capture(move)


def _shuffle(position: Position) -> list[Move]:
    """Return four moves that lead back to the same position with all rights, or an empty list if there are none."""
    out: list[Move] = []
    for _ in range(2):
        steps = [move for move in position.legal_moves if _is_reversible(position, move)]
        if not steps:
            return []
        out.append(steps[0])
        position = position.play_unchecked(steps[0])
    for there in tuple(out):
        back = next((move for move in position.legal_moves if _is_back(move, there)), None)
        if back is None:
            return []
        out.append(back)
        position = position.play_unchecked(back)
    return out


def _is_reversible(position: Position, move: Move) -> bool:
    own = position.pieces[position.turn]
    is_piece = bool((own[PieceType.KNIGHT] | own[PieceType.BISHOP] | own[PieceType.QUEEN]) >> move.origin & 1)
    return is_piece and not position.is_capture(move)


def _is_back(move: Move, there: Move) -> bool:
    return (move.origin, move.target, move.kind) == (there.target, there.origin, MoveKind.NORMAL)


@st.composite
def _set_up_positions(draw: DrawFunction, chess960: bool) -> Game:
    """Draw a position or a short walk, with options that apply to it."""
    game, random = draw(_games_to_set_up(chess960)), Random(draw(_SEEDS))
    if not game.moves and random.random() < 0.5:
        game = Game(_with_other_rooks(random, game.base))
    applicable = [options for options in _OF_POSITIONS if _are_applicable(game, options)]
    rare = [options for options in applicable if _are_rarely_applicable(game, options)]
    chosen = frozenset(random.choice(rare if rare and random.random() < 0.5 else applicable))
    if chosen & _AFTER and not game.moves and random.random() < 0.7:
        game = Game(replace(game.base, castling=0, en_passant=None))
    return PositionSetup(game.base, game.moves, chosen)


def _games_to_set_up(chess960: bool) -> SearchStrategy[Game]:
    seeds = [position for position in tricky_positions() if position.chess960 is chess960]
    special = chess960_castlings() if chess960 else templates(chess960=False)
    ready = st.sampled_from(_ready(chess960))
    positions = (placements(chess960=chess960), mutations(seeds), special, ready, ready, ready)
    return st.one_of(*(strategy.map(Game) for strategy in positions), walks(seeds, max_plies=4))


@cache
def _ready(chess960: bool) -> tuple[Position, ...]:
    """Return well-known positions in which castling or en passant is legal, and each with colors swapped."""
    kinds = {MoveKind.CASTLING, MoveKind.EN_PASSANT}
    known = [position for position in tricky_positions() if position.chess960 is chess960]
    ready = [position for position in known if any(move.kind in kinds for move in position.legal_moves)]
    return tuple(image for position in ready for image in (position, flip_colors(position)))


def _with_other_rooks(random: Random, position: Position) -> Position:
    """Return the position with one more rook, of either color, on each back rank if possible."""
    for color in Color:
        free = [one for one in range(64) if one // 8 == color.back_rank and not position.occupied >> one & 1]
        owner = random.choice((color, color.other))
        position = _with_rook(position, owner, random.choice(free)) if free else position
    return position


def _with_rook(position: Position, color: Color, square: int) -> Position:
    pieces = with_piece(position.pieces, color, PieceType.ROOK, square)
    try:
        read = Position.from_fen(replace(position, pieces=pieces).fen(), position.chess960)
    except FenError:
        return position
    return position if is_impossible(read) else read


def _are_rarely_applicable(game: Game, options: Sequence[SetupOption]) -> bool:
    if SetupOption.FOUR_FIELDS in options:
        return game.base.legal_en_passant is not None
    return options in _RARELY_APPLICABLE


def _are_applicable(game: Game, options: Sequence[SetupOption]) -> bool:
    """Return True if a game can be set up with these options and they make a difference."""
    base = game.base
    if SetupOption.SHREDDER in options:
        return bool(base.castling) and not base.chess960
    if SetupOption.XFEN in options:
        return bool(base.castling) and base.chess960
    if SetupOption.EN_PASSANT_IF_LEGAL in options:
        return base.en_passant is not None and base.legal_en_passant is None
    if SetupOption.FILES_MIRRORED in options:
        return not base.castling
    return True
