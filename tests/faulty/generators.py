"""Faulty move generators: each has one bug that public engines have had, and a position from which it shows.

The positions are few-pieced and legal, and the wrong move lies at least two plies below them, so that whoever
looks for it has to descend.
"""

from __future__ import annotations

from faulty import castling, checks, en_passant, pieces, promotion, rights
from faulty.base import Fault, Generator

__all__ = ["FAULTS", "UNDO_FAULTS", "Fault", "Generator"]

_FAMILIES = (en_passant, castling, rights, promotion, checks, pieces)

FAULTS: dict[str, Fault] = {fault.name: fault for family in _FAMILIES for fault in family.FAULTS}
"""The faults by name."""

UNDO_FAULTS: dict[str, Fault] = {fault.name: fault for fault in rights.UNDO_FAULTS}
"""Faults of unmaking a move: they spoil what is counted afterwards, so no single position shows them."""
