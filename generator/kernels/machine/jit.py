"""The one place where kernels are compiled: decorators and compile target."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import registry

from .keeping import KernelCache
from .parts import PartCompiler

P = ParamSpec("P")
R = TypeVar("R")


def jit_enabled() -> bool:
    """Tell whether kernels are compiled; False when `NUMBA_DISABLE_JIT` asks for plain Python."""
    return not numba.config.DISABLE_JIT


@cache
def target_has_pext() -> bool:
    """Tell whether the machine code that Numba emits may use BMI2's PEXT.

    The compile target decides, not the host: a PEXT emitted for a target without BMI2 aborts the
    process. In plain Python the instruction is emulated and always there.
    """
    if not jit_enabled():
        return True
    features: str = registry.cpu_target.target_context.codegen().magic_tuple()[2]
    return "+bmi2" in features.split(",")


def _compile(function: Callable[P, R], **options: object) -> Callable[P, R]:
    compiled: Callable[P, R] = numba.njit(nogil=True, **options)(function)
    return compiled


def _compile_part(function: Callable[P, R], **options: object) -> Callable[P, R]:
    no_wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _compile(function, pipeline_class=PartCompiler, **no_wrappers, **options)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as an entry point: cached on disk, without the GIL, callable from Python."""
    compiled: Any = _compile(function)
    if jit_enabled():
        compiled._cache = KernelCache(function)
    return cast(Callable[P, R], compiled)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that LLVM always inlines, so that literal arguments fold away."""
    return _compile_part(function, forceinline=True)


def subroutine(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that kernels call, for bodies too big to repeat at each call."""
    # Left out, the option is that of the helper by which the subroutine is called first.
    return _compile_part(function, forceinline=False)
