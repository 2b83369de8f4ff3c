"""Sampling blocks of positions by random walks, with their FENs, root moves, counts and events.

A walk starts at a base that the schedule selects and leads to 1 to 64 positions that were not sampled before. Their
number is random: first a bound of 2, 4, 8, 16, 32 or 64 is chosen, each half as likely as the previous one, then a
number up to the bound. A walk has at most 64 moves. Half of the moves are chosen from all legal moves, the other half
from the notable ones, if there are any: castling, promotions, en passant captures, checks, double pushes that allow en
passant, and captures of a rook with a castling right.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..board import Board
from ..encoding import MAX_MOVES
from ..events.census import events_of_moves
from ..fen import State, flip_of, load_state, state_after, write_fen
from ..generate import generate_legal
from ..machine.bits import ONE, ZERO, load, load16, load32, lsb, store, store8, store32
from ..machine.jit import inline, kernel
from ..machine.xorshift import is_sampled, random_below
from ..sliders.lookup import Tables
from .answers import MARK_BYTES, PLACED_BYTES, TRIAL_BYTES, count_by_cost, write_roots
from .filters import fetch, is_first, is_playable, is_sparse, place_of, thin_out
from .mutations import change_some, is_possible
from .schedule import MAX_EVENTS, NO_PAIR, PoolWords, add_base, load_pool, next_base, next_random, note_events

LONGEST_WALK = 64
_LONGEST = np.uint64(LONGEST_WALK)
WALKS_PER_POSITION = 64
"""A block ends after this number of walks per requested position, even if it is not full."""

_LIST = 2 * MAX_MOVES
ORDERED, NOTABLE, ROOTS, TRIAL, NUMBERS, PATH = (
    np.uint64(place)
    for place in (
        _LIST,
        2 * _LIST,
        3 * _LIST,
        3 * _LIST + MARK_BYTES + PLACED_BYTES,
        3 * _LIST + MARK_BYTES + PLACED_BYTES + TRIAL_BYTES,
        3 * _LIST + MARK_BYTES + PLACED_BYTES + TRIAL_BYTES + 8 * MAX_EVENTS,
    )
)
"""Offsets in the scratch memory, which starts with the legal moves."""
SCRATCH_BYTES = int(PATH) + 4 * LONGEST_WALK
_COMPLEMENTS = np.uint64(1 << 63)
"""The smallest complement of a base number; complements mark positions that start from a changed base."""

_LONGEST_BOUND, _SPARSE_BOUND = np.uint64(1 << 5), np.uint64(8)
_2, _4, _8, _32 = np.uint64(2), np.uint64(4), np.uint64(8), np.uint64(32)
_NEWLINE = np.uint64(ord("\n"))
_COLOR = np.uint64(0b111000_111000)


class BlockRequest(NamedTuple):
    """A request for `number` positions, counted within `budget` nodes to depths from `least` to `most`.

    If `pieces` is positive, the positions are sparse, with at most this number of pieces. `to_rook` is 1 if keys encode
    castling as king takes rook, `by_file` is 1 if FENs contain castling rights as files, and `is_scheduled` is 1 if the
    schedule selects the bases. If `changes` is positive, three out of four walks start from the base after 1 to
    `changes` changes.
    """

    number: np.uint64
    budget: np.uint64
    least: np.uint64
    most: np.uint64
    pieces: np.uint64
    to_rook: np.uint64
    by_file: np.uint64
    is_scheduled: np.uint64
    changes: np.uint64


class BlockMemory(NamedTuple):
    """Addresses of the arrays of a `PositionBatch`, of scratch memory (whose marks are zero), and of a `Control`."""

    text: np.uint64
    text_ends: np.uint64
    depths: np.uint64
    keys: np.uint64
    counts: np.uint64
    ends: np.uint64
    totals: np.uint64
    events: np.uint64
    bases: np.uint64
    moves: np.uint64
    move_ends: np.uint64
    scratch: np.uint64
    control: np.uint64


@inline
def _end(ends: np.uint64, sampled: np.uint64) -> np.uint64:
    """Return the index at which the data of position `sampled` begin and those of the previous position end."""
    return load(ends, sampled - ONE) if sampled != ZERO else ZERO


@inline
def _count(
    tables: Tables, request: BlockRequest, memory: BlockMemory, sampled: np.uint64, state: State, found: np.uint64
) -> bool:
    """Write root moves and counts; return True if the depth is at least the requested minimum."""
    start = _end(memory.ends, sampled)
    ordered, counts = memory.scratch + ORDERED, memory.counts + _8 * start
    keys = memory.keys + _2 * start
    write_roots(memory.scratch, found, flip_of(state), request.to_rook, memory.scratch + ROOTS, keys, ordered)
    trial = memory.scratch + TRIAL
    depth, total = count_by_cost(
        tables, state.board, ordered, found, request.most, request.budget, memory.control, counts, trial
    )
    store(memory.depths, sampled, depth)
    store(memory.totals, sampled, total)
    store(memory.ends, sampled, start + found)
    return bool(depth >= request.least)


@inline
def _write_text(request: BlockRequest, memory: BlockMemory, sampled: np.uint64, state: State) -> None:
    """Write the FEN and its newline."""
    start = load(memory.text_ends, sampled - ONE) + ONE if sampled != ZERO else ZERO
    end = start + write_fen(state, memory.text + start, request.by_file)
    store8(memory.text, end, _NEWLINE)
    store(memory.text_ends, sampled, end)


@inline
def _write_path(memory: BlockMemory, sampled: np.uint64, base: np.uint64, plies: np.uint64) -> None:
    """Write the base and the moves from it, if any."""
    start = _end(memory.move_ends, sampled)
    number = plies if base < _COMPLEMENTS else ZERO
    for ply in range(number):
        store32(memory.moves, start + np.uint64(ply), load32(memory.scratch + PATH, np.uint64(ply)))
    store(memory.bases, sampled, base)
    store(memory.move_ends, sampled, start + number)


@inline
def _note(
    pool: PoolWords, memory: BlockMemory, sampled: np.uint64, base: np.uint64, plies: np.uint64, state: State
) -> None:
    """Count the events of a position, which are already in memory; make it a base if a pair of them is new."""
    low, high = load(memory.events, _2 * sampled), load(memory.events, _2 * sampled + ONE)
    pair, times = note_events(pool, low, high, memory.scratch + NUMBERS)
    if plies == ZERO and base < _COMPLEMENTS:
        store(pool.pairs_of, base, pair)
    elif times == ZERO and pair != NO_PAIR:
        add_base(pool, state, pair)


@inline
def _next_move(pool: PoolWords, memory: BlockMemory, found: np.uint64, notable: np.uint64) -> np.uint64:
    """Choose a random move from all moves or from the notable ones."""
    # Half of the moves are chosen from the notable ones. Otherwise, rare events would hardly occur, because most
    # positions have few notable moves.
    is_any = notable == ZERO or is_sampled(next_random(pool), _2)
    random = next_random(pool)
    if is_any:
        return load16(memory.scratch, random_below(random, found))
    return load16(memory.scratch + NOTABLE, random_below(random, notable))


@inline
def _length(pool: PoolWords, request: BlockRequest) -> np.uint64:
    """Return a random length for a walk, as a number of positions.

    Positions that are not sampled count toward this length only if sparse positions are requested.
    """
    if request.pieces != ZERO:
        return ONE + random_below(next_random(pool), _SPARSE_BOUND)
    # The lowest set bit is the first bit with probability 1/2, the second bit with probability 1/4, and so on.
    bound = _2 << lsb(next_random(pool) >> _32 | _LONGEST_BOUND)
    return ONE + random_below(next_random(pool), bound)


@inline
def _write(
    tables: Tables,
    pool: PoolWords,
    request: BlockRequest,
    memory: BlockMemory,
    sampled: np.uint64,
    base: np.uint64,
    plies: np.uint64,
    state: State,
    found: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Write a position unless its depth is too small; return the numbers of sampled positions and of notable moves."""
    low, high, notable = events_of_moves(tables, state.board, memory.scratch, found, memory.scratch + NOTABLE)
    if not _count(tables, request, memory, sampled, state, found):
        return sampled, notable
    store(memory.events, _2 * sampled, low)
    store(memory.events, _2 * sampled + ONE, high)
    _write_text(request, memory, sampled, state)
    _write_path(memory, sampled, base, plies)
    _note(pool, memory, sampled, base, plies, state)
    return sampled + ONE, notable


