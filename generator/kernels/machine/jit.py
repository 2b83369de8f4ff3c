"""The decorators of compiled code. Numba is imported when something is compiled, and not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from .entry import Helper, Kernel, before_compiling

__all__ = ["before_compiling", "inline", "kernel", "subroutine", "with_name"]

P = ParamSpec("P")
R = TypeVar("R")


def _make(kind: type[Helper], function: Callable[P, R], **options: Any) -> Callable[P, R]:
    return cast(Callable[P, R], kind(function, options))


def with_name(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Give a function the name under which it is known as a kernel, in place of that of one of several made alike."""

    def rename(function: Callable[P, R]) -> Callable[P, R]:
        function.__name__ = function.__qualname__ = name
        return function

    return rename


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as an entry point: kept on disk, without the GIL, callable from Python.

    It takes and returns words, or named tuples of words.
    """
    return _make(Kernel, function)


def inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that LLVM always inlines, so that literal arguments fold away."""
    return _make(Helper, function, forceinline=True)


def subroutine(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that kernels call, for bodies too big to repeat at each call."""
    # Left out, the option is that of the helper by which the subroutine is called first.
    return _make(Helper, function, forceinline=False)
