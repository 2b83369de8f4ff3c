"""Calling kernels from Python: conversion of arguments and results to uint64 values, and of machine code to functions.

Kernels take and return `np.uint64` values and named tuples of them. The signature of a kernel is the text form of its
argument types.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from struct import Struct
from types import NoneType
from typing import Any, get_args

import numpy as np

ArgumentTypes = tuple[type, ...]
"""The types of a kernel's arguments: `np.uint64`, or named tuples of it."""


def words_in(*argument_types: Any) -> int:
    """Return the number of uint64 values in arguments or results of these types; a scalar or None counts as 1."""
    return sum(len(kind._fields) if hasattr(kind, "_fields") else len(get_args(kind)) or 1 for kind in argument_types)


def signature_text(*argument_types: Any) -> str:
    """Return these types as text: names separated by commas, followed by the length for a tuple."""
    return ",".join(map(_text_of, argument_types))


def _text_of(kind: Any) -> str:
    if kind in (np.uint64, bool, NoneType):
        return str(kind.__name__)
    if hasattr(kind, "_fields"):
        return f"{kind.__name__}({words_in(kind)})"
    if get_args(kind):
        return f"tuple({words_in(kind)})"
    raise TypeError(f"kernels take and return np.uint64 and named tuples of it, not {kind.__name__}")


def code_at(address: int, argument_types: ArgumentTypes, returned: Any) -> Callable[..., Any]:
    """Return a Python function that calls machine code, which takes the addresses of its arguments and its result."""
    # Functions of this type release the GIL while they run, so that other threads can count or generate.
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)
    pack = Struct(f"{words_in(*argument_types)}Q").pack
    buffer, read = ctypes.c_uint64 * words_in(returned), _reader(returned)

    def run(*arguments: Any) -> Any:
        words: list[Any] = []
        for argument in arguments:
            if isinstance(argument, tuple):
                words += argument
            else:
                words.append(argument)
        answer = buffer()
        call(pack(*words), answer)
        return read(answer)

    return run


def _reader(returned: Any) -> Callable[[Any], Any]:
    """Return a function that converts the uint64 values written by machine code to a result."""
    if returned is NoneType:
        return lambda _words: None
    if returned in (bool, np.uint64):
        return lambda words: returned(words[0])
    unpack = Struct(f"{words_in(returned)}Q").unpack
    return unpack if get_args(returned) else lambda words: returned._make(unpack(words))


def in_words(function: Callable[..., Any], returned: Any) -> Callable[..., Any]:
    """Wrap a Python function or a dispatcher so that it takes and returns the same types as the result of `code_at`."""

    def run(*arguments: Any) -> Any:
        # Sums are modulo 2**64 in plain Python, too; without this, NumPy would warn about overflow.
        with np.errstate(over="ignore"):
            answer = function(*[_words(one) if isinstance(one, tuple) else one for one in arguments])
        return np.uint64(answer) if returned is np.uint64 else answer

    return run


def _words(several: Any) -> Any:
    """Convert the integers in a named tuple to uint64 values."""
    return type(several)(*map(np.uint64, several))
