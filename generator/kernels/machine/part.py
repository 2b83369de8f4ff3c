"""A helper of kernels: what Numba sees in its place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from threading import RLock
from typing import Any

_meanings: list[str] = []
_making = RLock()


def before_compiling(module: str) -> None:
    """Have a module imported before anything is compiled: it says what plain functions are in compiled code."""
    _meanings.append(module)


def import_meanings() -> None:
    """Import what `before_compiling` has named."""
    while _meanings:
        import_module(_meanings.pop())


class Part:
    """A function that Numba compiles with the kernels that need it; `py_func` is the function itself."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func = function
        self.options = options
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__

    @cached_property
    def dispatcher(self) -> Any:
        """The dispatcher of Numba, which compiles the function for the types of its arguments."""
        with _making:
            import_meanings()
            return self._new_dispatcher()

    def _new_dispatcher(self) -> Any:
        from .compiling.dispatchers import dispatcher_of_part

        return dispatcher_of_part(self)

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks for where compiled code calls the function."""
        return self.dispatcher._numba_type_
