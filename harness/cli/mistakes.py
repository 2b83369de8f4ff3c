"""What was probably meant by a command line that cannot be read: each hint is a command line to try."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any

import typer

from ...errors import UsageError, did_you_mean
from ..model.command_lines import command_line, quote
from .configuration.in_force import words_of

DEPTH = "6"
"""The depth of an example ..."""
SHALLOW = "3"
"""... and of one that prints root moves."""
SYNONYMS = {"test": "run", "check": "run", "help": "--help", "version": "--version"}
"""Words that other tools have for a command of ours."""
_SUITE_ENDINGS = (".epd", ".perft", ".perftsuite", ".txt")
_RANKS, _FIELDS = 7, (5, 3)
"""Slashes of a FEN, and how many fields may follow the first one."""


class Meaning(Enum):
    """What a word of a command line seems to name."""

    ENGINE = "engine"
    SUITE = "suite"
    FEN = "FEN"
    POSITION = "position"
    DEPTH = "depth"
    UNKNOWN = "unknown"


def meaning_of(word: str) -> Meaning:
    """Return what a word seems to name, by its form and by the files that are here."""
    from ...suites.bundled import EVERY
    from ...suites.positions import ALIASES

    if word.isdecimal():
        return Meaning.DEPTH
    if word.count("/") >= _RANKS and not os.path.lexists(word):
        return Meaning.FEN
    if word.lower() in ALIASES:
        return Meaning.POSITION
    if word in EVERY or word.endswith(_SUITE_ENDINGS):
        return Meaning.SUITE
    return Meaning.ENGINE if _names_engine(word) else Meaning.UNKNOWN


def _names_engine(word: str) -> bool:
    from ..engines.kinds.own import KERNELS
    from ..engines.registry import INTERPRETERS, NAMED, OPENERS, names_a_command
    from ..model.command_words import has_places

    prefix, colon, _ = word.partition(":")
    if word in KERNELS or word in NAMED or has_places(word) or (colon and prefix in (*OPENERS, "zoo")):
        return True
    path = Path(word)
    if path.suffix == ".json":
        return os.path.isfile(word) and b'"launch"' in path.read_bytes()
    is_program = os.path.isfile(word) and (os.access(path, os.X_OK) or path.suffix in INTERPRETERS)
    return is_program or word.startswith(("./", "../", "/")) or names_a_command(word)


def hint_for_command(words: Sequence[str], context: Any) -> str:
    """Return what to try where the first word is no command of a group, whose context is given."""
    group, way = context.command, words_of(context)
    meant = _meant_in_group(words, group, way) if way else _meant_by_form(words)
    return command_line(*(meant or _meant_by_name(words, group, way)))


def _meant_in_group(words: Sequence[str], group: Any, way: Sequence[str]) -> list[str] | None:
    """Return the command of a group that shows the suite which a word names, None where it names none."""
    is_suite = meaning_of(words[0]) is Meaning.SUITE
    return [*way, "show", *words] if is_suite and "show" in group.commands else None


def _meant_by_form(words: Sequence[str]) -> list[str] | None:
    """Return the command about what the first word seems to name, None where that is nothing."""
    word, *rest = words
    match meaning_of(word):
        case Meaning.ENGINE:
            return ["-e", *words]
        case Meaning.SUITE:
            return ["run", "-s", *words]
        case Meaning.FEN:
            fields = next((number for number in _FIELDS if len(rest) >= number and " " not in word), 0)
            return ["divide", " ".join([word, *rest[:fields]]), *(rest[fields:] or [SHALLOW])]
        case Meaning.POSITION:
            return ["perft", word, *(rest or [DEPTH])]
        case Meaning.DEPTH:
            return ["perft", "startpos", *words]
    return None


def _meant_by_name(words: Sequence[str], group: Any, way: Sequence[str]) -> list[str]:
    """Return the command of another tool's name, of a group, of a similar name, or else help."""
    from ..engines.registry import find_program

    word, *rest = words
    if word in SYNONYMS and not way:
        return [*SYNONYMS[word].split(), *rest]
    inside = [name for name, one in group.commands.items() if word in getattr(one, "commands", ())]
    if inside:
        return [inside[0], *words]
    if close := get_close_matches(word, group.commands, n=1):
        return [*way, close[0], *rest]
    return ["-e", *words] if find_program(word) and not way else [*way, "--help"]


