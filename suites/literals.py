"""Parse the literals in JSON and source code (C, C++, C#, Go, Java, JavaScript, Python, Rust etc.) into a tree.

No grammar of a language is used. Only strings, numbers, words and brackets are distinguished, and comments are ignored.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..errors import shorten

STRING, NUMBER, WORD, MARK = "string", "number", "word", "mark"
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?\*/ | \#(?![\["] | \s*define)[^\n]* )
  | (?P<string> \"{3}.*?\"{3} | '{3}.*?'{3} | "(?:[^"\\\n]|\\.)*" | (?<![&<])'(?:[^'\\\n]|\\.)*'
              | `[^`\\]*` )
  | (?P<number> (?<![\w.]) \d(?:[\d_]|'(?=\d))* (?:[uUlLnN]{1,3}|[iu](?:8|16|32|64|128|size))? (?![\w.]) )
  | (?P<word> \w(?:[\w.]|::(?=\w))* )
  | (?P<line> \n )
  | (?P<space> \s+ )
  | (?P<mark> => | := | . )
    """,
    re.VERBOSE | re.DOTALL,
)
_SUFFIX = re.compile(r"_?(?:[uUlLnN]{1,3}|[iu](?:8|16|32|64|128|size))$")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


class LiteralError(ValueError):
    """Raised for text that cannot be interpreted. The message quotes the text, and `line` is its line number."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Leaf:
    """A string without its quotes, a number without its suffix, a word, or a punctuation mark."""

    line: int
    kind: str
    text: str


@dataclass(frozen=True)
class Group:
    """The items between two brackets, separated by commas or semicolons."""

    line: int
    bracket: str
    items: list[Item] = field(default_factory=list)


Node = Leaf | Group
Item = list[Node]


def read_literals(text: str) -> Group:
    """Return the tree of a text. Raises LiteralError.

    The root is a group without brackets, whose items also end at line ends.
    """
    whole = Group(1, "", [[]])
    open_groups = [whole]
    for leaf in _leaves(text):
        group = open_groups[-1]
        if leaf.kind == MARK and leaf.text in _PAIRS:
            open_groups.append(Group(leaf.line, leaf.text, [[]]))
        elif leaf.kind == MARK and leaf.text in _PAIRS.values():
            if _PAIRS.get(group.bracket) != leaf.text:
                raise LiteralError(leaf.line, f"{leaf.text!r} has no matching opening bracket")
            open_groups.pop()
            open_groups[-1].items[-1].append(_without_empty_end(group))
        elif leaf.kind == MARK and leaf.text in ",;\n":
            if leaf.text != "\n" or not group.bracket:
                group.items.append([])
        else:
            group.items[-1].append(leaf)
    if len(open_groups) > 1:
        raise LiteralError(open_groups[-1].line, f"{open_groups[-1].bracket!r} is not closed")
    return _without_empty_end(whole)


def _without_empty_end(group: Group) -> Group:
    """Return a group without the empty item after a trailing comma, or at the top level, without any empty items."""
    kept = [item for item in group.items if item] if not group.bracket else group.items
    return Group(group.line, group.bracket, kept[:-1] if kept and not kept[-1] else kept)


def _leaves(text: str) -> Iterator[Leaf]:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind in ("comment", "space"):
            continue
        line = bisect_right(starts, match.start())
        if kind == STRING:
            yield Leaf(line, STRING, _string_value(match.group()))
        elif kind == NUMBER:
            yield Leaf(line, NUMBER, _SUFFIX.sub("", match.group()).replace("'", "_"))
        elif match.group() in ('"', "`"):
            raise LiteralError(line, "a quote is not closed")
        else:
            yield Leaf(line, WORD if kind == WORD else MARK, match.group())


def _string_value(literal: str) -> str:
    """Return the value of a string literal."""
    quotes = 3 if literal[:3] in ('"""', "'''") and len(literal) > 5 else 1
    return _ESCAPE.sub(_unescaped, literal[quotes:-quotes])


