"""The decorators of compiled code, and what they make: kernels, which Python calls, and helpers, which kernels call.

The machine code of a kernel comes with the package, or from the cache, where it is there; else it is compiled now.
Numba is imported when something is compiled, and not before.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from importlib import import_module
from struct import Struct
from threading import RLock
from types import NoneType
from typing import Any, ParamSpec, TypeVar, cast, get_args, get_type_hints

import numpy as np

from .execution_mode import ExecutionMode, KernelError, current_mode, leave_mode, report_mode
from .kernel_cache import KernelFiles, load_code

P = ParamSpec("P")
R = TypeVar("R")

_meanings = [f"{__package__}.compiling.plain"]
_making = RLock()


def before_compiling(module: str) -> None:
    """Have a module imported before anything is compiled: it says what plain functions are in compiled code."""
    _meanings.append(module)


def import_meanings() -> None:
    """Import what `before_compiling` has named."""
    while _meanings:
        import_module(_meanings.pop())


class Helper:
    """A function that Numba compiles with the kernels that need it; `py_func` is the function itself."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func = function
        self.options = options
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self._dispatchers: dict[ExecutionMode, Any] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run the function itself, as kernels do that run in Python."""
        return self.py_func(*arguments)

    @property
    def dispatcher(self) -> Any:
        """The dispatcher of Numba, which compiles the function for the types of its arguments."""
        with _making:
            import_meanings()
            mode = current_mode()
            if mode not in self._dispatchers:
                self._dispatchers[mode] = self._new_dispatcher(mode)
            return self._dispatchers[mode]

    def _new_dispatcher(self, mode: ExecutionMode) -> Any:
        if mode is ExecutionMode.PLAIN:
            from .compiling.plain import plain_dispatcher

            return plain_dispatcher(self)
        from .compiling.dispatchers import dispatcher_of_helper

        return dispatcher_of_helper(self)

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks for where code that it compiles by itself, before any kernel of ours, calls the function."""
        from numba import typeof

        return typeof(self.dispatcher)


Kinds = tuple[type, ...]
"""The types of a kernel's arguments: `np.uint64`, or named tuples of words."""


class Kernel(Helper):
    """An entry point, which takes and returns words, or named tuples of words.

    `compile_kernel` has the forms that this process has compiled: the types of the arguments, as text.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.files = KernelFiles(function.__module__, function.__qualname__)
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

    def kinds_for(self, *tables: type) -> Kinds:
        """Return the types of its arguments where the first tables among them are of the first type, and so on."""
        chosen, hints = list(tables), get_type_hints(self.py_func)
        # A type that may be one of several is that of tables: each back-end has a form of its own.
        return tuple(
            (chosen.pop(0) if len(chosen) > 1 else chosen[0]) if get_args(hint) else hint
            for name, hint in hints.items()
            if name != "return"
        )

    def is_ready(self, kinds: Kinds) -> bool:
        """Tell whether a form waits for no compiler: it is loaded, or it is on the disk."""
        if kinds in self._codes or current_mode() is ExecutionMode.PYTHON:
            return True
        try:
            return current_mode() is ExecutionMode.QUICK and self.files.has(form_of(*kinds))
        except (ImportError, OSError):  # llvmlite is not there, or broken: who compiles says so
            return False

    def get_ready(self, kinds: Kinds) -> None:
        """Load a form, or compile it."""
        with self._loading:
            # Another thread may have been here while this one waited.
            if kinds not in self._codes:
                made = self._quick(kinds, form_of(*kinds)) or self._plain(kinds)
                self._codes[kinds] = made or _in_words(self.py_func, self.returned)
                report_mode()

    def _code(self, kinds: Kinds) -> Callable[..., Any]:
        self.get_ready(kinds)
        return self._codes[kinds]

    def _quick(self, kinds: Kinds, form: str) -> Callable[..., Any] | None:
        """Return machine code from the disk, else made now; None where this mode has failed."""
        if current_mode() is not ExecutionMode.QUICK:
            return None
        try:
            kept = self.files.load(form)
            if kept is None:
                from .compiling.dispatchers import compile_kernel
                from .compiling.proof import prove_calling

                prove_calling()
                kept = compile_kernel(self, kinds)
            return code_at(load_code(kept), kinds, self.returned)
        # A kernel that is wrong itself is so in every mode: a slower one would hide it.
        except KernelError:
            raise
        except Exception as error:
            leave_mode(ExecutionMode.QUICK, error)
            self.files.give_up()
            return None

    def _plain(self, kinds: Kinds) -> Callable[..., Any] | None:
        """Return what Numba makes of the function, compiled; None where this mode has failed."""
        if current_mode() is not ExecutionMode.PLAIN:
            return None
        try:
            from .compiling.plain import compile_plainly

            return _in_words(compile_plainly(self, kinds), self.returned)
        except Exception as error:
            leave_mode(ExecutionMode.PLAIN, error)
            return None

    def _new_dispatcher(self, mode: ExecutionMode) -> Any:
        if mode is ExecutionMode.PLAIN:
            return super()._new_dispatcher(mode)
        from .compiling.dispatchers import dispatcher_of_kernel

        return dispatcher_of_kernel(self)


def words_in(*kinds: Any) -> int:
    """Return the number of words of such arguments, or of what is returned; one for nothing."""
    return sum(len(kind._fields) if hasattr(kind, "_fields") else len(get_args(kind)) or 1 for kind in kinds)


def form_of(*kinds: Any) -> str:
    """Return types that kernels take or return as text, each with the number of its words where it has several."""
    return ",".join(map(_text_of, kinds))


def _text_of(kind: Any) -> str:
    if kind in (np.uint64, bool, NoneType):
        return str(kind.__name__)
    if hasattr(kind, "_fields"):
        return f"{kind.__name__}({words_in(kind)})"
    if get_args(kind):
        return f"tuple({words_in(kind)})"
    raise TypeError(f"kernels take and return np.uint64 and named tuples of it, not {kind.__name__}")


def code_at(address: int, kinds: Kinds, returned: Any) -> Callable[..., Any]:
    """Return machine code that takes the address of its words, and of the room for its answer, as a function."""
    # Functions of this type give the GIL back while they run: other threads count or draw meanwhile.
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)
    pack = Struct(f"{words_in(*kinds)}Q").pack
    room, read = ctypes.c_uint64 * words_in(returned), _reader(returned)

    def run(*arguments: Any) -> Any:
        words: list[Any] = []
        for argument in arguments:
            if isinstance(argument, tuple):
                words += argument
            else:
                words.append(argument)
        answer = room()
        call(pack(*words), answer)
        return read(answer)

    return run


def _in_words(function: Callable[..., Any], returned: Any) -> Callable[..., Any]:
    """Return a function of words with the same types around it as machine code has."""

    def run(*arguments: Any) -> Any:
        # Sums are modulo 2**64 in plain Python as well, and NumPy warns of that.
        with np.errstate(over="ignore"):
            answer = function(*[_words(one) if isinstance(one, tuple) else one for one in arguments])
        return np.uint64(answer) if returned is np.uint64 else answer

    return run


def _words(several: Any) -> Any:
    """Return a named tuple with words for the integers that an answer has in it."""
    return type(several)(*map(np.uint64, several))


def _reader(returned: Any) -> Callable[[Any], Any]:
    """Return what makes a value of the words that machine code has written."""
    if returned is NoneType:
        return lambda _words: None
    if returned in (bool, np.uint64):
        return lambda words: returned(words[0])
    unpack = Struct(f"{words_in(returned)}Q").unpack
    return unpack if get_args(returned) else lambda words: returned._make(unpack(words))


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
