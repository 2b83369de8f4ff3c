"""When and for which argument types kernels are compiled, and that they agree in all execution modes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from perft_check.generator.kernels.machine import execution_mode, folders
from perft_check.generator.kernels.machine.execution_mode import ExecutionMode
from perft_check.generator.kernels.machine.jit import (
    Specialization,
    compile_seconds,
    kernel,
    specializations_of,
    uncompiled,
)
from perft_check.generator.kernels.sliders.lookup import MagicTables, PextTables, Tables

TWENTY_ONE = np.uint64(21)


@pytest.fixture(autouse=True)
def _empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start without compiled kernels, both on disk and in this process."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(execution_mode, "_left", set())
    folders.cache_folder.cache_clear()
    yield
    folders.cache_folder.cache_clear()


@pytest.fixture(params=[ExecutionMode.QUICK, ExecutionMode.PYTHON], ids=lambda mode: mode.name)
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ExecutionMode:
    if request.param is ExecutionMode.PYTHON:
        monkeypatch.setattr(execution_mode, "_left", {ExecutionMode.QUICK, ExecutionMode.PLAIN})
    return request.param  # type: ignore[no-any-return]


def double(tables: Tables) -> np.uint64:
    return tables.base + tables.base


@kernel
def factorial(number: np.uint64) -> np.uint64:
    if number == np.uint64(0):
        return np.uint64(1)
    return number * factorial(number - np.uint64(1))


def test_a_kernel_is_compiled_at_its_first_call() -> None:
    one: Any = kernel(double)
    assert one(PextTables(TWENTY_ONE)) == 42
    assert one.compiled == ["PextTables(1)"]


def test_a_kernel_may_call_another_kernel(mode: ExecutionMode) -> None:
    inner: Any = kernel(double)

    def outer(tables: Tables) -> np.uint64:
        return np.uint64(inner(tables) + np.uint64(1))

    one: Any = kernel(outer)
    answer = one(PextTables(TWENTY_ONE))
    assert (answer, type(answer)) == (43, np.uint64)
    assert one.compiled == ([] if mode is ExecutionMode.PYTHON else ["PextTables(1)"])


@pytest.mark.parametrize(("number", "product"), [(0, 1), (20, 2432902008176640000), (21, 14197454024290336768)])
def test_a_kernel_may_call_itself_and_products_wrap_around(
    number: int, product: int, mode: ExecutionMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factorial, "_codes", {})
    answer: Any = factorial(np.uint64(number))
    assert (answer, type(answer)) == (product, np.uint64)
    assert product == np.prod(range(1, number + 1), dtype=np.uint64)


@pytest.mark.usefixtures("mode")
def test_sums_wrap_around() -> None:
    one: Any = kernel(double)
    assert one(PextTables(np.uint64(2**63 + 1))) == 2


@pytest.mark.parametrize("mode", [ExecutionMode.PYTHON], indirect=True)
def test_plain_python_needs_no_compiler(mode: ExecutionMode) -> None:
    assert uncompiled(specializations_of([PextTables, MagicTables], kernel(double))) == []


def test_missing_specializations_are_compiled_once() -> None:
    one: Any = kernel(double)
    needed = specializations_of([PextTables, MagicTables], one) * 2
    assert needed[0] == Specialization(one, (PextTables,))
    (missing,) = uncompiled(needed)
    assert (missing.kernel, compile_seconds([missing, missing])) == (one, 1.0)
    missing.get_ready()
    assert one.compiled == ["PextTables(1)"]
    assert uncompiled(needed) == []


def test_kernels_with_two_tables() -> None:
    @kernel
    def both(one: Tables, other: Tables, word: np.uint64) -> np.uint64:
        return one.base + other.base + word

    made: Any = both
    assert made.argument_types_for(PextTables, MagicTables) == (PextTables, MagicTables, np.uint64)
    assert made.argument_types_for(MagicTables) == (MagicTables, MagicTables, np.uint64)
