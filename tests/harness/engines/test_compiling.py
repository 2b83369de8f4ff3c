"""Kernels that have to be compiled: which ones a command needs, and the notice."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.planted import make_plan
from helpers.program import COMPILING, run_in
from perft_check.generator.kernels.machine import jit
from perft_check.generator.position import Position
from perft_check.harness.engines.spec import KERNELS
from perft_check.harness.engines.types.own import OwnEngine, compile_notice, quickest
from perft_check.harness.fuzzing.processes.worker import kernels_for

KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")


def names(forms: list[jit.Specialization]) -> list[str]:
    return [form.kernel.__name__ for form in forms]


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit.Specialization, "is_ready", False)


@pytest.mark.usefixtures("nothing_compiled")
def test_the_notice_has_the_number_of_kernels_and_the_time() -> None:
    engine = OwnEngine("own:two-plies")
    assert compile_notice(engine.kernels(KIWIPETE, 5)) == "compiling a kernel for this machine (only once, about 6 s)"
    assert compile_notice(engine.kernels()) == "compiling 4 kernels for this machine (only once, about 8 s)"
    assert compile_notice([]) is None


@pytest.mark.usefixtures("nothing_compiled")
@pytest.mark.parametrize(
    ("depths", "chosen"),
    [((0, 1, 4, 5), "own"), ((6,), "own:turbo"), ((7, 9, 99, 10_000), "own:two-plies")],
)
def test_a_slower_kernel_is_used_if_compiling_would_take_longer(depths: tuple[int, ...], chosen: str) -> None:
    assert {quickest(depth) for depth in depths} == {chosen}


def test_the_fastest_kernel_is_used_if_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit.Specialization, "is_ready", True)
    assert {quickest(depth) for depth in range(10)} == {next(reversed(KERNELS))}


def test_the_kernels_that_a_command_needs() -> None:
    assert names(OwnEngine("own").kernels(Position.start(), 5)) == ["count_leaves_by_list"]
    always = {"board_after", "census", "count_leaves", "generate"}
    for engine, more in (("own", {"count_leaves_by_list"}), ("own:turbo", set()), ("python-chess", set())):
        assert set(names(list(kernels_for(make_plan(engine, ("python-chess",), examples=None))))) == always | more


@pytest.mark.parametrize(("examples", "draws"), [(1, False), (160, False), (161, True), (None, True)])
def test_a_fuzzing_run_compiles_its_kernels_first(examples: int | None, draws: bool) -> None:
    plan = replace(make_plan(f"uci:{sys.executable}", ("own:turbo",), examples), may_pipeline=True)
    assert set(names(list(kernels_for(plan)))) == {
        *["sample_block"] * draws,
        "board_after",
        "census",
        "count_leaves",
        "generate",
        "tally",
        "write_answers",
        "write_lines",
    }


@pytest.mark.parametrize(("examples", "is_brief"), [(160, True), (161, False)])
def test_a_brief_run_ends_with_the_careful_batches(examples: int, is_brief: bool) -> None:
    """With only eight careful batches of 20, nothing is generated in advance."""
    plan = replace(make_plan(f"uci:{sys.executable}", ("own:turbo",), examples), may_pipeline=True)
    assert plan.is_brief is is_brief
    swept = replace(plan, includes_sweep=True, strategies=())
    assert replace(swept, examples=len(swept.sweep) + examples).is_brief is is_brief


@pytest.mark.slow
def test_compiling_is_announced_in_one_line(tmp_path: Path) -> None:
    """`run_in` removes the notice from stderr, so that it must be empty."""
    done = run_in(tmp_path, "perft", "startpos", "5", "-e", "own", NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout == "4865609\n"
    assert len(done.stderr.splitlines()) == 1
    assert not COMPILING.search(done.stderr)


@pytest.mark.slow
def test_a_divide_compiles_the_kernels_that_count_and_list_moves(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    done = run_in(tmp_path, "divide", "startpos", "3", NUMBA_CACHE_DIR=str(cache))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "8902"), done
    kept = {file.name.split("-")[0].split(".")[-1] for file in cache.rglob("*.kernel")}
    assert kept == {"board_after", "count_leaves_by_list", "generate"}
