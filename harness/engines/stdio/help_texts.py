"""What a program says about itself in its help: the commands of its stdin, and how it is called."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from ..command_words import DEPTH, FEN, STDIN, join_words, missing_placeholder

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
    marked = [_place_in_console(match[0]) for match in _FILLED_IN.finditer(text)]
    if _NEVER.search(text):
        return None
    return _Command(words, tuple(filter(None, [*unmarked, *marked])), description)


def _place_in_console(name: str) -> str:
    """Return the place for what is to be filled in, "" if it is neither a position nor a depth."""
    if _IS_FEN.search(name):
        return "{fen}"
    return "{depth}" if _IS_DEPTH.search(name) else ""


# How a program is called, by its usage and by the descriptions of its options.

MOST_OPTIONS = 3
"""Options that may take the position, or the depth, of a help that has many."""
_OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)(.*?)(?=(?<![\w-])--?[A-Za-z]|$)", re.MULTILINE)
_OF_POSITION = re.compile(r"\b(?:fen|epd|pos|position|board)\b|^-[fp]$", re.IGNORECASE)
_OF_DEPTH = re.compile(r"\b(?:depth|plies|ply|perft)\b|^-d$", re.IGNORECASE)
_OF_FILE = re.compile(r"file|path", re.IGNORECASE)
_USAGE = re.compile(r".*(?:\b(?:usage|syntax|commands?|example)\b:?|:\s)", re.IGNORECASE)
"""What stands before the words of a call."""
_QUOTATION = re.compile("[\"'`{},;]")
_OPTIONAL = re.compile(r"\[([^][]*)\]")
_BETWEEN_CALLS = re.compile(r"(?<![a-z])\||\|\s")
"""What stands between two calls on one line; `perft|divide` are two words for one."""
_CALL_WORD = re.compile(
    r"(?P<option>--?[A-Za-z][\w-]*=)?(?:<(?P<angle>[^<>]+)>|(?P<upper>[A-Z][A-Z_-]*)(?!\w)|(?P<typed>\S+))"
)
"""A word of a call, as a usage has it: something to fill in, or a word as it is typed."""
_MOST_WORDS = 8
"""A line with more words is no call."""
_UNMARKED = {"fen": FEN, "depth": DEPTH}
"""Words that are something to fill in, unless that is marked otherwise."""
FILE_OF_STDIN = "/dev/stdin"
"""A file that has what is written to the program."""


def calls_in(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield the ways to call a program of one of these names that a text has: `usage: engine perft DEPTH "FEN"`."""
    before = re.compile(rf"(?:^|[\s/])(?:{'|'.join(map(re.escape, names))})(?=\s)")
    for line in _QUOTATION.sub(" ", text).splitlines():
        begins = [match.end() for match in (*before.finditer(line), _USAGE.match(line)) if match] or [0]
        for call in (call for begin in begins for call in _BETWEEN_CALLS.split(line[begin:])):
            if way := _call_in(call):
                yield way


def _call_in(text: str) -> str | None:
    """Return the way to call a program that these words have, None if they have not both its places."""
    text = _OPTIONAL.sub(lambda part: part[1] if _place_of(part[1]) else "", text)
    matches = list(_CALL_WORD.finditer(text))
    marked = {_place_of(match["angle"] or match["upper"] or "") for match in matches}
    words: list[str] = []
    for match in matches:
        name = match["angle"] or match["upper"]
        place = _place_of(name or "") or _UNMARKED.get(match["typed"])
        if name and place is None:
            return None
        if not name and place in marked:
            place = None
        words.append(f"{match['option'] or ''}{place or match['typed'].partition('|')[0]}")
        if len(words) > _MOST_WORDS:
            return None
        if missing_placeholder(" ".join(words).replace(FILE_OF_STDIN, FEN)) is None:
            break
    else:
        return None
    return join_words([*words, *([STDIN, FEN] if FILE_OF_STDIN in words else [])])


def _place_of(name: str) -> str | None:
    """Return the place for what a usage calls so, None if it is neither the position nor the depth."""
    if _OF_FILE.search(name):
        return FILE_OF_STDIN
    if _OF_POSITION.search(name):
        return FEN
    return DEPTH if _OF_DEPTH.search(name) or name.casefold() in ("n", "d") else None


def ways_by(text: str, words: Iterable[str]) -> Iterator[str]:
    """Yield ways to call a program that prints this help and has these commands, first those with a command."""
    positions, depths = _options(text, _OF_POSITION), _options(text, _OF_DEPTH)
    for word, position, depth in product([*words, ""], positions or [""], depths or [""]):
        if position != depth:
            yield " ".join(f"{word} {position} {{fen}} {depth} {{depth}}".split())


def _options(text: str, about: re.Pattern[str]) -> list[str]:
    """Return the options whose name, or else whose description, is about something."""
    found = [(match[1], match[2]) for match in _OPTION.finditer(text)]
    named = [name for name, _ in found if about.search(name.lstrip("-")) or about.search(name)]
    described = [name for name, description in found if about.search(description)]
    return list(dict.fromkeys(named or described))[:MOST_OPTIONS]
