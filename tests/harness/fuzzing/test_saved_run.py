"""The document that keeps a run: it comes back as it was, and any other one is refused in one line."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from helpers.planted import make_plan
from perft_check.generator import Position
from perft_check.generator.drawing.drawer import Drawer
from perft_check.generator.events import Event
from perft_check.harness.fuzzing.batch import BatchResult
from perft_check.harness.fuzzing.saved_run import (
    Foreign,
    FuzzState,
    KeptFind,
    beginning,
    read,
    settings_of,
    write_state,
)

OTHERS = {"chess960": True, "bases": [], "pairs_met": []}
PLAN = replace(make_plan("lib:./mine.so", ("own:turbo",)), may_ask_ahead=True, variants=(False, True), strategies=())
KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def made(seed: int = 1) -> FuzzState:
    """Return the state of a run that has drawn some positions of each variant."""
    state = beginning(PLAN)
    drawers = {
        chess960: Drawer([Position.from_fen(KINGS, chess960)], 1, chess960=chess960, before=before)
        for chess960, before in state.experiences.items()
    }
    for drawer in drawers.values():
        drawer.draw(200)
    counts = BatchResult(0)
    counts.strategies = Counter({"asked ahead": 200, "asked ahead (Chess960)": 200})
    counts.labels = Counter({"looks reachable": 7})
    counts.events = Counter({Event.MATE.value: 3, Event.EP_LEGAL.value: 10**12})
    return FuzzState(
        seed,
        12,
        counts,
        {one: before.with_learned(drawers[one].collect_learned()) for one, before in state.experiences.items()},
        (KeptFind(KINGS, 2), KeptFind(f"chess960 {KINGS} moves e1e2", 1)),
    )


STATE = made()
DOCUMENT = write_state(STATE, settings_of(PLAN))


def test_a_state_comes_back_as_it_was() -> None:
    state, settings = read(DOCUMENT)
    assert settings == settings_of(PLAN)
    assert (state.seed, state.next_batch, state.finds) == (1, 12, STATE.finds)
    assert state.counts == STATE.counts
    assert list(state.experiences) == [False, True]
    for one, before in STATE.experiences.items():
        for name in ("states", "pairs_of", "visits", "met"):
            assert (getattr(state.experiences[one], name) == getattr(before, name)).all()
    assert write_state(state, settings) == DOCUMENT


def test_a_seed_may_be_of_any_size() -> None:
    assert read(write_state(replace(STATE, seed=10**30), settings_of(PLAN)))[0].seed == 10**30


def test_settings_may_be_any_text() -> None:
    settings = settings_of(replace(PLAN, engine="./m\udcffine\n\x1b[31m"))
    assert read(write_state(STATE, settings))[1] == settings


def test_every_cut_and_every_changed_byte_is_noticed() -> None:
    step = len(DOCUMENT) // 50
    for place in range(0, len(DOCUMENT) - 1, step):
        for damaged in (DOCUMENT[:place], DOCUMENT[:place] + b"~" + DOCUMENT[place + 1 :]):
            with pytest.raises(Foreign):
                read(damaged)


def refused(data: bytes) -> str:
    with pytest.raises(Foreign) as caught:
        read(data)
    return str(caught.value)


def test_what_is_no_document() -> None:
    for data in (b"", b"\n", b"\0" * 100, b"[" * 100_000, b"[]\n{}", b"{}\n{}", b'{"format": 7}', b"\xff\n\xff"):
        assert refused(data) == "does not keep a run"


def test_another_version() -> None:
    later = DOCUMENT.replace(b'"version": 1', b'"version": 2', 1)
    assert refused(later) == "was kept by another version of perft-check, in version 2 of its format"


def forged(**fields: Any) -> bytes:
    """Return a document with other fields, and the right digest."""
    head, body = DOCUMENT.splitlines()
    changed = json.dumps({**json.loads(body), **fields}).encode()
    return json.dumps({**json.loads(head), "sha256": hashlib.sha256(changed).hexdigest()}).encode() + b"\n" + changed


BASE = [KINGS, 0]


@pytest.mark.parametrize(
    "fields",
    [
        {"seed": -1},
        {"seed": "1"},
        {"next_batch": 1.5},
        {"next_batch": 1 << 63},
        {"strategies": {"\x1b[31m": 1}},
        {"strategies": {"walks": -1}},
        {"strategies": []},
        {"events": {"no-such-event": 1}},
        {"event_numbers": {"no-such-event": 1}},
        {"finds": [["8/8/8/8/8/8/8/8 w - - 0 1", 1]]},
        {"finds": [[KINGS]]},
        {"finds": [[7, 1]]},
        {"settings": 7},
        {"drawn": None},
        {"drawn": []},
        {"drawn": [{"chess960": 1, "bases": [], "pairs_met": []}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [["8/8/8/8/8/8/8/8 w - - 0 1", 0]], "pairs_met": []}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [[*BASE, 0]], "pairs_met": []}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [[*BASE, 0, 500]], "pairs_met": []}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [[KINGS, -1]], "pairs_met": []}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [BASE] * 40_000, "pairs_met": []}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [], "pairs_met": [[0, 1]]}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [], "pairs_met": [[0, 1, 1 << 70]]}, OTHERS]},
        {"drawn": [{"chess960": False, "bases": [], "pairs_met": [[0, -1, 1]]}, OTHERS]},
    ],
    ids=str,
)
def test_what_no_run_has_kept(fields: dict[str, Any]) -> None:
    assert refused(forged(**fields)) == "is damaged: it has what no run has kept"


def test_the_numbers_of_events_may_be_others() -> None:
    """Two events change their numbers: what was met stays with their names."""
    _, body = DOCUMENT.splitlines()
    fields = json.loads(body)
    one, two = "ep-legal", "mate"
    numbers = fields["event_numbers"]
    numbers[one], numbers[two] = numbers[two], numbers[one]
    before, after = STATE.experiences[False].met, read(forged(event_numbers=numbers))[0].experiences[False].met
    assert after[Event.MATE, Event.MATE] == before[Event.EP_LEGAL, Event.EP_LEGAL] > 0
    assert after[Event.EP_LEGAL, Event.EP_LEGAL] == before[Event.MATE, Event.MATE]
    assert after.sum() == before.sum()
