"""What Numba does over and over while it compiles, done once or left out. None of it changes what is compiled."""

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
def shortcuts() -> Iterator[None]:
    """Take them while the block runs; meanwhile no other thread compiles anything."""
    with global_compiler_lock, ExitStack() as stack:
        stack.enter_context(_garbage_left())
        _replace(stack, TypeInferer, "return_types_from_partial", _recursion_known)
        _replace(stack, BaseFunction, "get_call_type", _overloads_known)
        for name in ("start_event", "end_event"):
            _replace(stack, event, name, _nobody_told)
        _replace(stack, errors, "termcolor", _leave_uncolored)
        yield


def _replace(stack: ExitStack, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
    """Replace a function of Numba by what is made of it, until the stack ends. What Numba has not, it does not do."""
    if (original := getattr(owner, name, None)) is not None:
        stack.callback(setattr, owner, name, original)
        setattr(owner, name, made(original))


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Let Python not look for garbage: a compiler makes many objects and keeps them (a fifteenth of its time)."""
    was_looked_for = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_looked_for:
            gc.enable()


def _recursion_known(find: Callable[[TypeInferer], Any]) -> Callable[[TypeInferer], Any]:
    """Find out once what a kernel that calls itself returns, and not again at each such call."""
    found: dict[TypeInferer, Any] = {}

    def find_once(inferer: TypeInferer) -> Any:
        if found.get(inferer) is None:
            found[inferer] = find(inferer)
        return found[inferer]

    return find_once


def _overloads_known(find: Callable[..., Any]) -> Callable[..., Any]:
    """Find out once what an operator makes of operands of the same types, and not wherever it stands."""
    found: dict[tuple[BaseFunction, Any], Any] = {}

    def find_once(function: BaseFunction, context: Any, args: Any, kws: Any) -> Any:
        # Keywords come as a dict, which is no key.
        if kws:
            return find(function, context, args, kws)
        if (function, args) not in found:
            found[function, args] = find(function, context, args, kws)
        return found[function, args]

    return find_once


def _nobody_told(_tell: Callable[..., None]) -> Callable[..., None]:
    """Tell nobody of each lock that is taken and given back: each helper under way would listen."""
    return lambda *_args, **_kws: None


class _Uncolored:
    """Marks nothing: Numba makes an error of each type that it tries in vain, and to color its text takes long."""

    # Numba colors by the methods `errmsg`, `filename`, `highlight` and others.
    def __getattr__(self, _mark: str) -> Callable[[str], str]:
        return str


def _leave_uncolored(_termcolor: Callable[[], Any]) -> Callable[[], _Uncolored]:
    """Leave errors uncolored, which are colored where colorama is installed."""
    return _Uncolored