@inline
def _is_wanted(pool: PoolWords, request: BlockRequest, board: Board, place: np.uint64) -> bool:
    """Return True if a position is new and of the requested kind."""
    is_of_kind = request.pieces == ZERO or is_sparse(board, request.pieces)
    return bool(is_of_kind and is_first(pool.seen, place))


@inline
def _walk(
    tables: Tables,
    pool: PoolWords,
    request: BlockRequest,
    memory: BlockMemory,
    sampled: np.uint64,
    base: np.uint64,
    state: State,
) -> np.uint64:
    """Walk from a position and write the positions on the way; return the number of positions sampled so far."""
    left, plies = _length(pool, request), ZERO
    while True:
        place = place_of(state.board, request.least)
        # The value is loaded while the moves are generated.
        fetch(pool.seen, place)
        found, notable = generate_legal(tables, state.board, memory.scratch), ZERO
        is_wanted = _is_wanted(pool, request, state.board, place)
        if is_wanted:
            sampled, notable = _write(tables, pool, request, memory, sampled, base, plies, state, found)
        if is_wanted or request.pieces != ZERO:
            left -= ONE
        if left == ZERO or plies == _LONGEST or found == ZERO or sampled == request.number:
            return sampled
        move = _next_move(pool, memory, found, notable)
        # The moves of a path are stored from White's view; both ranks of Black's moves are flipped.
        store32(memory.scratch + PATH, plies, move ^ (_COLOR if state.black != ZERO else ZERO))
        state = state_after(state, move)
        plies += ONE


