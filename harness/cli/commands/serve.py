"""`perft-check zoo serve`: a fault as an engine. It starts without the compiler and without the reports."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import TextIO

from ....errors import UsageError
from ...zoo import serve as zoo
from ...zoo.catalogue import find_fault

LONGEST_COMMAND = 100_000
"""Characters of a command: more than the longest possible game needs."""


def serve(name: str) -> int:
    """Speak UCI over stdin and stdout as this fault; return the exit status. Raises UsageError."""
    fault = find_fault(name)
    if not fault.is_served:
        raise UsageError(
            f"fault {name!r} shows only inside the API of a generator, so it cannot be served as an engine"
        )
    return zoo.serve(fault, _commands(sys.stdin))


def _commands(stdin: TextIO) -> Iterator[str]:
    """Yield lines. Raises UsageError at one that is no command."""
    if isinstance(stdin, TextIOWrapper):
        stdin.reconfigure(errors="replace")
    while line := stdin.readline(LONGEST_COMMAND + 1):
        if len(line) > LONGEST_COMMAND:
            raise UsageError(f"stdin has a line of more than {LONGEST_COMMAND:,} characters: write one command a line")
        yield line
