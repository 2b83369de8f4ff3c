"""A picture of coverage: how an engine's counters guide the fuzzer, and how a report marks source code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .svg import document, edge, label

WIDTH, LEFT = 860, 24
WIDE, TALL, GAP, TOP = 182, 46, 28, 52
ROW, SOURCE_TOP, CELL = 26, 210, 9
STEPS = (
    ("a position", "of a suite, or drawn"),
    ("the engine counts", "its branches count, too"),
    ("counters are read", "in eight buckets"),
    ("compared", "with what was reached"),
)
"""What happens with each position, from left to right."""


class MarkedLine(NamedTuple):
    """A line of source code, and what has reached it."""

    text: str
    kind: str
    """"suites", "fuzzing", "never", or "" if no branch begins there."""
    note: str = ""


SOURCE = (
    MarkedLine("if (move.to == b->ep) {", "suites", "✓ suites reach it"),
    MarkedLine("    capture_en_passant(b);", "suites", "✓"),
    MarkedLine("    if (is_pinned_along_rank(b))", "suites", "✓"),
    MarkedLine("        undo(b);", "fuzzing", "+ fuzzing was first, with a position that you can keep"),
    MarkedLine("} else if (count > 200)", "suites", "✓"),
    MarkedLine("    grow(list);", "never", "✗ nothing has tried it: is it right?"),
)
_STYLE = (
    ".box{fill:#fff;stroke:#838d9a;stroke-width:1.5}.name{font:bold 15px sans-serif}.phrase{font:14px sans-serif;"
    "fill:#58616c}.new{fill:none;stroke:#0b5cad;stroke-width:2}.tip{fill:#0b5cad}.note{font:14px sans-serif;"
    "fill:#0b5cad}.suites{fill:#146c37}.fuzzing{fill:#0b5cad}.never{fill:#b3211f}.side{font:14px sans-serif}"
    ".band-fuzzing{fill:#e7f0fa}.band-never{fill:#fdeeed}"
)


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of the picture and its text."""
    height = SOURCE_TOP + ROW * len(SOURCE) + 20
    steps = "; ".join(f"{name}, {phrase}" for name, phrase in STEPS)
    lines = "; ".join(f"{line.text.strip()} {line.note}" for line in SOURCE)
    description = (
        f"{steps}. A position that reaches a new branch becomes a base for the next positions. In the report: {lines}."
    )
    parts = [*_loop(), *_source()]
    yield "coverage.svg", document((WIDTH, height), "Coverage of an engine's code", description, _STYLE, parts)


def _loop() -> Iterator[str]:
    """Yield the boxes from left to right, and the path back for positions that reached a new branch."""
    yield f'<text class="head" x="{LEFT}" y="32">Each position</text>'
    for number, (name, phrase) in enumerate(STEPS):
        x = LEFT + number * (WIDE + GAP)
        yield f'<rect class="box" x="{x}" y="{TOP}" width="{WIDE}" height="{TALL}" rx="4"/>'
        yield label(x + 10, TOP + 15, name, "name")
        yield label(x + 10, TOP + 33, phrase, "phrase")
        if number:
            yield edge(x - GAP, TOP + TALL / 2, x, TOP + TALL / 2)
    last, first, below = LEFT + 3 * (WIDE + GAP) + WIDE / 2, LEFT + WIDE / 2, TOP + TALL + 36
    yield f'<path class="new" d="M{last:g} {TOP + TALL}V{below}H{first:g}V{TOP + TALL + 9}"/>'
    yield f'<path class="tip" d="M{first:g} {TOP + TALL}l-6 11h12z"/>'
    yield label(
        first + 20, below - 12, "a new branch, or a new bucket: more positions are generated from this one", "note"
    )


def _source() -> Iterator[str]:
    """Yield the lines of the source with their marks."""
    yield f'<text class="head" x="{LEFT}" y="{SOURCE_TOP - 18}">The report</text>'
    for number, line in enumerate(SOURCE):
        y = SOURCE_TOP + ROW * number
        if line.kind in ("fuzzing", "never"):
            size = f'width="{WIDTH - 2 * LEFT + 16}" height="{ROW}"'
            yield f'<rect class="band-{line.kind}" x="{LEFT - 8}" y="{y}" {size} rx="3"/>'
        text = line.text.lstrip()
        yield label(LEFT, y + ROW / 2, f"{number + 41}", "soft")
        yield label(LEFT + 40 + CELL * (len(line.text) - len(text)), y + ROW / 2, text)
        yield label(LEFT + 390, y + ROW / 2, line.note, f"side {line.kind}")
