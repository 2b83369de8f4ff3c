"""Answer questions with the imported generator: one function per kind of question, with plain data.

The kinds correspond to those of the tests. Everything is imported inside the functions, because a mutated generator
replaces the original one in a running process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def count(fen: str, depth: int, kernel: Any, backend: Any) -> int:
    """Return the perft count."""
    from perft_check.generator import Position, perft

    return perft(Position.from_fen(fen, None), depth, kernel=kernel, backend=backend)


def lists(fen: str, gentypes: tuple[int, ...], backend: Any) -> dict[int, list[int]]:
    """Return the moves of each GenType as sorted 16-bit numbers."""
    from perft_check.generator import GenType, MoveList, Position

    position = Position.from_fen(fen, None)
    return {number: sorted(map(int, MoveList(position, GenType(number), backend).moves)) for number in gentypes}


def children(fen: str, moves: tuple[int, ...]) -> list[str]:
    """Return the FEN after each move, or a text if the position or the kernels' board differs from that FEN."""
    from dataclasses import replace

    import numpy as np
    from perft_check.generator import Move, Position
    from perft_check.generator.kernels.play import board_after
    from perft_check.generator.types.frame import flip_move

    position, fens = Position.from_fen(fen, None), []
    for move in map(Move, moves):
        after = position.play_unchecked(move)
        text = after.fen(castling="shredder")
        reread = replace(Position.from_fen(text, None), chess960=after.chess960)
        board = board_after(position.board, np.uint64(flip_move(move, position.turn)))
        fens.append(text if after == reread and board == reread.board else f"{text} is not {after} nor {board}")
    return fens


def neighbours(fen: str, moves: tuple[int, ...], backend: Any) -> list[int]:
    """Return the patterns that the legality test accepts among `moves` and patterns that differ from one in one bit."""
    import numpy as np
    from perft_check.generator import Position
    from perft_check.generator.kernels.legality import is_legal
    from perft_check.generator.kernels.tables import tables
    from perft_check.generator.types.frame import flip_move

    position = Position.from_fen(fen, None)
    asked = sorted({move ^ flip for move in moves for flip in (0, *(1 << place for place in range(16)))})
    where, board, turn = tables(backend), position.board, position.turn
    return [pattern for pattern in asked if is_legal(where, board, np.uint64(flip_move(pattern, turn)))]


def patterns(fen: str, backend: Any) -> list[int]:
    """Return all patterns that the legality test accepts."""
    from perft_check.generator import Position
    from perft_check.generator.generation import accepted_moves

    return sorted(map(int, accepted_moves(Position.from_fen(fen, None), backend)))


def sliders(backend: Any) -> bool:
    """Return True if slider attacks are correct from every square with random blockers.

    Also check that an incorrect magic number is rejected.
    """
    import random

    import numpy as np
    from perft_check.generator.kernels import geometry
    from perft_check.generator.kernels.attacks import bishop_attacks, rook_attacks
    from perft_check.generator.kernels.sliders import magic
    from perft_check.generator.kernels.tables import tables

    draw = random.Random(2)
    for square in range(64):
        for _ in range(8):
            occupied = draw.getrandbits(64) & draw.getrandbits(64)
            for attacks, directions in (
                (rook_attacks, geometry.ROOK_DIRECTIONS),
                (bishop_attacks, geometry.BISHOP_DIRECTIONS),
            ):
                found = int(attacks(tables(backend), np.uint64(square), np.uint64(occupied)))
                if found != geometry.slider_attacks(square, directions, occupied):
                    return False
    subsets = magic.blocker_subsets(geometry.blocker_mask(0, geometry.ROOK_DIRECTIONS))
    all_attacks = magic.attacks_of_subsets(0, geometry.ROOK_DIRECTIONS, subsets)
    return magic.place_attacks(subsets, all_attacks, 1) is None


def lines() -> bool:
    """Return True if the tables of the squares between two squares, and of lines through them, are correct."""
    from perft_check.generator.kernels import geometry, tables

    block = tables.build_block("magic")
    return all(
        block[int(tables.BETWEEN) + first * 64 + second] == geometry.between(first, second)
        and block[int(tables.LINE) + first * 64 + second] == geometry.line(first, second)
        for first in range(64)
        for second in range(64)
    )


def progress(fen: str, depth: int, kernel: Any) -> int:
    """Return the number of nodes that a `Control` shows after a complete count."""
    from perft_check.generator import Position, perft
    from perft_check.generator.kernels.machine.memory import Control

    control = Control()
    perft(Position.from_fen(fen, None), depth, kernel=kernel, control=control)
    return control.nodes


def stop(kernel: Any) -> bool:
    """Return True if a count stops when requested."""
    from perft_check.generator import Position, perft
    from perft_check.generator.counting.counter import Stopped
    from perft_check.generator.kernels.machine.memory import Control

    control = Control()
    control.stop()
    try:
        perft(Position.start(), 7, kernel=kernel, control=control)
    except Stopped:
        return True
    return False


def buffers(fen: str, depth: int) -> list[int]:
    """Return the indices of the move buffers that a count by lists writes to, among two buffers per ply."""
    import numpy as np
    from perft_check.generator import Position
    from perft_check.generator.kernels.counting.list_perft import count_leaves_by_list
    from perft_check.generator.kernels.encoding import MAX_MOVES
    from perft_check.generator.kernels.machine.memory import Control
    from perft_check.generator.kernels.tables import tables

    no_move, control = 0xFFFF, Control()
    moves = np.full((2 * depth, MAX_MOVES), no_move, dtype=np.uint16)
    board, address = Position.from_fen(fen, None).board, np.uint64(moves.ctypes.data)
    count_leaves_by_list(tables("magic"), board, np.uint64(depth), control.address, address)
    return np.flatnonzero((moves != no_move).any(axis=1)).tolist()


def soak(fens: tuple[str, ...], positions: int, seed: int) -> list[str]:
    """Return the checks that fail in random games."""
    from perft_check.generator import Position
    from soak.soaking import soak

    starts = [Position.from_fen(fen, None) for fen in fens]
    return sorted({difference.check for difference in soak(starts, positions, seed).differences})


ANSWERS: dict[str, Callable[..., Any]] = {
    answer.__name__: answer
    for answer in (count, lists, children, neighbours, patterns, sliders, lines, progress, stop, buffers, soak)
}
