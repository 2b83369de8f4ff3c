"""Read `faults.toml`: faults that depend on conditions other than rare events, as sources in C and Python.

The code of a fault is inserted at a place: `moves`, where a list is complete; `add`, before a move is added (in C
neither castling nor en passant); `castling`, before castling is added; `play` or `make`, after a move has been made.
The field `note` of a board is 0 after a FEN has been read. It is part of the state that a move changes and that undoing
the move restores.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
C, HEADERS = ROOT / "examples" / "c", ROOT / "harness" / "engines" / "library"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PLACES = {
    "c": {
        "moves": "    return list.n;\n",
        "add": "        if (!(list->doubtful & BIT(from))",
        "castling": "        if (is_free) list->moves",
        "play": "}\n\nstatic int is_safe(",
        "helpers": "static uint64_t everybody(",
    },
    "python": {
        "moves": "        return moves\n",
        "add": "        if self.doubtful[origin] or",
        "castling": "            moves.append(name_of(origin) + name_of(origin + 2 * towards))",
        "make": "\n    def pop(self)",
        "helpers": "class MailboxPosition:\n",
    },
}
"""The text before which the code of each place is inserted, by language; it occurs once in the source."""
DEPTH_OF_CODE = {"moves": 8, "add": 8, "castling": 12, "make": 8, "play": 8, "helpers": 0}


@dataclass(frozen=True)
class ConditionalFault:
    """A fault in both languages, and a position that shows it."""

    name: str
    wrong: str
    code: Mapping[str, Mapping[str, str]]
    """The code at each place, by language."""
    fen: str
    depth: int
    """The depth at which the count is incorrect; it is correct at each smaller depth."""
    lists: int
    """Number of times that a process has to list the moves of this position until the fault shows."""

    def source(self, language: str) -> str:
        """Return the source with the fault, in `c` or `python`. Raises ValueError if a place does not occur once."""
        source = sources()[language]
        for place, code in {**self.code[language], "helpers": _helpers()[language]}.items():
            mark = PLACES[language][place]
            if source.count(mark) != 1:
                raise ValueError(f"{self.name}: the source has this text {source.count(mark)} times: {mark}")
            source = source.replace(mark, indent(code.strip("\n") + "\n", " " * DEPTH_OF_CODE[place]) + mark)
        return source


def sources() -> dict[str, str]:
    """Return the sources without a fault, by language. The one in C is a single file with the field `note`."""
    glue, generator = ((C / name).read_text(encoding="utf-8") for name in ("library.c", "generator.h"))
    generator = generator.replace("half, full, chess960;", "half, full, chess960, note;")
    generator = generator.replace("    for EACH (to, targets)\n", "    for EACH (to, targets) {\n")
    generator = generator.replace(
        "list->n++] = (Move){from, to, 0};\n}", "list->n++] = (Move){from, to, 0};\n    }\n}", 1
    )
    python = (HERE / "small_generator.py").read_text(encoding="utf-8")
    return {"c": glue.replace('#include "generator.h"\n', generator), "python": python}


def faults() -> list[ConditionalFault]:
    """Return all faults in the order of the file."""
    return [
        ConditionalFault(
            fault["name"],
            fault["wrong"],
            {"c": fault["c"], "python": fault["python"]},
            fault.get("fen", START),
            fault.get("depth", 1),
            fault.get("lists", 1),
        )
        for fault in tomllib.loads((HERE / "faults.toml").read_text(encoding="utf-8"))["fault"]
    ]


def _helpers() -> dict[str, str]:
    helpers: dict[str, str] = tomllib.loads((HERE / "faults.toml").read_text(encoding="utf-8"))["helpers"]
    return helpers
