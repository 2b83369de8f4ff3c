"""The corpus: a suite file to which every finding is added, and which `perft-check run` can run."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from filelock import Timeout

from ...atomic import locked, write_atomically
from ...errors import UsageError, concerning
from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position_setup import PositionSetup, options_of
from ...suites.case import Case, Suite, SuiteError
from ...suites.epd import format_case, write_suite
from ...suites.loader import Format, format_of, load_suite
from ...suites.texts import significant_lines
from ..checking.covering import CoverPlan, SuiteCoverage
from ..coverage.model import FirstReached
from ..engines.asking.session import TimeLimit
from ..engines.opening import open_session
from ..engines.spec import PYTHON_CHESS
from .model import Discrepancy
from .plan import FuzzPlan

HEADER = "# Positions that perft-check fuzz has found; run them with: perft-check run --suite FILE\n"
MOST_NODES = 20_000
"""The limit for counts beyond the depth that shows the discrepancy."""
DEEPEST = 3
"""Positions are counted to this depth, if the limit of nodes allows it."""
LOCK_SECONDS = 30.0
"""How long another process may take to add something."""
ATTEMPTS = 5
"""How often a run tries to write to a folder that an engine deletes."""
_OPCODES = {opcode: re.compile(rf';\s*{opcode}\s+"([^"]*)"') for opcode in ("moves", "setup")}


def check_corpus(path: Path) -> None:
    """Check that findings can be added to a file. Raises SuiteError."""
    if (path.exists() and not path.is_file()) or not path.absolute().parent.is_dir():
        raise SuiteError(f"--corpus {path}: give a file in a folder that is there")
    text = "".join(_lines(path))
    if (kind := format_of(text)) is not Format.EPD:
        raise SuiteError(
            f"--corpus {path}: findings are added as EPD lines, and this file is {kind.value}: give another file"
        )
    if any(significant_lines(text, [])):
        load_suite(path)


class Corpus:
    """A corpus to which the findings of one run are added, while other runs may do the same."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.was_deleted = False
        """Whether the file, or its folder, was deleted during the run."""
        self._written: list[str] = []
        """The lines that were last written to the file."""
        self._ours: set[str] = set()
        """Positions that this run has brought in."""
        self._needed: Counter[str] = Counter()
        """How many findings that are not yet reduced need a position."""

    def keep(self, found: Discrepancy, depth: int) -> bool:
        """Store a finding that is yet to be reduced; return True if the file has changed. Raises SuiteError."""
        place = str(found.game)
        self._needed[place] += 1
        if place not in _positions(_lines(self.path) or self._written):
            self._ours.add(place)
        return self._add(found, depth)

    def keep_reduced(self, reduced: Discrepancy, depth: int, found: Discrepancy | None) -> bool:
        """Put a reduced finding in place of what `keep` has stored of it, unless another finding needs that as well.

        Return True if the file has changed. Raises SuiteError.
        """
        if found is None:
            return self._add(reduced, depth)
        place = str(found.game)
        self._needed[place] -= 1
        is_needless = place in self._ours and self._needed[place] == 0
        return self._add(reduced, depth, place if is_needless else None)

    def restore(self) -> bool:
        """Write the file again and return True if it was deleted. Raises SuiteError."""
        if not self._written or not self._is_gone():
            return False
        self.was_deleted = True
        _update(self.path, lambda before: before or self._written)
        return True

    def _add(self, discrepancy: Discrepancy, depth: int, instead_of: str | None = None) -> bool:
        """Add the position of a discrepancy, with counts deep enough to show it; return True if the file has changed.

        It takes the place of the position `instead_of`, if given. A line of the file with the same position, the same
        moves and fewer counts is replaced. Raises SuiteError.
        """
        self.was_deleted |= self._is_gone()
        case = _case(discrepancy, depth)
        before, self._written = _update(
            self.path, lambda before: _with(before or self._written or [HEADER], case, instead_of)
        )
        return self._written != before

    def _is_gone(self) -> bool:
        """Return True if the folder or the written file is gone."""
        return not self.path.parent.exists() or bool(self._written and not _lines(self.path))


def _update(
    path: Path, change: Callable[[list[str]], list[str]], attempts: int = ATTEMPTS
) -> tuple[list[str], list[str]]:
    """Replace the lines of a file by what `change` makes of them; return them before and after. Raises SuiteError.

    The folder is made again if it is deleted, as often as there are attempts.
    """
    try:
        real = Path(os.path.realpath(path))
        lock = real.with_name(f".{real.name}.lock")  # the corpus itself is replaced by a new file at every writing
        real.parent.mkdir(parents=True, exist_ok=True)
        with locked(lock, LOCK_SECONDS):
            before = _lines(path)
            after = change(before)
            if after != before:
                write_atomically(path, "".join(after).encode())
    except Timeout:
        raise SuiteError(f"cannot write {path}: another process keeps {lock} locked") from None
    except OSError as error:
        if isinstance(error, FileNotFoundError) and attempts > 1:
            return _update(path, change, attempts - 1)
        raise SuiteError(f"cannot write {path}: {error.strerror}") from None
    return before, after


