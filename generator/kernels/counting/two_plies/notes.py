"""Words beside the count, three for each square, by which its parts hand on what they have found."""

from __future__ import annotations

import numpy as np

MOVES, DIAGONAL, ORTHOGONAL = (np.uint64(place) for place in (0, 64, 128))
"""Where the squares begin: targets of the simple moves from each; what our slider there attacks in each way."""
NOTES = 192
"""Number of words."""
