"""The items of JSON and of source code: their keys, and the string, number or list that each of them is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import shorten
from .literals import MARK, STRING, WORD, Group, Item, Leaf, LiteralError, Node, written

_FEN = re.compile(r"\s*(?:position\s+)?(?:fen\s+)?([^\s\"]*(?:/[^\s\"/]*){4,}\s+[wb]\b.*)", re.DOTALL)
QUOTED_FEN = re.compile(r"[\"'`](?:position\s+)?(?:fen\s+)?[^\s\"'`]*(?:(?:\\?/)[^\s\"'`/]*){4,}\s+[wb]\s")
_ASSIGN = (":", "=", "=>", ":=")
NOTHING = ("null", "None", "nil", "undefined", "nullptr", "NULL")
_STRING_TYPES = ("String.from", "String::from", "std::string", "Some", "QString")
_STRING_METHODS = (".to_string", ".into", ".to_owned", "to_string", "into", "to_owned")
_LONGEST_QUOTE = 60
HINT = "write it as EPD lines, FEN ;D1 20"


def wrong(line: int, item: Item, why: str) -> LiteralError:
    """Return the error about an item."""
    return LiteralError(line, f"{shorten(written(item), _LONGEST_QUOTE)!r} {why}")


def fen_in(node: Node) -> str | None:
    """Return the FEN, and what follows it, of a string that has one."""
    if isinstance(node, Leaf) and node.kind == STRING and (match := _FEN.fullmatch(node.text)) is not None:
        return match[1].strip()
    return None


def line_of(item: Item, group: Group) -> int:
    """Return the line of an item of a group."""
    return item[0].line if item else group.line


def key_of(item: Item) -> tuple[str, Item]:
    """Return the key of an item, such as `"fen": ...` or `.fen = ...`, and its value; "" if it has none."""
    start = 1 if len(item) > 1 and isinstance(item[0], Leaf) and item[0].text == "." else 0
    if len(item) > start + 1:
        key, mark = item[start], item[start + 1]
        if isinstance(key, Leaf) and key.kind != MARK and isinstance(mark, Leaf) and mark.text in _ASSIGN:
            return key.text, item[start + 2 :]
    return "", item


def plain(item: Item) -> Node | None:
    """Return the string, number or group that an item is, without what constructs it; None if it is anything else."""
    if not item:
        return None
    *before, last = item
    if (
        before
        and isinstance(last, Group)
        and not last.items
        and isinstance(before[0], Leaf)
        and before[0].kind == STRING
    ):
        method = "".join(node.text for node in before[1:] if isinstance(node, Leaf))
        return before[0] if method in _STRING_METHODS else None
    if isinstance(last, Leaf) and last.kind == STRING:
        prefix = "".join(node.text for node in before if isinstance(node, Leaf) and node.kind == WORD)
        return last if len(before) == len(prefix) <= 1 else None
    if not isinstance(last, Group):
        return None if before else last
    if not all(_constructs(node) for node in before):
        return None
    name = "".join(node.text for node in before if isinstance(node, Leaf))
    if name in _STRING_TYPES and len(last.items) == 1:
        return plain(last.items[0])
    return last


def _constructs(node: Node) -> bool:
    if isinstance(node, Group):
        return not node.items or node.bracket == "["
    return node.kind == WORD or (node.kind == MARK and node.text in "&!<>*.:")


def callee(item: Item) -> str:
    """Return what stands before the first group of an item."""
    words = []
    for node in item:
        if isinstance(node, Group):
            break
        words.append(node.text)
    return " ".join(words)


def has_fen(nodes: Iterable[Node]) -> bool:
    """Return True if some of the nodes are a FEN or have one in them."""
    return any(any(map(has_fen, node.items)) if isinstance(node, Group) else fen_in(node) is not None for node in nodes)


def is_fen(item: Item) -> bool:
    """Return True if an item is a FEN, has one as its key, or constructs a string of one."""
    value = plain(key_of(item)[1])
    return any(fen_in(node) is not None for node in (*item, *([value] if value else [])))


def is_end(nodes: Iterable[Node]) -> bool:
    """Return True for what ends a list in C: null pointers and zeros."""
    return all(
        all(map(is_end, node.items)) if isinstance(node, Group) else node.text in (*NOTHING, "0", "") for node in nodes
    )