def _with(before: list[str], case: Case, instead_of: str | None) -> list[str]:
    """Return the lines with that of a case, unless its position is there with as many counts."""
    line, places = format_case(case) + "\n", _positions(before)
    new = _position(line)
    lines = list(before)
    if new in places:
        place = places.index(new)
        lines[place] = before[place] if f";D{case.max_depth} " in before[place] else line
        kept = [position == new or position != instead_of for position in places]
        return [other for other, is_kept in zip(lines, kept, strict=True) if is_kept]
    if instead_of in places:
        lines[places.index(instead_of)] = line
        return lines
    if not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    return [*lines, line]


def _position(row: str) -> str:
    """Return what a row is about as `Game` writes it, with moves and setup: a crash may need them."""
    found = [(opcode, pattern.search(row)) for opcode, pattern in _OPCODES.items()]
    words = [f"{opcode} {match[1]}" for opcode, match in found if match is not None and match[1]]
    return " ".join([row.split(";", 1)[0].strip(), *words])


def _positions(lines: list[str]) -> list[str]:
    return [_position(line) for line in lines]


def _case(discrepancy: Discrepancy, depth: int) -> Case:
    """Return a case counted by python-chess, deep enough that the counts cover the moves of the line.

    A line that is set up in another way than usual needs its moves to show anything, and no deep counts.
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
    except FileNotFoundError:  # deleted a moment ago
        return []
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SuiteError(f"--corpus {path}: findings are added to UTF-8 files only; save it in that encoding") from None


class CorpusWriter:
    """Adds finds to the corpus, if there is one. A failure to do so must not hide what the run finds."""

    def __init__(self, path: str | None, prepare: Callable[[], None], tell: Callable[[str], None]) -> None:
        """`prepare` is called before something is written, `tell` with what the user has to know.

        Raises SuiteError if nothing can be added to the file.
        """
        if path is not None:
            with concerning(path):
                check_corpus(Path(path))
        self._corpus = None if path is None else Corpus(Path(path))
        self._prepare, self._tell, self._has_told = prepare, tell, False
        self.has_kept = False
        self.failure: UsageError | None = None
        """Why the first find could not be added."""

    def keep(self, found: Discrepancy, depth: int) -> None:
        """Add a finding as it was found."""
        self._try(lambda corpus: corpus.keep(found, depth))

    def keep_reduced(self, reduced: Discrepancy, depth: int, found: Discrepancy | None) -> None:
        """Add a reduced find instead."""
        self._try(lambda corpus: corpus.keep_reduced(reduced, depth, found))

    def finish(self) -> None:
        """Write the corpus again if it was deleted after the last find."""
        self._try(Corpus.restore)

    def _try(self, add: Callable[[Corpus], bool]) -> None:
        if self._corpus is None:
            return
        try:
            self._prepare()
            self.has_kept |= add(self._corpus)
        except SuiteError as error:
            if self.failure is None:
                self._tell(f"{error}: finds are reported, and not kept")
            self.failure = self.failure or error
            return
        if self._corpus.was_deleted and not self._has_told:
            self._tell(f"{self._corpus.path} was deleted during the run, and is written again")
            self._has_told = True


def keep_cover(path: Path, plan: FuzzPlan, firsts: Sequence[FirstReached]) -> tuple[int, int]:
    """Ask the engine of a plan about the first lines again, and write few of them that reach all they reach.

    Returns how many positions were written, and how many branches they reach. Raises SuiteError, UsageError,
    EngineError, Interrupted.
    """
    asked = Suite(path.stem, tuple(_cases(firsts)))
    limit = TimeLimit(plan.timeout)
    session = open_session(plan.engine, limit=limit, limits=plan.limits)
    covering = SuiteCoverage(session, CoverPlan((asked,), limit))
    try:
        for _ in covering.run():
            pass
        cover = covering.smallest
    finally:
        covering.close()
    if cover:
        write_suite(path, Suite(path.stem, cover), ["What fuzz --coverage has reached in the engine's code"])
    return len(cover), covering.reached


def _cases(firsts: Sequence[FirstReached]) -> Iterator[Case]:
    """Yield each line once for each depth: as it was asked about, and without its moves from its own FEN."""
    lines = dict.fromkeys((game, one.depth) for one in firsts for game in (one.game.afresh(), one.game))
    for number, (game, depth) in enumerate(lines, 1):
        counts = ((depth, perft(game.base, depth)),)
        yield Case(f"cover-{number:03d}", game.base, counts, f"fuzz:{number}", moves=game.moves)
