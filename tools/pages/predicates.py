"""The table of predicates in `docs/predicates.md`."""

from __future__ import annotations

from perft_check.harness.engines.predicates import PREDICATES


def render_predicates() -> str:
    """Return the table, with one row per predicate of `harness/engines/predicates.py`."""
    rows = [
        f"| `perft_check_{one.name}` | {', '.join(f'`{name}`' for name in one.usual)} | {one.leaves_out or 'none'} |"
        for one in PREDICATES
    ]
    return "\n".join(["| export | usual names in Python | not compared |", "| --- | --- | --- |", *rows])
