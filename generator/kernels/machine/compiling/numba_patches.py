"""Temporary patches of Numba that avoid repeated work during compilation. They do not change the compiled code."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core import errors, event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction


@contextmanager
def patched_numba() -> Iterator[None]:
    """Apply the patches within this block, in which no other thread may compile."""
    with global_compiler_lock, ExitStack() as stack:
        stack.enter_context(_without_garbage_collection())
        _replace(stack, TypeInferer, "return_types_from_partial", _infer_recursion_once)
        _replace(stack, BaseFunction, "get_call_type", _resolve_overloads_once)
        for name in ("start_event", "end_event"):
            _replace(stack, event, name, _without_events)
        _replace(stack, errors, "termcolor", _leave_uncolored)
        yield


def _replace(stack: ExitStack, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
    """Replace a function of Numba, if this version has it, until the stack is closed."""
    if (original := getattr(owner, name, None)) is not None:
        stack.callback(setattr, owner, name, original)
        setattr(owner, name, made(original))


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, which takes 1/15 of the compile time because the compiler keeps so many objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _infer_recursion_once(find: Callable[[TypeInferer], Any]) -> Callable[[TypeInferer], Any]:
    """Infer the return type of a recursive kernel only once, instead of at each recursive call."""
    found: dict[TypeInferer, Any] = {}

    def find_once(inferer: TypeInferer) -> Any:
        if found.get(inferer) is None:
            found[inferer] = find(inferer)
        return found[inferer]

    return find_once


def _resolve_overloads_once(find: Callable[..., Any]) -> Callable[..., Any]:
    """Resolve an operator once per combination of operand types, instead of at each use."""
    found: dict[tuple[BaseFunction, Any], Any] = {}

    def find_once(function: BaseFunction, context: Any, args: Any, kws: Any) -> Any:
        # Keyword arguments are passed as a dict, which is not hashable.
        if kws:
            return find(function, context, args, kws)
        if (function, args) not in found:
            found[function, args] = find(function, context, args, kws)
        return found[function, args]

    return find_once


def _without_events(_send: Callable[..., None]) -> Callable[..., None]:
    """Suppress Numba's events about locks, because every helper that is being compiled would listen to them."""
    return lambda *_args, **_kws: None


class _Uncolored:
    """Leaves text uncolored, because Numba creates an error for each type that does not match, and coloring is slow."""

    # Numba calls the methods `errmsg`, `filename`, `highlight` and others to color text.
    def __getattr__(self, _mark: str) -> Callable[[str], str]:
        return str


def _leave_uncolored(_termcolor: Callable[[], Any]) -> Callable[[], _Uncolored]:
    """Leave error messages uncolored; Numba would use colorama to color them."""
    return _Uncolored
