"""The decorators for compiled code, which create kernels, called by Python, and helpers, called by kernels.

The machine code of a kernel is loaded from the cache if possible, otherwise compiled. Numba is imported only for
compilation. A command can compile the specializations of kernels that it needs before it starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from threading import RLock
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast, get_args, get_type_hints

import numpy as np

from .calling import ArgumentTypes, code_at, in_words, signature_text
from .execution_mode import ExecutionMode, KernelError, current_mode, leave_mode, report_mode
from .kernel_cache import KernelFiles, load_code

P = ParamSpec("P")
R = TypeVar("R")

_lowerings: list[str] = []
_making = RLock()


def declare_lowering(module: str) -> None:
    """Register a module that implements primitives in LLVM code, to be imported before anything is compiled."""
    _lowerings.append(module)


def load_lowerings() -> None:
    """Import the modules registered by `declare_lowering`, and register helpers with Numba."""
    _register_helpers()
    while _lowerings:
        import_module(_lowerings.pop())


class Helper:
    """A function that Numba compiles as part of the kernels that call it; `py_func` is the Python function."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func = function
        self.options = options
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self._dispatchers: dict[ExecutionMode, Any] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run the Python function, as kernels do in plain Python mode."""
        return self.py_func(*arguments)

    @property
    def dispatcher(self) -> Any:
        """The Numba dispatcher, which compiles the function for the types of its arguments."""
        with _making:
            load_lowerings()
            mode = current_mode()
            if mode not in self._dispatchers:
                self._dispatchers[mode] = self._new_dispatcher(mode)
            return self._dispatchers[mode]

    def _new_dispatcher(self, mode: ExecutionMode) -> Any:
        if mode is ExecutionMode.PLAIN:
            from numba import njit

            return njit(nogil=True, **self.options)(self.py_func)
        return self._quick_dispatcher()

    def _quick_dispatcher(self) -> Any:
        from .compiling.quick import helper_dispatcher

        return helper_dispatcher(self.py_func, self.options)

    @property
    def _numba_type_(self) -> Any:
        """The Numba type, used if a caller is compiled before `load_lowerings` has been called."""
        from numba import typeof

        return typeof(self.dispatcher)


@cache
def _register_helpers() -> None:
    """Make Numba treat each helper as its dispatcher."""
    from numba.extending import typeof_impl

    typeof_impl.register(Helper)(lambda helper, context: typeof_impl(helper.dispatcher, context))


class Kernel(Helper):
    """An entry point, which takes and returns uint64 values or named tuples of them.

    `compiled` lists the signatures that this process has compiled.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.files = KernelFiles(function.__module__, function.__qualname__)
        self.compiled: list[str] = []
        self._codes: dict[ArgumentTypes, Callable[..., Any]] = {}
        self._loading = RLock()

    def __call__(self, *arguments: Any) -> Any:
        """Call the machine code without holding the GIL.

        Raises TypeError for an argument that is neither a uint64 value nor a tuple of them.
        """
        argument_types = tuple(map(type, arguments))
        return (self._codes.get(argument_types) or self._code(argument_types))(*arguments)

    @property
    def returned(self) -> Any:
        """The annotated return type."""
        return get_type_hints(self.py_func)["return"]

    def argument_types_for(self, *tables: type) -> ArgumentTypes:
        """Return the argument types; table arguments have the types `tables` in order, with the last one repeated."""
        chosen, hints = list(tables), get_type_hints(self.py_func)
        # Only tables are annotated with a union, because there is a specialization for each back-end.
        return tuple(
            (chosen.pop(0) if len(chosen) > 1 else chosen[0]) if get_args(hint) else hint
            for name, hint in hints.items()
            if name != "return"
        )

    def is_ready(self, argument_types: ArgumentTypes) -> bool:
        """Return True if a specialization is loaded or on disk, or kernels run as plain Python."""
        if argument_types in self._codes or current_mode() is ExecutionMode.PYTHON:
            return True
        try:
            return current_mode() is ExecutionMode.QUICK and self.files.has(signature_text(*argument_types))
        except (ImportError, OSError):  # llvmlite is missing or broken, which `get_ready` reports
            return False

    def get_ready(self, argument_types: ArgumentTypes) -> None:
        """Load or compile a specialization."""
        with self._loading:
            # Another thread may have loaded it while this one was waiting.
            if argument_types not in self._codes:
                made = self._quick(argument_types, signature_text(*argument_types)) or self._plain(argument_types)
                self._codes[argument_types] = made or in_words(self.py_func, self.returned)
                report_mode()

    def _code(self, argument_types: ArgumentTypes) -> Callable[..., Any]:
        self.get_ready(argument_types)
        return self._codes[argument_types]

    def _quick(self, argument_types: ArgumentTypes, signature: str) -> Callable[..., Any] | None:
        """Load machine code from disk or compile it; return None if this mode has failed."""
        if current_mode() is not ExecutionMode.QUICK:
            return None
        try:
            kept = self.files.load(signature)
            if kept is None:
                from .compiling.quick import compile_kernel

                kept = compile_kernel(self.dispatcher, _numba_types(argument_types))
            return code_at(load_code(kept), argument_types, self.returned)
        # An error in the kernel itself would occur in every mode, so a slower mode must not hide it.
        except KernelError:
            raise
        except Exception as error:
            leave_mode(ExecutionMode.QUICK, error)
            self.files.give_up()
            return None

    def _plain(self, argument_types: ArgumentTypes) -> Callable[..., Any] | None:
        """Return the function compiled by Numba's documented `njit`, or None if this mode has failed."""
        if current_mode() is not ExecutionMode.PLAIN:
            return None
        try:
            dispatcher = self.dispatcher
            dispatcher.compile(_numba_types(argument_types))
            return in_words(dispatcher, self.returned)
        except Exception as error:
            leave_mode(ExecutionMode.PLAIN, error)
            return None

    def _quick_dispatcher(self) -> Any:
        from .compiling.quick import kernel_dispatcher

        return kernel_dispatcher(self.py_func, self.options, self.files, self.returned, self.compiled)


