"""Suggestions for command lines that cannot be parsed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from itertools import pairwise
from typing import Any

import typer

from ...errors import UsageError, did_you_mean
from ..engines.command_lines import command_line, quote
from ..engines.command_words import has_placeholders
from .configuration.layers import is_from, settings_of
from .options import BadValue

DEPTH = "3"
"""The depth in suggestions, small enough for every engine."""
MAX_DEPTH = 99
"""The largest depth of a command line."""
REMOVED: Mapping[str, str] = {
    "history": "save JSON reports instead: perft-check run --report json=FILE",
    "--history": "save JSON reports instead: --report json=FILE",
    "--resume": "run fuzz again with another --seed and the same --corpus instead",
    "--soak": "run fuzz without --engine instead, which compares perft-check's generator with python-chess",
    "warm": "kernels are compiled when they are first used",
    "--watch": "start perft-check with a program that waits for changes instead, such as watchexec or entr",
}
"""Replacements for removed commands and options, as the end of a sentence."""
UNQUOTED_FEN = "a FEN must be quoted as one argument: 'rnbqkbnr/.../RNBQKBNR w KQkq - 0 1'"
UNQUOTED_COMMAND = "the command of an engine must be quoted as one argument: -e 'PROGRAM {fen} {depth}'"
_SUITE_ENDINGS = (".epd", ".perft", ".perftsuite", ".txt")
_ENGINE_OPTIONS = ("-e", "--engine", "-a", "--against", "--compare")
_MOST_COMMANDS = 4
_RANKS = 7
"""The number of slashes in a FEN."""


class Meaning(Enum):
    """The apparent meaning of a word on a command line."""

    ENGINE = "engine"
    SUITE = "suite"
    FEN = "FEN"
    POSITION = "position"
    DEPTH = "depth"
    UNKNOWN = "unknown"


def meaning_of(word: str) -> Meaning:
    """Return the apparent meaning of a word, judged by its form and by existing files."""
    from ...suites.bundled import ALL_BUNDLED
    from ...suites.positions import ALIASES

    if word.isdecimal():
        return Meaning.DEPTH
    if word.count("/") >= _RANKS and not os.path.lexists(word):
        return Meaning.FEN
    if word.lower() in ALIASES:
        return Meaning.POSITION
    if word in ALL_BUNDLED or word.endswith(_SUITE_ENDINGS):
        return Meaning.SUITE
    from ..engines.opening import seems_to_name_engine

    return Meaning.ENGINE if seems_to_name_engine(word) else Meaning.UNKNOWN


def _words_of(context: Any) -> list[str]:
    """Return the command of a context as words without the program name, such as ["suites", "show"]."""
    return str(context.command_path).split()[1:]


def explain_command(words: Sequence[str], context: Any) -> UsageError:
    """Return the error for a word that is not a command of the group, with a suggested command line."""
    if words[0] in REMOVED:
        return UsageError(f"{words[0]!r} was removed: {REMOVED[words[0]]}")
    word, group_words = words[0], _words_of(context)
    meaning = Meaning.UNKNOWN if group_words else meaning_of(word)
    if meaning is Meaning.FEN and " " not in word:
        return UsageError(UNQUOTED_FEN)
    if meaning is Meaning.ENGINE and any(map(has_placeholders, words[1:])):
        return UsageError(UNQUOTED_COMMAND)
    match meaning:
        case Meaning.ENGINE:
            tried = ["-e", word]
        case Meaning.SUITE:
            tried = ["run", "-s", word]
        case Meaning.FEN | Meaning.POSITION:
            tried = ["divide", word, DEPTH]
        case Meaning.DEPTH:
            tried = ["perft", "startpos", word]
        case _:
            tried = _meant_by_name(word, context.command, group_words)
            if tried[-1] in context.command.commands:
                return UsageError(f"No such command {word!r}; did you mean {tried[-1]!r}?")
    return UsageError(f"No such command {word!r}; try: {command_line(*tried)}")


def _meant_by_name(word: str, group: Any, group_words: Sequence[str]) -> list[str]:
    """Return the command for a subgroup's command, a similar name or a program, or else `--help`."""
    from ..engines.opening import find_program

    inside = [name for name, one in group.commands.items() if word in getattr(one, "commands", ())]
    if inside:
        return [inside[0], word]
    if close := get_close_matches(word, group.commands, n=1, cutoff=0.7):
        return [*group_words, close[0]]
    return ["-e", word] if find_program(word) and not group_words else [*group_words, "--help"]


def check_arguments(extra: Sequence[str], context: Any, typed: Sequence[str]) -> None:
    """Raise UsageError, with a suggestion, for extra arguments, an engine as the position, and opposite options.

    `typed` contains the words after the command as the user typed them.
    """
    for parameter in context.command.params:
        opposites = [word for word in (*parameter.opts, *parameter.secondary_opts) if word in typed]
        if parameter.secondary_opts and len(opposites) > 1:
            raise UsageError(f"{' and '.join(opposites)} cannot be combined: leave one out")
    position = context.params.get("position")
    if isinstance(position, str):
        _check_position(position, extra[0] if extra else None)
    if any(map(has_placeholders, extra)):
        raise UsageError(UNQUOTED_COMMAND)
    if extra:
        raise UsageError(f"unexpected argument {extra[0]!r}{_hint_for_extra(extra[0], context)}")


def _check_position(position: str, following: str | None) -> None:
    """Raise UsageError if a position looks like an engine, or is the first field of a FEN without quotes."""
    meaning = meaning_of(position)
    if meaning is Meaning.FEN and " " not in position and following in ("w", "b"):
        raise UsageError(UNQUOTED_FEN)
    if meaning is Meaning.ENGINE and not os.path.isdir(position) and not position.endswith(".json"):
        raise UsageError(f"{position!r} is an engine, not a position; to name an engine, write -e {quote(position)}")


