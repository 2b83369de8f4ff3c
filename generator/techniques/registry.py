"""Every technique by name, and how it is asked for moves and counts: the one place where they are entered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..counting.counter import Stopped
from ..kernels.board import Board
from ..kernels.counting.list_perft import count_leaves_by_list
from ..kernels.counting.walk import count_leaves
from ..kernels.encoding import LEGAL, MAX_MOVES
from ..kernels.generate import generate
from ..kernels.machine.bits import ZERO
from ..kernels.machine.memory import Control
from ..kernels.sliders.lookup import Tables
from ..kernels.tables import ATTACK_WORDS, tables
from ..position import Position
from ..types import frame
from ..types.moves import Move
from . import counting
from .butterfly import BUTTERFLY
from .dense_list import DENSE_LIST
from .linked_list import LINKED_LIST
from .lookup import LOOKUP, count_leaves_by_lookup, list_moves_by_lookup
from .magic import MAGIC
from .move_table import MOVE_TABLE
from .names import TechniqueName
from .ray_cast import RAY_CAST, count_leaves_by_ray_cast, list_moves_by_ray_cast
from .ray_delta import RAY_DELTA
from .skip import SKIP
from .technique import Technique

Lister = Callable[[Tables, Board, np.uint64], np.uint64]
"""Writes the legal moves of a board to a buffer; returns their number."""
Counter = Callable[[Tables, Board, np.uint64, np.uint64, np.uint64], np.uint64]
"""Counts leaves: tables, board, depth, address of a `Control`, address of a buffer for each ply."""

STOCKFISH = Technique(
    name=TechniqueName.STOCKFISH,
    origin="T. Romstad, M. Costalba, J. Kiiski, Stockfish",
    idea="one body for all GenTypes, specialised when compiled; pseudo-legal first, then only suspects are tested",
    cost="one look-up a slider and a test for king, pinned pieces and en passant alone; the tables want a warm cache",
    shares=8 * ATTACK_WORDS,
    shared="",
    traced=False,
)
TURBO = Technique(
    name=TechniqueName.TURBO,
    origin="ours",
    idea="counts the moves of the last ply as sets of target squares that are legal from the start, and lists none",
    cost="the last ply is nothing but population counts; it lists no moves",
    shares=8 * ATTACK_WORDS,
    shared="",
    traced=False,
)


@dataclass(frozen=True)
class Entry:
    """A technique and its entry points."""

    technique: Technique
    lists: Lister
    counts: Counter


def _walk(technique: Technique) -> Entry:
    """Return the entry of a technique that differs in its walk alone."""
    number = np.uint64(counting.WALKS.index(technique.name))
    return Entry(
        technique,
        lambda tables, board, moves: counting.list_moves(number, tables, technique.address, board, moves),
        lambda tables, board, depth, control, moves: counting.count_leaves_by_technique(
            number, tables, technique.address, board, depth, control, moves
        ),
    )


def _own_board(technique: Technique, lists: Callable[..., np.uint64], counts: Callable[..., np.uint64]) -> Entry:
    """Return the entry of a technique with a board of its own; its entry points take the address of its table."""
    return Entry(
        technique,
        lambda tables, board, moves: lists(tables, technique.address, board, moves),
        lambda tables, board, depth, control, moves: counts(tables, technique.address, board, depth, control, moves),
    )


def _list_legal(tables: Tables, board: Board, moves: np.uint64) -> np.uint64:
    return generate(tables, board, LEGAL, moves)


def _count_turbo(tables: Tables, board: Board, depth: np.uint64, control: np.uint64, _moves: np.uint64) -> np.uint64:
    return count_leaves(tables, board, depth, control, ZERO)


ENTRIES: dict[str, Entry] = {
    entry.technique.name: entry
    for entry in (
        Entry(STOCKFISH, _list_legal, count_leaves_by_list),
        _own_board(LOOKUP, list_moves_by_lookup, count_leaves_by_lookup),
        _walk(RAY_DELTA),
        _walk(BUTTERFLY),
        _walk(MOVE_TABLE),
        _walk(SKIP),
        _walk(LINKED_LIST),
        _walk(DENSE_LIST),
        _walk(MAGIC),
        _own_board(RAY_CAST, list_moves_by_ray_cast, count_leaves_by_ray_cast),
        Entry(TURBO, _list_legal, _count_turbo),
    )
}
"""The entries by name, in the order in which they are shown."""


class NoChess960(ValueError):
    """A technique was asked about castling that it has no notion of."""


def knows(name: str, position: Position) -> bool:
    """Tell whether a technique knows the castling of a position. Raises KeyError."""
    return not position.chess960 or ENTRIES[name].technique.chess960


def ensure_knows(name: str, position: Position) -> Entry:
    """Return the entry of a technique. Raises KeyError, and NoChess960 where it does not know the castling."""
    if not knows(name, position):
        raise NoChess960(f"{name} knows castling of standard chess only")
    return ENTRIES[name]


def legal_moves(name: str, position: Position) -> list[Move]:
    """Return the legal moves as a technique finds them, in its order. Raises KeyError, NoChess960."""
    buffer = np.empty(MAX_MOVES, dtype=np.uint16)
    count = ensure_knows(name, position).lists(tables(), position.board, np.uint64(buffer.ctypes.data))
    return [frame.flip_move(int(move), position.turn) for move in buffer[: int(count)]]


def count_by(name: str, position: Position, depth: int, control: Control | None = None) -> int:
    """Return the number of leaves `depth` plies below, counted by a technique; 1 at depth 0.

    Another thread may watch and stop it through `control`. Raises KeyError, NoChess960, Stopped.
    """
    entry = ensure_knows(name, position)
    if depth == 0:
        return 1
    control = control or Control()
    buffers = np.empty(depth * MAX_MOVES, dtype=np.uint16)
    address = np.uint64(buffers.ctypes.data)
    count = entry.counts(tables(), position.board, np.uint64(depth), control.address, address)
    if control.stopped:
        raise Stopped
    return int(count)
