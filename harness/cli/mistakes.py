"""Suggestions for command lines that cannot be parsed, usually a corrected command line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from itertools import takewhile
from typing import Any

import typer

from ...errors import UsageError, did_you_mean
from ..engines.command_lines import command_line, quote
from ..engines.command_words import has_placeholders, join_words
from .configuration.layers import is_from, settings_of
from .options import BadValue

DEPTH = "3"
"""The depth in suggestions, small enough for every engine."""
REMOVED: Mapping[str, str] = {
    "history": "save JSON reports instead: perft-check run --report json=FILE",
    "--history": "save JSON reports instead: --report json=FILE",
    "--resume": "run fuzz again with another --seed and the same --corpus instead",
    "--soak": "run fuzz without --engine instead, which compares perft-check's generator with python-chess",
    "warm": "kernels are compiled when they are first used",
    "--watch": "start perft-check with a program that waits for changes instead, such as watchexec or entr",
}
"""Replacements for removed commands and options, as the end of a sentence."""
SYNONYMS = {"test": "run", "check": "run", "help": "--help", "version": "--version"}
"""Commands of other tools and their equivalents in perft-check."""
_SUITE_ENDINGS = (".epd", ".perft", ".perftsuite", ".txt")
_ENGINE_OPTIONS = ("-e", "--engine", "-a", "--against")
_MOST_COMMANDS = 4
_WITHOUT_DEPTH = ("explore", "moves")
_RANKS, _FIELDS = 7, (5, 3)
"""The number of slashes in a FEN, and the possible numbers of fields after the first one."""


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
    group, group_words = context.command, _words_of(context)
    meant = _meant_in_group(words, group, group_words) if group_words else _meant_by_form(words)
    tried = command_line(*(meant or _meant_by_name(words, group, group_words)))
    return UsageError(f"No such command {words[0]!r}; try: {tried}")


def _meant_in_group(words: Sequence[str], group: Any, group_words: Sequence[str]) -> list[str] | None:
    """Return the `show` command if the first word names a suite, or None."""
    is_suite = meaning_of(words[0]) is Meaning.SUITE
    return [*group_words, "show", *words] if is_suite and "show" in group.commands else None


def _meant_by_form(words: Sequence[str]) -> list[str] | None:
    """Return a command for the apparent meaning of the first word, or None if it is unknown."""
    word, *rest = words
    match meaning_of(word):
        case Meaning.ENGINE:
            return _run_of(word, rest)
        case Meaning.SUITE:
            suites = list(takewhile(lambda one: meaning_of(one) is Meaning.SUITE, words))
            return ["run", *(part for suite in suites for part in ("-s", suite)), *words[len(suites) :]]
        case Meaning.FEN:
            fields = next((number for number in _FIELDS if len(rest) >= number and " " not in word), 0)
            return ["divide", " ".join([word, *rest[:fields]]), *_with_depth(rest[fields:])]
        case Meaning.POSITION:
            return ["perft", word, *_with_depth(rest)]
        case Meaning.DEPTH:
            return ["perft", "startpos", *words]
    return None


def _run_of(engine: str, rest: Sequence[str]) -> list[str] | None:
    """Return a command that tests an engine, or `--help` if the words after it are not understood."""
    placeholders = [at for at, word in enumerate(rest, 1) if has_placeholders(word)]
    if placeholders:  # an unquoted command of several words
        return ["-e", join_words([engine, *rest[: placeholders[-1]]]), *rest[placeholders[-1] :]]
    if rest and meaning_of(rest[0]) in (Meaning.POSITION, Meaning.FEN):
        return ["perft", rest[0], *_with_depth(rest[1:]), "-e", engine]
    return ["-e", engine, *rest] if not rest or rest[0].startswith("-") else ["--help"]


def _with_depth(words: Sequence[str]) -> list[str]:
    """Return the words after a position, preceded by a depth if they do not contain one."""
    before = ["", *words]
    has_depth = any(word.isdecimal() and not before[at].startswith("-") for at, word in enumerate(words))
    return list(words) if has_depth else [DEPTH, *words]


def _meant_by_name(words: Sequence[str], group: Any, group_words: Sequence[str]) -> list[str]:
    """Return the command for a synonym, a subgroup's command, a similar name or a program, or else `--help`."""
    from ..engines.opening import find_program

    word, *rest = words
    if word in SYNONYMS and not group_words:
        return [*SYNONYMS[word].split(), *rest]
    inside = [name for name, one in group.commands.items() if word in getattr(one, "commands", ())]
    if inside:
        return [inside[0], *words]
    if close := get_close_matches(word, group.commands, n=1):
        return [*group_words, close[0], *rest]
    return ["-e", *words] if find_program(word) and not group_words else [*group_words, "--help"]


