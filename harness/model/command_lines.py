"""Command lines to copy: the one place where `perft-check ...` is spelled, quoted for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from . import values
from .results.events import CaseResult, Cause, Difference, Finding


def command_line(*words: str) -> str:
    """Return the command line of these arguments."""
    return shlex.join(["perft-check", *words])


def repeat_option(option: str, values: Iterable[str]) -> list[str]:
    """Return the words of an option that is given once for each value."""
    return [word for value in values for word in (option, value)]


def divide_command(position: str, depth: int, engine: str, reference: str, chess960: bool = False) -> str:
    """Return the command that compares two divides of a position, a FEN or a name."""
    variant = ["--chess960"] if chess960 else []
    return command_line("divide", position, str(depth), "-e", engine, "-a", reference, *variant)


def replay_command_of(result: CaseResult, engine: str) -> str:
    """Return the command that asks an engine for all that it had been asked when a position failed."""
    depth = min(result.depth, values.DEEPEST_FUZZ)
    return command_line("fuzz", "--replay", result.replay, "-e", engine, *fuzz_depth(depth))


def commands_of_case(result: CaseResult, engine: str) -> tuple[str, ...]:
    """Return the commands that show the failure of a position again, by the engine under test."""
    commands = [] if result.difference is None else [difference_command(result.difference, result.finding)]
    if result.setup:
        commands = [_setup_command(result, engine)]
    if result.replay:
        commands.append(replay_command_of(result, engine))
    if not commands and result.depth:
        variant = ["--chess960"] if result.chess960 else []
        commands.append(command_line("perft", result.fen, str(result.depth), "-e", engine, *variant))
    return tuple(commands)


def _setup_command(result: CaseResult, engine: str) -> str:
    """Return the command that brings the engine to a position again in the way of a case."""
    variant = ["--chess960"] if result.chess960 else []
    depth = max(1, min(result.depth, values.DEEPEST_FUZZ))
    return command_line("fuzz", "--replay", result.setup, "-e", engine, *variant, *fuzz_depth(depth))


def fuzz_depth(depth: int) -> list[str]:
    """Return the words that have `fuzz` ask at a depth, if it would not do so by itself."""
    return [] if depth == values.FUZZ_DEPTH else ["--depth", str(depth)]


def difference_command(difference: Difference, finding: Finding | None = None) -> str:
    """Return the command that shows a difference again: where its cause is known, in the position with the fault.

    There it is as deep as the fault shows, after the moves that the engine has to play. A difference that vanished step
    by step has no such position, and a position that is refused cannot be counted.
    """
    fen, depth, chess960 = difference.fen, difference.depth, difference.chess960
    if finding is not None and finding.cause not in (Cause.VANISHED, Cause.REFUSED):
        fen, depth, chess960 = (
            finding.base_fen or finding.fen,
            finding.depth + len(finding.base_moves),
            finding.chess960,
        )
    return divide_command(fen, depth, difference.engine, difference.reference, chess960)
