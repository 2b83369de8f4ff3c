"""The names of the techniques, in the order in which they are shown, and what the harness knows of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    import numpy.typing as npt

Table: TypeAlias = "npt.NDArray[Any]"


class TechniqueName(StrEnum):
    """What follows "own:"."""

    STOCKFISH = "stockfish"
    LOOKUP = "lookup"
    RAY_DELTA = "ray-delta"
    BUTTERFLY = "butterfly"
    MOVE_TABLE = "move-table"
    SKIP = "skip"
    LINKED_LIST = "linked-list"
    DENSE_LIST = "dense-list"
    MAGIC = "magic"
    RAY_CAST = "ray-cast"
    TURBO = "turbo"


@dataclass(frozen=True, eq=False)
class Technique:
    """A way to generate moves."""

    name: TechniqueName
    """As in `own:NAME`."""
    origin: str
    """Who had the idea."""
    idea: str
    """What makes it that technique, in a clause."""
    cost: str
    """What its speed comes from, in a clause."""
    build: Callable[[], Table] | None = None
    """Make the table that it walks, if it does, besides the attack tables that all share; one contiguous array."""
    shares: int = 0
    """Bytes of the shared attack tables that it looks moves up in."""
    traced: bool = True
    """Whether it is written in the vocabulary, so that its walk can be followed."""
    chess960: bool = True
    """Whether it knows castling of kings and rooks that stand anywhere."""

    @cached_property
    def table(self) -> Table:
        """The table, made at the first use and kept: kernels hold its address."""
        import numpy as np

        return np.zeros(0, dtype=np.uint64) if self.build is None else self.build()

    @property
    def address(self) -> np.uint64:
        """Where the table starts."""
        import numpy as np

        return np.uint64(self.table.ctypes.data)

    @property
    def table_bytes(self) -> int:
        """Bytes of tables that its moves are looked up in; the rules that all share need more."""
        return int(self.table.nbytes) + self.shares
