"""All faults, by name."""

from __future__ import annotations

from hashlib import sha256

from ...errors import UsageError, did_you_mean
from .fault import ZOO, Fault
from .faults import FAMILIES

__all__ = ["FAMILIES", "ZOO", "by_theme", "faults_of", "find_fault", "kept_aside", "markdown_table"]


def find_fault(name: str) -> Fault:
    """Return the fault of this name. Raises UsageError with a hint where there is none."""
    if name in ZOO:
        return ZOO[name]
    hint = did_you_mean(name, ZOO, "`perft-check zoo list` shows what there is", cutoff=0.4)
    raise UsageError(f"no fault named {name!r}: {hint}")


def faults_of(theme: str | None) -> list[Fault]:
    """Return the faults of a class, controls as one of their own; all where it is None. Raises UsageError."""
    themes = by_theme()
    if theme is not None and theme not in themes:
        raise UsageError(f"no class {theme!r}: {did_you_mean(theme, themes)}")
    return [one for name, faults in themes.items() if theme in (None, name) for one in faults]


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
