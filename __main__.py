"""Entry point of `perft-check` and `python -m perft_check`."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

INTERRUPTED = 130
USAGE = 2
ENGINE_FAILED = 3
OUTPUT_CLOSED = 141
"""The reader of our output has closed it. A shell shows this status of a program that SIGPIPE has ended."""


def main() -> None:
    """Run the command line and exit with its status."""
    if sys.stdout is None or sys.stderr is None:  # closed by our parent
        sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - open until the end
        sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115 - likewise
    try:
        status = run_command_line(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except OSError as error:
        status = _output_failed(error)
    if status == INTERRUPTED:
        with suppress(OSError):  # they may be a terminal that was closed
            sys.stdout.flush()
            sys.stderr.flush()
        from .harness.model.shutdown import exit_at_once

        exit_at_once(status)  # a compiler or an engine call may still be busy in another thread
    sys.exit(status)


def _output_failed(error: OSError) -> int:
    """Return the exit status where our output cannot be written: nobody reads it, or the disk is full."""
    # Python would complain once more at exit, so stdout goes nowhere from here on.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return OUTPUT_CLOSED
    if error.errno == errno.EIO:  # a terminal that was closed a moment ago
        return INTERRUPTED
    return _complain(f"cannot write the output: {error.strerror}", USAGE)


def run_command_line(arguments: Sequence[str]) -> int:
    """Carry out a command line and return the exit status. Mistakes of the user are told in one line."""
    import typer

    from .errors import UsageError
    from .harness.cli.app import DEFAULT_COMMAND, app
    from .harness.cli.command import OutputError
    from .harness.engines.base import EngineError

    # The base of all complaints about the command line; typer exports only this child of it.
    command_line_error: Any = typer.BadParameter.__mro__[1]
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments = [DEFAULT_COMMAND, *arguments]
    try:
        status = app(list(arguments), prog_name="perft-check", standalone_mode=False)
    except UsageError as error:
        return _complain(str(error), USAGE)
    except EngineError as error:
        return _complain(str(error), ENGINE_FAILED)
    except OutputError as error:
        return _output_failed(error.reason)
    except command_line_error as error:
        return _complain(error.format_message().rstrip("."), USAGE)
    return int(status or 0)


def _complain(message: str, status: int) -> int:
    if message:  # none where typer has shown the help instead
        with suppress(OSError):  # nobody can be told
            print(f"perft-check: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    main()
