"""Animated walks of techniques, which are static if the user prefers reduced motion."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.browsers import PageOpener

WALKS = sorted((Path(__file__).parents[3] / "docs" / "pictures").glob("technique-*.svg"))
SEEN = """() => Object.fromEntries(['.a', '.then', '.now', '.end'].map((kind) => [kind,
    [...document.querySelectorAll(kind)].filter((one) => getComputedStyle(one).opacity === '1').length]))"""
AT = "(share) => document.getAnimations().forEach((one) => { one.pause();"
AT += " one.currentTime = share * one.effect.getTiming().duration; })"


@pytest.mark.parametrize("path", WALKS, ids=lambda path: path.stem)
def test_a_walk_moves_and_can_stand_still(opened: PageOpener, path: Path) -> None:
    page = opened(path)
    steps = page.locator(".a").count()
    assert steps > 10
    page.evaluate(AT, 0.5 / (steps + 4))
    assert page.evaluate(SEEN) == {".a": 1, ".then": 1, ".now": 1, ".end": 0}
    page.evaluate(AT, 2.5 / (steps + 4))
    assert page.evaluate(SEEN) == {".a": 3, ".then": 1, ".now": 1, ".end": 0}
    page.evaluate(AT, (steps + 1) / (steps + 4))
    assert page.evaluate(SEEN) == {".a": steps, ".then": 0, ".now": 0, ".end": 1}
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate(SEEN) == {".a": steps, ".then": 0, ".now": 0, ".end": 1}
    page.emulate_media(reduced_motion="no-preference")
