"""The kernel specializations that a command needs, which are compiled before it starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from .calling import ArgumentTypes
from .jit import Kernel

_SECONDS = {
    "ask_library": 1.5,
    "census": 2.5,
    "count_kinds": 2.0,
    "count_leaves": 1.5,
    "count_leaves_by_list": 1.4,
    "count_leaves_by_technique": 8.0,
    "count_leaves_by_two": 5.5,
    "count_leaves_with_table": 3.0,
    "sample_block": 7.0,
    "generate": 1.4,
    "list_moves": 8.0,
    "play_games": 8.0,
    "write_answers": 1.8,
}
"""CPU seconds for compiling a kernel, measured on one machine; `_OTHER_SECONDS` for all other kernels."""
_OTHER_SECONDS = 0.5


class Specialization(NamedTuple):
    """A kernel, and the types of its arguments."""

    kernel: Kernel
    argument_types: ArgumentTypes

    @property
    def is_ready(self) -> bool:
        """Whether the specialization can be used without compiling it."""
        return self.kernel.is_ready(self.argument_types)

    def get_ready(self) -> None:
        """Load the specialization, or compile it."""
        self.kernel.get_ready(self.argument_types)


def uncompiled(specializations: Iterable[Specialization]) -> list[Specialization]:
    """Return the distinct specializations that have to be compiled."""
    return [specialization for specialization in dict.fromkeys(specializations) if not specialization.is_ready]


def compile_seconds(specializations: Iterable[Specialization]) -> float:
    """Estimate the CPU seconds needed to compile these specializations."""
    return sum(_SECONDS.get(specialization.kernel.__name__, _OTHER_SECONDS) for specialization in specializations)


def specializations_of(tables: Sequence[type], *functions: Callable[..., Any]) -> list[Specialization]:
    """Return the specialization of each kernel for these table types.

    A kernel with one table argument uses the first type. Functions that are not kernels are skipped.
    """
    return [Specialization(one, one.argument_types_for(*tables)) for one in functions if isinstance(one, Kernel)]
