"""Convert positions and counts in JSON and source code to rows.

    {"fen": FEN, "depth": 2, "nodes": 400}     {"name": NAME, "fen": FEN, "d1": 20, "d2": 400}
    ("FEN", 2, 400)                            {"FEN", {20, 400}}
    {"FEN": {"1": 20, "2": 400}}               ["FEN ;D1 20 ;D2 400", ...]

A record consists of the items in the same brackets as a FEN. Every item of a record, and every item of a list that
contains records, must be understood, because an ignored item could be a position.
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
    is_fen,
    is_terminator,
    item_error,
    key_of,
    line_of,
    literal_of,
    read_literals,
)
from .rows import LIST, RECORD, NumberedLine, Row, as_lines, is_depth, is_number

_COUNTS = re.compile(r"\s*;?\s*[dD]\d+\s")
_LIKE_COUNTS = re.compile(r"\b(?:d|depth|perft)\W*\d+\W+\d", re.IGNORECASE)


@dataclass
class _RecordFields:
    """The fields of a record that have been read."""

    line: int
    fen: str = ""
    names: list[str] = field(default_factory=list)
    purposes: list[str] = field(default_factory=list)
    operations: str = ""
    depth: str = ""
    nodes: str = ""
    counts: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    """Numbers directly in the record."""
    lists: list[list[str]] = field(default_factory=list)
    """Numbers in nested brackets."""

    def as_row(self) -> Row:
        """Return the fields as a row. Raises LiteralError if the meaning of the numbers is unclear."""
        counts = list(self.counts)
        listed = self.lists[0] if self.lists else []
        if len(self.lists) > 1 or (listed and self.numbers and self.numbers != [str(len(listed))]):
            raise LiteralError(self.line, f"there are several lists of numbers for one position: {HINT}")
        if listed and self.depth and self.depth != str(len(listed)):
            raise LiteralError(self.line, f"depth {self.depth} does not match {len(listed)} counts: {HINT}")
        if not listed and (self.depth or self.nodes):
            if not (self.depth and self.nodes):
                missing = "nodes" if self.depth else "depth"
                raise LiteralError(self.line, f"a record has no {missing!r}; known are {KNOWN}")
            counts.append((self.depth, self.nodes))
        row = Row(self.line, self.fen, " ".join(self.names), " ".join(self.purposes), tuple(counts))
        numbers = tuple(listed or self.numbers)
        return replace(row, numbers=numbers, where=LIST if listed else RECORD, operations=self.operations)


def read_record(group: Group, name: str) -> Row:
    """Return a record as a row. Raises LiteralError if an item is not understood."""
    fields = _RecordFields(group.line)
    keys = [key_of(item)[0] for item in group.items]
    try:
        roles = iter(roles_of([key for key in keys if key]))
    except ValueError as error:
        raise LiteralError(group.line, f"the keys of a record: {error}") from None
    for item, key in zip(group.items, keys, strict=True):
        value = key_of(item)[1]
        node = literal_of(value)
        role = next(roles) if key else None
        is_nothing = isinstance(node, Leaf) and node.text in NOTHING and node.kind == WORD
        if role == IGNORED or (is_nothing and role in (NAME, PURPOSE, EMPTY, None)):
            continue
        if node is None or not (_read_named(fields, role, node) if role else _read_value(fields, node)):
            raise item_error(line_of(item, group), item, f"next to a FEN is not understood: {HINT}")
    if name and not fields.names:
        fields.names.append(name)
    return fields.as_row()


def _read_value(fields: _RecordFields, node: Node) -> bool:
    """Read a value without a key; return False if it is not understood."""
    if isinstance(node, Group):
        return _read_counts(fields, node)
    if node.kind == NUMBER or (node.kind == STRING and is_number(node.text)):
        fields.numbers.append(node.text)
        return bool(fields.fen) and is_number(node.text)
    if node.kind != STRING:
        return False
    if (fen := fen_in(node)) is not None:
        return _read_fen(fields, fen)
    if _COUNTS.match(node.text):
        fields.operations, before = node.text.strip().lstrip(";"), fields.operations
        return not before
    fields.names.append(node.text)
    if node.text.casefold() == "startpos":  # a position rather than a name
        return False
    return len(fields.names) == 1 and any(map(str.isalpha, node.text)) and not _LIKE_COUNTS.search(node.text)


def _read_fen(fields: _RecordFields, text: str) -> bool:
    fields.fen, before = text, fields.fen
    return not before and "\n" not in text


def _read_named(fields: _RecordFields, role: str, node: Node) -> bool:
    """Read a value with a key; return False if it is not understood."""
    if role == NODES and isinstance(node, Group):
        return _read_counts(fields, node)
    if not isinstance(node, Leaf) or node.kind not in (STRING, NUMBER):
        return False
    if role == FEN:
        return (fen := fen_in(node)) is not None and _read_fen(fields, fen)
    if role in (NAME, PURPOSE):
        (fields.names if role == NAME else fields.purposes).append(node.text)
    elif role == DEPTH:
        fields.depth = node.text
    elif role == NODES:
        fields.nodes = node.text
    elif (depth := depth_of(role)) is not None:
        fields.counts.append((str(depth), node.text))
    return role != EMPTY


def _read_counts(fields: _RecordFields, group: Group) -> bool:
    """Read counts in nested brackets (a list, pairs, or depths as keys); return False if there are no counts."""
    items = [(key_of(item)[0], literal_of(value)) for item in group.items if (value := key_of(item)[1])]
    nodes = [node for _, node in items]
    if len(items) != len(group.items) or not items:
        return False
    texts = [node.text for node in nodes if isinstance(node, Leaf) and is_number(node.text)]
    if len(texts) == len(nodes):
        return _read_numbers(fields, [key for key, _ in items], texts)
    pairs = [pair for node in nodes if isinstance(node, Group) and (pair := _pair(node)) is not None]
    fields.counts += pairs
    return len(pairs) == len(nodes) and _are_depths([depth for depth, _ in pairs])


def _read_numbers(fields: _RecordFields, keys: Sequence[str], numbers: list[str]) -> bool:
    if not any(keys):
        fields.lists.append(numbers)
        return True
    try:
        depths = [depth_of(role) for role in roles_of(keys)]
    except ValueError:
        return False
    fields.counts += [(str(depth), nodes) for depth, nodes in zip(depths, numbers, strict=True)]
    return None not in depths


def _pair(group: Group) -> tuple[str, str] | None:
    """Return the depth and the count in a group, or None if it is not such a pair."""
    keys = [key_of(item)[0] for item in group.items]
    values = [literal_of(value) for item in group.items if (value := key_of(item)[1])]
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
    """Return True if texts are depths in ascending order."""
    depths = [int(text) for text in texts if text.isdecimal() and len(text) <= 2]
    return len(depths) == len(texts) and depths == sorted(set(depths))


def has_quoted_fen(text: str) -> bool:
    """Return True if a text contains a FEN in quotes."""
    return QUOTED_FEN.search(text) is not None


def as_epd_lines(text: str, chess960: bool | None, problems: list[Problem]) -> Iterator[NumberedLine]:
    """Yield the positions in JSON or source code as EPD lines, and append errors to `problems`."""
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
    """Yield the rows of a group that is a record, a mapping, or a list of groups."""
    fens = [item for item in group.items if is_fen(item)]
    if not fens:
        yield from _read_list(group)
    elif all(fen_in(item[0]) is not None and key_of(item)[0] for item in fens):
        for item in group.items:  # a mapping of FENs to counts
            if fen_in(item[0]) is None:
                raise item_error(line_of(item, group), item, f"next to positions is not understood: {HINT}")
            yield read_record(Group(item[0].line, "{", [[item[0]], *_items_of(key_of(item)[1])]), name)
    elif len(fens) == len(group.items) and (len(fens) > 1 or not group.bracket) and not key_of(fens[0])[0]:
        for item in fens:
            yield read_record(Group(line_of(item, group), group.bracket, [item]), "")
    elif not group.bracket:
        raise item_error(fens[0][0].line, fens[0], f"is not understood: {HINT}")
    else:
        yield read_record(group, name)


def _items_of(value: Item) -> list[Item]:
    """Return the items of a mapping; for any other value, return the value as the only item."""
    node = literal_of(value)
    is_mapping = isinstance(node, Group) and node.items and all(key_of(item)[0] for item in node.items)
    return node.items if isinstance(node, Group) and is_mapping else [value]


def _read_list(group: Group) -> Iterator[Row]:
    """Yield the rows of a group that contains no FEN directly, but may contain records."""
    records = [item for item in group.items if any(isinstance(one, Group) and _is_record(one) for one in item)]
    callees = {callee(key_of(item)[1]) for item in records}
    whole: list[Node] = [group]
    for item in group.items:
        key, value = key_of(item)
        inside = [node for node in item if isinstance(node, Group) and has_fen([node])]
        is_data = group.bracket and (records or any(isinstance(node, Group) for node in item))
        is_beside = (is_data and len(group.items) > 1) or (records and callee(value) in callees)
        if (is_beside and not inside and has_fen(whole) and not is_terminator(item)) or (
            len(inside) > 1 and item in records
        ):
            raise item_error(line_of(item, group), item, f"next to positions is not understood: {HINT}")
        if item in records and item[-1] is not inside[-1]:
            raise item_error(line_of(item, group), item, f"is not understood: {HINT}")
        for node in inside:
            yield from _read_group(node, key)


def _is_record(group: Group) -> bool:
    return any(map(is_fen, group.items))
