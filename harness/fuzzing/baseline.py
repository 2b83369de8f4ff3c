"""Baselines of known failures, so that only new failures affect the exit status.

A failure is identified by its cause and its position.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from ...atomic import write_atomically
from ...errors import UsageError
from ..checking.causes import causes_of_run
from ..engines.asking.histories import parse_game
from ..model.results.events import RunFinished
from ..model.results.finding import Finding
from ..model.results.verdict import Verdict
from .model import FuzzFinding, FuzzFinished, causes_of_findings

VERSION = 1
RUN, FUZZ = SECTIONS = "run", "fuzz"
"""The commands whose failures are stored in a baseline file."""
_FIELDS = {"cause": str, "position": str, "chess960": bool}
_OPTIONAL = {"alone": bool}


@dataclass(frozen=True, order=True)
class KnownFailure:
    """A failure in a baseline, identified by its cause and its position."""

    cause: str
    """The cause in one line, as in reports: "missing move: En passant along the line of a pin"."""
    position: str
    """The position that the engine was given: a FEN, followed by moves and setup options if there are any."""
    chess960: bool = False
    alone: bool = field(default=True, compare=False)
    """Whether the position alone reproduces the failure, rather than earlier questions or chance."""

    def __str__(self) -> str:
        return f"{self.cause}: {self.position}"


@dataclass(frozen=True)
class Baseline:
    """The failures of a baseline file, by command."""

    path: Path
    failures: dict[str, frozenset[KnownFailure]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path, *, may_be_missing: bool = False) -> Baseline:
        """Read a baseline file.

        Raises UsageError if it cannot be read. If `may_be_missing`, a missing file is an empty baseline.
        """
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            if may_be_missing:
                return cls(path)
            raise UsageError(
                f"--baseline {path}: no such file; to create it, add --update-baseline", str(path)
            ) from None
        except json.JSONDecodeError as error:
            raise UsageError(f"--baseline {path}: invalid JSON: {error}", str(path)) from None
        except (OSError, ValueError) as error:
            raise UsageError(f"--baseline {path}: {error}", str(path)) from None
        return cls(path, {section: frozenset(_read(document, section, path)) for section in SECTIONS})

    def of_command(self, section: str) -> frozenset[KnownFailure]:
        """Return the known failures of a command."""
        return self.failures.get(section, frozenset())

    def write(self, section: str, failures: Iterable[KnownFailure]) -> None:
        """Replace the failures of a command, and write the file in sorted order so that diffs are easy to review.

        Raises UsageError if the file cannot be written.
        """
        every = {**self.failures, section: failures}
        lists = {one: [_as_entry(failure) for failure in sorted(every.get(one, ()))] for one in SECTIONS}
        document = {"version": VERSION} | {one: failures for one, failures in lists.items() if failures}
        try:
            write_atomically(self.path, (json.dumps(document, indent=2) + "\n").encode())
        except OSError as error:
            raise UsageError(f"--baseline {self.path}: {error.strerror}", str(self.path)) from None

    def apply_to_run(self, finished: RunFinished) -> RunFinished:
        """Return the run with known failures marked as known; `fixed` lists the known failures that now pass.

        A failure that depends on earlier questions or on chance is not called fixed, because it may occur again.
        """
        found, known = failures_of_run(finished), self.of_command(RUN)
        results = [
            result.with_verdict(Verdict.KNOWN) if found.get(index) in known else result
            for index, result in enumerate(finished.results)
        ]
        agreeing = {
            (_position(one.fen, one.setup), one.chess960) for one in finished.results if one.verdict is Verdict.AGREE
        }
        fixed = sorted(one for one in known if (one.position, one.chess960) in agreeing and one.alone)
        return replace(finished, results=results, fixed=tuple(map(str, fixed)))

    def apply_to_fuzz(self, finished: FuzzFinished, failing: Collection[KnownFailure]) -> FuzzFinished:
        """Return the run with the known findings in `known`, so that they do not fail it.

        `fixed` lists the known failures that are neither in `failing` nor found again.
        A fault may show in different positions each time. A finding is therefore known if it has the cause and the
        position of a known failure, or the cause of one that still fails.
        """
        known = self.of_command(FUZZ)
        causes = {one.cause for one in known.intersection(failing)}
        pairs = [
            (finding, failure in known or failure.cause in causes)
            for finding, failure in zip(finished.findings, failures_of_fuzz(finished), strict=True)
        ]
        fixed = sorted(known.difference(failing, failures_of_fuzz(finished)))
        return replace(
            finished,
            findings=tuple(finding for finding, is_known in pairs if not is_known),
            known=tuple(finding for finding, is_known in pairs if is_known),
            fixed=tuple(map(str, fixed)),
        )


def updated_failures(baseline: Baseline, finished: RunFinished) -> frozenset[KnownFailure]:
    """Return the failures of a run, together with the known failures in positions that the run did not compare."""
    compared = {
        (_position(one.fen, one.setup), one.chess960)
        for one in finished.results
        if one.verdict not in (Verdict.UNFINISHED, Verdict.SKIPPED)
    }
    kept = {one for one in baseline.of_command(RUN) if (one.position, one.chess960) not in compared}
    return frozenset(kept.union(failures_of_run(finished).values()))


def failures_of_run(finished: RunFinished) -> dict[int, KnownFailure]:
    """Return the failures of a run as baseline entries, by the index of the result."""
    causes = {id(member): group.title for group in causes_of_run(finished.failures) for member in group.members}
    return {
        index: KnownFailure(
            causes[id(result)],
            _position(result.fen, result.setup),
            result.chess960,
            not (result.replay or _varies(result.finding)),
        )
        for index, result in enumerate(finished.results)
        if result.verdict.is_failure
    }


def failures_of_fuzz(finished: FuzzFinished) -> list[KnownFailure]:
    """Return the findings of a fuzzing run as baseline entries."""
    groups = causes_of_findings(finished.findings)
    causes = {id(member): group.title for group in groups for member in group.members}
    games = [finding.discrepancy.game for finding in finished.findings]
    return [
        KnownFailure(causes[id(finding)], str(game), game.base.chess960, _is_alone(finding))
        for finding, game in zip(finished.findings, games, strict=True)
    ]


def _as_entry(failure: KnownFailure) -> dict[str, object]:
    entry = asdict(failure)
    return {name: entry[name] for name in _FIELDS} if failure.alone else entry


def _is_alone(found: FuzzFinding) -> bool:
    return not (found.discrepancy.history or _varies(found.discrepancy.finding))


def _varies(finding: Finding | None) -> bool:
    return finding is not None and finding.varies


def _position(fen: str, setup: str) -> str:
    return setup or fen


def _read(document: object, section: str, path: Path) -> Iterator[KnownFailure]:
    """Yield the failures of a command. Raises UsageError if the document is malformed."""
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise UsageError(
            f"--baseline {path}: not a baseline file; to create one, use --update-baseline with another file name",
            str(path),
        )
    entries = document.get(section, [])
    for number, entry in enumerate(entries if isinstance(entries, Collection) else [entries], 1):
        if not isinstance(entry, dict) or not _has_fields(entry):
            fields = ", ".join(_FIELDS)
            raise UsageError(f"--baseline {path}: failure {number} of {section} needs the fields {fields}", str(path))
        failure = KnownFailure(**entry)
        try:
            parse_game(failure.position, failure.chess960)
        except UsageError as error:
            raise UsageError(f"--baseline {path}: failure {number} of {section}: {error}", str(path)) from None
        yield failure


def _has_fields(entry: dict[str, object]) -> bool:
    known = _FIELDS | _OPTIONAL
    return _FIELDS.keys() <= entry.keys() <= known.keys() and all(
        isinstance(value, known[name]) for name, value in entry.items()
    )
