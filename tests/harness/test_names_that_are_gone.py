"""Where a private name of a library is gone, there is another way (docs/private-names.md lists them all)."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import pytest
from perft_check.harness.fuzzing.hypothesis_batch import _no_constants_of_modules

providers: Any = importlib.import_module("hypothesis.internal.conjecture.providers")


def test_numbers_of_modules_are_left_out_where_hypothesis_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    before = providers._get_local_constants
    with _no_constants_of_modules():
        assert providers._get_local_constants is providers.Constants
    assert providers._get_local_constants is before
    monkeypatch.setitem(sys.modules, providers.__name__, ModuleType(providers.__name__))
    with _no_constants_of_modules():
        assert providers._get_local_constants is before
