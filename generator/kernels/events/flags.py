"""The events as flags: each attribute is the bit of the event of that name, in the low or the high word of a census.

Numba takes an attribute of a module for a constant. So kernels name an event as the catalogue does, and no list of
constants has to follow the catalogue.
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
    """Return the flag of an event if it is met, else no flag."""
    return event if condition else ZERO
