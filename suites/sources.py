"""Positions with counts in JSON and in arrays of source code, as rows.

    {"fen": FEN, "depth": 2, "nodes": 400}     {"name": NAME, "fen": FEN, "d1": 20, "d2": 400}
    ("FEN", 2, 400)                            {"FEN", {20, 400}}
    {"FEN": {"1": 20, "2": 400}}               ["FEN ;D1 20 ;D2 400", ...]

A record is what stands in the same brackets as a FEN. All of it has to be understood, and so has all that stands
beside records in a list: what is left out might have been a position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from .case import Problem
from .columns import DEPTH, EMPTY, FEN, IGNORED, KNOWN, NAME, NODES, PURPOSE, depth_of, roles_of
from .literals import (
    HINT,
    NOTHING,
    NUMBER,
    QUOTED_FEN,
    STRING,
    WORD,
    Group,
    Item,
    Leaf,
    LiteralError,
    Node,
    callee,
    fen_in,
    has_fen,
    is_end,
    is_fen,
    key_of,
    line_of,
    plain,
    read_literals,
    wrong,
)
from .rows import LIST, RECORD, NumberedLine, Row, as_lines, is_depth, is_number

_COUNTS = re.compile(r"\s*;?\s*[dD]\d+\s")
_LIKE_COUNTS = re.compile(r"\b(?:d|depth|perft)\W*\d+\W+\d", re.IGNORECASE)


@dataclass
class _Said:
    """What the items of a record say."""

    line: int
    fen: str = ""
    names: list[str] = field(default_factory=list)
    purposes: list[str] = field(default_factory=list)
    operations: str = ""
    depth: str = ""
    nodes: str = ""
    counts: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    """Numbers between the brackets of the record ..."""
    lists: list[list[str]] = field(default_factory=list)
    """... and those in brackets of their own."""

    def as_row(self) -> Row:
        """Return all of it. Raises LiteralError if there are numbers whose meaning is not plain."""
        counts = list(self.counts)
        listed = self.lists[0] if self.lists else []
        if len(self.lists) > 1 or (listed and self.numbers and self.numbers != [str(len(listed))]):
            raise LiteralError(self.line, f"there are several lists of numbers for one position: {HINT}")
        if listed and self.depth and self.depth != str(len(listed)):
            raise LiteralError(self.line, f"depth {self.depth} and {len(listed)} counts do not fit: {HINT}")
        if not listed and (self.depth or self.nodes):
            if not (self.depth and self.nodes):
                missing = "nodes" if self.depth else "depth"
                raise LiteralError(self.line, f"a record has no {missing!r}; known are {KNOWN}")
            counts.append((self.depth, self.nodes))
        row = Row(self.line, self.fen, " ".join(self.names), " ".join(self.purposes), tuple(counts))
        numbers = tuple(listed or self.numbers)
        return replace(row, numbers=numbers, where=LIST if listed else RECORD, operations=self.operations)


def read_record(group: Group, name: str) -> Row:
    """Return a record as a row. Raises LiteralError for what is not understood."""
    said = _Said(group.line)
    keys = [key_of(item)[0] for item in group.items]
    try:
        roles = iter(roles_of([key for key in keys if key]))
    except ValueError as error:
        raise LiteralError(group.line, f"the keys of a record: {error}") from None
    for item, key in zip(group.items, keys, strict=True):
        value = key_of(item)[1]
        node = plain(value)
        role = next(roles) if key else None
        is_nothing = isinstance(node, Leaf) and node.text in NOTHING and node.kind == WORD
        if role == IGNORED or (is_nothing and role in (NAME, PURPOSE, EMPTY, None)):
            continue
        if node is None or not (_take_named(said, role, node) if role else _take(said, node)):
            raise wrong(line_of(item, group), item, f"is not understood beside a FEN: {HINT}")
    if name and not said.names:
        said.names.append(name)
    return said.as_row()


def _take(said: _Said, node: Node) -> bool:
    """Take what has no key; return False if it is not understood."""
    if isinstance(node, Group):
        return _take_counts(said, node)
    if node.kind == NUMBER or (node.kind == STRING and is_number(node.text)):
        said.numbers.append(node.text)
        return bool(said.fen) and is_number(node.text)
    if node.kind != STRING:
        return False
    if (fen := fen_in(node)) is not None:
        return _take_fen(said, fen)
    if _COUNTS.match(node.text):
        said.operations, before = node.text.strip().lstrip(";"), said.operations
        return not before
    said.names.append(node.text)
    if node.text.casefold() == "startpos":  # a position rather than a name
        return False
    return len(said.names) == 1 and any(map(str.isalpha, node.text)) and not _LIKE_COUNTS.search(node.text)


def _take_fen(said: _Said, text: str) -> bool:
    said.fen, before = text, said.fen
    return not before and "\n" not in text


def _take_named(said: _Said, role: str, node: Node) -> bool:
    """Take what has a key; return False if it is not understood."""
    if role == NODES and isinstance(node, Group):
        return _take_counts(said, node)
    if not isinstance(node, Leaf) or node.kind not in (STRING, NUMBER):
        return False
    if role == FEN:
        return (fen := fen_in(node)) is not None and _take_fen(said, fen)
    if role in (NAME, PURPOSE):
        (said.names if role == NAME else said.purposes).append(node.text)
    elif role == DEPTH:
        said.depth = node.text
    elif role == NODES:
        said.nodes = node.text
    elif (depth := depth_of(role)) is not None:
        said.counts.append((str(depth), node.text))
    return role != EMPTY


def _take_counts(said: _Said, group: Group) -> bool:
    """Take counts in brackets of their own: a list, pairs, or depths as keys; return False if they are none."""
    items = [(key_of(item)[0], plain(value)) for item in group.items if (value := key_of(item)[1])]
    nodes = [node for _, node in items]
    if len(items) != len(group.items) or not items:
        return False
    texts = [node.text for node in nodes if isinstance(node, Leaf) and is_number(node.text)]
    if len(texts) == len(nodes):
        return _take_numbers(said, [key for key, _ in items], texts)
    pairs = [pair for node in nodes if isinstance(node, Group) and (pair := _pair(node)) is not None]
    said.counts += pairs
    return len(pairs) == len(nodes) and _are_depths([depth for depth, _ in pairs])


def _take_numbers(said: _Said, keys: Sequence[str], numbers: list[str]) -> bool:
    if not any(keys):
        said.lists.append(numbers)
        return True
    try:
        depths = [depth_of(role) for role in roles_of(keys)]
    except ValueError:
        return False
    said.counts += [(str(depth), nodes) for depth, nodes in zip(depths, numbers, strict=True)]
    return None not in depths


def _pair(group: Group) -> tuple[str, str] | None:
    """Return the depth and the count that a group has, None for another group."""
    keys = [key_of(item)[0] for item in group.items]
    values = [plain(value) for item in group.items if (value := key_of(item)[1])]
    texts = [node.text for node in values if isinstance(node, Leaf) and is_number(node.text)]
    if len(texts) != 2 or len(group.items) != 2:
        return None
    if not any(keys):
        return (texts[0], texts[1]) if is_depth(texts[0]) else None
    try:
        by_role = dict(zip(roles_of(keys), texts, strict=True))
    except ValueError:
        return None
    return (by_role[DEPTH], by_role[NODES]) if by_role.keys() == {DEPTH, NODES} else None


def _are_depths(texts: Sequence[str]) -> bool:
    """Return True if numbers are depths, in ascending order."""
    depths = [int(text) for text in texts if text.isdecimal() and len(text) <= 2]
    return len(depths) == len(texts) and depths == sorted(set(depths))


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
