"""The names of the techniques, in display order, and their descriptions."""

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
    """The names that follow "own:"."""

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
    """A move generation technique."""

    name: TechniqueName
    """The name in `own:NAME`."""
    origin: str
    """Author of the idea."""
    build: Callable[[], Table] | None = None
    """A function that builds the technique's table as one contiguous array, or None if there is no table."""
    shares: int = 0
    """Bytes of the shared attack tables that it uses to look up moves."""
    chess960: bool = True
    """Whether it supports castling from arbitrary king and rook squares."""

    @cached_property
    def table(self) -> Table:
        """The table, built on first use and cached because kernels hold its address."""
        import numpy as np

        return np.zeros(0, dtype=np.uint64) if self.build is None else self.build()

    @property
    def address(self) -> np.uint64:
        """Address of the table."""
        import numpy as np

        return np.uint64(self.table.ctypes.data)

    @property
    def table_bytes(self) -> int:
        """Bytes of the tables used to look up moves, without the tables for shared rules."""
        return int(self.table.nbytes) + self.shares
