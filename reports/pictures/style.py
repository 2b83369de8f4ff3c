"""How boards look, within a page that has colors for light and dark, and in a picture of its own.

Kinds of moves differ in color, in the line of the arrow and in its head, so that they differ also without colors.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

_RULES = Template(
    """\
#empty-board .frame { fill: $frame; }
#empty-board .light { fill: $light; }
#empty-board .dark { fill: $dark; }
#empty-board .names text { fill: $names; font-size: 13px; font-family: sans-serif; text-anchor: middle; }
line.arrow { stroke: #b3211f; }
polygon.arrow { fill: #b3211f; }
.drawn .arrow { opacity: 0.8; }
.drawn line.arrow { stroke-width: 6; }
line.arrow.missing { stroke: #0b5cad; stroke-dasharray: 9 6; }
polygon.arrow.missing { fill: $light; stroke: #0b5cad; stroke-width: 3; }
line.arrow.duplicate { stroke: #7b2bb3; stroke-dasharray: 2 4; }
polygon.arrow.duplicate { fill: #7b2bb3; }
.drawn line.arrow.right { stroke: #14532d; stroke-width: 3; }
polygon.arrow.right { fill: #14532d; }
.drawn line.arrow.pin { stroke: #5b3a00; stroke-width: 3; stroke-dasharray: 2 5; }
.drawn line.arrow.check { stroke: #1b1f24; stroke-width: 2; }
rect.check { fill: none; stroke: #1b1f24; stroke-width: 3; }
circle.look { stroke: #14532d; fill: #22c55e; fill-opacity: 0.35; }
"""
)
_PAGE = {"frame": "var(--frame)", "light": "var(--light-square)", "dark": "var(--dark-square)", "names": "var(--soft)"}
ALONE = {"frame": "#eceff3", "light": "#f0e3cb", "dark": "#c9a77c", "names": "#58616c"}
"""The colors of a picture. As they are, for programs that do not know variables."""


def of_page() -> str:
    """Return the rules for boards within a page."""
    return _RULES.substitute(_PAGE)


def of_document(colors: Mapping[str, str] = ALONE) -> str:
    """Return the rules for a picture with boards."""
    return _RULES.substitute(colors).replace("\n", "")
