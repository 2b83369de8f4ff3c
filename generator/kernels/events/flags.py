"""Events as flags: each attribute is the bit of the event of the same name, in the low or high word of a census.

Numba treats an attribute of a module as a constant. So kernels can use the names of the catalogue, and no second list
of constants is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..machine.bits import ZERO
from ..machine.jit import inline
from .catalogue import Event

if TYPE_CHECKING:

    def __getattr__(name: str) -> np.uint64:
        """Return the flag of an event."""


globals().update({event.name: np.uint64(1 << event % 64) for event in Event})


@inline
def when(condition: bool | np.bool_, event: np.uint64) -> np.uint64:
    """Return the flag of an event if the condition holds, otherwise no flag."""
    return event if condition else ZERO
