"""Find an engine's files, and compute digests that change when the engine changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ...generator.kernels.machine.folders import source_digest
from .engine import Engine
from .opening import open_session


def files_of(spec: str) -> tuple[Path, ...]:
    """Return the files named in an engine's command: the program, a script, a library, or a Python module.

    Raises UsageError if there is no such engine.
    """
    with open_session(spec) as session:
        return _files(session.engine)


def digest_of(spec: str) -> str | None:
    """Return the SHA-256 of an engine's file in hexadecimal, or None if no file is readable.

    For several files, this is the SHA-256 of their digests, one per line. For perft-check's generators, it is the
    digest of their source code.

    Raises UsageError if there is no such engine.
    """
    with open_session(spec) as session:
        if session.engine.uses_kernels:
            return source_digest()
        digests = list(_digests(_files(session.engine)))
    return digests[0] if len(digests) == 1 else _join(digests)


def build_of(spec: str) -> str:
    """Return the digest of an engine, or that of perft-check's generator if the engine has no readable file.

    Raises UsageError if there is no such engine.
    """
    return digest_of(spec) or source_digest()


def _files(engine: Engine) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(path for word in engine.files if (path := Path(word)) and _is_file(path)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no permission, or not a path
        return False


def _digests(files: Iterable[Path]) -> Iterator[str]:
    for path in files:
        try:
            with path.open("rb") as file:
                yield hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:  # no permission to read it
            continue


def _join(digests: Sequence[str]) -> str | None:
    return hashlib.sha256("\n".join(digests).encode()).hexdigest() if digests else None
