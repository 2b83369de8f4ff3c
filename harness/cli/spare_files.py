"""Files for what may not be lost, and has no place where it was wanted."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from platformdirs import user_state_path

from ...atomic import write_atomically


def write_spare(stem: str, ending: str, pieces: Iterable[bytes]) -> Path:
    """Write a new file that only the user can read, and return its path. Raises OSError where there is no place."""
    name = f"perft-check-{stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}{ending}"
    data = b"".join(pieces)
    *others, last = _folders()
    for folder in others:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _write(folder / name, data)
        except OSError:
            continue
    return _write(last / name, data)


def _write(file: Path, data: bytes) -> Path:
    write_atomically(file, data, mode=0o600)
    return file


def _folders() -> Iterator[Path]:
    yield user_state_path("perft-check")
    yield Path(tempfile.gettempdir())
