"""Drawings of the code itself: the rooms, and the way of a question through them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .svg import document, edge, label

ROOT = Path(__file__).resolve().parents[3]
CONTRACT = "The rooms of the package"
"""The contract of import-linter in `pyproject.toml` that has the rooms from top to bottom."""
BANDS = {
    "harness/cli": "seen by people",
    "harness/zoo": "finds faults",
    "harness/work": "asks engines",
    "harness/explaining": "knows what is right",
}
"""The first room of each band of the drawing, and what the rooms of the band do."""
PHRASES = {
    "harness/cli": "commands, options, configuration",
    "harness/pytest_plugin": "suites as tests, fixtures",
    "harness/explorer": "the screen with two trees, and its keys",
    "reports": "results on the terminal, in files, as pages and pictures",
    "harness/zoo": "generators with one fault each; how many the checks detect",
    "harness/fuzzing": "draw, examine, reduce",
    "harness/trees": "what the explorer shows",
    "harness/checking": "suites, descent, speed",
    "harness/counting": "large counts by pieces, on a cluster",
    "harness/uci": "our kernel as an engine",
    "harness/work": "tasks in threads and processes",
    "harness/engines": "SPECs, sessions, processes, answers",
    "harness/explaining": "broken rules in words",
    "harness/coverage": "branches of an engine's code",
    "harness/model": "events, results, verdicts",
    "strategies": "Hypothesis draws positions and lines",
    "suites": "positions with their counts",
    "platforms": "what differs between systems",
    "generator": "positions, moves, perft; its kernels are compiled by Numba",
}
"""What a box says below the name of its room."""
GAP, LEFT, TOP = 14, 176, 20
"""The distance of two boxes, and where the first one stands."""
LINE, TALL = 60, 46
"""The distance of two rows, and the height of a box."""
_STYLE = (
    ".box{fill:#fff;stroke:#838d9a;stroke-width:1.5}.band{fill:#e7ebf0}.name{font-size:14px;font-weight:bold}"
    ".phrase{font-size:12px;fill:#58616c}.side{font:14px sans-serif;fill:#58616c}.off{fill:#fdeeed;stroke:#b3211f}"
)


class DrawnStep(NamedTuple):
    """A box in the drawing of a question's way."""

    column: float
    """0 is the left column, 1 the right one, and 0.5 between them."""
    row: int
    text: str
    path: str
    """Where the code is, from the root of the repository."""
    is_wrong: bool = False
    """Whether the way leads here only after a wrong answer."""


WAY = (
    DrawnStep(0, 0, "run: a case of a suite", "suites/case.py"),
    DrawnStep(1, 0, "fuzz: a drawn line", "strategies/mixed.py"),
    DrawnStep(0, 1, "a thread takes it", "harness/checking/running/schedule.py"),
    DrawnStep(1, 1, "a batch examines it", "harness/fuzzing/batch.py"),
    DrawnStep(0, 2, "which counts to ask", "harness/checking/running/counter.py"),
    DrawnStep(1, 2, "which checks to make", "harness/fuzzing/examining.py"),
    DrawnStep(0.5, 3, "session: time limit, stop", "harness/engines/asking/session.py"),
    DrawnStep(0.5, 4, "engine, one of its types", "harness/engines/engine.py"),
    DrawnStep(0.5, 5, "its answer, read", "harness/engines/stdio/dialects.py"),
    DrawnStep(0.5, 6, "compared with the right one", "harness/checking/comparing.py"),
    DrawnStep(0.5, 7, "incorrect: reproducible?", "harness/engines/asking/confirming.py", True),
    DrawnStep(0, 8, "run: down to the wrong move", "harness/checking/descent/descending.py", True),
    DrawnStep(1, 8, "fuzz: to fewer pieces", "harness/fuzzing/reducing.py", True),
    DrawnStep(0.5, 9, "which rule it breaks", "harness/explaining/rules.py", True),
    DrawnStep(0.5, 10, "events and results", "harness/model/results/events.py"),
    DrawnStep(0.5, 11, "shown and written", "reports/formats/table.py"),
)
"""The way of a question, from the command to the report."""
WIDE = 410
"""The width of a box with a path."""


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of each picture and its text."""
    yield "rooms.svg", _rooms()
    yield "question.svg", _question()


def layers(contract: str = CONTRACT) -> Sequence[Sequence[str]]:
    """Return the rooms of a contract from top to bottom; those of one layer do not import each other.

    They are paths that start from the folder that the contract is about, without single modules of the root.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (found,) = (one for one in settings["contracts"] if one["name"] == contract)
    rows = [[_path(name) for name in re.split(r" [|:] ", layer)] for layer in found["layers"]]
    return rows if "containers" in found else [row for row in rows if all((ROOT / path).is_dir() for path in row)]


def _path(name: str) -> str:
    return name.removeprefix("perft_check.").replace(".", "/")


def _rooms() -> str:
    """Return the rooms, a row for each layer; a band is as high as its rows."""
    rows = layers()
    starts = [number for number, layer in enumerate(rows) if layer[0] in BANDS]
    width = 2 * WIDE + 3 * GAP
    inner = width - LEFT - 2 * GAP
    parts: list[str] = []
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        top, height = TOP + LINE * start - 6, LINE * (end - start) - 2
        parts += [f'<rect class="band" x="8" y="{top}" width="{width - 16}" height="{height}" rx="5"/>']
        parts += [label(20, top + 24, BANDS[rows[start][0]], "side")]
    for number, layer in enumerate(rows):
        box = (inner - GAP * (len(layer) - 1)) / len(layer)
        for place, room in enumerate(layer):
            parts += _box(LEFT + place * (box + GAP), TOP + LINE * number, box, room, PHRASES.get(room, ""))
    height = TOP + LINE * len(rows) + 28
    rule = "A room imports from the rows below it, from no room beside it, and from none above it."
    parts += [label(20, height - 20, rule, "side")]
    names = "; ".join(", ".join(layer) for layer in rows)
    return document((width, height), "The rooms of perft-check", f"From top to bottom: {names}.", _STYLE, parts)


def _question() -> str:
    """Return the way of a question, which forks where `run` and `fuzz` differ."""
    width = 2 * WIDE + 3 * GAP
    middles = {step: GAP + step.column * (WIDE + GAP) + WIDE / 2 for step in WAY}
    parts: list[str] = []
    for step in WAY:
        for before in WAY:
            if before.row == step.row - 1 and (before.column == step.column or 0.5 in (before.column, step.column)):
                parts += [edge(middles[before], TOP + LINE * before.row + TALL, middles[step], TOP + LINE * step.row)]
    for step in WAY:
        if not (ROOT / step.path).is_file():
            raise ValueError(f"the way of a question leads through {step.path}, which is not there: see {__name__}")
        left = middles[step] - WIDE / 2
        parts += _box(left, TOP + LINE * step.row, WIDE, step.text, step.path, "off" if step.is_wrong else "")
    height = TOP + LINE * (WAY[-1].row + 1)
    steps = "; ".join(f"{step.text} ({step.path})" for step in WAY)
    return document((width, height), "The way of a question through the code", f"{steps}.", _STYLE, parts)


def _box(x: float, y: float, width: float, name: str, phrase: str, kind: str = "") -> list[str]:
    return [
        f'<rect class="box {kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{TALL}" rx="4"/>',
        label(x + 10, y + 15, name, "name"),
        label(x + 10, y + 33, phrase, "phrase"),
    ]
