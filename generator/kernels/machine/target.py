"""The compile target: the processor, its features, and Numba settings that affect machine code.

Numba is not imported, because that takes longer than most counts. Its settings are read from the environment.
"""

from __future__ import annotations

import os
import platform
import sys
from functools import cache

from .execution_mode import ExecutionMode, current_mode, versions

SETTINGS = ("OPT", "ENABLE_AVX", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO")
"""Numba settings that affect the code."""


@cache
def target_has_pext() -> bool:
    """Return True if machine code emitted by Numba may use BMI2's PEXT.

    This depends on the compile target, not on the host: emitting PEXT for a target without BMI2 aborts the process. In
    plain Python, the instruction is emulated and always available.
    """
    return current_mode() is ExecutionMode.PYTHON or "+bmi2" in features().split(",")


@cache
def cpu_name() -> str:
    """Return LLVM's name of the target processor."""
    return os.environ.get("NUMBA_CPU_NAME") or host_cpu_name()


def host_cpu_name() -> str:
    """Return the name of this machine's processor: LLVM's name if LLVM is installed."""
    try:
        from llvmlite import binding

        return str(binding.get_host_cpu_name())
    except (ImportError, OSError):
        return platform.processor() or "unknown processor"


@cache
def features() -> str:
    """Return the sorted processor features that code may use, in LLVM's notation: `+bmi2,-avx512f`."""
    chosen = os.environ.get("NUMBA_CPU_FEATURES")
    if chosen is not None:
        return chosen
    if os.environ.get("NUMBA_CPU_NAME", "").lower() == "generic":
        return ""
    try:
        from llvmlite import binding

        found = binding.get_host_cpu_features()
    # LLVM is missing or does not know this machine.
    except (ImportError, OSError, RuntimeError):
        return ""
    if os.environ.get("NUMBA_ENABLE_AVX") == "0":
        found.update({name: False for name in found if name.startswith("avx")})
    return str(found.flatten())


@cache
def target_key() -> str:
    """Return everything that machine code depends on, except the sources, as a cache key."""
    from llvmlite import binding

    settings = [os.environ.get(f"NUMBA_{name}") for name in SETTINGS]
    return repr(
        (versions(), sys.implementation.cache_tag, binding.get_process_triple(), cpu_name(), features(), settings)
    )
