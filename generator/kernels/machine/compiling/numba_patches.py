"""Work that Numba repeats while it compiles, done once or left out. The compiled code stays the same."""

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
    """Use the patched_numba in this block, during which no other thread compiles."""
    with global_compiler_lock, ExitStack() as stack:
        stack.enter_context(_garbage_left())
        _replace(stack, TypeInferer, "return_types_from_partial", _recursion_known)
        _replace(stack, BaseFunction, "get_call_type", _overloads_known)
        for name in ("start_event", "end_event"):
            _replace(stack, event, name, _without_events)
        _replace(stack, errors, "termcolor", _leave_uncolored)
        yield


def _replace(stack: ExitStack, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
    """Replace a function of Numba until the stack ends, if this version of Numba has it."""
    if (original := getattr(owner, name, None)) is not None:
        stack.callback(setattr, owner, name, original)
        setattr(owner, name, made(original))


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Disable garbage collection, which takes a fifteenth of the time: a compiler makes many objects and keeps them."""
    was_looked_for = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_looked_for:
            gc.enable()


def _recursion_known(find: Callable[[TypeInferer], Any]) -> Callable[[TypeInferer], Any]:
    """Infer the return type of a kernel that calls itself once, and not at each such call."""
    found: dict[TypeInferer, Any] = {}

    def find_once(inferer: TypeInferer) -> Any:
        if found.get(inferer) is None:
            found[inferer] = find(inferer)
        return found[inferer]

    return find_once


def _overloads_known(find: Callable[..., Any]) -> Callable[..., Any]:
    """Resolve an operator once for operands of the same types, and not wherever it stands."""
    found: dict[tuple[BaseFunction, Any], Any] = {}

    def find_once(function: BaseFunction, context: Any, args: Any, kws: Any) -> Any:
        # Keywords come as a dict, which is no key.
        if kws:
            return find(function, context, args, kws)
        if (function, args) not in found:
            found[function, args] = find(function, context, args, kws)
        return found[function, args]

    return find_once


def _without_events(_tell: Callable[..., None]) -> Callable[..., None]:
    """Send no event for each lock that is taken and released: every helper that is being compiled would listen."""
    return lambda *_args, **_kws: None


class _Uncolored:
    """Marks nothing: Numba makes an error for each type that it tries in vain, and coloring its text is slow."""

    # Numba colors by the methods `errmsg`, `filename`, `highlight` and others.
    def __getattr__(self, _mark: str) -> Callable[[str], str]:
        return str


def _leave_uncolored(_termcolor: Callable[[], Any]) -> Callable[[], _Uncolored]:
    """Leave errors uncolored, which colorama would color."""
    return _Uncolored
