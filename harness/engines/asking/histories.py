"""Histories: all questions that an engine process was asked, for failures that one question does not reproduce."""

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
"""Maximum number of questions in a history."""
_CHESS960 = "chess960 "
"""Prefix of lines about Chess960 positions."""


def format_game(game: Game) -> str:
    """Format a game as a line of a history."""
    return _CHESS960 * game.base.chess960 + str(game)


def parse_history_line(line: str) -> Game:
    """Parse a line of a history. Raises UsageError."""
    return parse_game(line.removeprefix(_CHESS960), line.startswith(_CHESS960))


def parse_game(text: str, chess960: bool | None) -> Game:
    """Parse "FEN", "FEN moves e2e4 e7e5" or "FEN moves e2e4 setup ucinewgame". A position name may replace the FEN.

    Raises UsageError.
    """
    text_of_game, _, setup = text.partition(" setup ")
    game = resolve_game(text_of_game, chess960)
    try:
        return PositionSetup.of(game, parse_setup(setup)) if setup else game
    except ValueError as error:
        raise UsageError(f"--replay {text!r}: {error}") from None


def save_history(history: Sequence[str]) -> Path:
    """Save a history in the user's cache folder, in a file named after a hash of its content. Raises UsageError."""
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
    """Load the games in a history file. Raises UsageError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"--replay {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"--replay {path}: the file is not UTF-8 text") from None
    games = [parse_history_line(line) for line in lines if line.strip()]
    if not games:
        raise UsageError(f"--replay {path}: the file has no positions")
    return games
