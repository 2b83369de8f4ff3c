"""Parts of a page that open: a table to search and sort, and a divide as a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from ....harness.model.results.events import Difference, Finding, RootMove
from ...terminal.parts.finding import claim, kind_of, totals_of, without_moves
from .facts import data, fit, rows

Row = list[str | float | None]
"""A text or number for each column, or None."""
IN_A_PIECE = 1_000
"""Rows that are written at once."""


@dataclass(frozen=True)
class ExplorerColumn:
    """What stands in a column of the data."""

    title: str
    kind: str
    """"name", "fen" (shown below the name), "text", "number", "share" (from 0 to 1), or "choice": the number of one of
    `choices`."""
    choices: tuple[str, ...] = ()
    tones: tuple[str, ...] = ()
    """For choices that are verdicts: "good", "bad" or "open"."""
    filters: bool = False
    """Whether rows can be filtered by it."""


@dataclass(frozen=True)
class TableExplorer:
    """The table, its columns and its rows."""

    title: str
    noun: str
    """What a row is, such as "position"."""
    columns: tuple[ExplorerColumn, ...]
    total: int
    rows: Callable[[], Iterable[Row]]

    @property
    def pieces(self) -> Iterator[Markup]:
        """The data as JSON, in pieces."""
        heads = [_head(one) for one in self.columns]
        yield Markup('{"noun":') + data(self.noun) + Markup(',"columns":') + data(heads) + Markup(',"rows":[')
        for number, some in enumerate(_batches(self.rows())):
            yield Markup("," if number else "") + rows(some)
        yield Markup("]}")


def _head(one: ExplorerColumn) -> dict[str, object]:
    return {"title": one.title, "kind": one.kind, "choices": [*map(fit, one.choices)], "tones": one.tones or None}


def _batches(all_rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(all_rows)
    while some := list(islice(left, IN_A_PIECE)):
        yield some


@dataclass(frozen=True)
class TreeRow:
    """A move of the tree, and what is below it."""

    move: str
    note: str
    tone: str = ""
    """How the engine is wrong here: "missing", "extra", "duplicate", "count"; "" where it is not, or not known."""
    below: tuple[TreeRow, ...] = ()


@dataclass(frozen=True)
class TreeTable:
    """How two divides differ."""

    title: str
    """The sums of both."""
    sentence: str
    """How they compare where no root move differs, else ""."""
    nodes: tuple[TreeRow, ...]
    """The root moves that differ; the one that was followed is the first."""
    equal: tuple[TreeRow, ...] = ()
    """The root moves that agree, where they are known."""
    is_open: bool = False
    """Whether it is open from the start."""


def tree_of(difference: Difference, finding: Finding | None, counts: Sequence[tuple[str, int]] = ()) -> TreeTable:
    """Return the tree of a difference. `counts` has all root moves of the engine, where they are known."""
    followed = finding.path[0][0] if finding is not None and finding.path else ""
    moves = sorted(difference.moves, key=lambda move: move.uci != followed)
    nodes = tuple(_node(move, difference, finding if move.uci == followed else None) for move in moves)
    sentence = "" if difference.moves else without_moves(difference)
    return TreeTable(totals_of(difference), sentence, nodes, _equal(difference, counts))


def _node(move: RootMove, difference: Difference, finding: Finding | None) -> TreeRow:
    counts = f"{_side(difference.engine, move.got)}, {_side(difference.reference, move.expected)}"
    kind = kind_of(move)
    tone = kind if kind in ("missing", "extra", "duplicate") else "count"
    return TreeRow(_name(move.uci, move.san), f"{kind}: {counts}", tone, () if finding is None else _way(finding))


def _way(finding: Finding) -> tuple[TreeRow, ...]:
    """Return the moves of the path after the first one below each other, and at the end the moves that are wrong."""
    below = tuple(TreeRow(claim(move), move.title, move.kind) for move in (*finding.state, *finding.wrong))
    for uci, san in reversed(finding.path[1:]):
        below = (TreeRow(_name(uci, san), "followed", "", below),)
    return below


def _equal(difference: Difference, counts: Sequence[tuple[str, int]]) -> tuple[TreeRow, ...]:
    differing = {move.uci for move in difference.moves}
    return tuple(TreeRow(uci, f"{nodes:,}") for uci, nodes in counts if uci not in differing)


def _side(engine: str, nodes: int | None) -> str:
    return f"{engine} {'has no such move' if nodes is None else f'{nodes:,}'}"


def _name(uci: str, san: str | None) -> str:
    return f"{uci} ({san})" if san else uci
