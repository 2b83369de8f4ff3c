"""Find commands and arguments in the help text of a program."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from ..command_words import DEPTH, FEN, STDIN, join_words, missing_placeholder

# Commands that a program reads from stdin.

HELP_COMMANDS = ("help", "?")
MOST_CASES = 24
"""Maximum number of cases to try."""
_MOST_COMMANDS = 4
"""Maximum number of setup commands, and of counting commands, to combine."""
_LONGEST = 20
_QUOTES = str.maketrans("`'\"", "   ")
_HEAD = re.compile(r"\s{2,}|\t|\s[-–—:=#]+\s|:\s|:$|\s//\s")  # noqa: RUF001  # help texts use all of these dashes
"""Separators between a command and its description."""
_BULLET = re.compile(r"^[\s*|>•·-]+|^\s*\d+[.)]\s+")
_OR = re.compile(r"\s*(?:,|;|\s/\s|\s\|\s|\s(?:or|and)\s)\s*")
"""Separators between commands on one line."""
_PARAMETER = re.compile(r"<[^<>]*>|\[[^][]*\]|\{[^{}]*\}|\([^()]*\)|(?<![\w])[A-Z][A-Z_-]*(?!\w)")
"""Notations for parameters."""
_WORD = re.compile(r"[A-Za-z][\w.-]*")
_PLACES = {"fen": "{fen}", "epd": "{fen}", "position": "{fen}", "depth": "{depth}", "n": "{depth}", "d": "{depth}"}
"""Placeholders for parameter names that need no special notation."""
_COUNTS = re.compile(r"perft|divide|split|count|\bnodes?\b|\blea(?:f|ves)\b|enumerat|\bmove ?gen", re.IGNORECASE)
_SETS_UP = re.compile(r"fen|epd|\bpos(?:ition)?\b|board", re.IGNORECASE)
_IS_DEPTH = re.compile(r"depth|ply|plies|\b[nd]\b", re.IGNORECASE)
_IS_FEN = re.compile(r"fen|epd|pos|board|string", re.IGNORECASE)
_NEVER = re.compile(
    r"quit|exit|save|write|export|store|delete|remove|shell|system|exec|bench|self|train|log|file|path", re.IGNORECASE
)
"""Commands that are never tried, because they may write files, end the program or take long."""


@dataclass(frozen=True)
class _Command:
    """A command in a help text."""

    words: str
    places: tuple[str, ...]
    description: str

    def is_about(self, subject: re.Pattern[str], other: re.Pattern[str]) -> bool:
        """Return True if the command's name is about `subject`, or its description is and the name is about neither."""
        if subject.search(self.words) or other.search(self.words):
            return subject.search(self.words) is not None
        return subject.search(self.description) is not None

    @property
    def is_named_otherwise(self) -> bool:
        """Whether only the description says that the command counts nodes."""
        return _COUNTS.search(self.words) is None


def cases_in(lines: Iterable[str]) -> list[str]:
    """Return the cases that a help text suggests, with placeholders, most likely first."""
    commands = list(_commands(lines))
    takes_both = [one for one in commands if {*one.places} == {"{fen}", "{depth}"}]
    takes_both.sort(key=lambda one: one.is_named_otherwise)
    whole = [f"{one.words} {' '.join(one.places)}" for one in takes_both]
    counting = _counting(commands)
    named = [one for one in commands if one.is_about(_SETS_UP, _COUNTS)]
    others = [one for one in commands if one.places == ("{fen}",)]
    setups = list(dict.fromkeys(f"{one.words} {{fen}}" for one in [*named, *others]))
    usual = ["position fen {fen}", "setboard {fen}", "fen {fen}"]
    pairs = product([*setups[:_MOST_COMMANDS], *(one for one in usual if one not in setups)], counting)
    both = [
        f"{one.removesuffix(' {depth}')} {places}" for one in counting for places in ("{depth} {fen}", "{fen} {depth}")
    ]
    return list(dict.fromkeys([*whole, *("\n".join(pair) for pair in pairs), *both]))[:MOST_CASES]


def _counting(commands: Iterable[_Command]) -> list[str]:
    named = sorted((one for one in commands if one.is_about(_COUNTS, _SETS_UP)), key=lambda one: one.is_named_otherwise)
    return list(dict.fromkeys(f"{one.words} {{depth}}" for one in named))[:_MOST_COMMANDS]


def _commands(lines: Iterable[str]) -> Iterator[_Command]:
    for line in lines:
        head, *rest = _HEAD.split(_BULLET.sub("", line.translate(_QUOTES)).strip(), maxsplit=1)
        is_title = not line[:1].isspace() and len(rest) == 1 and _OR.search(rest[0]) is not None
        texts = _OR.split(rest[0]) if is_title else []  # "Commands: perft N, setboard FEN, quit"
        for text in [*_OR.split(head), *texts]:
            if (command := _command(text, "" if is_title else " ".join(rest))) is not None:
                yield command


