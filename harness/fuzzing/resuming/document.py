"""The document that keeps a run: two lines of JSON, of which the first has the format and the digest of the second."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np

from ....errors import Complaint
from ....generator.drawing.experience import MOST_BASES, Experience, experience_of
from ....generator.events import Event
from ....generator.fens import write_states
from ....generator.kernels.drawing.schedule import MOST_EVENTS, NO_PAIR
from ....generator.position import Position
from ....generator.states import states_of
from ...asking.histories import read_row
from ..batch import BatchResult
from ..plan import FuzzPlan
from .state import FuzzState, KeptFind

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
