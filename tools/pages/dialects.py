"""The table of `docs/engines.md` with the known forms of root moves and totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perft_check.harness.engines.stdio.dialects import ROOT_MOVES, TOTALS, LineFormat


def render_dialects() -> str:
    """Return the table, with one row per form of `harness/engines/stdio/dialects.py`."""
    head = ["| line | form | such as |", "| --- | --- | --- |"]
    return "\n".join([*head, *_rows("root move", ROOT_MOVES), *_rows("total", TOTALS.values())])


def _rows(kind: str, forms: Iterable[LineFormat]) -> Iterator[str]:
    for form in forms:
        examples = ", ".join(f"`{' '.join(example.split())}`" for example in form.examples)
        yield f"| {kind} | `{form.name}` | {examples} |"
