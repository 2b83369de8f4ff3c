"""Entry point of `perft-check` and `python -m perft_check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

INTERRUPTED = 130
USAGE = 2
ENGINE_FAILED = 3


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        status = run_command_line(sys.argv[1:])
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python would complain at exit, so stdout goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        status = 141
    sys.stdout.flush()
    sys.stderr.flush()
    if status == INTERRUPTED:
        os._exit(status)  # a compiler or an engine call may still be busy in another thread
    sys.exit(status)


def run_command_line(arguments: Sequence[str]) -> int:
    """Carry out a command line and return the exit status. Mistakes of the user are told in one line."""
    import typer

    from .harness.cli import DEFAULT_COMMAND, app
    from .harness.engines.base import EngineError
    from .harness.errors import UsageError
    from .suites.case import SuiteError

    # The base of all complaints about the command line; typer exports only this child of it.
    command_line_error: Any = typer.BadParameter.__mro__[1]
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments = [DEFAULT_COMMAND, *arguments]
    try:
        status = app(list(arguments), prog_name="perft-check", standalone_mode=False)
    except (UsageError, SuiteError) as error:
        return _complain(str(error), USAGE)
    except EngineError as error:
        return _complain(str(error), ENGINE_FAILED)
    except command_line_error as error:
        return _complain(error.format_message().rstrip("."), USAGE)
    return int(status or 0)


def _complain(message: str, status: int) -> int:
    if message:  # none where typer has shown the help instead
        print(f"perft-check: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    main()
