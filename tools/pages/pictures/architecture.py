"""The picture in `docs/architecture.md`: the main packages, and the path of a question through them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .svg import document, label

ROOT = Path(__file__).resolve().parents[3]
CONTRACT = "The layers of the package"
"""The contract of import-linter in `pyproject.toml` that lists the packages from top to bottom."""


class PackageBox(NamedTuple):
    """A package in the picture."""

    purpose: str
    stations: tuple[int, ...] = ()
    """The steps of the path of a question, as numbered on the page, that this package performs."""


DRAWN = {
    "harness/cli": PackageBox("commands, options, configuration", (1,)),
    "harness/explorer": PackageBox("the screen of explore: two trees side by side, a board, the cause"),
    "reports": PackageBox("results on the terminal, in files, as pages", (8,)),
    "harness/zoo": PackageBox("generators with one fault each; how many are detected"),
    "harness/fuzzing": PackageBox("generates positions, checks them, reduces findings", (2, 4, 6)),
    "harness/checking": PackageBox("counts suites, follows a wrong count to its cause", (2, 4, 6)),
    "harness/engines": PackageBox("SPECs, sessions, processes, answers", (3, 5)),
    "harness/explaining": PackageBox("the broken rule in words", (7,)),
    "harness/model": PackageBox("results, verdicts, events"),
    "strategies": PackageBox("positions by Hypothesis"),
    "suites": PackageBox("positions with their counts"),
    "generator": PackageBox("positions, moves, perft; kernels compiled by Numba"),
}
"""The packages in the picture; the table on the page has all of them."""
ROWS = (
    ("harness/cli",),
    ("harness/explorer",),
    ("reports",),
    ("harness/zoo",),
    ("harness/fuzzing",),
    ("harness/checking",),
    ("harness/engines",),
    ("harness/explaining", "harness/model"),
    ("strategies",),
    ("suites",),
    ("generator",),
)
"""The boxes of each row."""
BANDS = ((0, 3, "what people see"), (3, 6, "finds faults"), (6, 7, "asks engines"), (7, 11, "knows what is correct"))
"""The first row of each band, the row after its last one, and what its packages do."""
WIDTH, LEFT, TOP, GAP = 860, 190, 20, 14
"""The width of the picture, the position of the first box, and the distance between boxes."""
LINE, TALL, RADIUS = 52, 42, 11
"""The distance between rows, the height of a box, and the size of a number."""
_STYLE = (
    ".box{fill:#fff;stroke:#838d9a;stroke-width:1.5}.band{fill:#e7ebf0}.name{font-size:14px;font-weight:bold}"
    ".purpose{font-size:12px;fill:#58616c}.side{font:14px sans-serif;fill:#58616c}.station{fill:#1f5fa8}"
    ".number{font:bold 13px sans-serif;fill:#fff;text-anchor:middle}"
)


def draw_pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of the picture and its text."""
    yield "architecture.svg", _draw()


def layers(contract: str = CONTRACT) -> Sequence[Sequence[str]]:
    """Return the packages of a contract from top to bottom; those of one layer do not import each other.

    Packages are paths relative to the folder of the contract; single modules in this folder are omitted.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (found,) = (one for one in settings["contracts"] if one["name"] == contract)
    rows = [[_path(name) for name in re.split(r" [|:] ", layer)] for layer in found["layers"]]
    if "containers" in found:
        return rows
    packages = ([path for path in row if (ROOT / path).is_dir()] for row in rows)
    return [row for row in packages if row]


def _path(name: str) -> str:
    return name.removeprefix("perft_check.").replace(".", "/")


def _draw() -> str:
    parts: list[str] = []
    for start, end, name in BANDS:
        top = TOP + LINE * start - 6
        parts += [
            f'<rect class="band" x="8" y="{top}" width="{WIDTH - 16}" height="{LINE * (end - start) - 2}" rx="5"/>'
        ]
        parts += [label(20, top + 24, name, "side")]
    for row, names in enumerate(ROWS):
        width = (WIDTH - LEFT - 2 * GAP - GAP * (len(names) - 1)) / len(names)
        for column, name in enumerate(names):
            parts += _box(LEFT + column * (width + GAP), TOP + LINE * row, width, name)
    bottom = TOP + LINE * len(ROWS)
    parts += [
        label(
            20, bottom + 8, "A package imports only from rows below its own. Numbers: the path of a question.", "side"
        )
    ]
    described = "; ".join(f"{name}: {package.purpose}" for name, package in DRAWN.items())
    return document(
        (WIDTH, bottom + 28), "The packages of perft-check", f"From top to bottom: {described}.", _STYLE, parts
    )


def _box(x: float, y: float, width: float, name: str) -> list[str]:
    package = DRAWN[name]
    parts = [
        f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{TALL}" rx="4"/>',
        label(x + 10, y + 13, name, "name"),
        label(x + 10, y + 30, package.purpose, "purpose"),
    ]
    for place, number in enumerate(reversed(package.stations)):
        middle = x + width - RADIUS - 6 - place * (2 * RADIUS + 5)
        parts += [f'<circle class="station" cx="{middle:g}" cy="{y + TALL / 2:g}" r="{RADIUS}"/>']
        parts += [label(middle, y + TALL / 2, str(number), "number")]
    return parts
