"""The table of predicates in `docs/predicates.md`."""

from __future__ import annotations

from perft_check.harness.engines.predicates import PREDICATES


def render_predicates() -> str:
    """Return the table, with one row per predicate of `harness/engines/predicates.py`, without names in camel case."""
    rows = []
    for one in PREDICATES:
        names = ", ".join(f"`{name}`" for name in one.usual if name.islower())
        rows.append(f"| `perft_check_{one.name}` | {names} |")
    return "\n".join(["| export | usual names in Python |", "| --- | --- |", *rows])
