"""What was probably meant by a command line that cannot be read: each hint is a command line to try."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from itertools import takewhile
from pathlib import Path
from typing import Any

import typer

from ...errors import UsageError, did_you_mean
from ..engines.command_lines import command_line, quote
from ..engines.command_words import has_places, join_words
from .configuration.layers import is_from, settings_of
from .options import BadValue

DEPTH = "3"
"""The depth of an example: every engine counts so deep in a moment."""
REMOVED: Mapping[str, str] = {
    "config": "perft-check.toml and the variables PERFT_CHECK_... have all that is set",
    "--export": "the ledger of a count has its results as JSON lines",
    "history": "store JSON reports of runs instead: perft-check run --report json=FILE",
    "--history": "store JSON reports of runs instead: --report json=FILE",
    "--no-explain": "write --explain none",
    "--profile": "name another file: --config FILE",
    "--resume": "run fuzz again with another --seed and the same --corpus instead",
    "--soak": "run fuzz without --engine instead, which compares our own generator with python-chess",
    "warm": "every command compiles what it needs at its first use",
    "--watch": "start perft-check with a program that waits for changes instead, such as watchexec or entr",
}
"""What to use instead of a command or an option that was removed, as the end of a sentence."""
SYNONYMS = {"test": "run", "check": "run", "help": "--help", "version": "--version"}
"""Words that other tools have for a command of ours."""
_SUITE_ENDINGS = (".epd", ".perft", ".perftsuite", ".txt")
_ENGINE_OPTIONS = ("-e", "--engine", "-a", "--against")
_MOST_COMMANDS = 4
_WITHOUT_DEPTH = ("explore", "moves")
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
    return Meaning.ENGINE if _names_engine(word) else Meaning.UNKNOWN


def _names_engine(word: str) -> bool:
    from ..engines.opening import NAMED, OPENERS, names_a_command
    from ..engines.program_files import INTERPRETERS
    from ..engines.spec import KERNELS

    prefix, colon, _ = word.partition(":")
    if word in KERNELS or word in NAMED or has_places(word) or (colon and prefix in (*OPENERS, "zoo")):
        return True
    path = Path(word)
    if path.suffix == ".json":
        return os.path.isfile(word) and b'"launch"' in path.read_bytes()
    is_program = os.path.isfile(word) and (os.access(path, os.X_OK) or path.suffix in INTERPRETERS)
    return is_program or word.startswith(("./", "../", "/")) or names_a_command(word)


def _words_of(context: Any) -> list[str]:
    """Return the words that call the command of a context, without the program."""
    return str(context.command_path).split()[1:]


def explain_command(words: Sequence[str], context: Any) -> UsageError:
    """Return the error about a first word that is no command of a group, with what to try."""
    group, way = context.command, _words_of(context)
    if words[0] in REMOVED:
        return UsageError(f"{words[0]!r} was removed: {REMOVED[words[0]]}")
    meant = _meant_in_group(words, group, way) if way else _meant_by_form(words)
    tried = command_line(*(meant or _meant_by_name(words, group, way)))
    return UsageError(f"No such command {words[0]!r}; try: {tried}")


def _meant_in_group(words: Sequence[str], group: Any, way: Sequence[str]) -> list[str] | None:
    """Return the command of a group that shows the suite which a word names, None where it names none."""
    is_suite = meaning_of(words[0]) is Meaning.SUITE
    return [*way, "show", *words] if is_suite and "show" in group.commands else None


def _meant_by_form(words: Sequence[str]) -> list[str] | None:
    """Return the command about what the first word seems to name, None where that is nothing."""
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
    """Return the command about an engine, None if what follows it is not understood."""
    places = [at for at, word in enumerate(rest, 1) if has_places(word)]
    if places:  # a command of several words, whose quotes are missing
        return ["-e", join_words([engine, *rest[: places[-1]]]), *rest[places[-1] :]]
    if rest and meaning_of(rest[0]) in (Meaning.POSITION, Meaning.FEN):
        return ["perft", rest[0], *_with_depth(rest[1:]), "-e", engine]
    return ["-e", engine, *rest] if not rest or rest[0].startswith("-") else ["--help"]


def _with_depth(words: Sequence[str]) -> list[str]:
    """Return what follows a position, with a depth if there is none."""
    before = ["", *words]
    has_depth = any(word.isdecimal() and not before[at].startswith("-") for at, word in enumerate(words))
    return list(words) if has_depth else [DEPTH, *words]


def _meant_by_name(words: Sequence[str], group: Any, way: Sequence[str]) -> list[str]:
    """Return the command of another tool's name, of a group, of a similar name, or else help."""
    from ..engines.opening import find_program

    word, *rest = words
    if word in SYNONYMS and not way:
        return [*SYNONYMS[word].split(), *rest]
    inside = [name for name, one in group.commands.items() if word in getattr(one, "commands", ())]
    if inside:
        return [inside[0], *words]
    if close := get_close_matches(word, group.commands, n=1):
        return [*way, close[0], *rest]
    return ["-e", *words] if find_program(word) and not way else [*way, "--help"]


