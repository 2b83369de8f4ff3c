"""All faults, by name."""

from __future__ import annotations

import difflib
from hashlib import sha256

from ..errors import UsageError
from . import (  # noqa: F401 - importing a file enters its faults
    capacity,
    castling,
    checks,
    chess960,
    controls,
    counting,
    duplicates,
    en_passant,
    fens,
    keys,
    make_unmake,
    pieces,
    pins,
    promotion,
    reading,
    rights,
    staging,
    validators,
    waiting,
)
from .fault import ZOO, Fault

__all__ = ["ZOO", "by_theme", "find_fault", "kept_aside", "markdown_table"]


def find_fault(name: str) -> Fault:
    """Return the fault of this name. Raises UsageError with a hint where there is none."""
    if name in ZOO:
        return ZOO[name]
    close = difflib.get_close_matches(name, ZOO, n=1, cutoff=0.4)
    hint = f"did you mean {close[0]!r}?" if close else "`perft-check zoo list` shows what there is"
    raise UsageError(f"no fault named {name!r}: {hint}")


def by_theme() -> dict[str, list[Fault]]:
    """Return the faults of each class; classes by name, controls last."""
    themes: dict[str, list[Fault]] = {}
    for one in ZOO.values():
        themes.setdefault("control" if one.control else one.theme, []).append(one)
    return dict(sorted(themes.items(), key=lambda item: (item[0] == "control", item[0].casefold())))


def kept_aside(family: str) -> bool:
    """Tell whether a family is of the third that nothing is tuned on or chosen by; a hash of its name decides."""
    return int.from_bytes(sha256(family.encode()).digest(), "big") % 3 == 0


def markdown_table() -> str:
    """Return the table of docs/zoo.md."""
    lines = ["| class | fault | shows as | what is wrong |", "| --- | --- | --- | --- |"]
    for theme, faults in by_theme().items():
        lines += [f"| {theme} | `{one.name}` | {one.effect or 'nothing'} | {one.story} |" for one in faults]
    return "\n".join(lines)