@inline
def _load_request(words: np.uint64) -> BlockRequest:
    return BlockRequest(
        load(words, np.uint64(0)),
        load(words, np.uint64(1)),
        load(words, np.uint64(2)),
        load(words, np.uint64(3)),
        load(words, np.uint64(4)),
        load(words, np.uint64(5)),
        load(words, np.uint64(6)),
        load(words, np.uint64(7)),
        load(words, np.uint64(8)),
    )


@inline
def _load_memory(words: np.uint64) -> BlockMemory:
    return BlockMemory(
        load(words, np.uint64(0)),
        load(words, np.uint64(1)),
        load(words, np.uint64(2)),
        load(words, np.uint64(3)),
        load(words, np.uint64(4)),
        load(words, np.uint64(5)),
        load(words, np.uint64(6)),
        load(words, np.uint64(7)),
        load(words, np.uint64(8)),
        load(words, np.uint64(9)),
        load(words, np.uint64(10)),
        load(words, np.uint64(11)),
        load(words, np.uint64(12)),
    )


@kernel
def sample_block(tables: Tables, pool_words: np.uint64, request_words: np.uint64, memory_words: np.uint64) -> np.uint64:
    """Sample positions into memory that has space for them; return their number.

    The fields of `PoolWords`, `BlockRequest` and `BlockMemory` are read from the three addresses, because passing them
    as arguments would take a hundred microseconds. There are fewer positions than requested only if the walks (at most
    `WALKS_PER_POSITION` per position) do not lead to enough new positions of the requested kind.
    """
    pool, request, memory = load_pool(pool_words), _load_request(request_words), _load_memory(memory_words)
    sampled, left = ZERO, request.number * np.uint64(WALKS_PER_POSITION)
    while sampled != request.number and left != ZERO:
        left -= ONE
        base = next_base(pool, request.is_scheduled)
        state = load_state(pool.states, base)
        if request.changes != ZERO and not is_sampled(next_random(pool), _4):
            base, state = ~base, change_some(pool, state, request.changes)
            if not (is_possible(state.board) and is_playable(tables, state.board)):
                continue
        elif request.pieces == ZERO:
            store(pool.visits, base, load(pool.visits, base) + ONE)
        else:
            base, state = ~base, thin_out(pool, state, request.pieces)
            if not is_playable(tables, state.board):
                continue
        sampled = _walk(tables, pool, request, memory, sampled, base, state)
    return sampled
