"""The commands that a console names in its help: those that set a position up, and those that count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

ASKED_FOR_HELP = ("help", "?")
"""What is sent for it."""
MOST_CASES = 24
"""Ways that are tried."""
_MOST_COMMANDS = 4
"""Commands for a position, and for a count, that are tried with each other."""
_LONGEST = 20
_HEAD = re.compile(r"\s{2,}|\t|\s[-–—:=#]+\s|:\s|:$|\s//\s")  # noqa: RUF001  # dashes, as help texts have them
"""What stands between a command and its description."""
_BULLET = re.compile(r"^[\s*|>•·-]+|^\s*\d+[.)]\s+")
_OR = re.compile(r"\s*(?:,|;|\s/\s|\s\|\s|\s(?:or|and)\s)\s*")
"""What stands between commands on one line."""
_FILLED_IN = re.compile(r"<[^<>]*>|\[[^][]*\]|\{[^{}]*\}|\([^()]*\)|(?<![\w])[A-Z][A-Z_-]*(?!\w)")
"""What is to be filled in, as a help has it."""
_WORD = re.compile(r"[A-Za-z][\w.-]*")
_PLACES = {"fen": "{fen}", "epd": "{fen}", "position": "{fen}", "depth": "{depth}", "n": "{depth}", "d": "{depth}"}
_COUNTS = re.compile(r"perft|divide|split|count|\bnodes?\b|\blea(?:f|ves)\b|enumerat|\bmove ?gen", re.IGNORECASE)
_SETS_UP = re.compile(r"fen|epd|\bpos(?:ition)?\b|board", re.IGNORECASE)
_IS_DEPTH = re.compile(r"depth|ply|plies|\b[nd]\b", re.IGNORECASE)
_IS_FEN = re.compile(r"fen|epd|pos|board|string", re.IGNORECASE)
_NEVER = re.compile(
    r"quit|exit|save|write|export|store|delete|remove|shell|system|exec|bench|self|train|log|file|path", re.IGNORECASE
)
"""Commands that write files, end the program or take long are left alone."""


@dataclass(frozen=True)
class _Command:
    """A command of a help."""

    words: str
    places: tuple[str, ...]
    description: str

    def is_about(self, subject: re.Pattern[str], other: re.Pattern[str]) -> bool:
        """Return True if its name is about a subject, or else only its description."""
        if subject.search(self.words) or other.search(self.words):
            return subject.search(self.words) is not None
        return subject.search(self.description) is not None


def cases_in(lines: Iterable[str]) -> list[str]:
    """Return the cases that a help suggests, with places, the most likely ones first."""
    commands = list(_commands(lines))
    takes_both = sorted((one for one in commands if {*one.places} == {"{fen}", "{depth}"}), key=_is_named_otherwise)
    whole = [f"{one.words} {' '.join(one.places)}" for one in takes_both]
    counting = counting_commands(commands=commands)
    named = [one for one in commands if one.is_about(_SETS_UP, _COUNTS)]
    others = [one for one in commands if one.places == ("{fen}",)]
    setups = list(dict.fromkeys(f"{one.words} {{fen}}" for one in [*named, *others]))
    usual = ["position fen {fen}", "setboard {fen}", "fen {fen}"]
    pairs = product([*setups[:_MOST_COMMANDS], *(one for one in usual if one not in setups)], counting)
    both = [
        f"{one.removesuffix(' {depth}')} {places}" for one in counting for places in ("{depth} {fen}", "{fen} {depth}")
    ]
    return list(dict.fromkeys([*whole, *("\n".join(pair) for pair in pairs), *both]))[:MOST_CASES]


def counting_commands(lines: Iterable[str] = (), commands: Iterable[_Command] = ()) -> list[str]:
    """Return the commands of a help that count, with a place for the depth."""
    found = [*commands, *_commands(lines)]
    named = sorted((one for one in found if one.is_about(_COUNTS, _SETS_UP)), key=_is_named_otherwise)
    return list(dict.fromkeys(f"{one.words} {{depth}}" for one in named))[:_MOST_COMMANDS]


def _is_named_otherwise(command: _Command) -> bool:
    """Return True if only the description of a command says that it counts."""
    return _COUNTS.search(command.words) is None


def _commands(lines: Iterable[str]) -> Iterator[_Command]:
    """Yield the commands that the lines of a help name."""
    for line in lines:
        head, *rest = _HEAD.split(_BULLET.sub("", line.translate(_QUOTES)).strip(), maxsplit=1)
        is_title = not line[:1].isspace() and len(rest) == 1 and _OR.search(rest[0]) is not None
        texts = _OR.split(rest[0]) if is_title else []  # "Commands: perft N, setboard FEN, quit"
        for text in [*_OR.split(head), *texts]:
            if (command := _command(text, "" if is_title else " ".join(rest))) is not None:
                yield command


_QUOTES = str.maketrans("`'\"", "   ")


def _command(text: str, description: str) -> _Command | None:
    """Return the command at the beginning of a text, None if it is none, or must not be tried."""
    first = _FILLED_IN.search(text)
    literal = text[: first.start() if first else None].split()
    typed = [word for word in literal if word.casefold() not in _PLACES or word == literal[0]]
    words = " ".join(typed)
    if not words or len(typed) > 2 or len(words) > _LONGEST or not all(map(_WORD.fullmatch, typed)):
        return None
    unmarked = [_PLACES[word.casefold()] for word in literal[1:] if word.casefold() in _PLACES]
    marked = [_place_of(match[0]) for match in _FILLED_IN.finditer(text)]
    if _NEVER.search(text):
        return None
    return _Command(words, tuple(filter(None, [*unmarked, *marked])), description)


def _place_of(name: str) -> str:
    """Return the place for what is to be filled in, "" if it is neither a position nor a depth."""
    if _IS_FEN.search(name):
        return "{fen}"
    return "{depth}" if _IS_DEPTH.search(name) else ""
