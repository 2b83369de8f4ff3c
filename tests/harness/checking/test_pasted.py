"""Counts as pasted text: what is read, and what is refused in one line."""

from __future__ import annotations

import pytest
from perft_check.errors import UsageError
from perft_check.generator import Position, divide
from perft_check.generator.types.moves import Move
from perft_check.harness.checking.pasted import read_counts

KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
START = Position.start()
QUEENS = Position.from_fen("k7/1q1q1q2/2q1q3/8/8/3Q1Q2/2Q1Q1Q1/7K w - - 0 1")
"""Its tree grows so fast that no large count is needed to see that depth 12 is too deep."""


def text_of(
    position: Position, depth: int, template: str = "{uci}: {nodes}", total: str = "Nodes searched: {total}"
) -> str:
    """Return a correct divide as an engine prints it."""
    counts = divide(position, depth)
    lines = [template.format(uci=move.uci(), san=position.san(move), nodes=nodes) for move, nodes in counts.items()]
    return "\n".join([*lines, "", total.format(total=sum(counts.values()))])


def expected(position: Position, depth: int) -> dict[str, int]:
    """Return the correct divide by moves as king takes rook."""

    def text(move: Move) -> str:
        return move.uci(chess960=True)

    return {text(move): nodes for move, nodes in divide(position, depth).items()}


@pytest.mark.parametrize(
    ("template", "total"),
    [
        ("{uci}: {nodes}", "Nodes searched: {total}"),
        ("{uci} {nodes:,}", "Total: {total:,}"),
        ("> {san}  {nodes}", "> {total} nodes in 0.1s"),
        ("| {uci} | {nodes} |", "| total | {total} |"),
        ("[code]{uci} - {nodes}[/code]", "Perft result: {total}"),
    ],
)
def test_a_divide_is_read_in_the_dialects_of_engines(template: str, total: str) -> None:
    read = read_counts(text_of(KIWIPETE, 3, template, total), KIWIPETE, 3, "divide.txt")
    assert read.divide is not None
    assert (read.divide.counts, read.divide.total, read.contradiction) == (expected(KIWIPETE, 3), 97_862, "")


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("20, 400, 8902, 197281, 4865351", {1: 20, 2: 400, 3: 8902, 4: 197281, 5: 4865351}),
        ("20 400 8,902 197,281 4,865,351", {1: 20, 2: 400, 3: 8902, 4: 197281, 5: 4865351}),
        ("20,400,8902,197281,4865351", {1: 20, 2: 400, 3: 8902, 4: 197281, 5: 4865351}),
        ("1, 20, 400, 8902, 197281, 4865351", {1: 20, 2: 400, 3: 8902, 4: 197281, 5: 4865351}),
        ("20\n400\n8903\n", {1: 20, 2: 400, 3: 8903}),
        ("4,865,351", {5: 4865351}),
        ("perft 1: 20\nperft 2: 400\nperft 3: 8903", {1: 20, 2: 400, 3: 8903}),
        ("depth  nodes\n1  20\n2  400\n3  8903", {1: 20, 2: 400, 3: 8903}),
        ("Nodes searched: 4865351", {5: 4865351}),
    ],
)
def test_totals_of_several_depths_are_read(text: str, totals: dict[int, int]) -> None:
    read = read_counts(text, START, 5, "totals.txt")
    assert read.totals == totals
    assert read.depth == max(totals)


def test_a_total_that_contradicts_the_root_moves_is_noticed() -> None:
    lines = text_of(KIWIPETE, 3).splitlines()
    read = read_counts("\n".join(lines[1:]), KIWIPETE, 3, "divide.txt")
    assert read.divide is not None
    assert len(read.divide.counts) == 47
    assert read.contradiction.startswith("its total is 97,862, but its root moves add up to ")


@pytest.mark.parametrize(
    ("text", "position", "depth", "message"),
    [
        ("hello world", START, 3, "divide.txt has no counts: expected root moves such as 'e2e4: 600', "),
        (text_of(KIWIPETE, 3), KIWIPETE, 4, "divide.txt has the counts of depth 3, not 4: give depth 3"),
        (text_of(KIWIPETE, 3), KIWIPETE, 2, "divide.txt has the counts of depth 3, not 2: give depth 3"),
        (
            "20 400 8902 197281",
            START,
            3,
            "divide.txt has 4 totals, but depth 3 has 3: give the depth of the last one",
        ),
        ("20", QUEENS, 12, "depth 12 has more than 20,000,000,000 leaf nodes here"),
    ],
)
def test_what_is_no_answer_is_refused(text: str, position: Position, depth: int, message: str) -> None:
    with pytest.raises(UsageError) as error:
        read_counts(text, position, depth, "divide.txt")
    assert str(error.value).startswith(message)


def test_the_divide_of_another_position_is_doubted() -> None:
    read = read_counts(text_of(START, 2), KIWIPETE, 2, "divide.txt")
    assert read.doubt.startswith("divide.txt: 5 of its 20 root moves are legal in r3k2r/")
    assert read.doubt.endswith(": is it the divide of another position?")


def test_a_root_move_after_the_total_is_refused() -> None:
    """It was not part of the divide that was read, so that "all counts are correct" would be wrong."""
    text = "".join(f"{move}: {count}\n" for move, count in divide(Position.start(), 1).items())
    shallow = f"{text}Nodes searched: 20\n"
    with pytest.raises(UsageError, match=r"x has a root move after its total, 'e2e5: 3': give one divide"):
        read_counts(f"{shallow}e2e5: 3\n", Position.start(), 1, "x")
    assert read_counts(shallow, Position.start(), 1, "x").totals == {1: 20}
