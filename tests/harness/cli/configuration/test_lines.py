"""The line of each key of a TOML document."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from perft_check.harness.cli.configuration.file import lines_of_keys

DOCUMENT = '''\
# a = 1
a = 1
"b c" = [ # [no.table]
  "x", # d = 1
  "]", ["\\"", 'y = "'],
]

[t]  # [u]
  a = """
[x]
a = 1\\"""""
'it''s' = { i = 1 }
p . "q.r" = \'\'\'
e = 1\'\'\'\'
[t.s.'z']
a = 2026-01-01
[[list]]
n = 1
[[list]]
n = 2'''.replace("'it''s'", "it")
LINES = {
    ("a",): 2,
    ("b c",): 3,
    ("t",): 8,
    ("t", "a"): 9,
    ("t", "it"): 12,
    ("t", "it", "i"): 12,
    ("t", "p"): 13,
    ("t", "p", "q.r"): 13,
    ("t", "s"): 15,
    ("t", "s", "z"): 15,
    ("t", "s", "z", "a"): 16,
    ("list",): 17,
    ("list", "n"): 18,
}
VALUES = ("1", '"#"', "'''\n[a]\n'''", '"""\nb = 1\\""""""', "[\n1,\n'\"']", "{ a = 1, b = ']' }", "1.5 # c = 2")
NAMES = st.sampled_from(["a", "b-c", '"d.e"', "'['", '"\\u0023"', "k . l"])


def keys(table: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of each key and table."""
    for name, value in table.items():
        yield (*path, name)
        if isinstance(value, dict):
            yield from keys(value, (*path, name))


def test_every_key_has_its_line() -> None:
    assert lines_of_keys(DOCUMENT) == LINES
    assert lines_of_keys(DOCUMENT.replace("\n", "\r\n")) == LINES
    assert set(keys(tomllib.loads(DOCUMENT))) == set(LINES) - {("list", "n")}
    assert lines_of_keys("") == lines_of_keys("# only this") == {}


@given(st.lists(st.tuples(st.booleans(), NAMES, st.sampled_from(VALUES)), max_size=8))
@settings(max_examples=150, derandomize=True, deadline=None)
def test_lines_are_those_that_name_the_key(statements: list[tuple[bool, str, str]]) -> None:
    """Each statement names its key with a number of its own, so that its line can be searched for."""
    lines: list[str] = []
    wanted: list[tuple[str, int]] = []
    for number, (is_table, name, value) in enumerate(statements):
        wanted.append((f"k{number}", "\n".join(lines).count("\n") + 1 + bool(lines)))
        lines.append(f"[k{number}.{name}]" if is_table else f"k{number}.{name} = {value}")
    text = "\n".join(lines)
    found = {path[-1]: line for path, line in lines_of_keys(text).items() if path[-1] in dict(wanted)}
    assert found == dict(wanted)
    tomllib.loads(text)