def _hint_for_extra(word: str, context: Any) -> str:
    """Return how to pass an extra argument correctly, as the end of a sentence."""
    from ..engines.opening import find_program

    meaning = meaning_of(word)
    options = {one for each in context.command.params for one in each.opts}
    takes_position = "position" in context.params and "--position" not in options
    is_engine = meaning is Meaning.ENGINE or (meaning is Meaning.UNKNOWN and find_program(word) is not None)
    if is_engine and "--engine" in options:
        return f"; to name an engine, write -e {quote(word)}"
    if meaning in (Meaning.FEN, Meaning.POSITION) and not takes_position:
        return f"; to check one position, use {'--replay' if '--replay' in options else 'perft or divide'}"
    depth = next((one for one in ("--depth", "--max-depth") if one in options), None)
    if meaning is Meaning.DEPTH and depth is not None and not takes_position:
        return f"; to set a depth, write {depth} {word}"
    if (meaning is Meaning.SUITE or os.path.isfile(word)) and "--suite" in options:
        return f"; to name a suite, write --suite {quote(word)}"
    return f"; try: {command_line(*_words_of(context), '--help')}"


def explain_error(error: typer.TyperException, context: Any, typed: Sequence[str]) -> UsageError:
    """Return the error for a command line that typer cannot parse, with a suggestion.

    `typed` contains the words after the command as the user typed them.
    """
    stray = [word for before, word in pairwise(["", *typed]) if before not in _ENGINE_OPTIONS and word[:1] != "-"]
    if any(map(has_placeholders, stray)):
        return UsageError(UNQUOTED_COMMAND)
    own = {one for each in context.command.params for one in each.opts if one.startswith("--")}
    one_dash = [word for word in typed if word.startswith("-") and f"-{word.partition('=')[0]}" in own]
    if one_dash:
        return UsageError(f"No such option: {one_dash[0]}; did you mean '-{one_dash[0]}'?")
    if isinstance(error, typer.BadParameter):
        return _explain_value(error, context)
    message = error.format_message().rstrip(".")
    name = getattr(error, "option_name", None)
    if name is None:
        return UsageError(message)
    if not message.startswith("No such option"):  # a missing or unexpected value
        metavars = [one.metavar for one in context.command.params if name in one.opts and one.metavar]
        return UsageError(f"{message}: {metavars[0]}" if metavars else message)
    if name in REMOVED:
        return UsageError(f"{name} was removed: {REMOVED[name]}")
    if name[1:].isdecimal():
        return UsageError(f"No such option: {name}; numbers must not be negative")
    return UsageError(f"No such option: {name}; {_hint_for_option(name, own, context)}")


def _explain_value(error: typer.BadParameter, context: Any) -> UsageError:
    """Return the error for an invalid value, with its source or a suggested command line."""
    parameter: Any = error.param
    message = error.format_message().rstrip(".")
    if parameter is None:
        return UsageError(message)
    if is_from("DEFAULT_MAP", context, parameter.name):
        setting = settings_of(context)[parameter.name]
        why = f"{setting.value!r} is neither true nor false" if parameter.is_flag else error.message.rstrip(".")
        return UsageError(f"{setting.source}: {why}")
    if parameter.param_type_name == "option":
        return UsageError(message)
    position, depth = context.params.get("position"), error.value if isinstance(error, BadValue) else None
    if position is not None:
        _check_position(position, depth)
    names = {one.name for one in context.command.params if one.required}
    tried = _in_order(position, depth) if "depth" in names else ["startpos"] if "position" in names else ["--help"]
    return UsageError(f"{message}; try: {command_line(*_words_of(context), *tried)}")


def _in_order(position: str | None, depth: str | None) -> list[str]:
    """Return a position and a depth for arguments that are swapped, missing or quoted together."""
    start, _, last = (position or "").rpartition(" ")
    if depth is None and last.isdecimal() and len(start.split()) in (1, 4, 6):
        return [start, last]
    given = [word for word in (depth, position) if word is not None]
    number = next((word for word in given if word.isdecimal() and int(word) <= MAX_DEPTH), DEPTH)
    if position is None or not position.isdecimal():
        return [position or "startpos", number]
    return ["startpos" if depth is None or depth.isdecimal() else depth, number]


def _hint_for_option(name: str, own: set[str], context: Any) -> str:
    """Return a suggestion for an unknown option of a command with the long options `own`."""
    from ...reports.formats.table import FORMATS

    words, kind = _words_of(context), name.lstrip("-")
    if name.startswith("--no-") and (positive := name.replace("--no-", "--")) in own:
        return f"give {positive} another value, or ignore the configuration file with --no-config"
    if "--report" in own and kind in {one.name for one in FORMATS}:
        return f"write --report {'json=-' if kind == 'json' else kind}"
    similar = [one for one in own if one.endswith(name[1:])] if name.startswith("--") else []
    if close := did_you_mean(name, similar, "", cutoff=0) or did_you_mean(name, own, "", cutoff=0.75):
        return close
    group = context.command if words and hasattr(context.command, "commands") else context.find_root().command
    others = [(*(words if group is context.command else ()), *one) for one in _commands_with(name, group)]
    if not others:
        return f"try: {command_line(*words, '--help')}"
    names = [" ".join(one) for one in others[:_MOST_COMMANDS]] + (["..."] if len(others) > _MOST_COMMANDS else [])
    return f"it is an option of {', '.join(names)}"


def _commands_with(option: str, group: Any, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the commands that have an option, each as a tuple of words."""
    found = []
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            found += _commands_with(option, one, (*words, name))
        elif any(option in (*each.opts, *each.secondary_opts) for each in one.params):
            found.append((*words, name))
    return found
