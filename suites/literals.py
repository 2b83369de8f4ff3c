"""The literals of JSON and of source code in C, C++, C#, Go, Java, JavaScript, Python, Rust and the like, as a tree.

No language is parsed: only strings, numbers, words and brackets are told apart, and comments are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

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
    """Raised for text that cannot be read; `line` is its line number, and the message quotes it."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Leaf:
    """A string without its quotes, a number without its suffix, a word or a mark."""

    line: int
    kind: str
    text: str


@dataclass(frozen=True)
class Group:
    """What stands between two brackets, separated by commas or semicolons."""

    line: int
    bracket: str
    items: list[Item] = field(default_factory=list)


Node = Leaf | Group
Item = list[Node]


def read_literals(text: str) -> Group:
    """Return the tree of a text: a group without brackets, whose items end at line ends, too. Raises LiteralError."""
    whole = Group(1, "", [[]])
    open_groups = [whole]
    for leaf in _leaves(text):
        group = open_groups[-1]
        if leaf.kind == MARK and leaf.text in _PAIRS:
            open_groups.append(Group(leaf.line, leaf.text, [[]]))
        elif leaf.kind == MARK and leaf.text in _PAIRS.values():
            if _PAIRS.get(group.bracket) != leaf.text:
                raise LiteralError(leaf.line, f"{leaf.text!r} closes nothing that is open")
            open_groups.pop()
            open_groups[-1].items[-1].append(_without_empty_end(group))
        elif leaf.kind == MARK and leaf.text in ",;\n":
            if leaf.text != "\n" or not group.bracket:
                group.items.append([])
        else:
            group.items[-1].append(leaf)
    if len(open_groups) > 1:
        raise LiteralError(open_groups[-1].line, f"{open_groups[-1].bracket!r} is opened and not closed")
    return _without_empty_end(whole)


def _without_empty_end(group: Group) -> Group:
    """Return a group without what a comma at its end leaves; at the top, without all that is empty."""
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
            yield Leaf(line, STRING, _said(match.group()))
        elif kind == NUMBER:
            yield Leaf(line, NUMBER, _SUFFIX.sub("", match.group()).replace("'", "_"))
        elif match.group() in ('"', "`"):
            raise LiteralError(line, "a quote is opened and not closed")
        else:
            yield Leaf(line, WORD if kind == WORD else MARK, match.group())


def _said(literal: str) -> str:
    """Return what a string says."""
    quotes = 3 if literal[:3] in ('"""', "'''") and len(literal) > 5 else 1
    return _ESCAPE.sub(_unescaped, literal[quotes:-quotes])


def _unescaped(match: re.Match[str]) -> str:
    escaped = match[1]
    return chr(int(escaped[1:], 16)) if len(escaped) > 1 else {"n": "\n", "t": "\t"}.get(escaped, escaped)


def written(item: Item) -> str:
    """Return an item as source code, for messages."""
    return " ".join(_written(node) for node in item)


def _written(node: Node) -> str:
    if isinstance(node, Leaf):
        return f'"{node.text}"' if node.kind == STRING else node.text
    return f"{node.bracket}{', '.join(map(written, node.items))}{_PAIRS[node.bracket]}"
