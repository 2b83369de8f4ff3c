"""perft-check command lines for the user to copy, quoted for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from itertools import takewhile

from .. import values
from ..model.results.events import CaseResult
from ..model.results.finding import Cause, Difference, Finding
from .command_words import as_typed, name_program, program_words
from .spec import EngineSpec


def quote(word: str) -> str:
    """Quote a word for a shell, on a single line.

    Escapes are written between `$'` and `'` (POSIX.1-2024, XCU 2.2.4). Undecodable bytes are preserved.
    """
    return shlex.quote(word) if word.isprintable() else f"$'{''.join(map(_escape, word))}'"


def _escape(letter: str) -> str:
    if letter.isprintable():
        return f"\\{letter}" if letter in "\\'" else letter
    number = ord(letter)
    if 0xDC80 <= number <= 0xDCFF:  # PEP 383: a byte that could not be decoded
        return f"\\x{number - 0xDC00:02x}"
    if number < 0x80:
        return {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e"}.get(letter, f"\\{number:03o}")
    return f"\\U{number:08x}"


def command_line(*words: str) -> str:
    """Return a perft-check command line with these arguments."""
    return " ".join(map(quote, ("perft-check", *words)))


def doctor_command(spec: str, launch: Sequence[str]) -> str:
    """Return the `doctor` command line for an engine's program, or "" if the program is hidden in a script."""
    words = program_words(as_typed(spec, launch))
    return command_line("doctor", "-e", name_program(words)) if words else ""


def repeat_option(option: str, values: Iterable[str]) -> list[str]:
    """Return the arguments that repeat an option for each value."""
    return [word for value in values for word in (option, value)]


def name_engine(spec: str) -> list[str]:
    """Return the arguments that specify the engine under test and its options."""
    engine = EngineSpec(spec)
    return ["-e", engine.bare, *repeat_option("-o", engine.options)]


def name_engines(engine: str, *references: str) -> list[str]:
    """Return the arguments that specify an engine and its references, including names given by the user."""
    named = takewhile(lambda spec: spec.has_given_name, map(EngineSpec, (engine, *references)))
    names = [spec.name for spec in named]
    return [*name_engine(engine), *repeat_option("-a", references), *repeat_option("--name", names)]


def divide_command(position: str, depth: int, engine: str, reference: str, chess960: bool = False) -> str:
    """Return the command that compares two divides of a position, given as FEN or name."""
    variant = ["--chess960"] if chess960 else []
    return command_line("divide", position, str(depth), *name_engines(engine, reference), *variant)


def replay_command_of(result: CaseResult, engine: str) -> str:
    """Return the command that replays the questions an engine was asked before a failure."""
    return command_line("fuzz", "--replay", result.replay, *name_engines(engine), *_depth_of(result))


def commands_of_case(result: CaseResult, engine: str) -> tuple[str, ...]:
    """Return the commands that reproduce the failure of a case."""
    commands = [] if result.difference is None else [difference_command(result.difference, result.finding)]
    if result.setup:
        commands = [_setup_command(result, engine)]
    if result.replay:
        commands.append(replay_command_of(result, engine))
    if not commands and result.depth:
        variant = ["--chess960"] if result.chess960 else []
        commands.append(command_line("perft", result.fen, str(result.depth), *name_engines(engine), *variant))
    return tuple(commands)


def _setup_command(result: CaseResult, engine: str) -> str:
    variant = ["--chess960"] if result.chess960 else []
    return command_line("fuzz", "--replay", result.setup, *name_engines(engine), *variant, *_depth_of(result))


def _depth_of(result: CaseResult) -> list[str]:
    """Return the arguments for the depth of a failure, which is 0 for a search, in the range that `fuzz` accepts."""
    return fuzz_depth(max(1, min(result.depth, values.DEEPEST_FUZZ)))


def fuzz_depth(depth: int) -> list[str]:
    """Return the arguments that set the depth of `fuzz` if it is not the default."""
    return [] if depth == values.FUZZ_DEPTH else ["--depth", str(depth)]


def difference_command(difference: Difference, finding: Finding | None = None) -> str:
    """Return the command that reproduces a difference, in the position with the incorrect move if known.

    The command includes the moves that the engine has to play, and the depth at which the fault is visible. If the
    difference disappeared during the descent, or the engine rejects the position, the original position is used.
    """
    fen, depth, chess960 = difference.played or difference.fen, difference.depth, difference.chess960
    if finding is not None and difference.played and finding.base_fen:
        fen, depth = f"{finding.base_fen} moves {' '.join(finding.base_moves)}", finding.depth
    elif finding is not None and finding.cause not in (Cause.VANISHED, Cause.REFUSED):
        fen, depth, chess960 = (
            finding.base_fen or finding.fen,
            finding.depth + len(finding.base_moves),
            finding.chess960,
        )
    return divide_command(fen, depth, difference.engine, difference.reference, chess960)
