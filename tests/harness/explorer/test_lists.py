"""Move lists by GenType are compared under the engine's convention, so that correct engines are not accused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from fakes import lists
from helpers.explorers import Driver, explore
from perft_check.harness.trees.jobs import ComparedList

PROMOTES = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
"""A position with promotions by push and by capture, for which generators have different conventions."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["by_capture", "by_square", "classic"])
def test_a_correct_generator_is_not_accused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Each convention lists promotions differently."""
    shutil.copy(str(lists.__file__), tmp_path / "lists.py")
    monkeypatch.chdir(tmp_path)
    seen: list[str] = []

    async def drive(at: Driver) -> None:
        await at.press("2")
        for _ in range(5):
            await at.press("g")
            seen.append(at.words)

    app = explore(drive, [f"python:lists:{name}", "own:turbo"], PROMOTES, depth=1)
    assert any("CAPTURES: " in words and " has " in words for words in seen)
    compared = [answer for answer in app.view.lists.values() if isinstance(answer, ComparedList)]
    assert len(compared) >= 4
    assert all(answer.wrong == () for answer in compared)


@pytest.mark.slow
def test_a_wrong_list_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator lists en passant with quiet moves instead of captures."""
    shutil.copy(str(lists.__file__), tmp_path / "lists.py")
    monkeypatch.chdir(tmp_path)

    async def drive(at: Driver) -> None:
        await at.press("2", "g")
        assert "-e5d6 exd6" in " ".join(at.words.split()), at.words

    explore(drive, ["python:lists:quiet_en_passant", "own:turbo"], "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", depth=1)
