"""Writing suites as EPD lines, so that a file is always one complete version."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .case import UNPRINTABLE, Case, Suite, SuiteError
from .epd import quote


def format_case(case: Case) -> str:
    """Return the EPD line of a case, castling as X-FEN and en passant as given.

    Raises SuiteError where the case has no counts, since no line without can be read back.
    """
    if not case.counts:
        raise SuiteError(f"case {case.name!r} has no counts to write")
    counts = " ".join(f";D{depth} {nodes}" for depth, nodes in case.counts)
    return f"{case.position.fen()} {counts} ;id {quote(case.name)}"


def write_suite(path: Path, suite: Suite, header: Sequence[str] = ()) -> None:
    """Write a suite below the comment lines of `header`, replacing the file at once and as a whole.

    What the file said before is kept until the new version is on the disk. Raises SuiteError where
    there is nothing to write, or the file cannot be written.
    """
    if not suite.cases:
        raise SuiteError(f"suite {suite.name!r} has no cases to write")
    lines = [*_comment_lines(header), *map(format_case, suite)]
    try:
        _replace_file(path, "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise SuiteError(f"cannot write {path}: {error.strerror}") from error


def _comment_lines(header: Sequence[str]) -> list[str]:
    texts = [header] if isinstance(header, str) else header  # a string is a sequence of its letters, too
    return [
        f"# {UNPRINTABLE.sub(' ', line)}".rstrip()  # unprintable characters would make it no text file
        for text in texts
        for line in text.splitlines() or [""]
    ]


def _replace_file(path: Path, data: bytes) -> None:
    target = Path(os.path.realpath(path))  # a link stays one, to the new version
    if target.exists() and not target.is_file():
        raise SuiteError(f"cannot write {path}: it is not a regular file")
    # Not from `tempfile`, whose files nobody else may read.
    temporary = target.with_name(f".perft-check-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a renaming last through a power cut, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
