"""Differences of a soak are examined, reduced, reported and kept, until the user asks to stop."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.lines import line_from
from helpers.planted import Planted, examiner_of, make_plan
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.line import Line
from perft_check.generator.soaking import CHECKS, KernelDifference, SoakResult
from perft_check.generator.types.pieces import Color
from perft_check.generator.validation import FenError
from perft_check.harness.fuzzing import soaking
from perft_check.harness.fuzzing.campaign import NOWHERE, Store
from perft_check.harness.fuzzing.corpus import add_to_corpus
from perft_check.harness.fuzzing.model import Discrepancy, FuzzFinished
from perft_check.harness.model.results.verdict import ExitCode
from perft_check.harness.model.shutdown import Interrupt
from perft_check.reports.terminal.fuzz import render
from perft_check.suites.loader import load_suite
from rich.console import Console

PLACE = line_from("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").base
ONE, OTHER = list(CHECKS)[1:3]


class Kept(Store):
    """Remembers reduced finds."""

    def __init__(self) -> None:
        self.finds: list[tuple[Discrepancy, int]] = []

    def keep_reduced(self, reduced: Discrepancy, depth: int, found: Discrepancy | None) -> None:
        self.finds.append((reduced, depth))


def soaked(
    monkeypatch: pytest.MonkeyPatch,
    *differences: KernelDifference,
    interrupt: Interrupt | None = None,
    store: Store = NOWHERE,
    seconds: float | None = None,
) -> FuzzFinished:
    """Return the last event of a soak that has found these differences."""
    plan = replace(make_plan(), seconds=seconds)
    result = SoakResult(100, 1, 2000, 1, len(differences), differences, (0, 0))
    monkeypatch.setattr(soaking, "play", lambda *_context_and_shard: result)
    *_, last = soaking.soak_kernels(plan, 100, interrupt or Interrupt(), store)
    assert isinstance(last, FuzzFinished)
    return last


def test_differences_are_reduced_to_one_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are reduced to two kings, and two checks of the soak with one cause are one find."""
    monkeypatch.setattr(soaking, "build_examiner", lambda _: examiner_of(Planted({"anywhere": lambda _: True})))
    kept = Kept()
    differences = [KernelDifference(PLACE, ONE), KernelDifference(PLACE, ONE), KernelDifference(PLACE, OTHER)]
    finished = soaked(monkeypatch, *differences, store=kept)
    (find,) = finished.finds
    assert (find.pieces, find.pieces_before, find.times, find.comes_again) == (2, 32, 2, True)
    assert kept.finds == [(find.discrepancy, 1)]
    assert finished.exit_code is ExitCode.MISMATCH


def test_a_difference_that_no_check_sees_is_reported_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    (find,) = soaked(monkeypatch, KernelDifference(PLACE, ONE)).finds
    assert (find.discrepancy.check, find.pieces, find.comes_again) == (ONE, 32, False)
    assert find.discrepancy.message == f"{ONE}: {CHECKS[ONE]}"


@pytest.mark.parametrize(
    ("seconds", "exit_code", "pieces"),
    [(None, ExitCode.INTERRUPTED, [32, 32]), (1.0, ExitCode.MISMATCH, [2, 32])],
    ids=["Ctrl-C", "the end of the time"],
)
def test_a_reduction_is_ended(
    monkeypatch: pytest.MonkeyPatch, seconds: float | None, exit_code: ExitCode, pieces: list[int]
) -> None:
    """Nothing more is examined, and the examiner is closed. What the time was enough for is reported."""
    interrupt, closed = Interrupt(), []

    def stops(_line: Line) -> bool:
        if check.asked == 4:  # one examination finds it, the others are part of the reduction
            interrupt.requested = seconds is None
            deadline = time.monotonic() + PATIENCE
            while not examiner.caller.stopped and time.monotonic() < deadline:
                time.sleep(0.001)
        return True

    check = Planted({"one": stops, "other": lambda _: True})
    examiner = examiner_of(check)
    monkeypatch.setattr(soaking, "build_examiner", lambda _: examiner)
    monkeypatch.setattr(examiner, "close", lambda: closed.append(True))
    finished = soaked(monkeypatch, KernelDifference(PLACE, ONE), interrupt=interrupt, seconds=seconds)
    assert finished.exit_code is exit_code
    assert examiner.caller.stopped
    assert check.asked == 4
    assert closed == [True]
    assert [find.pieces for find in finished.finds] == pieces
    assert all(find.comes_again for find in finished.finds)
    assert finished.finds[1].discrepancy == finished.finds[1].first.discrepancy


def test_a_position_without_a_fen_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A board that a broken kernel has made cannot be examined, reduced or kept; other finds can."""
    (_, *white), black = line_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1").base.pieces
    broken = Position(((1, *white), black), Color.WHITE, 0, None)  # a pawn on a1
    with pytest.raises(FenError):
        Position.from_fen(broken.fen())
    corpus = tmp_path / "c.epd"

    kept = Kept()
    finished = soaked(monkeypatch, KernelDifference(broken, "board"), KernelDifference(PLACE, ONE), store=kept)
    for find, depth in kept.finds:
        add_to_corpus(corpus, find, depth)
    assert sorted(find.discrepancy.check for find in finished.finds) == sorted(["board", ONE])
    assert finished.exit_code is ExitCode.MISMATCH
    assert [case.position for case in load_suite(corpus)] == [PLACE]
    console = Console(width=100)
    with console.capture() as shown:
        console.print(render(finished))
    assert f"board: {CHECKS['board']}" in shown.get()
