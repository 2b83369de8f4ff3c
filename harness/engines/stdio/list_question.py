"""How an engine on stdin is asked for lists of moves by GenType, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ....generator.types.moves import GenType
from .patterns import LinePattern


@dataclass(frozen=True)
class ListQuestion:
    """How an engine is asked for lists of moves."""

    case: str
    """What is sent, with {fen} and {gentype}."""
    names: Mapping[GenType, str]
    """The GenTypes that it lists, by the names that it gives to them."""
    end: LinePattern | None = None
    """What the last line of a list matches; None: a UCI engine is asked whether it is ready."""
    convention: Mapping[str, str] = field(default_factory=dict)
    """What is known of its convention."""

    def lines(self, fen: str, gentype: GenType) -> list[str]:
        """Return what to send for a list."""
        return self.case.replace("{fen}", fen).replace("{gentype}", self.names[gentype]).split("\n")
