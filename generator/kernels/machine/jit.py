"""The one place where kernels are compiled: decorators, compile target and on-disk cache.

Numba keys its cache by the file of the decorated function alone, so an edited helper in another
module would be served stale. Every kernel is therefore cached in a folder named by a digest of all
generator sources: change one byte and the next run compiles afresh.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba
from numba.core import registry

P = ParamSpec("P")
R = TypeVar("R")

SOURCES = Path(__file__).resolve().parents[2]
KEPT_CACHES = 4
"""How many source versions keep their compiled kernels on disk."""


@cache
def source_digest() -> str:
    """Return a short digest of every source file below `generator/`, the cache key of the kernels."""
    digest = hashlib.sha256()
    for source in sorted(SOURCES.rglob("*.py")):
        digest.update(source.relative_to(SOURCES).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder below which kernel caches live: `NUMBA_CACHE_DIR`, or the user's cache folder."""
    configured = os.environ.get("NUMBA_CACHE_DIR")
    if configured:
        return Path(configured)
    from platformdirs import user_cache_path

    return user_cache_path("perft-check")


@cache
def cache_folder() -> Path | None:
    """Return the folder of this version's compiled kernels, or None where no folder can be written.

    Folders of older source versions beyond the `KEPT_CACHES` most recently used are removed.
    """
    folder = cache_root() / f"kernels-{source_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    if not os.access(folder, os.W_OK):
        return None
    versions = sorted(folder.parent.glob("kernels-*"), key=_last_used, reverse=True)
    for stale in versions[KEPT_CACHES:]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


def _last_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process removed it between listing and asking
        return 0.0


def is_cached(kernel: str = "*") -> bool:
    """Tell whether the entry point of this name (default: any) is on disk, compiled from exactly these sources."""
    folder = cache_folder()
    return folder is not None and any(folder.rglob(f"*.{kernel}-*.nbc"))


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


@contextmanager
def _kernel_cache_dir(folder: Path) -> Iterator[None]:
    """Point Numba's cache at `folder` while a kernel is decorated, and only then."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _compile(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    compiled: Callable[P, R] = numba.njit(nogil=True, **options)(function)
    return compiled


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as an entry point: cached on disk, without the GIL, callable from Python."""
    folder = cache_folder() if jit_enabled() else None
    if folder is None:
        return _compile(function)
    with _kernel_cache_dir(folder):
        return _compile(function, cache=True)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that LLVM always inlines, so that literal arguments fold away."""
    return _compile(function, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def subroutine(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as a helper that kernels call, for bodies too big to repeat at each call."""
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)
