"""The strategy that draws an event, builds a position with its template, and verifies the result."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ...generator.events import IMPOSSIBLE_EVENTS, Event, events_of
from ...generator.position import Position
from ..common import COUNTERS, DrawFunction, accept_position, below, choose, smallest_positions, when_ready
from ..mutations import mutate_position
from ..position_builder import TURNED, NoRoom, PositionBuilder, Template
from . import castling, checks, chess960, en_passant, endings, pawns, pins

TEMPLATES: dict[Event, Template] = (
    en_passant.TEMPLATES
    | pawns.PROMOTIONS
    | castling.TEMPLATES
    | checks.TEMPLATES
    | pins.TEMPLATES
    | pawns.TEMPLATES
    | endings.TEMPLATES
    | chess960.TEMPLATES
)
"""The template of each event."""

_ATTEMPTS = 4
_BYSTANDERS = st.lists(below(64 * 10), max_size=8)


def templates(
    event: Event | str | None = None, *, chess960: bool | None = None, impossible: bool = False
) -> SearchStrategy[Position]:
    """Generate positions that have a rare event, given as `Event`, name or label; if None, the event is drawn.

    Either side may be to move, and up to eight other pieces are on the board. If no event is given, `chess960` selects
    the events of standard chess (False) or those exclusive to Chess960 (True). Raises ValueError for an unknown event
    and, unless `impossible`, for an event that occurs only in impossible positions.
    """
    if event is None:
        events = [e for e in TEMPLATES if (impossible or e not in IMPOSSIBLE_EVENTS) and chess960 in (None, e.chess960)]
        return when_ready(_templates(tuple(events), impossible))
    known = event if isinstance(event, Event) else event_named(event)
    if known in IMPOSSIBLE_EVENTS and not impossible:
        raise ValueError(f"{known.label} occurs only in impossible positions: add impossible=True")
    return when_ready(_templates((known,), impossible))


def event_named(name: str) -> Event:
    """Return the event with a name or label, such as "EP_LEGAL" or "ep-legal". Raises ValueError if there is none."""
    label = name.lower().replace("_", "-")
    for event in Event:
        if event.label == label:
            return event
    raise ValueError(f"no rare event named {name!r}")


@st.composite
def _templates(draw: DrawFunction, events: tuple[Event, ...], impossible: bool) -> Position:
    event = choose(draw, events)
    flags, counters = draw(TURNED), draw(COUNTERS)
    for _ in range(_ATTEMPTS):
        position = attempt(draw, event, flags, counters, impossible)
        if position is not None:
            return position
    return _near_smallest(draw, event, impossible)


def attempt(
    draw: DrawFunction, event: Event, flags: int, counters: tuple[int, int], impossible: bool = False
) -> Position | None:
    """Return a position with the event, and other pieces if they preserve it, or None if the attempt fails."""
    builder = PositionBuilder(draw, event.chess960)
    try:
        TEMPLATES[event](builder)
        builder.complete()
    except NoRoom:
        return None
    bare = accept_position(builder.position(flags, counters), impossible)
    if bare is None or event not in events_of(bare):
        return None
    builder.crowd(draw(_BYSTANDERS))
    crowded = accept_position(builder.position(flags, counters), impossible)
    return crowded if crowded is not None and event in events_of(crowded) else bare


def _near_smallest(draw: DrawFunction, event: Event, impossible: bool) -> Position:
    """Return the smallest known position of the event, changed if it still has the event."""
    smallest = smallest_positions()[event.label]
    changed = mutate_position(draw, smallest, 1, impossible)
    return changed if event in events_of(changed) else smallest
