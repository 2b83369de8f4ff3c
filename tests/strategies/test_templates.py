"""Each template builds its event, for both colors."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from perft_check.generator import Color, Position
from perft_check.generator.events import IMPOSSIBLE_EVENTS, Event, events_of
from perft_check.strategies import templates
from perft_check.strategies.common import smallest_positions
from perft_check.strategies.templates import TEMPLATES, building


def test_each_event_has_a_template_and_a_smallest_position() -> None:
    assert set(TEMPLATES) == set(Event)
    for event in Event:
        assert event in events_of(smallest_positions()[event.label]), event.name


@pytest.mark.parametrize("event", Event, ids=lambda event: event.label)
def test_template_builds_its_event_for_both_colors(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    fallen_back = []

    def fall_back() -> Mapping[str, Position]:
        fallen_back.append(1)
        return smallest_positions()

    monkeypatch.setattr(building, "smallest_positions", fall_back)
    turns, placements = set(), set()

    @seed(1)
    @settings(
        max_examples=40, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(templates(event, impossible=event in IMPOSSIBLE_EVENTS))
    def build(position: Position) -> None:
        assert event in events_of(position)
        turns.add(position.turn)
        placements.add(position.pieces)

    build()
    assert turns == set(Color)
    assert len(placements) > 10
    assert len(fallen_back) < 20


def test_events_are_found_by_name_and_label() -> None:
    for name in ("EP_LEGAL", "ep-legal"):
        assert building.event_named(name) is Event.EP_LEGAL
    with pytest.raises(ValueError, match="no rare event"):
        templates("castling-twice")


def test_impossible_events_must_be_requested() -> None:
    for event in IMPOSSIBLE_EVENTS:
        with pytest.raises(ValueError, match="impossible"):
            templates(event)
