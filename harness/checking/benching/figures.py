"""Results of a bench as a JSON file: the speeds of engines, and of own:turbo in the same rounds.

Absolute speeds cannot be compared across machines, but ratios of speeds from the same rounds can.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from .... import __version__
from ....atomic import write_atomically
from ....errors import UsageError, shorten
from ....generator.kernels.machine.folders import source_digest
from ....generator.position import Position
from ....suites.case import UNPRINTABLE
from ...engines.spec import MAX_NAME_LENGTH, EngineSpec
from ...machine import machine, now
from ...model.results.bench import Speed
from ...model.results.verdict import Verdict

KIND = "perft-check bench"
FORMAT = 1
"""Format version, increased when older versions of perft-check could no longer read the file."""
YARDSTICK = "own:turbo"
"""The engine that is timed alongside all others."""
LARGEST = 2**24
"""Greatest size of a file in bytes."""


@dataclass(frozen=True)
class TimedPosition:
    """A position, with the rounds of each engine that counted it correctly."""

    name: str
    fen: str
    chess960: bool
    depth: int
    nodes: int
    rounds: Mapping[str, tuple[Annotated[float, msgspec.Meta(gt=0, lt=1e12)], ...]]
    """Millions of leaf nodes per second for each round, by the engine's SPEC."""

    @property
    def key(self) -> tuple[str, bool]:
        """A key that identifies the position regardless of its name."""
        return self.fen, self.chess960


@dataclass(frozen=True)
class Figures:
    """The measurements of a bench."""

    positions: tuple[TimedPosition, ...]
    saved: str
    """When the figures were saved, in UTC and ISO 8601 format."""
    perft_check: str = __version__
    generator: str = ""
    """The digest of the source code of the yardstick."""
    machine: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names that the user gave to the engines, by SPEC."""

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that were timed, without the yardstick."""
        names = dict.fromkeys(name for position in self.positions for name in position.rounds)
        return tuple(name for name in names if name != YARDSTICK)


def figures_of(speeds: Sequence[Speed], positions: Mapping[str, Position]) -> Figures:
    """Return the figures of a bench; `positions` has the position names of `speeds` as keys."""
    timed = tuple(
        _figures_of(name, position, [one for one in speeds if one.position == name])
        for name, position in positions.items()
    )
    specs = [EngineSpec(one.engine) for one in speeds]
    names: dict[str, str] = {spec: spec.name for spec in specs if spec.has_given_name}
    return Figures(timed, now(), generator=source_digest(), machine=machine(), names=names)


def _figures_of(name: str, position: Position, speeds: Sequence[Speed]) -> TimedPosition:
    rounds = {one.engine: one.rounds for one in speeds if one.verdict is Verdict.AGREE}
    return TimedPosition(name, position.fen(), position.chess960, speeds[0].depth, speeds[0].nodes, rounds)


def check_save_path(path: Path) -> None:
    """Raise UsageError if figures cannot be written to a path."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"--save {str(path)!r}: give a file in an existing folder")


def save(path: Path, figures: Figures) -> None:
    """Write figures to a file atomically. Raises UsageError."""
    text = json.dumps({"format": FORMAT, "kind": KIND, **asdict(figures)}, indent=1)
    try:
        write_atomically(path, f"{text}\n".encode())
    except OSError as error:
        raise UsageError(f"--save {str(path)!r}: {error.strerror}") from None


def load(path: Path) -> Figures | None:
    """Return the figures in a file, or None if it contains no JSON object or one of another type. Raises UsageError."""
    document = _document(path)
    if document is None or document.get("kind") != KIND:
        return None
    if document.get("format") != FORMAT:
        raise _refusal(
            path, f"its format is {document.get('format')!r}, but this perft-check reads {FORMAT}: save it again"
        )
    try:
        return _figures(document)
    except ValueError as error:  # raised by msgspec, or for an invalid FEN
        raise _refusal(path, f"the figures are damaged ({shorten(str(error), 100)}): save them again") from None


def _refusal(path: Path, why: str) -> UsageError:
    return UsageError(f"--compare {str(path)!r}: {why}")


def _document(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in a file, or None if it contains something else, such as a program."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST:
            return None
        with path.open("rb") as file:
            if file.read(1) != b"{":
                return None
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise _refusal(path, f"it cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):  # a path with a NUL, or text that is not JSON
        return None
    return document if isinstance(document, dict) else None


def _figures(document: Mapping[str, Any]) -> Figures:
    """Return the figures in a document. Texts are made printable because they are shown on terminals."""
    read = msgspec.convert(document, Figures)
    return replace(
        read,
        positions=tuple(map(_position, read.positions)),
        saved=_printable(read.saved),
        perft_check=_printable(read.perft_check),
        machine=_printable(read.machine),
        names={_printable(engine): shorten(_printable(name), MAX_NAME_LENGTH) for engine, name in read.names.items()},
    )


def _position(read: TimedPosition) -> TimedPosition:
    position = Position.from_fen(read.fen, read.chess960)
    rounds = {_printable(engine): speeds for engine, speeds in read.rounds.items()}
    return replace(read, name=_printable(read.name), fen=position.fen(), chess960=position.chess960, rounds=rounds)


def _printable(text: object) -> str:
    return UNPRINTABLE.sub(" ", str(text))
