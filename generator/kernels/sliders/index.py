"""The index of a slider's attacks: the type of the tables chooses the back-end when a kernel is compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from ..machine.bits import INLINED, ONE, load
from ..machine.jit import inlined
from .common import MagicTables, PextTables, Tables
from .magic import magic_index
from .pext import pext


def slider_index(tables: Tables, occupied: np.uint64, mask: np.uint64, magics: np.uint64) -> np.uint64:
    """Return the index of one slider's attacks among those of its square.

    `mask` has the squares whose occupation matters to it; `magics` is the place of its magic number
    and shift in the tables, which PEXT does not need.
    """
    if isinstance(tables, PextTables):
        return pext(occupied, mask)
    return magic_index(occupied & mask, load(tables.base, magics), load(tables.base, magics + ONE))


_magic_index = inlined(magic_index)


@overload(slider_index, **INLINED)
def _slider_index(tables: Any, occupied: Any, mask: Any, magics: Any) -> Any:
    if tables.instance_class is PextTables:
        return lambda tables, occupied, mask, magics: pext(occupied, mask)
    if tables.instance_class is MagicTables:

        def by_magic(tables: Any, occupied: Any, mask: Any, magics: Any) -> Any:
            return _magic_index(occupied & mask, load(tables.base, magics), load(tables.base, magics + ONE))

        return by_magic
    return None