def _command(text: str, description: str) -> _Command | None:
    """Return the command at the start of a text, or None if there is none or it must not be tried."""
    first = _PARAMETER.search(text)
    literal = text[: first.start() if first else None].split()
    typed = [word for word in literal if word.casefold() not in _PLACES or word == literal[0]]
    words = " ".join(typed)
    if not words or len(typed) > 2 or len(words) > _LONGEST or not all(map(_WORD.fullmatch, typed)):
        return None
    unmarked = [_PLACES[word.casefold()] for word in literal[1:] if word.casefold() in _PLACES]
    marked = [_placeholder(match[0]) for match in _PARAMETER.finditer(text)]
    if _NEVER.search(text):
        return None
    return _Command(words, tuple(filter(None, [*unmarked, *marked])), description)


def _placeholder(parameter: str) -> str:
    """Return the placeholder for a parameter of a command, or "" if it is neither a position nor a depth."""
    if _IS_FEN.search(parameter):
        return "{fen}"
    return "{depth}" if _IS_DEPTH.search(parameter) else ""


# Command-line arguments of a program.

MOST_OPTIONS = 3
"""Maximum number of options to try for the position, and for the depth."""
FILE_OF_STDIN = "/dev/stdin"
"""Used in place of a file with the position, which is written to the program's stdin."""
_OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)(.*?)(?=(?<![\w-])--?[A-Za-z]|$)", re.MULTILINE)
_OF_POSITION = re.compile(r"\b(?:fen|epd|pos|position|board)\b|^-[fp]$", re.IGNORECASE)
_OF_DEPTH = re.compile(r"\b(?:depth|plies|ply|perft)\b|^-d$", re.IGNORECASE)
_OF_FILE = re.compile(r"file|path", re.IGNORECASE)
_USAGE = re.compile(r".*(?:\b(?:usage|syntax|commands?|example)\b:?|:\s)", re.IGNORECASE)
"""Text before the arguments in a usage line."""
_QUOTATION = re.compile("[\"'`{},;]")
_OPTIONAL = re.compile(r"\[([^][]*)\]")
_BETWEEN_CALLS = re.compile(r"(?<![a-z])\||\|\s")
"""Separators between calls on one line. In `perft|divide`, the bar separates alternatives within one call."""
_CALL_WORD = re.compile(
    r"(?P<option>-{0,2}[A-Za-z][\w-]*=)?(?:<(?P<angle>[^<>]+)>|(?P<upper>[A-Z][A-Z_-]*)(?!\w)|(?P<typed>\S+))"
)
"""A word of a call: a parameter or a literal word."""
_MOST_WORDS = 8
"""Maximum number of words in a call."""
_UNMARKED = {"fen": FEN, "depth": DEPTH}
"""Words that are parameters if no others are marked as such."""


def arguments_in_usage(text: str, names: Collection[str]) -> Iterator[str]:
    """Yield the arguments in usage lines of a program, such as `usage: engine perft DEPTH "FEN"`."""
    before = re.compile(rf"(?:^|[\s/])(?:{'|'.join(map(re.escape, names))})(?=\s)")
    for line in _QUOTATION.sub(" ", text).splitlines():
        begins = [match.end() for match in (*before.finditer(line), _USAGE.match(line)) if match] or [0]
        for call in (call for begin in begins for call in _BETWEEN_CALLS.split(line[begin:])):
            if arguments := _arguments_in(call):
                yield arguments


def _arguments_in(call: str) -> str | None:
    """Return the arguments of a call with placeholders, or None unless it has both a position and a depth."""
    call = _OPTIONAL.sub(lambda part: part[1] if _place_of(part[1]) else "", call)
    matches = list(_CALL_WORD.finditer(call))
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
            return join_words([*words, *([STDIN, FEN] if FILE_OF_STDIN in words else [])])
    return None


def _place_of(name: str) -> str | None:
    """Return the placeholder for a parameter of a call, or None if it is neither the position nor the depth."""
    if _OF_FILE.search(name):
        return FILE_OF_STDIN
    if _OF_POSITION.search(name):
        return FEN
    return DEPTH if _OF_DEPTH.search(name) or name.casefold() in ("n", "d") else None


def arguments_of_options(text: str, words: Iterable[str]) -> Iterator[str]:
    """Yield arguments built from the options in a help text, first those that follow one of the commands `words`."""
    positions, depths = _options(text, _OF_POSITION), _options(text, _OF_DEPTH)
    for word, position, depth in product([*words, ""], positions or [""], depths or [""]):
        if position != depth:
            yield " ".join(f"{word} {position} {{fen}} {depth} {{depth}}".split())


def _options(text: str, about: re.Pattern[str]) -> list[str]:
    """Return the options whose name matches `about`, or else those whose description does."""
    found = [(match[1], match[2]) for match in _OPTION.finditer(text)]
    named = [name for name, _ in found if about.search(name.lstrip("-")) or about.search(name)]
    described = [name for name, description in found if about.search(description)]
    return list(dict.fromkeys(named or described))[:MOST_OPTIONS]
