"""The index of a slider's attacks: the type of the tables chooses the back-end when a kernel is compiled."""

from __future__ import annotations

import numpy as np

from ..machine.bits import ONE, load
from ..machine.jit import before_compiling
from .common import PextTables, Tables
from .magic import magic_index
from .pext import pext

before_compiling(f"{__package__}.compiling")


def slider_index(tables: Tables, occupied: np.uint64, mask: np.uint64, magics: np.uint64) -> np.uint64:
    """Return the index of one slider's attacks among those of its square.

    `mask` has the squares whose occupation matters to it; `magics` is the place of its magic number
    and shift in the tables, which PEXT does not need.
    """
    if isinstance(tables, PextTables):
        return pext(occupied, mask)
    return magic_index(occupied & mask, load(tables.base, magics), load(tables.base, magics + ONE))
