"""What a command has compiled before it begins: one form of each kernel that it needs, with the time that is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .jit import Kernel, Kinds

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

    @property
    def usual_seconds(self) -> float:
        """About how long it takes to be compiled, on a machine of our own."""
        return _SECONDS.get(self.kernel.__name__, _OTHER_SECONDS)


class Compiling(NamedTuple):
    """A form that is being compiled: the which of how many that have to be, and what is known of the time."""

    form: KernelForm
    number: int
    total: int
    done_seconds: float
    """The usual seconds of those before it."""
    all_seconds: float
    slowness: float
    """How long it has taken so far as a multiple of the usual seconds."""

    def seconds_left(self, seconds: float) -> float:
        """Return about how many seconds are left, so many after it has begun."""
        rest = self.all_seconds - self.done_seconds - self.form.usual_seconds
        # A form may take longer than usual: then nothing is left of its own time, and the others keep theirs.
        own = max(0.0, self.form.usual_seconds * self.slowness - seconds)
        return own + rest * self.slowness


@dataclass
class Preparation:
    """The forms that a command needs and that have to be compiled."""

    missing: list[KernelForm]

    @classmethod
    def of(cls, forms: Iterable[KernelForm]) -> Preparation:
        """Return what is missing of these forms."""
        return cls([form for form in dict.fromkeys(forms) if not form.is_ready])

    @property
    def usual_seconds(self) -> float:
        """About how long all of it takes."""
        return sum(form.usual_seconds for form in self.missing)

    def compile(self) -> Iterator[Compiling]:
        """Yield each form before it is compiled. Another process may do that meanwhile, and then it is loaded."""
        began, done = time.monotonic(), 0.0
        for number, form in enumerate(self.missing, 1):
            # The first one is said to take what it usually does; then this machine and its load are known.
            slowness = (time.monotonic() - began) / done if done else 1.0
            yield Compiling(form, number, len(self.missing), done, self.usual_seconds, slowness)
            form.get_ready()
            done += form.usual_seconds


def forms_of(tables: Sequence[type], *functions: Callable[..., Any]) -> list[KernelForm]:
    """Return the form of each kernel for tables of these types: the first is that of a kernel that has one."""
    return [KernelForm(one, one.kinds_for(*tables)) for one in functions if isinstance(one, Kernel)]
