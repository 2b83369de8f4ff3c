"""How charts look: the colors of their lines and paper, for a picture of its own and for a page around it."""

from __future__ import annotations

LIGHT = ("#0b62c4", "#b45309", "#7c3aed", "#15803d", "#c026d3", "#0e7490", "#be123c", "#57534e")
DARK = ("#6cb2ff", "#fbab4a", "#b79bff", "#5bd184", "#ee8cf7", "#4fd3e8", "#ff8597", "#c4beb9")
DASHES = ("", "7 4")
"""A second round of colors is dashed."""
FONT = "text{font:13px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}"
SHAPES = (
    ".head{font-weight:600;font-size:15px}.all{stroke-dasharray:2 4}"
    ".line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.dot{stroke-width:7}.leader{stroke-width:1}"
)


def of_document(lines: int) -> str:
    """Return the style sheet of a picture with so many lines, which follows the scheme of the reader."""
    light = _paper("#ffffff", "#1c1917", "#6b6560", "#e7e5e4") + _colors(LIGHT, lines)
    dark = _paper("#0d1117", "#e6edf3", "#9aa4af", "#272e37") + _colors(DARK, lines)
    return f"{FONT}{SHAPES}{_dashes(lines)}{light}@media (prefers-color-scheme:dark){{{dark}}}"


def of_page(lines: int) -> str:
    """Return the style sheet for charts within a page: all rules are for `.chart` alone, colors for either scheme."""
    both = tuple(f"light-dark({light}, {dark})" for light, dark in zip(LIGHT, DARK, strict=True))
    paper = _paper("none", "var(--text)", "var(--soft)", "var(--line)")
    return f".chart{{{FONT}{SHAPES}{_dashes(lines)}{paper}{_colors(both, lines)}}}"


def _dashes(lines: int) -> str:
    return "".join(
        f".line.s{number}{{stroke-dasharray:{DASHES[number // len(LIGHT) % len(DASHES)]}}}"
        for number in range(len(LIGHT), lines)
        if DASHES[number // len(LIGHT) % len(DASHES)]
    )


def _paper(page: str, text: str, soft: str, grid: str) -> str:
    """Return the colors of all but the lines. As they are, for programs that do not know variables."""
    return f".page{{fill:{page}}}text{{fill:{text}}}.soft{{fill:{soft}}}.all{{stroke:{soft}}}.grid{{stroke:{grid}}}"


def _colors(colors: tuple[str, ...], lines: int) -> str:
    return "".join(
        f"path.s{number},line.s{number}{{stroke:{colors[number % len(colors)]}}}"
        f"text.s{number}{{fill:{colors[number % len(colors)]}}}"
        for number in range(lines)
    )
