"""Blocks of positions put to the library, in the process that has loaded it."""

from __future__ import annotations

import mmap

from .. import our_environment

our_environment.load_numpy()

import numpy as np  # noqa: E402 - after the variables that it reads

from ..kernels.libraries import HEADER_BYTES, MARK_WORDS, ask_library  # noqa: E402
from .interface import GUARD, LEGAL, ROOM, Functions  # noqa: E402

_MOVE_WORDS = 2
ROOT_DEPTH = 1
KNOWN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""A position by which a library shows whether it offers lists of legal moves."""


class LibraryQuestions:
    """Asks a library about the positions of a block."""

    def __init__(self, functions: Functions, memory: int) -> None:
        """Take the functions of the library, and the descriptor of the memory in which blocks are."""
        lists = _lister(functions)
        self._perft, self._lists = np.uint64(functions.address("perft")), np.uint64(functions.address(lists))
        self._argument = np.uint64(LEGAL if lists == "moves" else ROOT_DEPTH)
        self._memory = memory
        self._map: mmap.mmap | None = None
        self._address = np.uint64(0)
        self._own = np.zeros(MARK_WORDS + _MOVE_WORDS * (ROOM + GUARD), np.uint64)
        nothing = np.zeros(HEADER_BYTES // 8, np.uint64)
        self._loop(np.uint64(nothing.ctypes.data))  # compiles it, where this machine has not yet

    def ask(self, size: int) -> int:
        """Ask about a block of so many bytes; return how many positions are answered wrongly."""
        if self._map is None or len(self._map) < size:
            self._map = mmap.mmap(self._memory, 0)
            self._address = np.uint64(np.frombuffer(self._map, np.uint8).ctypes.data)
        return self._loop(self._address)

    def _loop(self, block: np.uint64) -> int:
        own = np.uint64(self._own.ctypes.data)
        return int(ask_library(block, self._perft, self._lists, self._argument, np.uint64(ROOM), own))


def _lister(functions: Functions) -> str:
    """Return the name of the function that lists root moves, or "" where there is none."""
    offered = functions.names()
    if "divide" in offered:
        return "divide"
    return "moves" if "moves" in offered and functions.moves(KNOWN, LEGAL) is not None else ""