def check_arguments(extra: Sequence[str], context: Any, typed: Sequence[str]) -> None:
    """Raise UsageError, with a suggestion, for an extra argument and for an engine given as the position.

    `typed` contains the words after the command as the user typed them.
    """
    _check_quotes(typed, context)
    _check_position(context, typed)
    if extra:
        raise UsageError(f"unexpected argument {extra[0]!r}{_hint_for_extra(extra[0], context)}")


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

    `typed` is as in `check_arguments`.
    """
    _check_quotes(typed, context)
    own = {one for each in context.command.params for one in each.opts if one.startswith("--")}
    one_dash = [word for word in typed if word.startswith("-") and f"-{word.partition('=')[0]}" in own]
    if one_dash:
        return UsageError(f"No such option: {one_dash[0]}; did you mean '-{one_dash[0]}'?")
    if isinstance(error, typer.BadParameter):
        return _explain_value(error, context, typed)
    message = error.format_message().rstrip(".")
    name = getattr(error, "option_name", None)
    if name is None:
        return UsageError(message)
    if not message.startswith("No such option"):  # a missing or unexpected value
        metavars = [one.metavar for one in context.command.params if name in one.opts and one.metavar]
        return UsageError(f"{message}: {metavars[0]}" if metavars else message)
    return _explain_option(name, context, typed)


def _explain_value(error: typer.BadParameter, context: Any, typed: Sequence[str]) -> UsageError:
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
    _check_position(context, typed)
    tried = None
    if any(one.name == "position" for one in context.command.params):
        needs_depth = any(one.name == "depth" and one.required for one in context.command.params)
        depth = error.value if isinstance(error, BadValue) else None
        tried = _corrected(typed, context.params.get("position"), depth, needs_depth=needs_depth)
    return UsageError(f"{message}; try: {command_line(*_words_of(context), *(tried or ['--help']))}")


def _corrected(typed: Sequence[str], position: str | None, depth: str | None, *, needs_depth: bool) -> list[str] | None:
    """Return the words with a valid position and depth, or None if the correction is not obvious."""
    if position is None:
        return ["startpos", *([DEPTH] if needs_depth else []), *typed]
    indices = [at for at, word in enumerate(typed) if word in (position, depth)]
    if len(indices) != 1 + (depth is not None):
        return None
    first, (start, _, last) = indices[0], position.rpartition(" ")
    if depth is None and position.isdecimal():
        correct = ["startpos", position]
    elif depth is None and last.isdecimal() and len(start.split()) in (1, 4, 6):  # the depth is inside the quotes
        correct = [start, last]
    elif depth is not None and position.isdecimal():
        correct = ["startpos" if depth.isdecimal() else depth, position]
    else:
        correct = [position, _smaller(depth)]
    rest = [word for at, word in enumerate(typed) if at not in indices]
    return [*rest[:first], *correct, *rest[first:]]


def _smaller(depth: str | None) -> str:
    """Return the number that an invalid depth begins with, at most `DEPTH`; without a number, return `DEPTH`."""
    number = re.match(r"\d{1,3}", depth or "")
    return str(min(int(DEPTH), int(number[0]))) if number else DEPTH


def _check_position(context: Any, typed: Sequence[str]) -> None:
    """Raise UsageError if the position looks like an engine, or is only the first field of a FEN."""
    text, words = context.params.get("position"), _words_of(context)
    if not isinstance(text, str):
        return
    if meaning_of(text) is Meaning.FEN and " " not in text and typed.count(text) == 1:
        at = typed.index(text)
        size = next((size for size in _FIELDS if len(typed) > at + size and typed[at + 1] in ("w", "b")), 0)
        if size:
            fen, following = " ".join(typed[at : at + size + 1]), typed[at + size + 1 :]
            tried = [*words, *typed[:at], fen, *(following if words[0] in _WITHOUT_DEPTH else _with_depth(following))]
            raise UsageError(f"a FEN must be quoted as one argument; try: {command_line(*tried)}")
    if meaning_of(text) is Meaning.ENGINE and not os.path.isdir(text) and not text.endswith(".json"):
        hint = ""
        if typed.count(text) == 1 and not any(word.startswith(_ENGINE_OPTIONS) for word in typed):
            at = typed.index(text)
            following = typed[at + 1 :] if words[0] in _WITHOUT_DEPTH else _with_depth(typed[at + 1 :])
            hint = f"; try: {command_line(*words, *typed[:at], 'startpos', *following, '-e', text)}"
        raise UsageError(f"{text!r} is an engine, not a position{hint}")


def _check_quotes(typed: Sequence[str], context: Any) -> None:
    """Raise UsageError if an engine's command is not quoted, so that its words are parsed as arguments."""
    at = next((at for at, word in enumerate(typed[:-1]) if word in _ENGINE_OPTIONS), None)
    strays = [] if at is None else [one for one in range(at + 2, len(typed)) if _is_stray_placeholder(typed, one)]
    if at is None or not strays:
        return
    command = join_words(typed[at + 1 : strays[-1] + 1])
    tried = [*_words_of(context), *typed[: at + 1], command, *typed[strays[-1] + 1 :]]
    raise UsageError(f"the command of an engine must be quoted as one argument; try: {command_line(*tried)}")


