"""What each of our techniques takes: bytes of tables, and steps for each legal move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....generator.position import Position
from ...model.results.bench import TechniqueCost


def costs(positions: Sequence[Position]) -> Iterator[TechniqueCost]:
    """Yield what each technique takes in those of the positions that it knows."""
    from ....generator.techniques.registry import ENTRIES, knows
    from ....generator.techniques.tracing import traces

    for name, entry in ENTRIES.items():
        walks = list(traces(name, [position for position in positions if knows(name, position)]))
        squares = sum(walk.number("visit") + walk.number("test") for walk in walks)
        look_ups = sum(walk.number("look-up") for walk in walks)
        moves = sum(walk.legal for walk in walks)
        is_recorded = bool(squares + look_ups)
        yield TechniqueCost(
            name=name,
            table_bytes=entry.technique.table_bytes,
            squares=squares / moves if is_recorded else None,
            look_ups=look_ups / moves if is_recorded else None,
            remark=entry.technique.cost,
            lists_moves=name != "turbo",
        )
