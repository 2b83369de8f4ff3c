"""A baseline: failures that are known, so that only new ones fail. A failure is known by its cause and its position."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ...atomic import write_atomically
from ...errors import UsageError
from ..model.results.events import RunFinished
from ..model.results.verdict import Verdict
from .causes import causes_of_run

VERSION = 1
_FIELDS = {"cause": str, "fen": str, "moves": str, "chess960": bool}


@dataclass(frozen=True, order=True)
class KnownFailure:
    """What identifies a failure."""

    cause: str
    """Its cause in one line, as reports name it, such as "missing move: En passant along the line of a pin"."""
    fen: str
    """The position about which the engine was asked."""
    moves: str = ""
    """The moves that it played first, and how it was set up otherwise."""
    chess960: bool = False


@dataclass(frozen=True)
class Baseline:
    """The failures of a baseline file."""

    path: Path
    failures: frozenset[KnownFailure] = field(default_factory=frozenset)

    @classmethod
    def load(cls, path: Path) -> Baseline:
        """Return the baseline of a file. Raises UsageError."""
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            why = "there is no such file; --update-baseline writes it"
            raise UsageError(f"--baseline {path}: {why}", str(path)) from None
        except (OSError, ValueError) as error:
            raise UsageError(f"--baseline {path}: {error}", str(path)) from None
        return cls(path, frozenset(_read(document, path)))

    def write(self, failures: Iterable[KnownFailure]) -> None:
        """Write failures to the file, sorted, so that a person can review a change. Raises OSError."""
        document = {"version": VERSION, "failures": [asdict(one) for one in sorted(failures)]}
        write_atomically(self.path, json.dumps(document, indent=2) + "\n")

    def apply(self, finished: RunFinished) -> RunFinished:
        """Return a run in which failures that are known do not fail, with those that no longer fail."""
        found = failures_of_run(finished)
        results = [
            result.known() if (known := found.get(index)) is not None and known in self.failures else result
            for index, result in enumerate(finished.results)
        ]
        asked = {
            (one.fen, one.chess960, one.setup) for one in finished.results if one.verdict is not Verdict.UNFINISHED
        }
        gone = self.failures - {*found.values()}
        fixed = sorted(one for one in gone if (one.fen, one.chess960, one.moves) in asked)
        return replace(finished, results=results, fixed=tuple(f"{one.cause}: {one.fen}" for one in fixed))


def failures_of_run(finished: RunFinished) -> dict[int, KnownFailure]:
    """Return what identifies each failure of a run, by the index of its result."""
    causes = {id(member): group.title for group in causes_of_run(finished.failures) for member in group.members}
    return {
        index: KnownFailure(causes[id(result)], result.fen, result.setup, result.chess960)
        for index, result in enumerate(finished.results)
        if result.verdict.is_failure
    }


def _read(document: object, path: Path) -> Iterable[KnownFailure]:
    """Yield the failures of a document. Raises UsageError."""
    entries = document.get("failures") if isinstance(document, dict) and document.get("version") == VERSION else None
    if not isinstance(entries, list):
        raise UsageError(
            f"--baseline {path}: this is no baseline of perft-check; --update-baseline writes one", str(path)
        )
    for number, entry in enumerate(entries, 1):
        is_one = isinstance(entry, dict) and entry.keys() == _FIELDS.keys()
        if not is_one or not all(isinstance(entry[name], kind) for name, kind in _FIELDS.items()):
            raise UsageError(f"--baseline {path}: failure {number} has not the fields {', '.join(_FIELDS)}", str(path))
        yield KnownFailure(**entry)
