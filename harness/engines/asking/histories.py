"""Histories: what an engine was asked since its process was started, for failures that one position does not show."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ....atomic import write_atomically
from ....errors import UsageError
from ....generator.game import Game
from ....generator.kernels.machine.folders import cache_root
from ....generator.position_setup import PositionSetup, parse_setup
from ....suites.positions import resolve_game

ENDING = ".replay"
MOST_REMEMBERED = 20_000
"""So many lines are remembered, the last ones."""
_CHESS960 = "chess960 "
"""Stands before a line of Chess960."""


def write_line(game: Game) -> str:
    """Return a line as a history has it."""
    return _CHESS960 * game.base.chess960 + str(game)


def read_row(row: str) -> Game:
    """Return the line that a history has as `row`. Raises UsageError."""
    return read_line(row.removeprefix(_CHESS960), row.startswith(_CHESS960))


def read_line(text: str, chess960: bool | None) -> Game:
    """Return the line of "FEN", "FEN moves e2e4 e7e5" or "... setup ucinewgame"; the FEN may be a name.

    Raises UsageError.
    """
    told, _, setup = text.partition(" setup ")
    line = resolve_game(told, chess960)
    try:
        return PositionSetup.of(line, parse_setup(setup)) if setup else line
    except ValueError as error:
        raise UsageError(f"--replay {text!r}: {error}") from None


def save_history(history: Sequence[str]) -> Path:
    """Write a history to a file of the user's cache folder, which its content names. Raises UsageError."""
    text = "".join(f"{line}\n" for line in history)
    folder = cache_root() or Path(tempfile.mkdtemp(prefix="perft-check-"))
    path = folder / "replays" / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}{ENDING}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    return path


def load_history(path: Path) -> list[Game]:
    """Return the lines of a file. Raises UsageError."""
    try:
        rows = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"--replay {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"--replay {path}: this is no text in UTF-8") from None
    lines = [read_row(row) for row in rows if row.strip()]
    if not lines:
        raise UsageError(f"--replay {path}: the file has no positions")
    return lines
