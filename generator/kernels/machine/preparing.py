"""What a command has compiled before it begins: one form of each kernel that it needs."""

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
    "draw_block": 7.0,
    "generate": 1.4,
    "list_moves": 8.0,
    "play_games": 8.0,
    "write_answers": 1.8,
}
"""Seconds of CPU that a kernel took to compile where all were measured; those of others are `_OTHER_SECONDS`."""
_OTHER_SECONDS = 0.5


class KernelForm(NamedTuple):
    """A kernel for arguments of some types."""

    kernel: Kernel
    kinds: Kinds

    @property
    def is_ready(self) -> bool:
        """Whether it waits for no compiler."""
        return self.kernel.is_ready(self.kinds)

    def get_ready(self) -> None:
        """Load it, or compile it."""
        self.kernel.get_ready(self.kinds)


def missing_of(forms: Iterable[KernelForm]) -> list[KernelForm]:
    """Return the forms that have to be compiled, each once."""
    return [form for form in dict.fromkeys(forms) if not form.is_ready]


def usual_seconds(forms: Iterable[KernelForm]) -> float:
    """Return about how many seconds of CPU it takes to compile all of these forms."""
    return sum(_SECONDS.get(form.kernel.__name__, _OTHER_SECONDS) for form in forms)


def forms_of(tables: Sequence[type], *functions: Callable[..., Any]) -> list[KernelForm]:
    """Return the form of each kernel for tables of these types: the first is that of a kernel that has one."""
    return [KernelForm(one, one.kinds_for(*tables)) for one in functions if isinstance(one, Kernel)]
