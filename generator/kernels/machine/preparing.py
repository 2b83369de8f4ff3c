"""The kernels that a command needs, each in one form, so that they can be compiled before it begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from .calling import Kinds
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
"""CPU seconds that compiling a kernel took on one machine; other kernels take `_OTHER_SECONDS`."""
_OTHER_SECONDS = 0.5


class KernelForm(NamedTuple):
    """A kernel, and the types of its arguments."""

    kernel: Kernel
    kinds: Kinds

    @property
    def is_ready(self) -> bool:
        """Whether it needs no compiler."""
        return self.kernel.is_ready(self.kinds)

    def get_ready(self) -> None:
        """Load it, or compile it."""
        self.kernel.get_ready(self.kinds)


def missing_of(forms: Iterable[KernelForm]) -> list[KernelForm]:
    """Return the forms that have to be compiled, each once."""
    return [form for form in dict.fromkeys(forms) if not form.is_ready]


def usual_seconds(forms: Iterable[KernelForm]) -> float:
    """Return an estimate of the CPU seconds that compiling these forms takes."""
    return sum(_SECONDS.get(form.kernel.__name__, _OTHER_SECONDS) for form in forms)


def forms_of(tables: Sequence[type], *functions: Callable[..., Any]) -> list[KernelForm]:
    """Return the form of each kernel for tables of these types; a kernel with one table takes the first."""
    return [KernelForm(one, one.kinds_for(*tables)) for one in functions if isinstance(one, Kernel)]
