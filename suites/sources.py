"""Positions with counts in JSON and in arrays of source code, as rows.

    {"fen": FEN, "depth": 2, "nodes": 400}     {"name": NAME, "fen": FEN, "d1": 20, "d2": 400}
    ("FEN", 2, 400)                            {"FEN", {20, 400}}
    {"FEN": {"1": 20, "2": 400}}               ["FEN ;D1 20 ;D2 400", ...]

A record is what stands in the same brackets as a FEN. All of it has to be understood, and so has all that stands
beside records in a list: what is left out might have been a position.
"""

from __future__ import annotations

from collections.abc import Iterator

from .case import Problem
from .items import HINT, QUOTED_FEN, callee, fen_in, has_fen, is_end, is_fen, key_of, line_of, plain, wrong
from .literals import Group, Item, LiteralError, Node, read_literals
from .records import read_record
from .rows import NumberedLine, Row, as_lines


def has_quoted_fen(text: str) -> bool:
    """Return True if a FEN in quotes stands in a text."""
    return QUOTED_FEN.search(text) is not None


def as_epd_lines(text: str, chess960: bool | None, problems: list[Problem]) -> Iterator[NumberedLine]:
    """Yield the positions of JSON or source code as EPD lines. Add what is not understood to the problems."""
    return as_lines(_rows(text, problems), chess960, problems)


def _rows(text: str, problems: list[Problem]) -> Iterator[Row]:
    try:
        rows = list(_read_group(read_literals(text)))
        if not rows and (quoted := QUOTED_FEN.search(text)) is not None:
            raise LiteralError(text.count("\n", 0, quoted.start()) + 1, f"a FEN in quotes is not understood: {HINT}")
        yield from rows
    except LiteralError as error:
        problems.append(Problem(error.line, str(error)))


def _read_group(group: Group, name: str = "") -> Iterator[Row]:
    """Yield the rows of a group: those of its lists and records, or the only one if it is a record itself."""
    fens = [item for item in group.items if is_fen(item)]
    if not fens:
        yield from _read_list(group)
    elif all(fen_in(item[0]) is not None and key_of(item)[0] for item in fens):
        for item in group.items:  # a mapping of FENs to counts
            if fen_in(item[0]) is None:
                raise wrong(line_of(item, group), item, f"is not understood beside positions: {HINT}")
            yield read_record(Group(item[0].line, "{", [[item[0]], *_items_of(key_of(item)[1])]), name)
    elif len(fens) == len(group.items) and (len(fens) > 1 or not group.bracket) and not key_of(fens[0])[0]:
        for item in fens:
            yield read_record(Group(line_of(item, group), group.bracket, [item]), "")
    elif not group.bracket:
        raise wrong(fens[0][0].line, fens[0], f"is not understood: {HINT}")
    else:
        yield read_record(group, name)


def _items_of(value: Item) -> list[Item]:
    """Return the items of a value with keys, or else the value as the only item."""
    node = plain(value)
    is_mapping = isinstance(node, Group) and node.items and all(key_of(item)[0] for item in node.items)
    return node.items if isinstance(node, Group) and is_mapping else [value]


def _read_list(group: Group) -> Iterator[Row]:
    """Yield the rows of a group that has no FEN itself, but may have records in it."""
    records = [item for item in group.items if any(isinstance(one, Group) and _is_record(one) for one in item)]
    callees = {callee(key_of(item)[1]) for item in records}
    whole: list[Node] = [group]
    for item in group.items:
        key, value = key_of(item)
        inside = [node for node in item if isinstance(node, Group) and has_fen([node])]
        is_data = group.bracket and (records or any(isinstance(node, Group) for node in item))
        is_beside = (is_data and len(group.items) > 1) or (records and callee(value) in callees)
        if (is_beside and not inside and has_fen(whole) and not is_end(item)) or (len(inside) > 1 and item in records):
            raise wrong(line_of(item, group), item, f"is not understood beside positions: {HINT}")
        if item in records and item[-1] is not inside[-1]:
            raise wrong(line_of(item, group), item, f"is not understood: {HINT}")
        for node in inside:
            yield from _read_group(node, key)


def _is_record(group: Group) -> bool:
    return any(map(is_fen, group.items))
