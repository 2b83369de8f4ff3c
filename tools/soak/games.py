"""Random games that cross-check every position, at millions of positions per second.

A game begins at one of the given boards and continues with random legal moves. It ends if there is no legal move, or
after a random length, which is uniform between 1 and a bound of 8, 16, 32, 64 or 128 plies. The seed determines all
games on every machine. A game also ends if a check fails, because the kernels can then no longer be trusted.
"""

from __future__ import annotations

import numpy as np
from perft_check.generator.kernels.board import BOARD_WORDS, Board, load_board, store_board
from perft_check.generator.kernels.encoding import BUFFER_BYTES
from perft_check.generator.kernels.events.census import events_in
from perft_check.generator.kernels.machine.bits import ONE, ZERO, load, load16, store
from perft_check.generator.kernels.machine.jit import inline, kernel
from perft_check.generator.kernels.machine.memory import NODES, STOP
from perft_check.generator.kernels.machine.xorshift import is_sampled, next_state, random_below
from perft_check.generator.kernels.play import play
from perft_check.generator.kernels.sliders.lookup import Tables

from soak.crosscheck import MARK_WORDS, NONE, SAMPLE, cross_check

TALLIES = ("positions", "games", "moves", "samples", "differences", "events", "more events")
"""The counters, in the order of their words. The last two are the flags of a census."""
POSITIONS, GAMES, MOVES, SAMPLES, DIFFERENCES, EVENTS, MORE_EVENTS = (np.uint64(place) for place in range(len(TALLIES)))
KEPT = 64
"""Maximum number of stored differences; each is the number of the check and the words of the board."""

_8 = np.uint64(8)
_BOARD, _DIFFERENCE = np.uint64(8 * BOARD_WORDS), np.uint64(8 * (1 + BOARD_WORDS))
_LENGTHS = np.uint64(5)
_POLL_MASK = np.uint64(1023)


@inline
def _keep(differences: np.uint64, number: np.uint64, check: np.uint64, board: Board) -> None:
    """Store a difference if there is space."""
    if number >= np.uint64(KEPT):
        return
    at = differences + number * _DIFFERENCE
    store(at, ZERO, check)
    store_board(at + _8, board)


@kernel
def play_games(
    tables: Tables,
    other: Tables,
    boards: np.uint64,
    number: np.uint64,
    positions: np.uint64,
    state: np.uint64,
    control: np.uint64,
    moves: np.uint64,
    marks: np.uint64,
    tallies: np.uint64,
    differences: np.uint64,
) -> np.uint64:
    """Check `positions` positions, or fewer if the control requests a stop; return their number.

    `state` is the state of the random number generator, and must not be 0. `boards`, `control`, `moves`, `marks`,
    `tallies` and `differences` are addresses: of `number` start boards of `BOARD_WORDS` each, a `Control`, the buffers
    that `cross_check` needs, one word for each of `TALLIES`, and space for `KEPT` differences.
    """
    done, games, listed, samples, failures, left = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    events, more_events = ZERO, ZERO
    board = load_board(boards)
    while done < positions:
        # Not tested in every position, because another thread writes to that memory.
        if done & _POLL_MASK == ZERO:
            store(control, NODES, done)
            if load(control, STOP) != ZERO:
                break
        if left == ZERO:
            state = next_state(state)
            board = load_board(boards + random_below(state, number) * _BOARD)
            state = next_state(state)
            bound = _8 << random_below(state, _LENGTHS)
            state = next_state(state)
            left = ONE + random_below(state, bound)
            games += ONE
        state = next_state(state)
        check, found = cross_check(tables, other, board, moves, marks, state, control)
        done += ONE
        left -= ONE
        # A failed check leaves marks behind, which would make later checks fail.
        if check != NONE:
            _keep(differences, failures, check, board)
            for word in range(MARK_WORDS):
                store(marks, np.uint64(word), ZERO)
            failures += ONE
            left = ZERO
            continue
        listed += found
        if is_sampled(state, SAMPLE):
            samples += ONE
            flags, more_flags = events_in(tables, board, moves + BUFFER_BYTES)
            events |= flags
            more_events |= more_flags
        # Mate or stalemate ends the game.
        if found == ZERO:
            left = ZERO
        elif left != ZERO:
            board = play(board, load16(moves, random_below(state, found)))
    store(control, NODES, done)
    store(tallies, POSITIONS, done)
    store(tallies, GAMES, games)
    store(tallies, MOVES, listed)
    store(tallies, SAMPLES, samples)
    store(tallies, DIFFERENCES, failures)
    store(tallies, EVENTS, events)
    store(tallies, MORE_EVENTS, more_events)
    return done
