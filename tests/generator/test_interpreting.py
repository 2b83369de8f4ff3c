"""Kernels that are not compiled run as plain Python for a moment, and are compiled once that takes long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from perft_check.generator import Position, perft
from perft_check.generator.counting import counter
from perft_check.generator.counting.counter import Counter
from perft_check.generator.kernels.machine import execution_mode, folders, jit
from perft_check.generator.kernels.machine.jit import Kernel, brief_kernel, interpreting, kernel
from perft_check.generator.kernels.machine.preparing import KernelForm, Preparation, forms_of
from perft_check.generator.kernels.sliders.lookup import MagicTables, PextTables, Tables

TWENTY_ONE = np.uint64(21)
KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")


@pytest.fixture(autouse=True)
def _empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is compiled yet, on the disk and in this process."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(execution_mode, "_left", set())
    folders.cache_folder.cache_clear()
    for one in counter.COUNTING.values():
        monkeypatch.setattr(one, "_codes", {})
        monkeypatch.setattr(one, "_interpreted", 0.0)
    monkeypatch.setattr(counter, "_READY", set())
    yield
    folders.cache_folder.cache_clear()


def double(tables: Tables) -> np.uint64:
    return tables.base + tables.base


def kernel_that_calls() -> tuple[Any, Any]:
    """Return a kernel and another one that calls it."""
    inner: Any = kernel(double)

    def outer(tables: Tables) -> np.uint64:
        return np.uint64(inner(tables) + np.uint64(1))

    return inner, kernel(outer)


def test_a_kernel_is_compiled_at_its_first_call() -> None:
    one: Any = kernel(double)
    assert one(PextTables(TWENTY_ONE)) == 42
    assert one.compiled == ["PextTables(1)"]


def test_little_work_is_done_in_python_with_the_same_types() -> None:
    inner, outer = kernel_that_calls()
    with interpreting():
        answer = outer(PextTables(TWENTY_ONE))
    assert (answer, type(answer)) == (43, np.uint64)
    assert (inner.compiled, outer.compiled) == ([], [])


def test_sums_wrap_around_in_python_as_in_machine_code() -> None:
    one: Any = kernel(double)
    with interpreting():
        assert one(PextTables(np.uint64(2**63 + 1))) == 2


def test_what_is_compiled_is_used() -> None:
    one: Any = kernel(double)
    one(MagicTables(TWENTY_ONE))
    with interpreting():
        assert one(MagicTables(TWENTY_ONE)) == 42
    assert one._interpreted == 0


def test_a_kernel_that_has_run_long_in_python_is_compiled() -> None:
    one: Any = brief_kernel(double)
    assert one(PextTables(TWENTY_ONE)) == 42
    assert one.compiled == []
    one._interpreted = jit.INTERPRETED_SECONDS
    assert one(PextTables(TWENTY_ONE)) == 42
    assert one.compiled == ["PextTables(1)"]


@pytest.mark.parametrize(
    ("name", "depths"), [("list", (20, 400)), ("turbo", (20, 400)), ("two-plies", (20, 400, 8_902, 197_281))]
)
def test_small_counts_compile_nothing(name: counter.Kernel, depths: tuple[int, ...]) -> None:
    counts = tuple(perft(Position.start(), depth, kernel=name) for depth in range(1, len(depths) + 1))
    assert counts == depths
    assert Counter(name, None).waits_for_compiler


def test_which_trees_are_small() -> None:
    ended = Position.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    trees = [(Position.start(), 4), (Position.start(), 5), (KIWIPETE, 3), (KIWIPETE, 4), (ended, 60)]
    small = [Counter("two-plies", None).is_small(position.board, depth) for position, depth in trees]
    assert small == [True, False, True, False, True]


def test_a_preparation_compiles_what_is_missing_once() -> None:
    one: Any = kernel(double)
    forms = forms_of([PextTables, MagicTables], one) * 2
    assert forms[0] == KernelForm(one, (PextTables,))
    preparation = Preparation.of(forms)
    steps = list(preparation.compile())
    assert [(step.number, step.total, step.form.kernel) for step in steps] == [(1, 1, one)]
    assert one.compiled == ["PextTables(1)"]
    assert Preparation.of(forms).missing == []


def test_the_time_left_is_that_of_this_machine() -> None:
    def slow(word: np.uint64) -> np.uint64:
        return word

    forms = [KernelForm(Kernel(slow, {}), (np.uint64,)) for _ in range(3)]
    steps = [step._replace(slowness=2.0) for step in Preparation(forms).compile()]
    assert [step.seconds_left(0.0) for step in steps] == [3.0, 2.0, 1.0]
    assert [step.seconds_left(0.5) for step in steps] == [2.5, 1.5, 0.5]
    assert steps[2].seconds_left(100.0) == 0


def test_two_kinds_of_tables() -> None:
    @kernel
    def both(one: Tables, other: Tables, word: np.uint64) -> np.uint64:
        return one.base + other.base + word

    made: Any = both
    assert made.kinds_for(PextTables, MagicTables) == (PextTables, MagicTables, np.uint64)
    assert made.kinds_for(MagicTables) == (MagicTables, MagicTables, np.uint64)
