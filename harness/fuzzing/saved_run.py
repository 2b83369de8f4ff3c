"""What is kept of a run, so that another one can go on from there, and the file beside the corpus that keeps it.

The file is locked, read and checked at the beginning, then written again. It has two lines of JSON, of which the first
has the format and the digest of the second.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from filelock import Timeout

from ...atomic import write_atomically
from ...errors import Complaint, UsageError, shorten
from ...generator.drawing.experience import MOST_BASES, Experience, experience_of
from ...generator.events import Event
from ...generator.fens import states_of, write_states
from ...generator.kernels.drawing.schedule import MOST_EVENTS, NO_PAIR
from ...generator.position import Position
from ..asking.histories import read_row, write_line
from ..model.locks import locked
from .batch import BatchResult
from .drawn_ahead import known_bases_of
from .model import Hit
from .plan import FuzzPlan

MOST_FINDS = 1000
"""So many finds are kept to be examined again, the first ones. All are in the corpus."""


@dataclass(frozen=True)
class KeptFind:
    """A line that has shown a fault of the engine."""

    line: str
    """As histories have it."""
    depth: int
    """The depth at which the line was examined."""

    @classmethod
    def of(cls, hit: Hit, depth: int) -> KeptFind:
        """Return a hit of a run with this depth."""
        return cls(write_line(hit.discrepancy.line), max(depth, hit.depth))


@dataclass(frozen=True)
class FuzzState:
    """A run, or several that went on from each other."""

    seed: int
    next_batch: int = 0
    """The number of the first batch that was not begun. Those before are never drawn again."""
    counts: BatchResult = field(default_factory=lambda: BatchResult(0))
    """How many positions were examined, and how often which events were met; hits are left out."""
    experiences: Mapping[bool, Experience] = field(default_factory=dict)
    """What drawers have learned, by whether it is about Chess960; nothing where the engine is not asked ahead."""
    finds: tuple[KeptFind, ...] = ()


def beginning(plan: FuzzPlan) -> FuzzState:
    """Return the state of a run that has not begun."""
    variants = plan.variants if plan.may_ask_ahead else ()
    return FuzzState(
        plan.seed,
        experiences={chess960: experience_of(states_of(known_bases_of(plan, chess960))) for chess960 in variants},
    )


FORMAT, VERSION = "a run of perft-check fuzz", 1
MOST_TIMES = 1 << 63
"""No count is as large."""

Fields = dict[str, Any]


class Foreign(Complaint):
    """A document cannot be read; the message is a clause about the file."""


def settings_of(plan: FuzzPlan) -> Fields:
    """Return what has to be the same when a run goes on, by the names of the options."""
    return {
        "engine": plan.engine,
        "against": list(plan.references),
        "strategy": list(plan.strategies),
        "gentype": [gentype.name.lower() for gentype in plan.gentypes],
        "chess960": list(plan.variants),
        "depth": plan.depth,
        "impossible": plan.impossible,
        "ignore": ["clocks"] * plan.ignore_clocks,
        "convention": dict(plan.convention),
        "self-consistency": plan.self_consistency,
        "careful": not plan.may_ask_ahead,
    }


def write_state(state: FuzzState, settings: Fields) -> bytes:
    """Return the document of a state."""
    body = json.dumps({"settings": settings, **_fields(state)}).encode()
    head = {"format": FORMAT, "version": VERSION, "sha256": hashlib.sha256(body).hexdigest()}
    return json.dumps(head).encode() + b"\n" + body + b"\n"


def read(data: bytes) -> tuple[FuzzState, Fields]:
    """Return the state of a document, and its settings. Raises Foreign."""
    first, _, body = data.partition(b"\n")
    head = _head(first)
    if head.get("version") != VERSION:
        raise Foreign(f"was kept by another version of perft-check, in version {head.get('version')!r} of its format")
    body = body.removesuffix(b"\n")
    if head.get("sha256") != hashlib.sha256(body).hexdigest():
        raise Foreign("is damaged: its digest is another one")
    try:
        fields = json.loads(body)
        settings = dict(fields["settings"])
        return _state(fields, [] if settings["careful"] else settings["chess960"]), settings
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError, Complaint):
        raise Foreign("is damaged: it has what no run has kept") from None


def _head(line: bytes) -> Fields:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise Foreign("does not keep a run")
    return head


def _fields(state: FuzzState) -> Fields:
    counts = state.counts
    return {
        "seed": state.seed,
        "next_batch": state.next_batch,
        "strategies": counts.strategies,
        "labels": counts.labels,
        "events": {Event(event).label: times for event, times in counts.events.items()},
        "finds": [[find.line, find.depth] for find in state.finds],
        "event_numbers": {event.label: event.value for event in Event},  # those of another version may differ
        "drawn": [_experience_fields(experience, chess960) for chess960, experience in state.experiences.items()],
    }


def _state(fields: Fields, variants: Sequence[bool]) -> FuzzState:
    """Return the state that has drawn positions of these variants; each is True for Chess960."""
    counts = BatchResult(0)
    numbers = {event.label: event.value for event in Event}
    counts.strategies.update(_times(fields["strategies"]))
    counts.labels.update(_times(fields["labels"]))
    counts.events.update({numbers[name]: times for name, times in _times(fields["events"]).items()})
    events = {number: numbers[name] for name, number in fields["event_numbers"].items()}
    experiences = {_bool(drawn["chess960"]): _experience(drawn, events) for drawn in fields["drawn"]}
    if list(experiences) != list(variants):
        raise ValueError("drawn positions of other variants")
    finds = tuple(_find(*row) for row in fields["finds"])
    return FuzzState(_count(fields["seed"], inf), _count(fields["next_batch"]), counts, experiences, finds)


def _experience_fields(experience: Experience, chess960: bool) -> Fields:
    fens = write_states(experience.states).decode("ascii").splitlines()
    rows = zip(fens, experience.visits.tolist(), experience.pairs_of.tolist(), strict=True)
    places = np.nonzero(experience.met)
    met = zip(*(each.tolist() for each in (*places, experience.met[places])), strict=True)
    return {
        "chess960": chess960,
        "bases": [[fen, visits, *_pair(pair)] for fen, visits, pair in rows],
        "pairs_met": [list(row) for row in met],
    }


def _pair(pair: int) -> tuple[int, ...]:
    return () if pair == int(NO_PAIR) else divmod(pair, MOST_EVENTS)


def _experience(fields: Fields, events: Mapping[int, int]) -> Experience:
    """Return an experience; `events` are our numbers of the events by those of the document."""
    rows, chess960 = fields["bases"], fields["chess960"]
    if len(rows) > MOST_BASES:
        raise ValueError("too many bases")
    experience = experience_of(states_of([Position.from_fen(row[0], chess960) for row in rows]))
    for number, (_, visits, *pair) in enumerate(rows):
        experience.visits[number] = _count(visits)
        if pair:
            high, low = _pair_of(pair, events)
            experience.pairs_of[number] = high * MOST_EVENTS + low
    for *pair, times in fields["pairs_met"]:
        experience.met[_pair_of(pair, events)] = _count(times)
    return experience


def _pair_of(pair: Sequence[int], events: Mapping[int, int]) -> tuple[int, int]:
    """Return the higher number and the lower one."""
    first, second = (events[number] for number in pair)
    return max(first, second), min(first, second)


def _find(line: str, depth: int) -> KeptFind:
    read_row(line)
    return KeptFind(line, _count(depth))


def _times(counts: Mapping[str, int]) -> Counter[str]:
    if not all(name.isprintable() and name.isascii() for name in counts):
        raise ValueError("no name of ours")  # reports show it
    return Counter({name: _count(times) for name, times in counts.items()})


def _count(number: object, most: float = MOST_TIMES) -> int:
    if type(number) is not int or not 0 <= number < most:
        raise ValueError("no count")
    return number


def _bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value


ENDING = ".resume"
LOCK_SECONDS = 10.0
"""How long the processes of a run that was killed may take to end."""
LARGEST = 256 << 20
"""Bytes of a file that are read; a run keeps a few megabytes at most."""
_LONGEST_VALUE = 80
"""Characters of a setting in a message."""


def place_beside(corpus: Path) -> Path:
    """Return the file that keeps the runs of a corpus."""
    real = Path(os.path.realpath(corpus))
    return real.with_name(real.name + ENDING)


class Keeping:
    """The file of a run that is under way."""

    def __init__(self, path: Path, plan: FuzzPlan, before: FuzzState) -> None:
        self.path, self.before = path, before
        self._settings = settings_of(plan)

    def write(self, state: FuzzState) -> None:
        """Replace what is kept. Raises UsageError; what was there then stays."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)  # an engine may have deleted it
            write_atomically(self.path, write_state(state, self._settings))
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from None


