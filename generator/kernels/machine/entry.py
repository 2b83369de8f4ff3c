"""Kernels as Python calls them: machine code, from the disk where it is there, else compiled now."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import chain
from threading import RLock
from types import NoneType
from typing import Any, get_args, get_type_hints

import numpy as np

from .keeping import KernelFiles
from .part import Part

Kinds = tuple[type, ...]
"""The types of a kernel's arguments: `np.uint64`, or named tuples of words."""


class Kernel(Part):
    """An entry point, which takes and returns words, or named tuples of words.

    `compiled` has the forms that this process has compiled: the types of the arguments, as text.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.files = KernelFiles(
            f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}", function.__module__
        )
        self.compiled: list[str] = []
        self._codes: dict[Kinds, Callable[..., Any]] = {}
        self._loading = RLock()

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code, without the GIL.

        Raises TypeError for an argument that is neither a word nor a tuple of words.
        """
        kinds = tuple(map(type, arguments))
        return (self._codes.get(kinds) or self._code(kinds))(*arguments)

    @property
    def returned(self) -> Any:
        """What the function says that it returns."""
        return get_type_hints(self.py_func)["return"]

    def _code(self, kinds: Kinds) -> Callable[..., Any]:
        with self._loading:
            if kinds not in self._codes:
                form = ",".join(map(form_of, kinds))
                kept = self.files.load(form)
                if kept is None:
                    from .compiling.dispatchers import compiled_address as address_of

                    self._codes[kinds] = _callable(address_of(self, kinds), kinds, self.returned)
                else:
                    from .loading import loaded_address

                    self._codes[kinds] = _callable(loaded_address(kept), kinds, self.returned)
            return self._codes[kinds]

    def _new_dispatcher(self) -> Any:
        from .compiling.dispatchers import dispatcher_of_kernel

        return dispatcher_of_kernel(self)


def _words_in(kind: Any) -> int:
    return len(kind._fields) if hasattr(kind, "_fields") else len(get_args(kind)) or 1


def form_of(kind: Any) -> str:
    """Return a type that kernels take or return as text, with the number of its words where there are several."""
    if kind in (np.uint64, bool, NoneType):
        return str(kind.__name__)
    if hasattr(kind, "_fields"):
        return f"{kind.__name__}({_words_in(kind)})"
    if get_args(kind):
        return f"tuple({_words_in(kind)})"
    raise TypeError(f"kernels take and return np.uint64 and named tuples of it, not {kind.__name__}")


def _callable(address: int, kinds: Kinds, returned: Any) -> Callable[..., Any]:
    """Return machine code as a function.

    Numba's calling convention: an address for what is returned, one for an exception, which no kernel raises, then
    the arguments word by word.
    """
    words = [ctypes.c_uint64] * sum(map(_words_in, kinds))
    call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words)(address)
    room, read = ctypes.c_uint64 * _words_in(returned), _reader(returned)
    are_tuples = [kind is not np.uint64 for kind in kinds]

    def run(*arguments: Any) -> Any:
        flat = chain.from_iterable(
            argument if is_tuple else (argument,) for argument, is_tuple in zip(arguments, are_tuples, strict=True)
        )
        answer = room()
        call(answer, ctypes.byref(ctypes.c_void_p()), *map(int, flat))
        return read(answer)

    return run


def _reader(returned: Any) -> Callable[[Any], Any]:
    """Return what makes a value of the words that machine code has written."""
    if returned is NoneType:
        return lambda _words: None
    if returned is bool:
        return lambda words: bool(words[0])
    if returned is np.uint64:
        return lambda words: np.uint64(words[0])
    if get_args(returned):
        return lambda words: tuple(map(np.uint64, words))
    return lambda words: returned(*map(np.uint64, words))
