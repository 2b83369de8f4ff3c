"""A bar with its spread, as an SVG that is as wide as its place on a page."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

WIDTH, HEIGHT = 100, 12


def bar(values: Sequence[float], most: float) -> str:
    """Return a bar as long as the median of the values, with a line from the least to the greatest of them.

    `most` is the value at the right end. A text beside it has to say the figures.
    """
    low, middle, high = (WIDTH * value / most for value in (min(values), median(values), max(values)))
    return (
        f'<svg class="bar" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<rect class="median" width="{middle:.2f}" height="{HEIGHT}"/>'
        f'<path class="spread" d="M{low:.2f} 6H{high:.2f}M{low:.2f} 3V9M{high:.2f} 3V9"/></svg>'
    )
