"""`perft-check doctor`: print facts about this machine, or an engine's commands and answers."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from ....errors import UsageError, shorten
from ....generator.game import Game
from ....generator.position import Position
from ....reports.layout import LabeledValues
from ....reports.table import ReportTable
from ....reports.text import duration, unwrapped
from ...checking.examining import CheckedAnswer, describe_engine, examine
from ...checking.lists.guessing import guess_convention
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import EngineSession, TimeLimit
from ...engines.base import EngineError, EngineTimeout
from ...engines.command_lines import command_line, doctor_command, name_engines, quote
from ...engines.command_words import as_typed, join_words
from ...engines.opening import OWN, find_program, open_session
from ...engines.spec import MAX_NAME_LENGTH, EngineSpec, full_name
from ...engines.stdio.attempts import PROBE_DEPTH, QUICK_SECONDS, SCRIPT_CALL
from ...engines.stdio.conversation import is_deaf
from ...engines.stdio.descriptor import DESCRIPTORS, save_descriptor
from ...engines.stdio.sentinels import START_COUNTS
from ...engines.usual_commands import TRY_SECONDS, CommandAttempt, UsualCommands
from ...model.results.verdict import ExitCode, exit_code
from ...shutdown import catch_interrupts
from ..failures import facts_for_reports
from ..output import console
from ..output.compiling import start_engines

CHECK_SECONDS = 10.0
PROGRAMS = ("stockfish", "fairy-stockfish", "ethereal-chess")
"""Engines packaged by Debian that have a perft command."""


def show_machine() -> ExitCode:
    """Print facts about this machine, and which well-known engines are installed."""
    console.out().print(LabeledValues(machine_facts()))
    return ExitCode.AGREE


def examine_engine(spec: EngineSpec, save: str | None) -> ExitCode:
    """Print an engine's commands and answers, and save its descriptor to `save`.

    Raises UsageError, EngineError, Interrupted.
    """
    with catch_interrupts() as interrupt, ExitStack() as stack:
        runner, limit = ForegroundCallRunner(interrupt), TimeLimit(CHECK_SECONDS)
        session = stack.enter_context(open_session(spec, runner, limit))
        if save is not None and session.engine.descriptor is None:
            raise UsageError(f"--save: {spec!r} needs no descriptor: use it directly as -e {spec}")
        try:
            try:
                start_engines([session], interrupt)
            except EngineError as error:
                session = stack.enter_context(open_session(find_command(session, error), runner, limit))
                start_engines([session], interrupt)
        except EngineError as error:
            if not error.names_cure and not is_deaf(error):
                _show_received(session, QUICK_SECONDS if isinstance(error, EngineTimeout) else CHECK_SECONDS)
            raise
        found, engine = _examine(session), session.engine
        if save is not None and engine.descriptor is not None:
            name = shorten(engine.name, MAX_NAME_LENGTH)
            save_descriptor(Path(save), replace(engine.descriptor, name=name, min_depth=engine.min_depth))
            _conclude(found, str(save), is_saved=True)
        elif engine.spec != spec:
            _conclude(found, engine.spec)
    return exit_code([verdict for _, _, verdict in found], interrupted=False)


def _conclude(found: Iterable[CheckedAnswer], spec: str, *, is_saved: bool = False) -> None:
    """If all answers are correct, print how to use the engine; otherwise, print the incorrect one and what to do."""
    wrong = next((f"{title} {text}" for title, text, verdict in found if verdict.is_failure), None)
    words = name_engines(spec)
    if wrong is None:
        console.out().print(unwrapped(("saved: use it as " if is_saved else "use it as ", "bold"), shlex.join(words)))
        return
    outcome = f"saved as {quote(spec)}, but a check failed" if is_saved else "a check failed"
    misread = f"if perft-check misreads the program's output, describe it: {DESCRIPTORS}"
    advice = f"to find the wrong move: {command_line('run', *words)}; {misread}"
    console.out().print(unwrapped((outcome, "bold"), f": {wrong}; {advice}"))


def _show_received(session: EngineSession, seconds: float) -> None:
    """Print a program's output that could not be parsed. Raises Interrupted."""
    if session.engine.descriptor is None:
        return
    asked = partial(session.engine.output, Game(Position.start()), PROBE_DEPTH, with_errors=True)
    for line in describe_output(session.runner.call(asked, seconds, session.name)):
        console.err().print(unwrapped(line))


MOST_SHOWN, LONGEST_SHOWN = 40, 160
"""Maximum number of lines to show, half of them from the end, and maximum line length."""


