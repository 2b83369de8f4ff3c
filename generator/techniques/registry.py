"""All techniques by name, and how they list moves and count leaf nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..counting.counter import Stopped
from ..kernels.board import Board
from ..kernels.counting.list_perft import count_leaves_by_list
from ..kernels.counting.walk import count_leaves
from ..kernels.encoding import BUFFER_BYTES, LEGAL, MAX_MOVES
from ..kernels.generate import generate
from ..kernels.machine.bits import ONE, ZERO, load, load16, store
from ..kernels.machine.jit import Specialization, kernel, specializations_of, subroutine
from ..kernels.machine.memory import NODES, STOP, Control
from ..kernels.play import play
from ..kernels.sliders.lookup import Tables
from ..kernels.tables import ATTACK_WORDS, tables
from ..position import Position
from ..types import frame
from ..types.moves import Move
from .butterfly import BUTTERFLY
from .butterfly import generate as _by_butterfly
from .dense_list import DENSE_LIST
from .dense_list import generate as _by_dense_list
from .linked_list import LINKED_LIST
from .linked_list import generate as _by_linked_list
from .lookup import LOOKUP, count_leaves_by_lookup, list_moves_by_lookup
from .magic import MAGIC
from .magic import generate as _by_magic
from .move_table import MOVE_TABLE
from .move_table import generate as _by_move_table
from .operations import keep_legal
from .ray_cast import RAY_CAST, count_leaves_by_ray_cast, list_moves_by_ray_cast
from .ray_delta import RAY_DELTA
from .ray_delta import generate as _by_ray_delta
from .skip import SKIP
from .skip import generate as _by_skip
from .technique import Technique, TechniqueName

WALKS = (
    TechniqueName.RAY_DELTA,
    TechniqueName.BUTTERFLY,
    TechniqueName.MOVE_TABLE,
    TechniqueName.SKIP,
    TechniqueName.LINKED_LIST,
    TechniqueName.DENSE_LIST,
    TechniqueName.MAGIC,
)
"""The techniques that share the entry points below; the index of a technique is its number."""

_RAY_DELTA, _BUTTERFLY, _MOVE_TABLE, _SKIP, _LINKED_LIST, _DENSE_LIST, _MAGIC = map(np.uint64, range(len(WALKS)))
_4 = np.uint64(4)


@subroutine
def _legal_moves(technique: np.uint64, tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    found = ZERO
    if technique == _RAY_DELTA:
        found = _by_ray_delta(tables, walk, board, moves)
    elif technique == _BUTTERFLY:
        found = _by_butterfly(tables, walk, board, moves)
    elif technique == _MOVE_TABLE:
        found = _by_move_table(tables, walk, board, moves)
    elif technique == _SKIP:
        found = _by_skip(tables, walk, board, moves)
    elif technique == _LINKED_LIST:
        found = _by_linked_list(tables, walk, board, moves)
    elif technique == _DENSE_LIST:
        found = _by_dense_list(tables, walk, board, moves)
    elif technique == _MAGIC:
        found = _by_magic(tables, walk, board, moves)
    return keep_legal(tables, board, moves, found)


@kernel
def list_moves(technique: np.uint64, tables: Tables, walk: np.uint64, board: Board, moves: np.uint64) -> np.uint64:
    """Write the legal moves with a technique; return their number."""
    return _legal_moves(technique, tables, walk, board, moves)


@kernel
def count_leaves_by_technique(
    technique: np.uint64,
    tables: Tables,
    walk: np.uint64,
    board: Board,
    depth: np.uint64,
    control: np.uint64,
    moves: np.uint64,
) -> np.uint64:
    """Return the number of leaf nodes at `depth`, which is at least 1; see `count_leaves_by_list`."""
    found = _legal_moves(technique, tables, walk, board, moves)
    if depth == ONE:
        return found
    if depth >= _4 and load(control, STOP) != ZERO:
        return ZERO
    count = ZERO
    for index in range(found):
        child = play(board, load16(moves, np.uint64(index)))
        below = moves + BUFFER_BYTES
        count += count_leaves_by_technique(technique, tables, walk, child, depth - ONE, control, below)
    if depth == _4:
        store(control, NODES, load(control, NODES) + count)
    return count


Lister = Callable[[Tables, Board, np.uint64], np.uint64]
"""A function that writes the legal moves of a board to a buffer and returns their number."""
Counter = Callable[[Tables, Board, np.uint64, np.uint64, np.uint64], np.uint64]
"""A function that counts leaf nodes, given the tables, board and depth, and the addresses of a `Control` and of a move
buffer for each ply."""

STOCKFISH = Technique(
    name=TechniqueName.STOCKFISH,
    origin="T. Romstad, M. Costalba, J. Kiiski, Stockfish",
    shares=8 * ATTACK_WORDS,
)
TURBO = Technique(
    name=TechniqueName.TURBO,
    origin="perft-check",
    shares=8 * ATTACK_WORDS,
)


@dataclass(frozen=True)
class Entry:
    """A technique and its entry points."""

    technique: Technique
    lists: Lister
    counts: Counter
    kernels: tuple[Callable[..., object], ...]
    """The kernels called by `lists` and `counts`."""


def _entry(
    technique: Technique, lists: Callable[..., np.uint64], counts: Callable[..., np.uint64], *number: np.uint64
) -> Entry:
    """Return the entry of a technique; its entry points take its number, if any, and the address of its table."""
    return Entry(
        technique,
        lambda tables, board, moves: lists(*number, tables, technique.address, board, moves),
        lambda tables, board, *rest: counts(*number, tables, technique.address, board, *rest),
        (lists, counts),
    )


def _walk(technique: Technique) -> Entry:
    """Return the entry of a technique that shares the entry points above."""
    return _entry(technique, list_moves, count_leaves_by_technique, np.uint64(WALKS.index(technique.name)))


def _list_legal(tables: Tables, board: Board, moves: np.uint64) -> np.uint64:
    return generate(tables, board, LEGAL, moves)


def _count_turbo(tables: Tables, board: Board, depth: np.uint64, control: np.uint64, _moves: np.uint64) -> np.uint64:
    return count_leaves(tables, board, depth, control, ZERO)


ENTRIES: dict[str, Entry] = {
    entry.technique.name: entry
    for entry in (
        Entry(STOCKFISH, _list_legal, count_leaves_by_list, (generate, count_leaves_by_list)),
        _entry(LOOKUP, list_moves_by_lookup, count_leaves_by_lookup),
        _walk(RAY_DELTA),
        _walk(BUTTERFLY),
        _walk(MOVE_TABLE),
        _walk(SKIP),
        _walk(LINKED_LIST),
        _walk(DENSE_LIST),
        _walk(MAGIC),
        _entry(RAY_CAST, list_moves_by_ray_cast, count_leaves_by_ray_cast),
        Entry(TURBO, _list_legal, _count_turbo, (generate, count_leaves)),
    )
}
"""The entries by name, in display order."""


class NoChess960(ValueError):
    """A technique that supports only standard castling was asked about a Chess960 position."""


def ensure_knows(name: str, position: Position) -> Entry:
    """Return the entry of a technique. Raises KeyError, and NoChess960 if it does not support the castling rules."""
    entry = ENTRIES[name]
    if position.chess960 and not entry.technique.chess960:
        raise NoChess960(f"{name} knows castling of standard chess only")
    return entry


def specializations_by(name: str) -> list[Specialization]:
    """Return the kernels that a technique uses to list and count. Raises KeyError."""
    return specializations_of([type(tables())], *ENTRIES[name].kernels)


def legal_moves(name: str, position: Position) -> list[Move]:
    """Return the legal moves in the technique's order. Raises KeyError, NoChess960."""
    buffer = np.empty(MAX_MOVES, dtype=np.uint16)
    count = ensure_knows(name, position).lists(tables(), position.board, np.uint64(buffer.ctypes.data))
    return [frame.flip_move(int(move), position.turn) for move in buffer[: int(count)]]


def count_by(name: str, position: Position, depth: int, control: Control | None = None) -> int:
    """Return the number of leaf nodes at `depth`, counted with a technique; 1 at depth 0.

    Another thread can monitor or stop the count through `control`. Raises KeyError, NoChess960, Stopped.
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