def _is_stray_placeholder(typed: Sequence[str], at: int) -> bool:
    """Return True if a word contains a placeholder, such as {fen}, and is not the value of an option."""
    return has_placeholders(typed[at]) and typed[at - 1] not in _ENGINE_OPTIONS and not typed[at].startswith("--")


def _explain_option(name: str, context: Any, typed: Sequence[str]) -> UsageError:
    """Return the error for an unknown option, with a suggestion."""
    from ...reports.formats.table import FORMATS

    words, said = _words_of(context), f"No such option: {name}"
    if name in REMOVED:
        return UsageError(f"{name} was removed: {REMOVED[name]}")
    own = {option for one in context.command.params for option in one.opts if option.startswith("--")}
    if name.startswith("--no-") and (positive := name.replace("--no-", "--")) in own:
        return UsageError(f"{said}; give {positive} another value, or ignore the configuration file with --no-config")
    if "--report" in own and (kind := name.lstrip("-")) in {one.name for one in FORMATS} and name in typed:
        at = typed.index(name)
        tried = [*words, *typed[:at], "--report", "json=-" if kind == "json" else kind, *typed[at + 1 :]]
        return UsageError(f"{said}; try: {command_line(*tried)}")
    similar = [one for one in own if one.endswith(name[1:])] if name.startswith("--") else []
    if close := did_you_mean(name, similar, "", cutoff=0) or did_you_mean(name, own, "", cutoff=0.75):
        return UsageError(f"{said}; {close}")
    group = context.command if words and hasattr(context.command, "commands") else context.find_root().command
    others = [(*(words if group is context.command else ()), *one) for one in _commands_with(name, group)]
    if not others:
        return UsageError(f"{said}; try: {command_line(*words, '--help')}")
    names = [" ".join(one) for one in others[:_MOST_COMMANDS]] + (["..."] if len(others) > _MOST_COMMANDS else [])
    return UsageError(f"{said}; it is an option of {', '.join(names)}")


def _commands_with(option: str, group: Any, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the commands that have an option, each as a tuple of words."""
    found = []
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            found += _commands_with(option, one, (*words, name))
        elif any(option in (*each.opts, *each.secondary_opts) for each in one.params):
            found.append((*words, name))
    return found
