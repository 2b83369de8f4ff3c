"""Compiled kernels on disk, one file for each signature, with a digest by which damage is noticed.

Numba's own cache trusts its files, keeps an index that a damaged byte breaks for good, and keys by
the file of the decorated function alone, so that an edited helper in another module would be served
stale. Here the folder is named by a digest of all sources of the generator: change one byte and the
next run compiles afresh.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
import numba
import numpy
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from ....atomic import write_atomically
from .folders import cache_folder, log

if TYPE_CHECKING:
    from filelock import BaseFileLock

ENDING = ".kernel"
MOST_WAITED = 60.0
"""Seconds that a process waits for another one to compile what it needs, too."""
_DIGEST_BYTES = hashlib.sha256().digest_size


class KernelCache(NullCache):  # type: ignore[misc]  # Numba has no types
    """The compiled forms of one kernel; a dispatcher of Numba asks for them and hands new ones over."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._module = function.__module__
        self._name = f"{self._module.rpartition('.')[2]}.{function.__qualname__}"
        self._locks: dict[Path, BaseFileLock] = {}
        """Held while this process compiles for a signature, so that others wait and load the result."""

    @property
    def cache_path(self) -> str | None:
        """The folder, as Numba wants to show it."""
        folder = cache_folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """Return what was compiled for a signature, or None where it has to be compiled."""
        folder = cache_folder()
        if folder is None:
            return None
        # Numba refreshes the whole context here, which takes 0.3 s and is needed for compiling alone:
        # compiled code only calls the runtime.
        rtsys.initialize(target_context)
        file = self._file(folder, sig, target_context.codegen())
        data = _kept_in(file)
        if data is None:
            self._begin(file)
            data = _kept_in(file)  # another process may have compiled it meanwhile
        if data is None:
            return None
        self._end(file)
        return CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep what was compiled for a signature; this process goes on with it where that is impossible, too."""
        folder = cache_folder()
        if folder is None:
            return
        file = self._file(folder, sig, data.codegen)
        if not (data.lifted or data.library.has_dynamic_globals):  # those have addresses of this process
            kept = dumps(data._reduce())
            try:
                write_atomically(file, hashlib.sha256(kept).digest() + kept)
            except OSError as error:
                _say_once(f"{folder} cannot be written ({error.strerror}): kernels are compiled in every run")
        self._end(file)

    def _begin(self, file: Path) -> None:
        """Wait until no other process compiles for this file; where that takes too long, go on all the same."""
        from filelock import FileLock, Timeout

        lock = self._locks.setdefault(file, FileLock(f"{file}.lock", thread_local=False))
        if not lock.is_locked:  # as it is after an attempt that failed
            with suppress(OSError, Timeout):
                lock.acquire(timeout=MOST_WAITED)

    def _end(self, file: Path) -> None:
        if file in self._locks:
            self._locks.pop(file).release()

    def _file(self, folder: Path, sig: Any, codegen: Any) -> Path:
        """Return the file of a signature, which is named by everything that the machine code depends on."""
        libraries = (numba.__version__, llvmlite.__version__, numpy.__version__)
        key = (*libraries, self._module, sys.implementation.cache_tag, str(sig), codegen.magic_tuple())
        return folder / f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}{ENDING}"


def is_cached(kernel: str = "*") -> bool:
    """Tell whether the entry point of this name (default: any) is on disk, compiled from exactly these sources."""
    folder = cache_folder()
    return folder is not None and any(folder.glob(f"*.{kernel}-*{ENDING}"))


def _kept_in(file: Path) -> bytes | None:
    """Return what a file keeps, or None where there is none; damaged files are removed."""
    try:
        data = _verified(file.read_bytes())
    except OSError:
        return None
    if data is None:
        _remove_damaged(file.parent)
    return data


def _verified(data: bytes) -> bytes | None:
    """Return what a file keeps, or None where it is not what was written."""
    kept = data[_DIGEST_BYTES:]
    return kept if hashlib.sha256(kept).digest() == data[:_DIGEST_BYTES] else None


def _remove_damaged(folder: Path) -> None:
    """Remove all damaged files at once, and say so. Of several processes that notice it, one removes them."""
    removed = [file for file in folder.glob(f"*{ENDING}") if _is_removed_as_damaged(file)]
    if removed:
        log.warning("perft-check: damaged kernels in %s are compiled anew", folder)


def _is_removed_as_damaged(file: Path) -> bool:
    with suppress(OSError):
        if _verified(file.read_bytes()) is None:
            file.unlink()
            return True
    return False


@cache
def _say_once(text: str) -> None:
    log.warning("perft-check: %s", text)
