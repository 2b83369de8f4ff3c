"""What a command says and does where kernels are not compiled yet: one bar, or one line."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.planted import make_plan
from helpers.program import COMPILING, run_in
from helpers.screens import Screen
from perft_check.generator.counting.counter import Counter
from perft_check.generator.kernels.machine import preparing
from perft_check.generator.position import Position
from perft_check.harness.engines.kinds import own
from perft_check.harness.engines.kinds.own import OwnEngine, compile_notice, quickest
from perft_check.harness.fuzzing.needed_kernels import kernels_for

KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")


def names(forms: list[preparing.KernelForm]) -> list[str]:
    return [form.kernel.__name__ for form in forms]


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing.KernelForm, "is_ready", False)
    monkeypatch.setattr(Counter, "waits_for_compiler", True)


@pytest.mark.usefixtures("nothing_compiled")
def test_the_line_says_how_many_and_how_long() -> None:
    engine = OwnEngine("own:two-plies")
    assert compile_notice(engine.forms(KIWIPETE, 5)) == "compiling a kernel for this machine, once: about 6 s"
    assert compile_notice(engine.forms()) == "compiling 4 kernels for this machine, once: about 8 s"
    assert compile_notice([]) is None


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize(
    ("position", "depth", "chosen"),
    [
        (Position.start(), 4, "own:two-plies"),
        (Position.start(), 5, "own"),
        (Position.start(), 6, "own:turbo"),
        (Position.start(), 9, "own:two-plies"),
        (KIWIPETE, 99, "own:two-plies"),
    ],
)
def test_the_quickest_counts_while_the_fastest_is_not_compiled(position: Position, depth: int, chosen: str) -> None:
    assert quickest(position, depth) == chosen


def test_the_fastest_counts_once_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counter, "waits_for_compiler", False)
    assert {quickest(Position.start(), depth) for depth in range(10)} == {next(reversed(own.KERNELS))}


def test_what_a_command_needs() -> None:
    assert names(OwnEngine("own").forms(Position.start(), 5)) == ["count_leaves_by_list"]
    assert set(names(list(kernels_for(make_plan("own:turbo", ("python-chess",), examples=None))))) == {
        "accept_all",
        "board_after",
        "census",
        "count_leaves",
        "count_leaves_by_list",
        "count_leaves_by_two",
        "generate",
    }


@pytest.mark.parametrize(("examples", "number"), [(160, 1), (161, 9), (None, 9)])
def test_a_brief_run_waits_for_what_counts_alone(examples: int | None, number: int) -> None:
    """With eight careful batches of 20 it has drawn nothing ahead."""
    plan = replace(make_plan(f"uci:{sys.executable}", ("own:turbo",), examples), may_ask_ahead=True)
    needed = dict.fromkeys(names(list(kernels_for(plan))))
    assert len(needed) == number
    assert ("draw_block" in needed) is (number > 1)
    assert "count_leaves" in needed
    swept = replace(plan, sweeps=True, strategies=())
    assert replace(swept, examples=len(swept.sweep) + 160).is_brief
    assert not replace(swept, examples=len(swept.sweep) + 161).is_brief


@pytest.mark.slow
def test_small_questions_wait_for_no_compiler(tmp_path: Path) -> None:
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPROFILEIMPORTTIME": "1"}
    for arguments in (["perft", "startpos", "4"], ["divide", "startpos", "3"], ["moves", "startpos"]):
        done = run_in(tmp_path, *arguments, **cache)
        assert done.returncode == 0
        assert "| numba\n" not in done.stderr, arguments
    assert not list((tmp_path / "cache").rglob("*.kernel"))


@pytest.mark.slow
def test_one_bar_for_all_that_a_command_needs(tmp_path: Path) -> None:
    with Screen(["run", "--quick", "--max-depth", "5"], tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache")) as screen:
        assert screen.shows("compiling kernels, once: 1 of 4, count_leaves_by_list")
        assert screen.shows("compiling kernels, once: 3 of 4, generate")
        assert screen.shows(" positions agree")
        assert "compiling" not in screen.text


@pytest.mark.slow
def test_a_pipe_has_one_line(tmp_path: Path) -> None:
    """The line is left out of what `run_in` returns, so that nothing else is there."""
    done = run_in(tmp_path, "perft", "startpos", "5", "-e", "own", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout == "4865609\n"
    assert len(done.stderr.splitlines()) == 1
    assert not COMPILING.search(done.stderr)