@contextmanager
def keep_beside(corpus: Path, plan: FuzzPlan, seed: int | None) -> Iterator[Keeping]:
    """Yield the file of a run, which nobody else can go on from as long as the block lasts.

    `seed` is the one that the user has given. Raises UsageError where another run has the file, and where it cannot
    be read or written or is of other settings.
    """
    path = place_beside(corpus)
    with ExitStack() as holding:
        try:
            holding.enter_context(locked(path.with_name(f".{path.name}.lock"), LOCK_SECONDS))
        except Timeout:
            raise UsageError(
                f"--resume: another run goes on from {path}: wait until it ends, or give another --corpus"
            ) from None
        except OSError as error:
            raise UsageError(f"cannot lock {path}: {error.strerror}") from None
        keeping = Keeping(path, plan, _before(path, plan, seed))
        keeping.write(keeping.before)
        yield keeping


def _before(path: Path, plan: FuzzPlan, seed: int | None) -> FuzzState:
    """Return what is kept, or the beginning of a run where there is nothing."""
    data = _bytes(path)
    if data is None:
        return beginning(plan)
    try:
        state, settings = read(data)
    except Foreign as objection:
        raise UsageError(
            f"--resume: {path} {objection}; move it away to begin anew, or give another --corpus"
        ) from None
    given = {**settings_of(plan), "seed": state.seed if seed is None else seed}
    _check_same(path, {**settings, "seed": state.seed}, given)
    return state


def _bytes(path: Path) -> bytes | None:
    """Return what a file has, None where there is none."""
    try:
        if path.exists() and (not path.is_file() or path.stat().st_size > LARGEST):
            raise UsageError(f"--resume: {path} keeps no run: give another --corpus")
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _check_same(path: Path, before: Fields, given: Fields) -> None:
    """Check that a run goes on with the settings that it had. Raises UsageError."""
    for name, value in given.items():
        if before.get(name) != value:
            theirs, ours = (shorten(ascii(one), _LONGEST_VALUE) for one in (before.get(name), value))
            raise UsageError(
                f"--resume: {path} is of a run with {name} {theirs}, not {ours}: "
                "give the settings of that run, or another --corpus"
            )
