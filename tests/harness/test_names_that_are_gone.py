"""Where a private name of a library is gone, there is another way (docs/architecture.md lists them all)."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from perft_check.harness.engines.our_processes import ProcessPool
from perft_check.harness.fuzzing.batch import _no_constants_of_modules

providers: Any = importlib.import_module("hypothesis.internal.conjecture.providers")


def test_numbers_of_modules_are_left_out_where_hypothesis_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    before = providers._get_local_constants
    with _no_constants_of_modules():
        assert providers._get_local_constants is providers.Constants
    assert providers._get_local_constants is before
    monkeypatch.setitem(sys.modules, providers.__name__, ModuleType(providers.__name__))
    with _no_constants_of_modules():
        assert providers._get_local_constants is before


def test_a_pool_whose_processes_are_not_known_is_shut_down() -> None:
    pool, ended = ProcessPool(1), list[tuple[bool, bool]]()
    whole: Any = pool._executor

    def shut_down(*, wait: bool, cancel_futures: bool) -> None:
        ended.append((wait, cancel_futures))

    pool._executor = SimpleNamespace(shutdown=shut_down)  # type: ignore[assignment]
    pool.close()
    whole.shutdown()
    assert ended == [(True, True)]
