"""Compiling by what Numba documents, and nothing else: slower, and nothing is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from numba import types
from numba.extending import typeof_impl

from ..jit import Helper

if TYPE_CHECKING:
    from ..jit import Kernel, Kinds


@typeof_impl.register(Helper)  # type: ignore[untyped-decorator]  # Numba has no types
def _type_of_helper(helper: Helper, context: Any) -> Any:
    """Return what a helper is to compiled code that calls it: its dispatcher."""
    return typeof_impl(helper.dispatcher, context)


def type_of(kind: type) -> Any:
    """Return the type that Numba has for an argument of a kernel."""
    if kind is np.uint64:
        return types.uint64
    # Named, so that the type of the tables can choose the back-end, and fields have their names in kernels.
    return types.NamedUniTuple(types.uint64, len(kind._fields), kind)  # type: ignore[attr-defined]  # form_of knows it


def plain_dispatcher(helper: Helper) -> Any:
    """Return the dispatcher of a helper or a kernel, which Python may call, too."""
    return numba.njit(nogil=True, **helper.options)(helper.py_func)


def compile_plainly(kernel: Kernel, kinds: Kinds) -> Any:
    """Return the dispatcher of a kernel, compiled for arguments of these types."""
    dispatcher = kernel.dispatcher
    dispatcher.compile(tuple(map(type_of, kinds)))
    return dispatcher