def hint_for_extra(word: str, context: Any) -> str:
    """Return what to do with an argument too many of a command, as the end of a sentence."""
    from ..engines.registry import find_program

    command, meaning = context.command, meaning_of(word)
    options = {one for each in command.params for one in each.opts}
    takes_position = any(one.metavar == "POSITION" and one.param_type_name == "argument" for one in command.params)
    is_engine = meaning is Meaning.ENGINE or (meaning is Meaning.UNKNOWN and find_program(word) is not None)
    if is_engine and "--engine" in options:
        return f": an engine is named with -e {quote(word)}"
    if meaning is Meaning.FEN and "--replay" in options:
        return f": a FEN is asked about with --replay {quote(word)}"
    if meaning is Meaning.DEPTH and "--depth" in options and not takes_position:
        return f": a depth is given with --depth {word}"
    if "--suite" in options:
        return f": a suite is named with --suite {quote(word)}"
    return ": put a FEN into quotes" if takes_position else f"; try: {command_line(*words_of(context), '--help')}"


def refine_argument(error: typer.BadParameter, context: Any, given: Mapping[str, Any]) -> UsageError:
    """Return the error about an argument, with a command line to try. `given` are the arguments as they were read."""
    position, depth = given.get("position"), given.get("depth")
    words = words_of(context)
    example: list[str] | None = None
    if position is not None and position.isdecimal() and (depth is None or not depth.isdecimal()):
        example = ["startpos" if depth is None else depth, position]
    elif any(one.name == "position" for one in context.command.params):
        has_depth = any(one.name == "depth" and one.required for one in context.command.params)
        example = [position or "startpos", *([DEPTH] if has_depth else [])]
    tried = command_line(*words, *(["--help"] if example is None else example))
    return UsageError(f"{error.format_message().rstrip('.')}; try: {tried}")


def check_position(text: str, context: Any) -> None:
    """Raise UsageError where an engine stands in the place of a position."""
    if meaning_of(text) is Meaning.ENGINE and not os.path.isdir(text) and not text.endswith(".json"):
        words = words_of(context)
        tried = command_line(*words, "startpos", *([] if words[0] in ("explore", "moves") else [DEPTH]), "-e", text)
        raise UsageError(f"{text!r} is no position: an engine is named with -e; try: {tried}")


def refine_option(error: typer.TyperException, context: Any) -> UsageError:
    """Return the error about an option that there is not, with what may have been meant; other errors as they are."""
    from ...reports.formats.table import FORMATS

    name = getattr(error, "option_name", None)
    message = error.format_message().rstrip(".")
    if name is None:
        return UsageError(message)
    words = words_of(context)
    own = {option for one in context.command.params for option in one.opts if option.startswith("--")}
    group = context.command if words and hasattr(context.command, "commands") else context.find_root().command
    others = [(*(words if group is context.command else ()), *one) for one in _commands_with(name, group)]
    close = did_you_mean(name, own, "", cutoff=0.75)
    tried = command_line(*(others[0] if others else words), *([name] if others else ["--help"]))
    if "--report" in own and (kind := name.lstrip("-")) in {one.name for one in FORMATS}:
        others, tried = [words], command_line(*words, "--report", "json=-" if kind == "json" else kind)
    return UsageError(f"No such option: {name}; {close if close and not others else f'try: {tried}'}")


def _commands_with(option: str, group: Any, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the commands that have an option, each by its words."""
    found = []
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            found += _commands_with(option, one, (*words, name))
        elif any(option in (*each.opts, *each.secondary_opts) for each in one.params):
            found.append((*words, name))
    return found
