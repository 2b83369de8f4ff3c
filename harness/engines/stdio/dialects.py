"""The formats in which engines write root moves and totals.

A new dialect is one row in a table. Its templates, whose elements are defined in `grammar.py`, are compiled to regular
expressions. Its examples are test cases.
"""

from __future__ import annotations

from typing import NamedTuple


class LineFormat(NamedTuple):
    """A format of lines with a root move or a total."""

    name: str
    """A sample line, with N for the nodes and D for the depth. Used as value of the key `total` in descriptors."""
    templates: tuple[str, ...]
    """Alternative templates. A space matches any white space, or none next to a sign. Lowercase letters match both
    cases. A final " ..." matches any text, with or without a comma.
    """
    examples: tuple[str, ...]
    """Example lines with 600 nodes after e2e4, or a total of 8902 nodes, at depth 3 if a depth is stated."""
    is_loose: bool = False
    """Whether unrelated lines often match. If so, the format is accepted only if the engine has printed a known count
    in it."""


ROOT_MOVES = (
    LineFormat(
        "e2e4: N",
        ("{numbering}{move}{arrow}{nodes} ...", "[{move}]{arrow}{nodes} ..."),
        (
            "e2e4: 600", "e2e4 -> 600", "e2e4\t600", "e2e4 - 600", "e2e4 | 600", "e2e4: 600, 1 ms", "   e2e4 : 600",
            "  1     e2e4          600        0.000s ... kN/s", "2) e2e4 600", "Pe2e4 600", "e2-e4  600  39479",
            "e2e4 ....... 600", "| e2-e4 |       600 |", "  [e2e4] = 600 (3.1%)",
        ),
    ),
    LineFormat(
        "1 : e2e4 : N",
        ("{index}{arrow}{move}{arrow}{nodes} ...",),
        ("   1 : e2e4 : 600", "1: e2e4 600"),
    ),
    LineFormat('"e2e4": N', ('"{move}": {nodes} ...',), ('"e2e4": 600,', '"e2e4": 600')),
    LineFormat(
        "move e2e4 nodes N",
        ("move{arrow}{move} nodes{arrow}{nodes} ...", "move{arrow}{move}, nodes{arrow}{nodes} ..."),
        ("Move: e2e4 Nodes: 600", "move e2e4, nodes 600"),
    ),
)  # fmt: skip
"""Formats of root moves. An engine may use more than one."""


def _counts(*names: str, things: tuple[str, ...] = ("",)) -> tuple[str, ...]:
    """Return a template for each combination of a total's name and a thing that is counted, which replaces THINGS."""
    named = (name.replace("THINGS", thing) for name in names for thing in things)
    return tuple(f"{name}{{arrow}}{{nodes}} ..." for name in named)