def _numba_types(argument_types: ArgumentTypes) -> tuple[Any, ...]:
    """Return Numba's types for the arguments of a kernel."""
    from numba import types

    # Named tuples are used so that the type of the tables selects the back-end and kernels can access fields by name.
    return tuple(
        types.uint64 if kind is np.uint64 else types.NamedUniTuple(types.uint64, len(kind._fields), kind)  # type: ignore[attr-defined]  # signature_text checks
        for kind in argument_types
    )


def _make(kind: type[Helper], function: Callable[P, R], **options: Any) -> Callable[P, R]:
    return cast(Callable[P, R], kind(function, options))


def with_name(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that renames a function, so that kernels made by one factory have different names."""

    def rename(function: Callable[P, R]) -> Callable[P, R]:
        function.__name__ = function.__qualname__ = name
        return function

    return rename


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as an entry point that is callable from Python, cached on disk, and runs without the GIL.

    The function takes and returns uint64 values or named tuples of them.
    """
    return _make(Kernel, function)


def inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that LLVM always inlines, so that constant arguments are folded."""
    return _make(Helper, function, forceinline=True)


def subroutine(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that LLVM may inline or not, because its body is large."""
    # Without this option, a subroutine would inherit the inlining option of the helper that calls it first.
    return _make(Helper, function, forceinline=False)


_SECONDS = {
    "ask_library": 1.5,
    "census": 2.5,
    "count_kinds": 2.0,
    "count_leaves": 1.5,
    "count_leaves_by_list": 1.4,
    "count_leaves_by_technique": 8.0,
    "count_leaves_by_two": 5.5,
    "count_leaves_with_table": 3.0,
    "sample_block": 7.0,
    "generate": 1.4,
    "list_moves": 8.0,
    "play_games": 8.0,
    "write_answers": 1.8,
}
"""CPU seconds for compiling a kernel, measured on one machine; `_OTHER_SECONDS` for all other kernels."""
_OTHER_SECONDS = 0.5


class Specialization(NamedTuple):
    """A kernel, and the types of its arguments."""

    kernel: Kernel
    argument_types: ArgumentTypes

    @property
    def is_ready(self) -> bool:
        """Whether the specialization can be used without compiling it."""
        return self.kernel.is_ready(self.argument_types)

    def get_ready(self) -> None:
        """Load the specialization, or compile it."""
        self.kernel.get_ready(self.argument_types)


def uncompiled(specializations: Iterable[Specialization]) -> list[Specialization]:
    """Return the distinct specializations that have to be compiled."""
    return [specialization for specialization in dict.fromkeys(specializations) if not specialization.is_ready]


def compile_seconds(specializations: Iterable[Specialization]) -> float:
    """Estimate the CPU seconds needed to compile these specializations."""
    return sum(_SECONDS.get(specialization.kernel.__name__, _OTHER_SECONDS) for specialization in specializations)


def specializations_of(tables: Sequence[type], *functions: Callable[..., Any]) -> list[Specialization]:
    """Return the specialization of each kernel for these table types.

    A kernel with one table argument uses the first type. Functions that are not kernels are skipped.
    """
    return [Specialization(one, one.argument_types_for(*tables)) for one in functions if isinstance(one, Kernel)]
