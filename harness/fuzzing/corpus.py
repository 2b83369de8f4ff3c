"""The corpus of a fuzzing run: a suite to which its findings are added."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from filelock import Timeout

from ...atomic import locked, write_atomically
from ...errors import UsageError, concerning
from ...generator.game import Game
from ...generator.position_setup import PositionSetup, options_of
from ...suites.case import Case, SuiteError
from ...suites.epd import format_case
from ...suites.loader import Format, format_of, load_suite, significant_lines
from ..engines.opening import open_session
from ..engines.spec import PYTHON_CHESS
from .model import Discrepancy

HEADER = "# Positions that perft-check fuzz has found; run them with: perft-check run --suite FILE\n"
MOST_NODES = 20_000
"""Node limit for counts beyond the depth that shows the discrepancy."""
DEEPEST = 3
"""Positions are counted to this depth if `MOST_NODES` permits."""
LOCK_SECONDS = 30.0
"""How long to wait while another process adds a finding."""
_OPCODES = {opcode: re.compile(rf';\s*{opcode}\s+"([^"]*)"') for opcode in ("moves", "setup")}


def check_corpus(path: Path) -> None:
    """Check that findings can be added to a file. Raises SuiteError."""
    if (path.exists() and not path.is_file()) or not path.absolute().parent.is_dir():
        raise SuiteError(f"--corpus {path}: must be a file in an existing folder")
    text = "".join(_lines(path))
    if (kind := format_of(text)) is not Format.EPD:
        raise SuiteError(
            f"--corpus {path}: findings are added as EPD lines, and this file is {kind.value}: give another file"
        )
    if any(significant_lines(text, [])):
        load_suite(path)


class Corpus:
    """A corpus to which this run adds its findings; other runs may do so at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._added: set[str] = set()
        """The games added by this run."""
        self._unreduced: Counter[str] = Counter()
        """Number of unreduced findings for each game."""

    def keep(self, found: Discrepancy, depth: int) -> bool:
        """Store an unreduced finding; return True if the file has changed. Raises SuiteError."""
        game = str(found.game)
        self._unreduced[game] += 1
        if game not in _games(_lines(self.path)):
            self._added.add(game)
        return self._add(found, depth)

    def keep_reduced(self, reduced: Discrepancy, depth: int, found: Discrepancy | None) -> bool:
        """Replace the game stored by `keep` with the reduced one, unless another finding needs it.

        Return True if the file has changed. Raises SuiteError.
        """
        if found is None:
            return self._add(reduced, depth)
        game = str(found.game)
        self._unreduced[game] -= 1
        is_replaceable = game in self._added and self._unreduced[game] == 0
        return self._add(reduced, depth, game if is_replaceable else None)

    def _add(self, discrepancy: Discrepancy, depth: int, instead_of: str | None = None) -> bool:
        """Add the game of a discrepancy with counts deep enough to show it; return True if the file has changed.

        The new line replaces that of the game `instead_of`, if given, and any line of the same game with fewer counts.
        Raises SuiteError.
        """
        case, path = _case(discrepancy, depth), self.path
        try:
            real = Path(os.path.realpath(path))
            lock = real.with_name(f".{real.name}.lock")  # not the corpus itself, because each write replaces that file
            with locked(lock, LOCK_SECONDS):
                before = _lines(path)
                after = _with(before or [HEADER], case, instead_of)
                if after != before:
                    write_atomically(path, "".join(after).encode())
        except Timeout:
            raise SuiteError(f"cannot write {path}: another process keeps {lock} locked") from None
        except OSError as error:
            raise SuiteError(f"cannot write {path}: {error.strerror}") from None
        return after != before


def _with(before: list[str], case: Case, instead_of: str | None) -> list[str]:
    """Return the lines with a case added, unless they contain its game with at least as many counts."""
    line, games = format_case(case) + "\n", _games(before)
    new = _game(line)
    lines = list(before)
    if new in games:
        number = games.index(new)
        lines[number] = before[number] if f";D{case.max_depth} " in before[number] else line
        kept = [game == new or game != instead_of for game in games]
        return [other for other, is_kept in zip(lines, kept, strict=True) if is_kept]
    if instead_of in games:
        lines[games.index(instead_of)] = line
        return lines
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    return [*lines, line]


def _game(row: str) -> str:
    """Return the game of a row as written by `str(Game)`, including moves and setup options.

    A crash may be reproducible only with these.
    """
    found = [(opcode, pattern.search(row)) for opcode, pattern in _OPCODES.items()]
    words = [f"{opcode} {match[1]}" for opcode, match in found if match is not None and match[1]]
    return " ".join([row.split(";", 1)[0].strip(), *words])


def _games(lines: list[str]) -> list[str]:
    return [_game(line) for line in lines]


def _case(discrepancy: Discrepancy, depth: int) -> Case:
    """Return a case with counts by python-chess, which are deep enough to include the moves of the game.

    A game with setup options shows its fault only after its moves, so it needs no deep counts.
    """
    game = discrepancy.game
    needed = depth if isinstance(game, PositionSetup) else len(game.moves) + depth
    counts: list[tuple[int, int]] = []
    counter = open_session(PYTHON_CHESS)
    for plies in range(1, max(needed, DEEPEST) + 1):
        if plies > needed and counts[-1][1] > MOST_NODES:
            break
        nodes = counter.perft(Game(game.base), plies)
        counts.append((plies, nodes))
        if nodes == 0:
            break
    key = hashlib.sha256(str(game).encode()).hexdigest()[:6]
    name = f"{discrepancy.name} {key}"
    return Case(name, game.base, tuple(counts), "fuzz", moves=game.moves, setup=options_of(game))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_bytes().decode().splitlines(keepends=True) if path.exists() else []
    except FileNotFoundError:  # the file was just deleted
        return []
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SuiteError(f"--corpus {path}: findings are added to UTF-8 files only; save it in that encoding") from None


class CorpusWriter:
    """Adds findings to the corpus, if there is one. If that fails, the run continues."""

    def __init__(self, path: str | None, warn: Callable[[str], None]) -> None:
        """Check the file. `warn` is called with a message if a finding cannot be added.

        Raises SuiteError if findings cannot be added to the file.
        """
        if path is not None:
            with concerning(path):
                check_corpus(Path(path))
        self._corpus = None if path is None else Corpus(Path(path))
        self._warn = warn
        self.has_kept = False
        """Whether a finding was added."""
        self.failure: UsageError | None = None
        """The error for the first finding that could not be added."""

    def keep(self, found: Discrepancy, depth: int) -> None:
        """Add an unreduced finding."""
        self._try(lambda corpus: corpus.keep(found, depth))

    def keep_reduced(self, reduced: Discrepancy, depth: int, found: Discrepancy | None) -> None:
        """Replace a finding with its reduced version."""
        self._try(lambda corpus: corpus.keep_reduced(reduced, depth, found))

    def _try(self, add: Callable[[Corpus], bool]) -> None:
        if self._corpus is None:
            return
        try:
            self.has_kept |= add(self._corpus)
        except SuiteError as error:
            if self.failure is None:
                self._warn(f"{error}: findings are reported, but not stored")
            self.failure = self.failure or error