def _unescaped(match: re.Match[str]) -> str:
    escaped = match[1]
    return chr(int(escaped[1:], 16)) if len(escaped) > 1 else {"n": "\n", "t": "\t"}.get(escaped, escaped)


def as_source(item: Item) -> str:
    """Return an item as source code, for messages."""
    return " ".join(_node_as_source(node) for node in item)


def _node_as_source(node: Node) -> str:
    if isinstance(node, Leaf):
        return f'"{node.text}"' if node.kind == STRING else node.text
    return f"{node.bracket}{', '.join(map(as_source, node.items))}{_PAIRS[node.bracket]}"


_FEN = re.compile(r"\s*(?:position\s+)?(?:fen\s+)?([^\s\"]*(?:/[^\s\"/]*){4,}\s+[wb]\b.*)", re.DOTALL)
QUOTED_FEN = re.compile(r"[\"'`](?:position\s+)?(?:fen\s+)?[^\s\"'`]*(?:(?:\\?/)[^\s\"'`/]*){4,}\s+[wb]\s")
_ASSIGN = (":", "=", "=>", ":=")
NOTHING = ("null", "None", "nil", "undefined", "nullptr", "NULL")
_STRING_TYPES = ("String.from", "String::from", "std::string", "Some", "QString")
_STRING_METHODS = (".to_string", ".into", ".to_owned", "to_string", "into", "to_owned")
_LONGEST_QUOTE = 60
HINT = "write it as EPD lines, FEN ;D1 20"


def item_error(line: int, item: Item, why: str) -> LiteralError:
    """Return an error that quotes an item."""
    return LiteralError(line, f"{shorten(as_source(item), _LONGEST_QUOTE)!r} {why}")


def fen_in(node: Node) -> str | None:
    """Return the FEN in a string and any text after it, or None if there is no FEN."""
    if isinstance(node, Leaf) and node.kind == STRING and (match := _FEN.fullmatch(node.text)) is not None:
        return match[1].strip()
    return None


def line_of(item: Item, group: Group) -> int:
    """Return the line of an item of a group."""
    return item[0].line if item else group.line


def key_of(item: Item) -> tuple[str, Item]:
    """Return the key ("" if none) and the value of an item such as `"fen": ...` or `.fen = ...`."""
    start = 1 if len(item) > 1 and isinstance(item[0], Leaf) and item[0].text == "." else 0
    if len(item) > start + 1:
        key, mark = item[start], item[start + 1]
        if isinstance(key, Leaf) and key.kind != MARK and isinstance(mark, Leaf) and mark.text in _ASSIGN:
            return key.text, item[start + 2 :]
    return "", item


def literal_of(item: Item) -> Node | None:
    """Return the literal in an item without its constructor or type, or None if the item is not a literal."""
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
        return literal_of(last.items[0])
    return last


def _constructs(node: Node) -> bool:
    if isinstance(node, Group):
        return not node.items or node.bracket == "["
    return node.kind == WORD or (node.kind == MARK and node.text in "&!<>*.:")


def callee(item: Item) -> str:
    """Return the source code before the first group of an item."""
    words = []
    for node in item:
        if isinstance(node, Group):
            break
        words.append(node.text)
    return " ".join(words)


def has_fen(nodes: Iterable[Node]) -> bool:
    """Return True if any of the nodes is or contains a FEN."""
    return any(any(map(has_fen, node.items)) if isinstance(node, Group) else fen_in(node) is not None for node in nodes)


def is_fen(item: Item) -> bool:
    """Return True if an item is a FEN, has a FEN as its key, or constructs a string with a FEN."""
    value = literal_of(key_of(item)[1])
    return any(fen_in(node) is not None for node in (*item, *([value] if value else [])))


def is_terminator(nodes: Iterable[Node]) -> bool:
    """Return True if all nodes are null pointers or zeros, as at the end of an array in C."""
    return all(
        all(map(is_terminator, node.items)) if isinstance(node, Group) else node.text in (*NOTHING, "0", "")
        for node in nodes
    )
