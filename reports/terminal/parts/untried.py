"""What a run has not tried, in a line above the one that sums it up."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ....harness.model.capabilities import Untried, sentence_of


def not_tried(untried: Sequence[Untried], engine: str = "", quiet: bool = False) -> list[Text]:
    """Return the line, or none where all was tried; it stands out where a part of every generator was left out.

    `quiet` leaves it out where no such part was.
    """
    stands_out = any(one.capability.is_essential for one in untried)
    if not untried or (quiet and not stands_out):
        return []
    name = (f"{engine}: ", "bold") if engine else ""
    line = (f"not tried: {sentence_of(untried)}", "yellow" if stands_out else "dim")
    return [Text.assemble(name, line, overflow="fold")]
