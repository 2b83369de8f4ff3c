"""A digest of what an engine is made of, by which two versions of it are told apart."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...generator.kernels.machine.folders import source_digest
from .base import Engine
from .kinds.own import KernelEngine
from .kinds.program import ProgramEngine
from .kinds.stdin_engine import StdinEngine


def digest_of(engine: Engine) -> str | None:
    """Return the SHA-256 of an engine's program, in hexadecimal; of our own generators that of their sources.

    Where the command names more files, such as the script of an interpreter, it is the SHA-256 of their digests, one
    a line. Returns None where no file can be read.
    """
    if isinstance(engine, KernelEngine):
        return source_digest()
    digests = list(_digests(_command(engine)))
    return digests[0] if len(digests) == 1 else _joined(digests)


def _command(engine: Engine) -> Sequence[str]:
    if isinstance(engine, StdinEngine):
        return engine.descriptor.launch
    return engine.arguments.words if isinstance(engine, ProgramEngine) else ()


def _digests(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        try:
            if Path(word).is_file():
                with open(word, "rb") as file:
                    yield hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, ValueError):  # it may not be read, or is no path
            continue


def _joined(digests: Sequence[str]) -> str | None:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest() if digests else None
