"""Writing suites as EPD lines, so that a file is always one complete version."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..atomic import write_atomically
from ..generator.setup import words_of
from .case import UNPRINTABLE, Case, Suite, SuiteError
from .epd import quote


def format_case(case: Case) -> str:
    """Return the EPD line of a case, castling as X-FEN and en passant as given.

    Raises SuiteError where the case has no counts, since no line without can be read back.
    """
    if not case.counts:
        raise SuiteError(f"case {case.name!r} has no counts to write")
    counts = " ".join(f";D{depth} {nodes}" for depth, nodes in case.counts)
    purpose = f" ;c0 {quote(case.purpose)}" if case.purpose else ""
    played = " ".join(move.uci(case.position.chess960) for move in case.moves)
    moves = f" ;moves {quote(played)}" if played else ""
    setup = f" ;setup {quote(words_of(case.setup))}" if case.setup else ""
    return f"{case.position.fen()} {counts} ;id {quote(case.name)}{purpose}{moves}{setup}"


def write_suite(path: Path, suite: Suite, header: Sequence[str] = ()) -> None:
    """Write a suite below the comment lines of `header`, replacing the file at once and as a whole.

    What the file said before is kept until the new version is on the disk. Raises SuiteError where
    there is nothing to write, or the file cannot be written.
    """
    if not suite.cases:
        raise SuiteError(f"suite {suite.name!r} has no cases to write")
    lines = [*_comment_lines(header), *map(format_case, suite)]
    try:
        if path.exists() and not path.is_file():
            raise SuiteError(f"cannot write {path}: it is not a regular file")
        write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise SuiteError(f"cannot write {path}: {error.strerror}") from error


def _comment_lines(header: Sequence[str]) -> list[str]:
    texts = [header] if isinstance(header, str) else header  # a string is a sequence of its letters, too
    return [
        f"# {UNPRINTABLE.sub(' ', line)}".rstrip()  # unprintable characters would make it no text file
        for text in texts
        for line in text.splitlines() or [""]
    ]
