"""Run a program for a single question."""

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
    """Start a program, write lines to its stdin, and return its output lines without colors and prompts.

    Reading stops after a line for which `is_last` returns True, at the end of the output, or when time runs out. The
    program is then killed. If it does not start, the result is empty. `ends_input` closes the program's stdin after
    the lines, and `with_errors` appends the lines of its stderr.
    """
    output: list[str] = []
    try:
        process = Process(name, list(launch), limits)
    except EngineCrash:
        return output
    call.on_stop(process.interrupt)
    try:
        process.send(lines, call)
        process.await_start(call)
        if ends_input:
            process.end_input()
        while len(output) < MOST_LINES and (line := process.read(call)) is not None:
            output.append(line)
            if is_last(line):
                break
    except EngineError:
        pass  # it has exited, timed out or flooded; the output so far suffices
    finally:
        process.kill()
    return [*output, *(process.stderr_text.splitlines() if with_errors else ())]
