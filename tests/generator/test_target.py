"""The compile target is determined without Numba, and Numba is not imported if all kernels are compiled."""

from __future__ import annotations

import pytest
from helpers.program import printed_by_python
from perft_check.generator.kernels.machine.execution_mode import ExecutionMode, current_mode

TARGET = """
from perft_check.generator.kernels.machine import target
print(target.cpu_name())
print(target.features())
print(target.target_has_pext())
"""
NUMBAS = """
from numba.core import registry
_, cpu, features = registry.cpu_target.target_context.codegen().magic_tuple()
print(cpu)
print(features)
print("+bmi2" in features.split(","))
"""


def _lines(code: str, **variables: str) -> list[str]:
    return printed_by_python(code, **variables).split("\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"NUMBA_CPU_NAME": "generic"},
        {"NUMBA_CPU_NAME": "Generic"},
        {"NUMBA_CPU_NAME": "haswell"},
        {"NUMBA_CPU_FEATURES": "+sse2,+bmi2"},
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "+popcnt"},
        {"NUMBA_CPU_FEATURES": ""},
        {"NUMBA_ENABLE_AVX": "0"},
        {"NUMBA_ENABLE_AVX": "1"},
        {"NUMBA_DISABLE_JIT": "0"},
    ],
    ids=str,
)
def test_the_target_agrees_with_numba(settings: dict[str, str]) -> None:
    assert _lines(TARGET, **settings) == _lines(NUMBAS, **settings)


@pytest.mark.parametrize("setting", ["1", "2"])
def test_plain_python_has_pext(setting: str) -> None:
    code = f"{TARGET}\nprint(target.current_mode())"
    assert _lines(code, NUMBA_DISABLE_JIT=setting, NUMBA_CPU_NAME="generic")[-3:] == [
        "True",
        "ExecutionMode.PYTHON",
        "",
    ]


WORK = """
import sys
from perft_check.generator import GenType, MoveList, Position, perft
start = Position.start()
print(*(perft(start, 3, kernel=name) for name in ("two-plies", "turbo", "list")), len(MoveList(start, GenType.LEGAL)))
print("numba" in sys.modules)
"""


@pytest.mark.skipif(current_mode() is ExecutionMode.PYTHON, reason="kernels are plain Python")
def test_compiled_kernels_run_without_numba() -> None:
    _lines(WORK)
    assert _lines(WORK) == ["8902 8902 8902 20", "False", ""]
