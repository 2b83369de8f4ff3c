"""The cache of compiled kernels on disk: one file per specialization, with a digest that detects damage.

Numba's cache trusts its files and has an index that a single damaged byte breaks permanently. Its key depends only on
the file of the decorated function, so that kernels would be stale after an edit of a helper in another module. Here,
the name of the folder contains a digest of all source files of the generator, so that any change recompiles all
kernels. The file names of kernels in other packages also contain a digest of their package.
"""

from __future__ import annotations

import hashlib
import pickle
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from ....atomic import write_atomically
from .folders import cache_folder, log, package_digest
from .target import target_key

if TYPE_CHECKING:
    from filelock import BaseFileLock

ENDING = ".kernel"
MAX_WAIT = 60.0
"""Maximum seconds to wait for another process that compiles the same specialization."""
_DIGEST_BYTES = hashlib.sha256().digest_size
_linking = Lock()


class KeptCode(NamedTuple):
    """A compiled kernel: its machine code, and the form that Numba links into kernels that call it.

    `symbol` names a C function in `caller` that reads the arguments from memory.
    """

    symbol: str
    machine_code: bytes
    caller: bytes
    linkable: bytes


class KernelFiles:
    """The cached specializations of one kernel, identified by their signatures."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, f"{module.rpartition('.')[2]}.{name}"
        self._locks: dict[Path, BaseFileLock] = {}
        """Locks held while this process compiles, so that other processes wait and load the result."""

    def has(self, signature: str) -> bool:
        """Return True if a specialization is on disk."""
        folder = cache_folder()
        # Damaged files are detected when they are read; the kernel is then compiled again.
        return folder is not None and self._file(folder, signature).is_file()

    def load(self, signature: str) -> KeptCode | None:
        """Return a compiled specialization, or None if this process has to compile it while others wait."""
        folder = cache_folder()
        if folder is None:
            return None
        file = self._file(folder, signature)
        data = _read_verified(file)
        if data is None:
            self._begin(file)
            # Another process may have compiled it while this one was waiting.
            data = _read_verified(file)
        if data is None:
            return None
        self._end(file)
        return KeptCode(*pickle.loads(data))

    def save(self, signature: str, code: KeptCode) -> None:
        """Write a compiled specialization to disk, if possible."""
        folder = cache_folder()
        if folder is None:
            return
        file, kept = self._file(folder, signature), pickle.dumps(tuple(code))
        try:
            _write(file, kept)
        except OSError as error:
            _say_once(f"{folder} cannot be written ({error.strerror}): kernels are compiled in every run")
        self._end(file)

    def give_up(self) -> None:
        """Release waiting processes after a failure to compile."""
        for file in list(self._locks):
            self._end(file)

    def _begin(self, file: Path) -> None:
        """Wait until no other process compiles this file, for at most `MAX_WAIT` seconds."""
        from filelock import FileLock, Timeout

        lock = self._locks.setdefault(file, FileLock(f"{file}.lock", thread_local=False))
        # A previous attempt failed and left the file locked.
        if not lock.is_locked:
            with suppress(OSError, Timeout):
                lock.acquire(timeout=MAX_WAIT)

    def _end(self, file: Path) -> None:
        if file in self._locks:
            self._locks.pop(file).release()

    def _file(self, folder: Path, signature: str) -> Path:
        """Return the file of a specialization, whose name depends on everything that affects the machine code."""
        # The key includes the target, because machines with different processors may share a disk.
        key = repr((self._module, signature, target_key(), package_digest(self._module)))
        return folder / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{ENDING}"


def is_any_cached() -> bool:
    """Return True if any kernel compiled from exactly this source version is on disk."""
    folder = cache_folder()
    return folder is not None and any(folder.glob(f"*{ENDING}"))


def _write(file: Path, kept: bytes) -> None:
    """Write a file and its digest. Raises OSError."""
    write_atomically(file, hashlib.sha256(kept).digest() + kept)


def _read_verified(file: Path) -> bytes | None:
    """Return the verified content of a file, or None if it is missing or damaged; damaged files are removed."""
    try:
        data = _verify(file.read_bytes())
    except OSError:
        return None
    if data is None:
        _remove_damaged(file.parent)
    return data


def _verify(data: bytes) -> bytes | None:
    """Return the content of a file, or None if it is damaged."""
    kept = data[_DIGEST_BYTES:]
    return kept if hashlib.sha256(kept).digest() == data[:_DIGEST_BYTES] else None


def _remove_damaged(folder: Path) -> None:
    """Remove all damaged files and log the removal. If several processes detect the damage, only one logs it."""
    # All files are checked, because several are often damaged in the same way; one line reports them all.
    removed = [file for file in folder.glob(f"*{ENDING}") if _is_removed_as_damaged(file)]
    if removed:
        log.warning("perft-check: damaged kernels in %s are compiled again", folder)


def _is_removed_as_damaged(file: Path) -> bool:
    with suppress(OSError):
        if _verify(file.read_bytes()) is None:
            file.unlink()
            return True
    return False


@cache
def _say_once(text: str) -> None:
    log.warning("perft-check: %s", text)


@cache
def _engine() -> Any:
    """Return the LLVM engine that links machine code into this process and is never freed."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    return binding.create_mcjit_compiler(binding.parse_assembly(""), target.create_target_machine(jit=True))


def load_code(code: KeptCode) -> int:
    """Link a kernel into this process without Numba; return the address of its calling function."""
    from llvmlite import binding

    with _linking:
        engine = _engine()
        for machine_code in (code.machine_code, code.caller):
            engine.add_object_file(binding.ObjectFileRef.from_data(machine_code))
        engine.finalize_object()
        return int(engine.get_function_address(code.symbol))
