"""The proof that machine code can be called as we call it, by a kernel whose answer is known."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding

from ..jit import Kernel, code_at
from ..kernel_cache import KeptCode, KernelFiles, load_code
from .dispatchers import compile_kernel

WANTED = ("i32", "ptr", "ptr", "i64", "i64", "i64")
"""The type of the compiled kernel: its status, addresses for the answer and for an exception, and the words."""


class Pair(NamedTuple):
    """What the kernel takes and returns beside a word."""

    first: np.uint64
    second: np.uint64


def turn_pair(pair: Pair, word: np.uint64) -> Pair:
    """Return a pair that no misplaced word can make."""
    return Pair(pair.second ^ word, pair.first + word + word)


class _NoFiles(KernelFiles):
    """Nothing is kept: another Numba has to prove it again."""

    def load(self, form: str) -> None:
        """Have it compiled."""

    def save(self, form: str, code: KeptCode) -> None:
        """Forget it."""


@cache
def prove_calling() -> None:
    """Call the kernel. Raises RuntimeError where the answer is wrong, or where it takes other arguments than we pass.

    What is on the disk needs no proof: who has compiled it has proved it.
    """
    kernel, kinds = Kernel(turn_pair, {}), (Pair, np.uint64)
    kernel.files = _NoFiles(turn_pair.__module__, turn_pair.__name__)
    kept = compile_kernel(kernel, kinds)
    [overload] = kernel.dispatcher.overloads.values()
    # Called with other arguments than it takes, machine code may do anything: its type is read before it is called.
    module = binding.parse_assembly(overload.library.get_llvm_str())
    function = module.get_function(overload.fndesc.llvm_func_name)
    returned = str(function.global_value_type).partition(" ")[0]
    taken = (returned, *(str(argument.type) for argument in function.arguments))
    if taken != WANTED:
        raise RuntimeError(f"compiled functions have the types {taken} in place of {WANTED}")
    first, second, word = (np.uint64(number) for number in (0xFEDCBA9876543210, 0x0123456789ABCDEF, 0x5A5A5A5A5A5A5A5A))
    answer: Any = code_at(load_code(kept), kinds, Pair)(Pair(first, second), word)
    right = Pair(second ^ word, np.uint64((int(first) + 2 * int(word)) & 0xFFFFFFFFFFFFFFFF))
    if answer != right:
        raise RuntimeError(f"compiled functions are called wrongly: {answer} in place of {right}")
