"""The dialects of engines as data: how they write root moves and totals.

A new dialect is one row here. The regular expression and the program of the compiled reader are both made from its
template (`grammar.py` has the elements), and the tests take its examples as they come.
"""

from __future__ import annotations

from typing import NamedTuple


class LineFormat(NamedTuple):
    """One way to write a line with a root move or with the total."""

    name: str
    """What it looks like, N for the nodes and D for the depth. Descriptors have it as `total`."""
    template: str
    """The line without white space around it. White space is one space, and may be missing beside a sign. Letters are
    in lower case and stand for both. " ..." at the end: more may follow.
    """
    examples: tuple[str, ...]
    """Lines in it: 600 nodes below e2e4, or a total of 8902 nodes, at depth 3 if it says one."""


ROOT_MOVES = (
    LineFormat(
        "e2e4: N",
        "{numbering}{move}{arrow}{nodes} ...",
        (
            "e2e4: 600",
            "e2e4 -> 600",
            "e2e4\t600",
            "   e2e4 : 600",
            "  1     e2e4          600        0.000s ... kN/s",
            "2) e2e4 600",
            "Pe2e4 600",
            "e2-e4  600  39479",
        ),
    ),
    LineFormat("1 : e2e4 : N", "{index} : {move} : {nodes} ...", ("   1 : e2e4 : 600",)),
)
"""Ways to write a root move. An engine may use several."""

_TOTALS = (
    LineFormat("Nodes searched: N", "nodes searched : {nodes}", ("Nodes searched: 8902", "Nodes searched  : 8,902")),
    LineFormat("Nodes searched: N, ...", "nodes searched : {nodes}, ...", ("Nodes Searched: 8902, Time: 0ms",)),
    LineFormat("Nodes: N", "nodes : {nodes} ...", ("Nodes: 8902", "nodes: 8902 nps: 12345")),
    LineFormat("Total nodes: N", "total nodes : {nodes} ...", ("Total nodes: 8902",)),
    LineFormat("Total: N", "total : {nodes} ...", ("Total: 8902", "total: 8902 in 1 ms")),
    LineFormat("Total N", "total {nodes} ...", ("Total 8902 nodes in 0.001s, 8902 kN/s",)),
    LineFormat("total moves=N", "total moves = {nodes} ...", ("total moves=8902  time=0.00",)),
    LineFormat(
        "perft D time T nodes N",
        "perft {depth} time {word} nodes {nodes} ...",
        ("perft 3 time 0.01s nodes 8902 (12.1 Mnps)",),
    ),
    LineFormat("Perft: N nodes", "perft : {nodes} nodes ...", ("Perft: 8902 nodes in 0.001s => 8902000nps",)),
    LineFormat("Perft D: N", "perft ( {depth} ) [:=] {nodes} ...", ("Perft 3: 8902", "perft(3) = 8902")),
    LineFormat("Depth: D Nodes: N", "depth : {depth} nodes : {nodes} ...", ("Depth: 3 Nodes: 8902 Time: 6.4e-05",)),
    LineFormat(
        "info depth D ... nodes N",
        "info depth {depth} ... nodes {nodes} ...",
        ("info depth 3 nodes 8902 time 1 nps 8902000", "info depth 3 seldepth 4 score cp 3 nodes 8902 nps 5"),
    ),
    LineFormat("info nodes N", "info nodes {nodes} ...", ("info nodes 8902",)),
    LineFormat("Node count = N", "node count = {nodes} ...", ("Node count = 8902",)),
    LineFormat(
        "Raw nodes for depth D: N", "raw nodes for depth {depth} : {nodes} ...", ("Raw nodes for depth 3: 8902",)
    ),
    LineFormat("Leafs: N", "leafs : {nodes} ...", ("Leafs: 8902",)),
    LineFormat("n = N", "n = {nodes}", ("n = 8,902",)),
    LineFormat("D N seconds", "{depth} {nodes} {seconds} ...", (" 3       8902 11.08      803.43nps",)),
    LineFormat("N nodes in ...", "{nodes} nodes in ...", ("8902 nodes in 0ms",)),
    LineFormat("N", "{nodes}", ("8902", "  8,902")),
)
TOTALS = {one.name: one for one in _TOTALS}
"""Ways to write the total by their names, strict ones first."""

UNKNOWN_ROOT_MOVE = LineFormat("word: N", "{numbering}{word}{arrow}{nodes} ...", ())
"""What may be a root move that is written in no way that we know."""
