"""The words of a command that starts a program: places, quotation marks, as the user typed them, and its program."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import dropwhile
from pathlib import Path

FEN, FIELDS, DEPTH = "{fen}", "{fields}", "{depth}"
"""Places in a command; `{fields}` are the six fields of the FEN, an argument each."""
STDIN = "<<<"
"""The word of a command behind which each word is a line on its stdin."""
_PLAIN = re.compile(r"[\w@%+=:,./{}<-]+", re.ASCII)
"""Words that `split_words` takes as they are."""
ESCAPE = "" if os.name == "nt" else "\\"
"""What takes the meaning of the next character in a command; on Windows it stands in paths."""
_NAME = re.compile(r"(?:(?:uci|cmd|script):)?\s*(\S+)")
"""The program at the beginning of a SPEC."""
_SCRIPT_OPTION = re.compile("-[a-z]*c")
"""Behind it sh, bash and Python take a word that is a whole script."""


def has_placeholders(command: str) -> bool:
    """Return True if a command is one of a program that is started for each question: it has a place for position or
    depth.
    """
    return any(place in command for place in (FEN, FIELDS, DEPTH))


def missing_placeholder(command: str) -> str | None:
    """Return the place that such a command still needs, None if it has both."""
    needed = {FEN: FEN in command or FIELDS in command, DEPTH: DEPTH in command}
    return next((place for place, is_there in needed.items() if not is_there), None)


def split_words(command: str) -> list[str]:
    """Return the words of a command, which is quoted as for a shell. Raises ValueError if a quotation mark is open."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    return list(lexer)


def join_words(words: Iterable[str]) -> str:
    """Return a command of these words, which `split_words` undoes; places need no quotation marks."""
    return " ".join(word if _PLAIN.fullmatch(word) else shlex.quote(word) for word in words)


def as_typed(spec: str, launch: Sequence[str]) -> list[str]:
    """Return the words that start an engine as its SPEC has them: a program of the PATH by its name, not its path."""
    name = _NAME.match(spec)
    is_name = name is not None and name[1] == Path(launch[0]).name
    return [Path(launch[0]).name, *launch[1:]] if is_name else list(launch)


def program_words(words: Sequence[str]) -> list[str]:
    """Return the words of a command that name its program and what it is always given: those before the first that has
    a place, without the options to which the place belongs. None are left where the place is inside a script.
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
    """Return the SPEC of a program by its words: a single one is taken as it is, whatever blanks it has."""
    return words[0] if len(words) == 1 else join_words(words)


VARIABLE = re.compile(r"[A-Za-z_]\w*=")
"""A word before a program that a shell would take for a variable of its environment."""
_SCRIPT = re.compile(r".+\.(?:py|pyz|m?js|ts|jar|class|rb|pl|lua|php|jl|sh|exe|dll|bat|cmd|ps1)", re.IGNORECASE)
"""A file that other programs run."""


def program_in(command: str) -> str:
    """Return the path or the name of the program that a command is about; "" if the command cannot be read.

    That is the first script or archive among its words, as in "python3 engine.py", or else its first word.
    """
    try:
        words = split_words(command)
    except ValueError:
        return ""
    rest = [*dropwhile(VARIABLE.match, words)] or words
    return next(filter(_SCRIPT.fullmatch, rest), rest[0] if rest else "")