def describe_output(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines that show the output about the starting position, and say how to describe the program."""
    count = START_COUNTS[PROBE_DEPTH - 1]
    yield f"asked about the starting position at depth {PROBE_DEPTH}, whose count is {count:,}, it printed:"
    yield from (f"    {line}" for line in _cut([_escaped(line) for line in lines]) or ["(nothing)"])
    if lines:
        yield f"if the count is in this output, a descriptor can say where: {DESCRIPTORS}"


def _escaped(line: str) -> str:
    shown = line[: LONGEST_SHOWN + 1]
    text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in shown)
    return text if len(line) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]} ..."


def _cut(lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_SHOWN:
        return list(lines)
    half = MOST_SHOWN // 2
    return [*lines[:half], f"... {len(lines) - 2 * half:,} lines ...", *lines[-half:]]


def _examine(session: EngineSession) -> list[CheckedAnswer]:
    """Print an engine's commands and answers, and return the answers. Raises Interrupted."""
    lists = guess_convention(session, {}) if session.engine.gentypes else None
    found = list(examine(session, lists))
    facts = [("engine", full_name(session.engine.spec)), *describe_engine(session, lists)]
    console.out().print(LabeledValues([*facts, *((title, text) for title, text, _ in found)]))
    return found


def machine_facts() -> Iterator[tuple[str, str]]:
    """Yield the name and value of each fact about this machine."""
    yield from facts_for_reports()
    yield "interpreter", sys.executable
    yield from _kernels()
    yield "techniques", f"use -e {', '.join(OWN)}"
    for name in PROGRAMS:
        path = find_program(name)
        yield name, f"{path} (use -e uci:{name})" if path else "not found"


def _kernels() -> Iterator[tuple[str, str]]:
    from ....generator.kernels.machine.execution_mode import current_mode
    from ....generator.kernels.machine.folders import cache_folder
    from ....generator.kernels.machine.kernel_cache import is_any_cached

    yield "kernels", _compiling_error() or current_mode().value
    folder = cache_folder()
    if folder is None:
        yield "kernel cache", "none: every command compiles its kernels again"
    else:
        state = "compiled" if is_any_cached() else "empty: kernels are compiled when they are first used"
        yield "kernel cache", f"{folder} ({state})"


def _compiling_error() -> str | None:
    """Return the reason why kernels cannot be compiled on this machine, or None if they can."""
    from ....generator.kernels.machine.execution_mode import ExecutionMode

    try:
        import numba  # noqa: F401 - try the import
    except Exception as error:  # a broken installation may raise anything
        return f"cannot be compiled: {type(error).__name__}: {error}; {ExecutionMode.PYTHON.value} unless cached"
    return None


ALIKE = 40
"""Number of initial output characters that must match for commands to share a table row."""
MOST_WAYS, LONGEST = 4, 120
"""Maximum number of commands in a row, and maximum length of the output in characters."""


def find_command(session: EngineSession, error: EngineError) -> EngineSpec:
    """Find a command that starts the program for each question, and return the SPEC of that engine.

    Prints a table of the attempts. Raises `error`, the engine's failure, if no command works or if the user has
    specified how to ask the engine: by `uci:`, a command with placeholders, or a descriptor. Raises Interrupted.
    """
    engine, runner = session.engine, session.runner
    if engine.descriptor is None or engine.starts_for_each_question or engine.spec.names_protocol:
        raise error
    if error.names_cure or error.advice != doctor_command(engine.spec, engine.launch):
        raise error  # the error already gives other advice
    program = as_typed(engine.spec, engine.launch)
    usual = UsualCommands(program)
    console.say(f"{error}; trying common command-line formats")
    attempts = list(usual.search(runner, _report_slow_start))
    console.out().print(_table(attempts))
    error.advice = (
        f"the arguments that it expects, such as -e {quote('cmd:' + usual.command('--fen {fen} --depth {depth}'))}"
    )
    unread = attempts[-1:] if attempts[-1].is_unread else []  # the user may add a pattern that parses it
    best = [one for one in attempts if one.is_correct] or unread or [one for one in attempts if one.is_near]
    if not best:
        raise error
    found = f"cmd:{usual.command(best[0].arguments)}"
    if best[0].arguments == SCRIPT_CALL and best[0].is_correct and runner.call(usual.is_script, TRY_SECONDS, found):
        found = f"script:{join_words(program)}"
    return EngineSpec(found, engine.spec.name, has_given_name=True) if engine.spec.has_given_name else EngineSpec(found)


def _report_slow_start(start: float, every: float) -> None:
    took = f"the program takes {duration(start)} to start"
    console.say(f"{took}, so trying all formats may take {duration(every)}")


def _table(attempts: list[CommandAttempt]) -> ReportTable:
    """Return a table with a row for each distinct outcome, which lists the commands that led to it."""
    table = ReportTable()
    table.add_columns("arguments", "outcome")
    rows: dict[str, list[CommandAttempt]] = {}
    for attempt in attempts:
        rows.setdefault(attempt.outcome[:ALIKE], []).append(attempt)
    for same in rows.values():
        ways = [one.arguments for one in same]
        more = [f"and {len(ways) - MOST_WAYS} more"] if len(ways) > MOST_WAYS else []
        style = "bold" if same[0].is_correct else ""
        table.add_row(", ".join([*ways[:MOST_WAYS], *more]), shorten(same[0].outcome, LONGEST), style=style)
    return table
