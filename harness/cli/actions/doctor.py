"""`perft-check doctor`: what this machine offers, and which engines are here."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from ....errors import UsageError, shorten
from ....reports.layout import LabeledValues
from ....reports.table import ReportTable
from ....reports.text import duration, unwrapped
from ...checking.examining import Answer, describe_engine, examine
from ...checking.lists.guessing import guess
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import EngineSession, TimeLimit
from ...engines.base import EngineError, EngineTimeout
from ...engines.command_lines import command_line, doctor_command, name_engines, quote
from ...engines.command_words import as_typed, join_words
from ...engines.opening import OWN, find_program, open_sessions
from ...engines.received import DESCRIPTORS, describe, receive
from ...engines.spec import LONGEST as MOST_IN_NAME
from ...engines.spec import EngineSpec, introduce
from ...engines.stdio.attempts import QUICK_SECONDS, SCRIPT_CALL
from ...engines.stdio.conversation import is_deaf
from ...engines.stdio.descriptor import save_descriptor
from ...engines.usual_commands import TRY_SECONDS, CommandAttempt, UsualCommands, search
from ...model.results.verdict import ExitCode, exit_code
from ...model.shutdown import catch_interrupts
from ..failures import facts_for_reports
from ..output import console
from ..output.compiling import start_engines

CHECK_SECONDS = 10.0
PROGRAMS = ("stockfish", "fairy-stockfish", "ethereal-chess")
"""Engines that Debian packages and that can count."""


DESCRIBE = f"describe how the program is asked and answers: {DESCRIPTORS}"


def show_machine() -> ExitCode:
    """Print facts about this machine."""
    console.out().print(LabeledValues(machine_facts()))
    return ExitCode.AGREE


def look_at(spec: EngineSpec, save: str | None) -> ExitCode:
    """Print how an engine is asked, and what it answers; save its descriptor.

    Raises UsageError, EngineError, Interrupted.
    """
    with catch_interrupts() as interrupt, ExitStack() as stack:
        runner, limit = ForegroundCallRunner(interrupt), TimeLimit(CHECK_SECONDS)
        [session] = stack.enter_context(open_sessions([spec], runner, limit))
        if save is not None and session.engine.descriptor is None:
            raise UsageError(f"--save: {spec!r} needs no descriptor")
        try:
            try:
                start_engines([session], interrupt)
            except EngineError as error:
                [session] = stack.enter_context(open_sessions([find_command(session, error)], runner, limit))
                start_engines([session], interrupt)
        except EngineError as error:
            if not error.names_cure and not is_deaf(error):
                _show_received(session, QUICK_SECONDS if isinstance(error, EngineTimeout) else CHECK_SECONDS)
            raise
        found, engine = _examine(session), session.engine
        if save is not None and engine.descriptor is not None:
            name = shorten(engine.name, MOST_IN_NAME)
            save_descriptor(Path(save), replace(engine.descriptor, name=name, min_depth=engine.min_depth))
            _conclude(found, str(save), is_saved=True)
        elif engine.spec != spec:
            _conclude(found, engine.spec)
    return exit_code([verdict for _, _, verdict in found], interrupted=False)


def _conclude(found: Iterable[Answer], spec: str, *, is_saved: bool = False) -> None:
    """Print how the engine is used if all of its answers were correct, else which one was not."""
    wrong = next((f"{title} {text}" for title, text, verdict in found if verdict.is_failure), None)
    words = name_engines(spec)
    if wrong is None:
        console.out().print(unwrapped(("saved: use it as " if is_saved else "use it as ", "bold"), shlex.join(words)))
        return
    outcome = f"saved as {quote(spec)}, but not recommended" if is_saved else "not recommended"
    what_next = f"{command_line('run', *words)} looks for the fault; if an answer is misread, {DESCRIBE}"
    console.out().print(unwrapped((outcome, "bold"), f": {wrong}; {what_next}"))


def _show_received(session: EngineSession, seconds: float) -> None:
    """Print what a program answers that is not understood, and the descriptor to edit. Raises Interrupted."""
    if session.engine.descriptor is None:
        return
    heard = session.runner.call(partial(receive, session.engine), seconds, session.name)
    for line in describe(session.engine, heard):
        console.err().print(unwrapped(line))


def _examine(session: EngineSession) -> list[Answer]:
    """Print how an engine is understood, and what it answers; return its answers. Raises Interrupted."""
    lists = guess(session, {}) if session.engine.listed else None
    found = list(examine(session, lists))
    facts = [("engine", introduce(session.engine.spec)), *describe_engine(session, lists)]
    console.out().print(LabeledValues([*facts, *((title, text) for title, text, _ in found)]))
    return found


def machine_facts() -> Iterator[tuple[str, str]]:
    """Yield the facts about this machine, as name and value."""
    yield from facts_for_reports()
    yield "interpreter", sys.executable
    yield from _kernels()
    yield "techniques", f"use -e {', '.join(OWN)}"
    for name in PROGRAMS:
        path = find_program(name)
        yield name, f"{path}  use -e uci:{name}" if path else "not here"


def _kernels() -> Iterator[tuple[str, str]]:
    from ....generator.kernels.machine.execution_mode import current_mode
    from ....generator.kernels.machine.folders import cache_folder
    from ....generator.kernels.machine.kernel_cache import is_any_cached

    yield "kernels", _compiling_error() or current_mode().value
    folder = cache_folder()
    if folder is None:
        yield "kernel cache", "none: every run compiles again"
    else:
        state = "compiled" if is_any_cached() else "empty: commands compile what they need at their first use"
        yield "kernel cache", f"{folder} ({state})"


def _compiling_error() -> str | None:
    """Return why nothing can be compiled here, or None."""
    from ....generator.kernels.machine.execution_mode import ExecutionMode

    try:
        import numba  # noqa: F401 - whether that is possible
    except Exception as error:  # whatever a broken library raises
        return (
            f"none can be compiled: {type(error).__name__}: {error}; {ExecutionMode.PYTHON.value}, unless they are kept"
        )
    return None


ALIKE = 40
"""Ways share a row where what came of them begins with the same characters."""
MOST_WAYS, LONGEST = 4, 120
"""Ways of a row that are shown, and characters of what came."""


def find_command(session: EngineSession, error: EngineError) -> EngineSpec:
    """Return the SPEC of the engine as a program that is started for each question, once a way to call it is found.

    Prints a table of what was tried. Raises the error with which the engine has failed where it counts in no way, and
    at once where the user has said how it is asked: by `uci:`, by a command with places, or by a file. Raises
    Interrupted.
    """
    engine, runner = session.engine, session.runner
    if engine.descriptor is None or engine.starts_for_each_question or engine.spec.says_how_to_ask:
        raise error
    if error.names_cure or error.advice != doctor_command(engine.spec, engine.launch):
        raise error  # it says what to do
    program = as_typed(engine.spec, engine.launch)
    usual = UsualCommands(program)
    console.say(f"{error}; trying the usual ways to call a program")
    attempts = list(search(usual, runner, _tell_slow))
    console.out().print(_table(attempts))
    error.advice = command_line("doctor", "-e", f"cmd:{usual.command('{fen} {depth}')}")
    unread = attempts[-1:] if attempts[-1].is_unread else []  # a pattern may read it
    best = [one for one in attempts if one.is_correct] or unread or [one for one in attempts if one.is_near]
    if not best:
        raise error
    found = f"cmd:{usual.command(best[0].way)}"
    if best[0].way == SCRIPT_CALL and best[0].is_correct and runner.call(usual.is_script, TRY_SECONDS, found):
        found = f"script:{join_words(program)}"
    return EngineSpec(found, engine.spec.name, is_given=True) if engine.spec.is_given else EngineSpec(found)


def _tell_slow(start: float, every: float) -> None:
    took = f"the program takes {duration(start)} to start"
    console.say(f"{took}: to try all ways takes up to {duration(every)}")


def _table(attempts: list[CommandAttempt]) -> ReportTable:
    """Return what was tried: a row for each thing that came, with the ways that led to it."""
    table = ReportTable()
    table.add_columns("called with", "what came")
    rows: dict[str, list[CommandAttempt]] = {}
    for attempt in attempts:
        rows.setdefault(attempt.outcome[:ALIKE], []).append(attempt)
    for same in rows.values():
        ways = [one.way for one in same]
        more = [f"and {len(ways) - MOST_WAYS} more"] if len(ways) > MOST_WAYS else []
        style = "bold" if same[0].is_correct else ""
        table.add_row(", ".join([*ways[:MOST_WAYS], *more]), shorten(same[0].outcome, LONGEST), style=style)
    return table