def check_arguments(more: Sequence[str], context: Any, typed: Sequence[str]) -> None:
    """Raise UsageError for an argument too many, and for a position that is an engine, with what may have been meant.

    `typed` are the words of the command line behind the command, as they were before typer read them.
    """
    _check_quotes(typed, context)
    _check_position(context, typed)
    if more:
        raise UsageError(f"{more[0]!r} is an argument too many{_hint_for_extra(more[0], context)}")


def _hint_for_extra(word: str, context: Any) -> str:
    """Return what to do with an argument too many of a command, as the end of a sentence."""
    from ..engines.opening import find_program

    meaning = meaning_of(word)
    options = {one for each in context.command.params for one in each.opts}
    takes_position = "position" in context.params and "--position" not in options
    is_engine = meaning is Meaning.ENGINE or (meaning is Meaning.UNKNOWN and find_program(word) is not None)
    if is_engine and "--engine" in options:
        return f": an engine is named with -e {quote(word)}"
    if meaning in (Meaning.FEN, Meaning.POSITION) and not takes_position:
        return f": a position is asked about with {'--replay' if '--replay' in options else 'perft and divide'}"
    depth = next((one for one in ("--depth", "--max-depth") if one in options), None)
    if meaning is Meaning.DEPTH and depth is not None and not takes_position:
        return f": a depth is given with {depth} {word}"
    if (meaning is Meaning.SUITE or os.path.isfile(word)) and "--suite" in options:
        return f": a suite is named with --suite {quote(word)}"
    return f"; try: {command_line(*_words_of(context), '--help')}"


def explain_error(error: typer.TyperException, context: Any, typed: Sequence[str]) -> UsageError:
    """Return the error about a command line that typer cannot read, with what to try. `typed` is as above."""
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
    if not message.startswith("No such option"):  # but one without its value, or with one that it does not take
        metavars = [one.metavar for one in context.command.params if name in one.opts and one.metavar]
        return UsageError(f"{message}: {metavars[0]}" if metavars else message)
    return _explain_option(name, context, typed)


def _explain_value(error: typer.BadParameter, context: Any, typed: Sequence[str]) -> UsageError:
    """Return the error about a value, where it stands or with a command line to try."""
    parameter: Any = error.param
    message = error.format_message().rstrip(".")
    if parameter is None:
        return UsageError(message)
    if is_from("DEFAULT_MAP", context, parameter.name):
        setting = settings_of(context)[parameter.name]
        why = f"{setting.value!r} is neither true nor false" if parameter.is_flag else error.message.rstrip(".")
        return UsageError(f"{setting.place}: {why}")
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
    """Return what was typed with a position and a depth that can be read, None if it is not plain how."""
    if position is None:
        return ["startpos", *([DEPTH] if needs_depth else []), *typed]
    places = [at for at, word in enumerate(typed) if word in (position, depth)]
    if len(places) != 1 + (depth is not None):
        return None
    first, (start, _, last) = places[0], position.rpartition(" ")
    if depth is None and position.isdecimal():
        correct = ["startpos", position]
    elif depth is None and last.isdecimal() and len(start.split()) in (1, 4, 6):  # the depth is inside the quotes
        correct = [start, last]
    elif depth is not None and position.isdecimal():
        correct = ["startpos" if depth.isdecimal() else depth, position]
    else:
        correct = [position, _smaller(depth)]
    rest = [word for at, word in enumerate(typed) if at not in places]
    return [*rest[:first], *correct, *rest[first:]]


