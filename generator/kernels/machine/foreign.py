"""Calls of C functions by their addresses, from compiled code and from plain Python."""

from __future__ import annotations

import ctypes

import numpy as np

from .jit import before_compiling

before_compiling(f"{__package__}.compiling.foreign")

_COUNTS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int)
_LISTS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)


def call_count(function: np.uint64, text: np.uint64, number: np.uint64) -> np.uint64:
    """Return what `int64_t function(const char *text, int number)` returns, as a word."""
    return np.uint64(_COUNTS(int(function))(int(text), int(number)) & 0xFFFF_FFFF_FFFF_FFFF)


def call_list(function: np.uint64, text: np.uint64, number: np.uint64, out: np.uint64, room: np.uint64) -> np.uint64:
    """Return what `int64_t function(const char *text, int number, void *out, size_t room)` returns, as a word."""
    returned = _LISTS(int(function))(int(text), int(number), int(out), int(room))
    return np.uint64(returned & 0xFFFF_FFFF_FFFF_FFFF)