_LEAVES = ("leafs", "leaves", "leaf nodes", "leafnodes")
_THINGS = ("nodes", *_LEAVES, "positions", "moves")
_STRICT = (
    LineFormat(
        "Nodes searched: N",
        _counts("nodes searched", "nodes found"),
        ("Nodes searched: 8902", "Nodes searched  : 8,902", "Nodes Searched: 8902, Time: 0ms", "Nodes found: 8902"),
    ),
    LineFormat(
        "Nodes: N",
        _counts("nodes"),
        ("Nodes: 8902", "nodes: 8902 nps: 12345", "nodes 8902 nps 12345", "Nodes = 8902, 12345 nps"),
    ),
    LineFormat(
        "Total nodes: N",
        _counts("total nodes", "total nodes searched", "total node count", "total number of nodes"),
        ("Total nodes: 8902", "Total nodes searched: 8902", "Total number of nodes = 8902"),
    ),
    LineFormat(
        "Total leaves: N", _counts("total THINGS", things=_LEAVES), ("Total leaves: 8902", "total leafs 8902")
    ),
    LineFormat(
        "Total moves: N",
        _counts("total moves", "total positions"),
        ("Total moves: 8902", "total moves=8902  time=0.00", "Total positions 8902"),
    ),
    LineFormat(
        "Total: N",
        _counts("total"),
        ("Total: 8902", "TOTAL..... 8,902", "| total | 8'902 |", "Total 8902 nodes in 0.001s, 8902 kN/s"),
    ),
    LineFormat(
        "perft D time T nodes N",
        ("perft {depth} time {word} nodes {nodes} ...",),
        ("perft 3 time 0.01s nodes 8902 (12.1 Mnps)",),
    ),
    LineFormat(
        "Perft: N",
        ("perft [:=] {nodes} ...", *_counts("perft result", "perft total")),
        ("Perft: 8902 nodes in 0.001s => 8902000nps", "perft = 8902", "Perft result: 8902"),
    ),
    LineFormat(
        "Perft D: N",
        _counts(
            "perft ( {depth})", "perft ( {depth}) nodes", "perft ( {depth}) total nodes", "perft depth {depth}",
            "perft depth {depth} nodes", "perft depth {depth} finished", "perft to depth {depth}",
        ),
        (
            "Perft 3: 8902", "perft(3) = 8902", "perft 3 8902", "Perft 3: 8902 nodes, 0.01s", "perft depth 3: 8902",
            "perft to depth 3: 8902 moves, 0.01 s", "Perft depth 3 finished: 8,902 nodes",
            "perft(3) total nodes: 8902",
        ),
    ),
    LineFormat(
        "Depth: D Nodes: N",
        _counts("depth{arrow}{depth} nodes", "depth{arrow}{depth}, nodes", "depth {depth}{arrow}nodes"),
        ("Depth: 3 Nodes: 8902 Time: 6.4e-05", "depth=3, nodes=8902", "Depth 3: nodes 8902"),
    ),
    LineFormat(
        "Depth D: N",
        _counts("depth {depth}", "ply {depth}"),
        ("Depth 3: 8902", "depth 3 = 8902 (0.01 s)", "Ply 3: 8902"),
    ),
    LineFormat(
        "info depth D ... nodes N",
        ("info depth {depth} ... nodes {nodes} ...",),
        ("info depth 3 nodes 8902 time 1 nps 8902000", "info depth 3 seldepth 4 score cp 3 nodes 8902 nps 5"),
    ),
    LineFormat("info nodes N", ("info nodes {nodes} ...",), ("info nodes 8902",)),
    LineFormat(
        "Node count: N",
        _counts("node count", "number of nodes", "count"),
        ("Node count = 8902", "Number of nodes: 8902", "Count: 8902"),
    ),
    LineFormat(
        "Nodes at depth D: N",
        _counts("THINGS at depth {depth}", "THINGS at ply {depth}", things=_THINGS)
        + _counts("nodes for depth {depth}", "raw nodes for depth {depth}"),
        (
            "Raw nodes for depth 3: 8902", "Nodes at depth 3: 8902", "leaves at depth 3 = 8902",
            "Positions at ply 3: 8902",
        ),
    ),
    LineFormat(
        "Leaves: N",
        _counts("THINGS", things=_LEAVES),
        ("Leafs: 8902", "Leaves: 8902", "leaf nodes = 8902", "Leaves 8902, 12345 nps"),
    ),
    LineFormat(
        "Positions: N", _counts("positions", "positions searched"), ("Positions: 8902", "positions searched: 8902")
    ),
    LineFormat("Moves: N", _counts("moves"), ("Moves: 8902", "moves = 8902 time = 0.00")),
    LineFormat(
        "Result: N",
        (*_counts("result", "sum"), "all [:=] {nodes} ..."),
        ("Result: 8902", "sum = 8902", "all: 8902"),
    ),
    LineFormat("n = N", ("n = {nodes}",), ("n = 8,902",)),
    LineFormat('"nodes": N', ('"nodes": {nodes} ...',), ('"nodes": 8902', '"nodes": 8902,')),
    LineFormat("D N seconds", ("{depth} {nodes} {seconds} ...",), (" 3       8902 11.08      803.43nps",)),
    LineFormat(
        "N nodes",
        tuple(f"{{nodes}} {thing} ..." for thing in (*_THINGS, "node", "leaf")),
        ("8902 nodes in 0ms", "8902 nodes, 12345 nps", "8902 leaves", "8,902 leaf nodes (0.01 s)"),
    ),
    LineFormat("N", ("{nodes}",), ("8902", "  8,902")),
)  # fmt: skip
_LOOSE = (
    LineFormat(
        "D: N",
        _counts("{depth}", "d{depth}"),
        ("3: 8902", " 3   8902   14   634304", "|  3 |   8,902 |", "D3=8902 ok"),
        is_loose=True,
    ),
    LineFormat("N ...", ("{nodes} ...",), ("8902 (0.01 s)", "8902, 12345 nps"), is_loose=True),
)
TOTALS = {one.name: one for one in (*_STRICT, *_LOOSE)}
"""Formats of totals, by name; strict ones first."""

UNKNOWN_ROOT_MOVE = LineFormat("word: N", ("{numbering}{word}{arrow}{nodes} ...",), ())
"""The format of lines that may be root moves in an unknown format."""
