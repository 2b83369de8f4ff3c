"""Create suites from positions or games."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..generator.counting.perft import perft
from ..generator.position import Position
from .case import Case, Problem, Suite, SuiteError
from .epd import Epd
from .loader import Format, decode, format_of, lines_of, read_bytes
from .positions import resolve_position

if TYPE_CHECKING:
    from chess.pgn import Game

STDIN = "-"
_PGN = re.compile(r'\s*\[\w+\s+"')
"""The first tag of a PGN game."""
NULL_MOVE = "0000"
"""A null move in the notation of python-chess; annotators use it to pass."""


def distinct(cases: Iterable[Case]) -> list[Case]:
    """Return the cases without repeated positions."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(case.position.fen(), case)
    return list(first.values())


def suite_of_positions(source: str, name: str, depth: int, max_nodes: int | None = None) -> Suite:
    """Return a suite of the distinct positions in a file or from stdin ("-"), with counts up to a depth.

    For a PGN file, which begins with a tag such as `[Event "..."]`, the suite contains all positions of its games.
    Other files may have any format that `load_suite` accepts, with or without counts, or a FEN or name on each line,
    optionally followed by `moves`. Counts above `max_nodes` are left out, except at depth 1. The notice of the suite
    states the number of repeated positions. Raises UsageError.
    """
    text = _read(source)
    found = _positions_of_games(text, source) if _PGN.match(text) else _positions_of_lines(text, source)
    given = [Case(f"{name}:{number}", position, (), source) for number, position in enumerate(found, 1)]
    if not given:
        raise UsageError(f"--from {source}: it has no positions; write one FEN per line, or give games as PGN")
    cases = distinct(given)
    notice = (
        f"{len(given) - len(cases):,} of {len(given):,} given positions are repeated" if len(cases) < len(given) else ""
    )
    return Suite(name, tuple(_count_case(case, depth, max_nodes) for case in cases), notice)


def _read(source: str) -> str:
    if source == STDIN:
        return decode(Path("stdin"), sys.stdin.buffer.read()).removeprefix("\ufeff")
    return decode(Path(source), read_bytes(Path(source))).removeprefix("\ufeff")


def _positions_of_lines(text: str, source: str) -> Iterator[Position]:
    problems: list[Problem] = []
    lines, kind = list(lines_of(text, None, problems)), format_of(text)
    if problems:
        raise UsageError(f"--from {source}:{problems[0].line}: {problems[0].message}")
    for number, line in lines:
        given = line
        if kind is Format.BLOCKS:
            keyword, *rest = line.split(None, 1)
            if keyword.lower() != "epd":
                continue
            given = "".join(rest)
        if ";" in given:
            given = Epd.split(given).fen
        try:
            yield resolve_position(given)
        except UsageError as error:
            raise UsageError(f"--from {source}:{number}: {error}") from None


def _positions_of_games(text: str, source: str) -> Iterator[Position]:
    import chess.pgn  # slow to import, and rarely needed

    games = io.StringIO(text)
    number = 0
    while (game := chess.pgn.read_game(games)) is not None:
        number += 1
        try:
            yield from _positions_of_game(game)
        except ValueError as error:
            raise UsageError(f"--from {source}: game {number}: {error}") from None


def _positions_of_game(game: Game) -> Iterator[Position]:
    if game.errors:
        raise ValueError(game.errors[0])
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"its variant is {game.headers['Variant']}, not chess: remove the game")
    start = Position.from_fen(board.fen(), chess960=board.chess960 or None)
    moves = [move.uci() for move in game.mainline_moves()]
    if NULL_MOVE in moves:
        raise ValueError("it contains a null move (--), which is not legal in chess: remove the game")
    yield from accumulate(moves, lambda position, move: position.play(position.parse_uci(move)), initial=start)


def _count_case(case: Case, depth: int, max_nodes: int | None) -> Case:
    """Return a case with counts confirmed by two kernels. Raises SuiteError if the kernels differ."""
    counts: list[tuple[int, int]] = []
    for plies in range(1, depth + 1):
        nodes = perft(case.position, plies, kernel="two-plies")
        if counts and max_nodes is not None and nodes > max_nodes:
            break
        if nodes != (listed := perft(case.position, plies, kernel="list")):
            raise SuiteError(f"two kernels differ at {case.position.fen()}, depth {plies}: {nodes:,} and {listed:,}")
        counts.append((plies, nodes))
        if not nodes:
            break
    return Case(case.name, case.position, tuple(counts), case.source)
