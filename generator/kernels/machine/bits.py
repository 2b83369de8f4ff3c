"""Primitives on `numpy.uint64`: Python functions that compile to one instruction each or to a call of a C function.

In compiled code, a primitive is an LLVM instruction (`compiling/bits.py`); with `NUMBA_DISABLE_JIT=1`, its Python body
runs, so that kernels can be debugged. All operands must be `uint64`, because Numba would convert a mix with Python ints
to signed or floating-point numbers.
"""

from __future__ import annotations

import ctypes

import numpy as np

from .jit import declare_lowering

declare_lowering(f"{__package__}.compiling.bits")

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
_COUNTS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int)
_LISTS = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)


def popcount(bits: np.uint64) -> np.uint64:
    """Return the number of set bits."""
    return np.uint64(int(bits).bit_count())


def lsb(bits: np.uint64) -> np.uint64:
    """Return the index of the lowest set bit; `bits` must not be zero."""
    return np.uint64((int(bits) & -int(bits)).bit_length() - 1)


def lowest(bits: np.uint64) -> np.uint64:
    """Return only the lowest set bit, or zero for zero."""
    # The negative has the same lowest set bit; all bits above it are inverted.
    return np.uint64(int(bits) & -int(bits))


def rest(bits: np.uint64) -> np.uint64:
    """Return the value without its lowest set bit, or zero for zero."""
    # Subtracting one inverts only the lowest set bit and the zeros below it.
    return np.uint64(int(bits) & (int(bits) - 1))


def byteswap(bits: np.uint64) -> np.uint64:
    """Return the bitboard mirrored top to bottom, with its ranks in reverse order."""
    return np.uint64(int.from_bytes(int(bits).to_bytes(8, "little"), "big"))


def multiply(left: np.uint64, right: np.uint64) -> np.uint64:
    """Return the product modulo 2**64."""
    return np.uint64(int(left) * int(right) & 0xFFFF_FFFF_FFFF_FFFF)


def multiply_high(left: np.uint64, right: np.uint64) -> np.uint64:
    """Return the upper half of the 128-bit product."""
    return np.uint64(int(left) * int(right) >> 64)


def load(address: np.uint64, index: np.uint64) -> np.uint64:
    """Return element `index` of the `uint64` array that starts at `address`."""
    return np.uint64(ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value)


def store(address: np.uint64, index: np.uint64, value: np.uint64) -> None:
    """Write `value` to element `index` of the `uint64` array that starts at `address`."""
    ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value = int(value)


def prefetch(address: np.uint64, index: np.uint64) -> None:
    """Start loading element `index` of the `uint64` array at `address` into the cache, without waiting for it."""


def load8(address: np.uint64, index: np.uint64) -> np.uint64:
    """Return element `index` of the `uint8` array that starts at `address`."""
    return np.uint64(ctypes.c_uint8.from_address(int(address) + int(index)).value)


def load32(address: np.uint64, index: np.uint64) -> np.uint64:
    """Return element `index` of the `uint32` array that starts at `address`."""
    return np.uint64(ctypes.c_uint32.from_address(int(address) + 4 * int(index)).value)


def load16(address: np.uint64, index: np.uint64) -> np.uint64:
    """Return element `index` of the `uint16` array that starts at `address`."""
    return np.uint64(ctypes.c_uint16.from_address(int(address) + 2 * int(index)).value)


def store16(address: np.uint64, index: np.uint64, value: np.uint64) -> None:
    """Write the low 16 bits of `value` to element `index` of the `uint16` array at `address`."""
    ctypes.c_uint16.from_address(int(address) + 2 * int(index)).value = int(value) & 0xFFFF


def store8(address: np.uint64, index: np.uint64, value: np.uint64) -> None:
    """Write the low byte of `value` to element `index` of the `uint8` array at `address`."""
    ctypes.c_uint8.from_address(int(address) + int(index)).value = int(value) & 0xFF


def store32(address: np.uint64, index: np.uint64, value: np.uint64) -> None:
    """Write the low 32 bits of `value` to element `index` of the `uint32` array at `address`."""
    ctypes.c_uint32.from_address(int(address) + 4 * int(index)).value = int(value) & 0xFFFF_FFFF


def call_count(function: np.uint64, text: np.uint64, number: np.uint64) -> np.uint64:
    """Call `int64_t function(const char *text, int number)` and return its result; `function` is its address."""
    return np.uint64(_COUNTS(int(function))(int(text), int(number)) & 0xFFFF_FFFF_FFFF_FFFF)


def call_list(function: np.uint64, text: np.uint64, number: np.uint64, out: np.uint64, room: np.uint64) -> np.uint64:
    """Call `int64_t function(const char *text, int number, void *out, size_t room)` and return its result."""
    returned = _LISTS(int(function))(int(text), int(number), int(out), int(room))
    return np.uint64(returned & 0xFFFF_FFFF_FFFF_FFFF)
