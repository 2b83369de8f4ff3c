"""Split commands that start programs into words, and find their placeholders and programs."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import dropwhile
from pathlib import Path

FEN, FIELDS, DEPTH = "{fen}", "{fields}", "{depth}"
"""Placeholders in a command. `{fields}` stands for the six fields of the FEN as separate arguments."""
STDIN = "<<<"
"""Each word after this one is a line of input for the program."""
_PLAIN = re.compile(r"[\w@%+=:,./{}<-]+", re.ASCII)
"""Words that need no quoting."""
ESCAPE = "" if os.name == "nt" else "\\"
"""The escape character in a command. Windows has none, because its paths contain backslashes."""
_NAME = re.compile(r"(?:(?:uci|cmd|script):)?\s*(\S+)")
"""The program at the start of a SPEC."""
_SCRIPT_OPTION = re.compile("-[a-z]*c")
"""The option of sh, bash and Python that takes a script as its argument."""


def has_placeholders(command: str) -> bool:
    """Return True if a command has a placeholder for the position or the depth, and is thus run for each question."""
    return any(placeholder in command for placeholder in (FEN, FIELDS, DEPTH))


def missing_placeholder(command: str) -> str | None:
    """Return a placeholder that a command lacks, or None if it has both position and depth."""
    needed = {FEN: FEN in command or FIELDS in command, DEPTH: DEPTH in command}
    return next((placeholder for placeholder, is_there in needed.items() if not is_there), None)


def split_words(command: str) -> list[str]:
    """Split a command with shell-like quoting. Raises ValueError if a quotation mark is not closed."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    return list(lexer)


def join_words(words: Iterable[str]) -> str:
    """Join words into a command; the inverse of `split_words`. Placeholders are not quoted."""
    return " ".join(word if _PLAIN.fullmatch(word) else shlex.quote(word) for word in words)


def as_typed(spec: str, launch: Sequence[str]) -> list[str]:
    """Return the words that launch an engine, with the program as written in the SPEC."""
    name = _NAME.match(spec)
    is_name = name is not None and name[1] == Path(launch[0]).name
    return [Path(launch[0]).name, *launch[1:]] if is_name else list(launch)


def program_words(words: Sequence[str]) -> list[str]:
    """Return the words of a command that specify its program and fixed arguments.

    These are the words before the first placeholder, without the option whose value it is. There are none if the
    placeholder is inside a script.
    """
    first = next((at for at, word in enumerate(words) if word == STDIN or has_placeholders(word)), len(words))
    found = list(words[:first])
    if first == len(words) or words[first] == STDIN:
        return found
    if " " in words[first] and _SCRIPT_OPTION.fullmatch(found[-1] if found else ""):
        return []
    while len(found) > 1 and found[-1].startswith("-"):
        found.pop()
    return found


def name_program(words: Sequence[str]) -> str:
    """Return the SPEC of a program, given its words. A single word may contain blanks."""
    return words[0] if len(words) == 1 else join_words(words)


VARIABLE = re.compile(r"[A-Za-z_]\w*=")
"""A word that precedes a program in a shell command and sets an environment variable."""
_SCRIPT = re.compile(r".+\.(?:py|pyz|m?js|ts|jar|class|rb|pl|lua|php|jl|sh|exe|dll|bat|cmd|ps1)", re.IGNORECASE)
"""A file that is run by another program, such as a script."""


def program_in(command: str) -> str:
    """Return the path or name of the program that a command runs, or "" if the command cannot be split.

    This is the first script or archive in the command, as in "python3 engine.py", or else the first word.
    """
    try:
        words = split_words(command)
    except ValueError:
        return ""
    rest = [*dropwhile(VARIABLE.match, words)] or words
    return next(filter(_SCRIPT.fullmatch, rest), rest[0] if rest else "")
