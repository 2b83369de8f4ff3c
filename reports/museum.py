"""The page of the techniques, `docs/techniques.md`: what each file says of itself, and how they compare."""

from __future__ import annotations

import importlib
from inspect import cleandoc

from ..generator.techniques.registry import ENTRIES

ELSEWHERE = {"stockfish": "generator.kernels.generate", "turbo": "generator.kernels.turbo"}
"""Techniques that are no museum pieces but what perft-check itself counts with."""


def sections() -> str:
    """Return a section for each technique: the docstring of its module, and what it needs."""
    return "\n\n".join(_section(name) for name in ENTRIES)


def _section(name: str) -> str:
    technique = ENTRIES[name].technique
    path = ELSEWHERE.get(name, f"generator.techniques.{name.replace('-', '_')}")
    module = importlib.import_module(f"{__package__.rpartition('.')[0]}.{path}")
    notes = [
        f"`own:{name}`, {technique.origin}, in `{path.replace('.', '/')}.py`.",
        f"Tables: {technique.table_bytes:,} bytes." if technique.table_bytes else "No tables.",
        "" if technique.chess960 else "Castling of standard chess only; Chess960 is refused.",
    ]
    return f"## {name}\n\n{' '.join(filter(None, notes))}\n\n{cleandoc(module.__doc__ or '')}"
