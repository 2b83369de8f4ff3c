"""Events as flags: each attribute is the bit of the event with the same name in one of the two values of a census.

Numba treats module attributes as constants. Kernels can therefore use the names of the catalogue without a second list
of constants.
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
    """Return the flag of an event if the condition holds, otherwise 0."""
    return event if condition else ZERO
