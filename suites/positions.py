"""Parse positions, games and GenTypes given by users."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from ..errors import UsageError, did_you_mean
from ..generator.game import Game
from ..generator.notation.fen import START_FEN
from ..generator.position import Position
from ..generator.types.moves import GenType, Move
from ..generator.validation import FenError
from .bundled import BUNDLED, bundled_path
from .loader import load_suite

_UCI_WORDS = re.compile(r"(?:position\s+)?(?:fen\s+)?", re.IGNORECASE)
"""Words before a position that is copied from the log of a UCI engine."""
_MOVES = re.compile(r"\s+moves(?:\s+|$)", re.IGNORECASE)
_MOVE_NUMBER = re.compile(r"(?<!\S)\d+\.+|(?<!\S)(?:1-0|0-1|1/2-1/2|\*)(?!\S)")
"""Move numbers and game results. A number may be joined to its move, as in "1.e4"."""
_LIKE_UCI = re.compile("[a-h][1-8]-?[a-h][1-8].?")
_SIDE = re.compile(r"\s[wb](?:\s|$)")
MAX_SUGGESTIONS = 4
MIN_SIMILARITY = 0.55
"""Minimum similarity of suggested moves, as measured by difflib."""
ALIASES = {"startpos": "cpw-1-start", "start": "cpw-1-start", "kiwipete": "cpw-2-kiwipete"}
"""Common names, in addition to those of the positions in bundled suites."""


def resolve_game(text: str, chess960: bool | None = None, moves: str = "") -> Game:
    """Return the game that `text` describes, followed by `moves`.

    `text` is a position, optionally followed by moves, as in "moves e2e4 e7e5". The position is a FEN of six or four
    fields, one of the `ALIASES`, or the name of a position in a bundled suite. It may be preceded by `position` and
    `fen`, as in UCI. With `chess960=None`, the castling field determines whether it is Chess960. Raises UsageError if
    the position is invalid or a move is illegal.
    """
    start, *played = _MOVES.split(text.strip(), maxsplit=1)
    return _play(_resolve(_UCI_WORDS.sub("", start, count=1), chess960), " ".join([*played, moves]))


def resolve_position(text: str, chess960: bool | None = None) -> Position:
    """Return the final position of the game that `text` describes; see `resolve_game`. Raises UsageError."""
    return resolve_game(text, chess960).position


def _play(base: Position, moves: str) -> Game:
    """Return a game from moves in UCI notation or SAN, with or without move numbers. Raises UsageError."""
    position, played, words = base, list[Move](), _MOVE_NUMBER.sub(" ", moves).split()
    for number, word in enumerate(words, 1):
        move = _read_move(position, word)
        if move is None:
            where = f"for {position.turn.name.title()} in {position.fen()}"
            which = f"move {number} of {len(words)}"
            raise UsageError(f"{word!r}, {which}, is not legal {where}: {_suggest_moves(position, word)}")
        played.append(move)
        position = position.play_unchecked(move)
    return Game(base, tuple(played))


def _read_move(position: Position, text: str) -> Move | None:
    """Return the legal move that a text denotes, or None if there is none."""
    for parse in (position.parse_uci, position.parse_san):
        try:
            return parse(text.rstrip("+#!?"))
        except ValueError:
            continue
    return None


def _suggest_moves(position: Position, text: str) -> str:
    """Return the legal moves most similar to a text, in its notation. In UCI, moves of the same piece come first."""
    legal, folded = position.legal_moves, text.casefold()
    is_uci = _LIKE_UCI.fullmatch(folded) is not None
    names = [move.uci(position.chess960) if is_uci else position.san(move) for move in legal]
    if not names:
        return "there are no legal moves"
    similarity = {name: SequenceMatcher(None, name.casefold(), folded).ratio() for name in names}
    same_piece = {name for name in names if is_uci and name[:2] == folded[:2]}
    near = [name for name in names if name in same_piece or similarity[name] >= MIN_SIMILARITY]
    near.sort(key=lambda name: (name not in same_piece, -similarity[name]))
    return (
        f"{'similar legal moves: ' if near else 'legal moves include '}{', '.join((near or names)[:MAX_SUGGESTIONS])}"
    )


def _resolve(name: str, chess960: bool | None) -> Position:
    if name.lower() in ("startpos", "start"):
        return _from_fen(START_FEN, chess960)
    if "/" in name or _SIDE.search(name):
        return _from_fen(name, chess960)
    positions = {case.name.lower(): case.position for suite in BUNDLED for case in load_suite(bundled_path(suite))}
    wanted = ALIASES.get(name.lower(), name.lower())
    if wanted in positions:
        position = positions[wanted]
        return position if chess960 is None else _from_fen(position.fen(), chess960)
    hint = did_you_mean(
        name, [*positions, *ALIASES], "give a FEN (quoted in a shell), or a name such as startpos or kiwipete"
    )
    raise UsageError(f"no position named {name!r}: {hint}")


def _from_fen(text: str, chess960: bool | None) -> Position:
    try:
        return Position.from_fen(text, chess960)
    except FenError as error:
        hint = " (leave out --standard if it is such a position)" if "needs Chess960" in str(error) else ""
        raise UsageError(f"bad FEN {text!r}: {error}{hint}") from None


def resolve_gentype(name: str, option: str) -> GenType:
    """Return the GenType for a name such as "quiet-checks", the value of an option. Raises UsageError."""
    try:
        return GenType[name.upper().replace("-", "_")]
    except KeyError:
        hint = did_you_mean(name.replace("-", "_"), [kind.name for kind in GenType])
        raise UsageError(f"{option} {name!r}: {hint}", name) from None
