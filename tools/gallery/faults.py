"""Choose the faults to name for each event: those that show in few positions of the gallery."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pages.exhibits import shown_by
from perft_check.generator import Position
from perft_check.generator.events import Event
from perft_check.harness.zoo.catalogue import ZOO

SPECIAL, COMMON = 8, 16
"""A fault that shows in more than `SPECIAL` positions is named only where no rarer fault shows.

One that shows in more than `COMMON` positions is not named.
"""
MOST = 3
ABOUT = {Event.K_ADJ_KING_ONLY: "king-beside-king", Event.MATE: "king-beside-king"}
"""Faults to name for an event although they show in many other positions."""


def faults_of(positions: Mapping[Event, Position]) -> dict[Event, list[str]]:
    """Return the names of the faults that are mentioned for each event."""
    served = [one for one in ZOO.values() if one.effect not in (None, "crash", "hang")]
    showing = {event: [one.name for one in served if shown_by(one, position)] for event, position in positions.items()}
    times = Counter(name for names in showing.values() for name in names)
    named = {event: _choose(names, times) for event, names in showing.items()}
    return named | {event: [fault] for event, fault in ABOUT.items() if not named.get(event)}


def _choose(names: list[str], times: Counter[str]) -> list[str]:
    by_rarity = sorted(names, key=lambda name: times[name])
    special = [name for name in by_rarity if times[name] <= SPECIAL]
    return (special or [name for name in by_rarity if times[name] <= COMMON])[:MOST]
