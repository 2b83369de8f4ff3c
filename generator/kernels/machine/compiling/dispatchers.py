"""How kernels and their helpers are compiled: dispatchers of Numba, and where they look for what was compiled."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import binding
from numba import types
from numba.core import serialize
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from ..entry import Kinds, form_of
from ..execution_mode import KernelError
from ..kernel_cache import KeptCode
from .calling import caller_of, symbol_of
from .parts import PartCompiler
from .plain import type_of
from .shortcuts import shortcuts

if TYPE_CHECKING:
    from ..entry import Kernel
    from ..part import Part

_BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
"""Python calls machine code by its address, and helpers not at all; words are no objects whose references count."""


class _KernelCache(NullCache):  # type: ignore[misc]  # Numba has no types
    """Where a dispatcher looks for compiled forms of a kernel, which another kernel calls, and keeps new ones."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return what was compiled for a signature, or None where it has to be compiled."""
        kept = self._kernel.files.load(_form_of(sig))
        if kept is None:
            return None
        # Numba refreshes the whole context here, which takes 0.3 s and is needed for compiling alone:
        # compiled code only calls the runtime.
        rtsys.initialize(target_context)
        return CompileResult._rebuild(target_context, *pickle.loads(kept.linkable))

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep what was compiled for a signature."""
        form, made, wanted = _form_of(sig), _form_of((data.signature.return_type,)), form_of(self._kernel.returned)
        if made != wanted:
            raise KernelError(f"{self._kernel.__name__} returns {made} where it says {wanted}")
        self._kernel.compiled.append(form)
        self._kernel.files.save(form, _kept(data))


def _form_of(sig: Any) -> str:
    return ",".join(map(_form_of_type, sig))


def _form_of_type(kind: Any) -> str:
    if isinstance(kind, types.BaseTuple):
        name = kind.instance_class.__name__ if isinstance(kind, types.BaseNamedTuple) else "tuple"
        return f"{name}({len(kind)})"
    return {types.boolean: "bool", types.none: "NoneType"}.get(kind, str(kind))


def dispatcher_of_part(part: Part) -> Any:
    """Return the dispatcher of a helper."""
    return numba.njit(nogil=True, pipeline_class=PartCompiler, **_BARE, **part.options)(part.py_func)


def dispatcher_of_kernel(kernel: Kernel) -> Any:
    """Return the dispatcher of an entry point."""
    dispatcher = numba.njit(nogil=True, **_BARE, **kernel.options)(kernel.py_func)
    dispatcher._cache = _KernelCache(kernel)
    return dispatcher


def compiled(kernel: Kernel, kinds: Kinds) -> KeptCode:
    """Return a kernel, compiled in this process for arguments of these types."""
    signature = tuple(map(type_of, kinds))
    with shortcuts():
        kernel.dispatcher.compile(signature)
    return _kept(kernel.dispatcher.overloads[signature])


def _kept(data: CompileResult) -> KeptCode:
    codegen, name = data.target_context.codegen(), data.fndesc.llvm_func_name
    words = sum(len(kind) if isinstance(kind, types.BaseTuple) else 1 for kind in data.signature.args)
    caller = codegen._tm.emit_object(binding.parse_assembly(caller_of(name, words, codegen._data_layout)))
    linkable = serialize.dumps(data._reduce())
    return KeptCode(symbol_of(name), data.library._get_compiled_object(), caller, linkable)