def _smaller(depth: str | None) -> str:
    """Return a depth that is not larger than one that cannot be read."""
    number = re.match(r"\d{1,3}", depth or "")
    return str(min(int(DEPTH), int(number[0]))) if number else DEPTH


def _check_position(context: Any, typed: Sequence[str]) -> None:
    """Raise UsageError if an engine, or the first field of a FEN, stands in the place of a position."""
    text, words = context.params.get("position"), _words_of(context)
    if not isinstance(text, str):
        return
    if meaning_of(text) is Meaning.FEN and " " not in text and typed.count(text) == 1:
        at = typed.index(text)
        size = next((size for size in _FIELDS if len(typed) > at + size and typed[at + 1] in ("w", "b")), 0)
        if size:
            fen, following = " ".join(typed[at : at + size + 1]), typed[at + size + 1 :]
            tried = [*words, *typed[:at], fen, *(following if words[0] in _WITHOUT_DEPTH else _with_depth(following))]
            raise UsageError(f"a FEN needs quotes around all its fields; try: {command_line(*tried)}")
    if meaning_of(text) is Meaning.ENGINE and not os.path.isdir(text) and not text.endswith(".json"):
        hint = ""
        if typed.count(text) == 1 and not any(word.startswith(_ENGINE_OPTIONS) for word in typed):
            at = typed.index(text)
            following = typed[at + 1 :] if words[0] in _WITHOUT_DEPTH else _with_depth(typed[at + 1 :])
            hint = f"; try: {command_line(*words, *typed[:at], 'startpos', *following, '-e', text)}"
        raise UsageError(f"{text!r} is no position: an engine is named with -e{hint}")


def _check_quotes(typed: Sequence[str], context: Any) -> None:
    """Raise UsageError if the command of an engine was typed without quotes, so that its words are options here."""
    at = next((at for at, word in enumerate(typed[:-1]) if word in _ENGINE_OPTIONS), None)
    places = [] if at is None else [place for place in range(at + 2, len(typed)) if _is_stray_place(typed, place)]
    if at is None or not places:
        return
    command = join_words(typed[at + 1 : places[-1] + 1])
    tried = [*_words_of(context), *typed[: at + 1], command, *typed[places[-1] + 1 :]]
    raise UsageError(f"the command of an engine needs quotes around all its words; try: {command_line(*tried)}")


def _is_stray_place(typed: Sequence[str], at: int) -> bool:
    """Return True if a word has a place for a position or a depth, and is no engine of its own."""
    return has_places(typed[at]) and typed[at - 1] not in _ENGINE_OPTIONS and not typed[at].startswith("--")


def _explain_option(name: str, context: Any, typed: Sequence[str]) -> UsageError:
    """Return the error about an option that there is not, with what may have been meant."""
    from ...reports.formats.table import FORMATS

    words, said = _words_of(context), f"No such option: {name}"
    own = {option for one in context.command.params for option in one.opts if option.startswith("--")}
    if name in REMOVED:
        return UsageError(f"{name} was removed: {REMOVED[name]}")
    if name.startswith("--no-") and name.replace("--no-", "--") in own:
        return UsageError(f"{said}: give another value, or leave out what a file sets with --no-config")
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
    return UsageError(f"{said}; it is one of {', '.join(names)}")


def _commands_with(option: str, group: Any, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the commands that have an option, each by its words."""
    found = []
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            found += _commands_with(option, one, (*words, name))
        elif any(option in (*each.opts, *each.secondary_opts) for each in one.params):
            found.append((*words, name))
    return found
