"""`perft-check uci`, `zoo serve` and `worker`: processes that serve requests.

`uci` and `zoo serve` import as little as possible before their greeting.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from ....errors import UsageError, require
from ...engines.spec import EngineSpec
from ...model.results.verdict import ExitCode
from ..options import FASTEST

if TYPE_CHECKING:
    from ...uci import Answer
STDIN, STDOUT = 0, 1
LONGEST_COMMAND = 100_000
"""Maximum length of a command in characters, more than the longest possible game needs."""


def be_engine(spec: EngineSpec) -> ExitCode:
    """Serve UCI with perft-check's generator until `quit` or the end of the input. Raises OSError, UsageError."""
    from ...uci import NAME, Output, Session, lines_of

    name = spec.name if spec.has_given_name else NAME
    Session(lines_of(STDIN), Output(STDOUT), partial(_load, spec), name).answer_all()
    return ExitCode.AGREE


def _load(engine: EngineSpec) -> Answer:
    """Load the generator. Print a notice before compiling, but only on a terminal, because tools may read stderr."""
    from ...engines.child_environment import load_numpy

    load_numpy()
    from ...engines.opening import open_session
    from ...uci import Answers

    if sys.stderr.isatty() and (line := open_session(engine).engine.notice()) is not None:
        print(line, file=sys.stderr)
    assert engine.kernel is not None, "the command line checks it"
    return Answers(engine.kernel).to


def serve_fault(fault: str) -> int:
    """Serve UCI as an engine with a fault, without importing Numba or reports. Raises UsageError."""
    from ...zoo.catalogue import find_fault
    from ...zoo.serve import serve

    return serve(find_fault(fault), _commands(sys.stdin))


def _commands(stdin: TextIO) -> Iterator[str]:
    """Yield the lines of stdin. Raises UsageError if one is too long to be a command."""
    if isinstance(stdin, TextIOWrapper):
        stdin.reconfigure(errors="replace")
    while line := stdin.readline(LONGEST_COMMAND + 1):
        if len(line) > LONGEST_COMMAND:
            raise UsageError(
                f"stdin has a line of more than {LONGEST_COMMAND:,} characters: write one command per line"
            )
        yield line


def work(address: str, threads: int | None, name: str | None, hash_bytes: int | None, *, insecure: bool) -> ExitCode:
    """Count the pieces that a scheduler hands out, until Ctrl-C. Raises UsageError."""
    require("distributed", "cluster", "perft-check worker")
    from ...counting.dask_worker import check_address, check_reach, serve
    from ...counting.piece_counter import get_ready
    from ...engines.opening import open_session
    from ...engines.types.own import KernelOptions
    from ...machine import machine_name, usable_threads
    from ...shutdown import exit_on_interrupt
    from ..output import console

    def report(line: str) -> None:
        console.err().print(line, style="dim")

    check_address(address)
    check_reach(address, is_insecure=insecure)
    exit_on_interrupt()
    if (line := open_session(FASTEST).engine.notice()) is not None:
        report(line)
    resources = KernelOptions(1, hash_bytes)
    get_ready(EngineSpec(FASTEST).kernel or "two-plies", resources)
    serve(address, name or f"{machine_name()}-{os.getpid()}", threads or usable_threads(), resources, report)
    return ExitCode.INTERRUPTED
