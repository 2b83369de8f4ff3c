"""Kernels still run if a version of Numba changes its internals; they are slower, which is reported in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CALLS = """
from typing import NamedTuple
import numpy as np
from perft_check.generator.kernels.machine.bits import ONE, ZERO, popcount
from perft_check.generator.kernels.machine.jit import inline, kernel, subroutine
from perft_check.generator.kernels.machine.execution_mode import current_mode

class Pair(NamedTuple):
    first: np.uint64
    second: np.uint64

@inline
def turned(pair: Pair) -> Pair:
    return Pair(pair.second, pair.first)

@kernel
def count(pair: Pair, left: np.uint64) -> np.uint64:
    return popcount(pair.first) if left == ZERO else count(turned(pair), left - ONE)

@subroutine
def opposite(bits: np.uint64) -> np.uint64:
    return ZERO - bits

@kernel
def both(pair: Pair) -> Pair:
    return Pair(count(pair, np.uint64(3)), opposite(pair.first))

answer = both(Pair(np.uint64(5), np.uint64(2**64 - 1)))
assert type(both(answer)) is Pair
print(*map(int, answer), type(count(answer, ZERO)).__name__, current_mode().name)
"""
ANSWER = f"64 {2**64 - 5} uint64"

GONE = """
import builtins, inspect, sys
import numba
from numba.core import codegen, compiler, options, typeinfer
from numba.core.types import functions

class Gone:
    # Numba still has it, but perft-check cannot access it.
    def __init__(self, owner, name):
        self.name, self.original = name, inspect.getattr_static(owner, name, None)
        setattr(owner, name, self)
    def __get__(self, instance, owner=None):
        if sys._getframe(1).f_globals["__name__"].startswith("perft_check."):
            raise AttributeError(f"{owner.__name__} has no attribute {self.name!r}")
        if self.original is None:
            return instance.__dict__[self.name]
        return self.original.__get__(instance, owner)
    def __set__(self, instance, value):
        instance.__dict__[self.name] = value

def move(module):
    # Makes the module unavailable to perft-check.
    def import_it(name, spaces=None, *more, imports=builtins.__import__):
        if name == module and spaces["__name__"].startswith("perft_check."):
            raise ImportError(f"no module {name}")
        return imports(name, spaces, *more)
    builtins.__import__ = import_it

"""
CHANGES = {
    "the linked libraries are gone": "Gone(codegen.CPUCodeLibrary, '_linking_libraries')",
    "the runtime has moved": "move('numba.core.runtime')",
    "an option is refused": """
parse = options.TargetOptions.parse_as_flags.__func__
def checked(cls, flags, given):
    assert "_nrt" not in given, "unknown option _nrt"
    return parse(cls, flags, given)
options.TargetOptions.parse_as_flags = classmethod(checked)
""",
    "calls are typed with one more argument": """
from perft_check.generator.kernels.machine.compiling import quick
quick._resolve_overloads_once = lambda resolve: (
    lambda function, context, args, kws, depth: resolve(function, context, args, kws)
)
""",
    "functions take one more argument": """
from perft_check.generator.kernels.machine.compiling import quick
def with_one_more(text):
    return text.replace("ptr %error{values}", "ptr %error, i64 0{values}").replace("ptr{types}", "ptr, i64{types}")
quick._MODULE = with_one_more(quick._MODULE)
""",
    "functions have another type": """
from perft_check.generator.kernels.machine.compiling import quick
quick._PROOF_TYPE = quick._PROOF_TYPE[1:]
""",
}
"""Python code that simulates a change of Numba before anything is compiled."""
EACH_TIME = (
    "the linked libraries are gone",
    "the runtime has moved",
    "an option is refused",
    "functions have another type",
)
"""One change of each kind; the others are tested every night."""
MISSING = {
    "no Numba": "import sys; sys.modules['numba'] = None",
    "no llvmlite": "import sys; sys.modules['llvmlite'] = None",
    "a broken llvmlite": """
import sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("llvmlite"): raise OSError("libllvmlite.so: cannot open shared object file")
sys.meta_path.insert(0, Broken())
""",
}


def called(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with an empty kernel cache."""
    settings = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-W", "error", *arguments]
    return subprocess.run(command, env=settings, capture_output=True, text=True, check=False, cwd=tmp_path)


def kernels_in(tmp_path: Path) -> int:
    return len(list(tmp_path.glob("cache/kernels-*/*.kernel")))


def test_kernels_are_compiled_quickly_and_cached(tmp_path: Path) -> None:
    for _ in range(2):
        done = called(tmp_path, "-c", CALLS)
        assert (done.stdout, done.stderr) == (f"{ANSWER} QUICK\n", "")
        assert kernels_in(tmp_path) == 2


@pytest.mark.parametrize(
    "change", [pytest.param(change, marks=[pytest.mark.long] * (change not in EACH_TIME)) for change in CHANGES]
)
def test_changes_of_numba_only_make_kernels_slower(change: str, tmp_path: Path) -> None:
    done = called(tmp_path, "-c", f"{GONE}{CHANGES[change]}\n{CALLS}")
    assert done.stdout == f"{ANSWER} PLAIN\n", done.stderr
    [line] = done.stderr.splitlines()
    assert line.startswith("perft-check: kernels are compiled in every run, which takes longer, because of ")
    assert "numba 0." in line
    assert not list(tmp_path.glob("cache/*/*.kernel")), "only proved code is cached"


@pytest.mark.parametrize(
    "owner", ["functions.BaseFunction, 'get_call_type'", "typeinfer.TypeInferer, 'return_types_from_partial'"]
)
def test_patches_of_missing_functions_are_skipped(owner: str, tmp_path: Path) -> None:
    done = called(tmp_path, "-c", f"{GONE}Gone({owner})\n{CALLS}")
    assert (done.stdout, done.stderr) == (f"{ANSWER} QUICK\n", "")


@pytest.mark.parametrize("change", MISSING)
def test_without_numba_kernels_are_plain_python(change: str, tmp_path: Path) -> None:
    done = called(tmp_path, "-c", f"{MISSING[change]}\n{CALLS}")
    assert done.stdout == f"{ANSWER} PYTHON\n", done.stderr
    assert "kernels are plain Python, some thousand times slower, because of " in done.stderr


@pytest.mark.parametrize(
    ("change", "arguments", "said"),
    [
        ("no Numba", ["run", "-e", "python-chess", "-s", "smoke", "--max-nodes", "500"], "all 36 positions agree"),
        (
            "no llvmlite",
            ["run", "-e", "zoo:castling-through-attack", "-s", "smoke", "--max-nodes", "500"],
            "Castling through",
        ),
        ("a broken llvmlite", ["divide", "startpos", "2", "-e", "python-chess"], "400"),
        ("no Numba", ["perft", "startpos", "2"], "400"),
        ("no llvmlite", ["fuzz", "-e", "python-chess", "-n", "20"], "no fault"),
        ("a broken llvmlite", ["doctor"], "plain Python"),
    ],
)
def test_commands_work_without_numba(change: str, arguments: list[str], said: str, tmp_path: Path) -> None:
    program = f"{MISSING[change]}\nfrom perft_check.__main__ import main\nsys.argv[1:] = {arguments}\nsys.exit(main())"
    done = called(tmp_path, "-c", program)
    assert said in done.stdout, done.stderr
    assert done.stderr.count("kernels are plain Python, some thousand times slower, because of ") <= 1
