"""A program that is started, asked once and ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base import EngineCrash, EngineError
from ..call import EngineCall
from .process import Process, ProcessLimits
from .transcript import MOST_LINES


def ask_once(
    name: str,
    launch: Sequence[str],
    lines: Sequence[str],
    limits: ProcessLimits,
    call: EngineCall,
    is_last: Callable[[str], bool] = lambda _line: False,
    *,
    ends_input: bool = True,
    with_errors: bool = False,
) -> list[str]:
    """Start a program, write lines, end its input, and return what it prints, without colors and prompts.

    That is up to a line that `is_last`, or as much as there is until the program ends or the time is over, followed by
    its stderr if `with_errors`. The program is ended then. One that cannot be started prints nothing.
    """
    heard: list[str] = []
    try:
        process = Process(name, list(launch), limits)
    except EngineCrash:
        return heard
    call.on_stop(process.interrupt)
    try:
        process.send(lines, call)
        process.await_start(call)
        if ends_input:
            process.end_input()
        while len(heard) < MOST_LINES and (line := process.read(call)) is not None:
            heard.append(line)
            if is_last(line):
                break
    except EngineError:
        pass  # it has ended, or not in time, or floods: what it has printed is enough
    finally:
        process.kill()
    return [*heard, *(process.said_on_stderr.splitlines() if with_errors else ())]
