"""The sections of `docs/techniques.md`, from the docstrings of the techniques."""

from __future__ import annotations

import importlib
from inspect import cleandoc

from perft_check.generator.techniques.registry import ENTRIES

from .pictures.techniques import UNTRACED, file_of

ELSEWHERE = {"stockfish": "generator.kernels.generate", "turbo": "generator.kernels.counting.walk"}
"""Techniques of perft-check's own kernels, which have no file in `techniques/`."""


def render_techniques() -> str:
    """Return one section per technique: the docstring of its module, and its properties."""
    return "\n\n".join(_render_section(name) for name in ENTRIES)


def _render_section(name: str) -> str:
    technique = ENTRIES[name].technique
    path = ELSEWHERE.get(name, f"generator.techniques.{name.replace('-', '_')}")
    module = importlib.import_module(f"perft_check.{path}")
    notes = [
        f"`own:{name}`, {technique.origin}, in `{path.replace('.', '/')}.py`.",
        f"Tables: {technique.table_bytes:,} bytes." if technique.table_bytes else "No tables.",
        "" if technique.chess960 else "Supports only standard castling; Chess960 positions are refused.",
    ]
    parts = [f"## {name}", " ".join(filter(None, notes)), _render_picture(name), cleandoc(module.__doc__ or "")]
    return "\n\n".join(filter(None, parts))


def _render_picture(name: str) -> str:
    """Return the animated walk of a technique, or "" if it cannot be traced."""
    return (
        "" if name in UNTRACED else f"![The walk of {name} through a position, step by step](pictures/{file_of(name)})"
    )
