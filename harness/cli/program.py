"""The program: a command line becomes an exit status, and every mistake of the user one line on stderr."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence

from ...errors import UserError, shorten
from ...platforms import orphans
from ..garbage_collection import collect_seldom
from ..model.results.verdict import ExitCode
from ..shutdown import Interrupted, end
from . import completion
from .output import streams

NAME = "perft-check"
LONGEST_MESSAGE = 1_000
"""Characters of a message; what the user has written may be longer than that."""
OPTIONS_OF_ALL = ("-h", "--help", "--version", "--install-completion", "--show-completion")
"""Options that need no command; before any other one stands the default command."""


def main() -> None:
    """Run the command line and exit with its status."""
    streams.settle()
    try:
        orphans.adopt()
        collect_seldom()
        status = run_command_line(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = ExitCode.INTERRUPTED
    except OSError as error:
        status = _report_refusal(error)
    if status == ExitCode.INTERRUPTED:
        end(status)  # a compiler or an engine call may still be busy in another thread
    gc.freeze()  # Python looks for garbage once more at its end
    sys.exit(status)


OF_OUTPUT = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO)
"""What writing to stdout ends with: nobody reads it, the disk is full, it is closed."""


def _report_refusal(error: OSError) -> int:
    """Return the exit status where the system refuses something, after naming that."""
    if error.errno in OF_OUTPUT and error.filename is None:
        return _report_lost_output(error)
    reason = error.strerror or str(error) or type(error).__name__
    try:
        os.getcwd()
    except OSError:
        return _complain(
            "the folder in which this was started is gone, perhaps deleted by an engine: start it in another one",
            ExitCode.USAGE,
        )
    name = "" if error.filename is None else f"{error.filename}: "
    return _complain(f"{name}{reason}", ExitCode.USAGE)


def _report_lost_output(error: OSError) -> int:
    """Return the exit status where our output cannot be written."""
    # Python would complain once more at exit, so stdout goes nowhere from here on.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return ExitCode.OUTPUT_CLOSED
    if error.errno == errno.EIO:  # a terminal that was closed a moment ago
        return ExitCode.INTERRUPTED
    reason = "stdout is closed" if error.errno == errno.EBADF else error.strerror
    return _complain(f"cannot write the output: {reason}", ExitCode.USAGE)


def run_command_line(arguments: Sequence[str]) -> int:
    """Carry out a command line and return the exit status. Mistakes of the user are reported in one line."""
    import typer

    from .app import DEFAULT_COMMAND, program
    from .output.working_folder import remember_folder

    if os.environ.get(completion.VARIABLE):
        completion.complete(lambda: program(prog_name=NAME))  # it ends here
    if not arguments or (arguments[0].startswith("-") and not arguments[0].startswith(OPTIONS_OF_ALL)):
        arguments = [DEFAULT_COMMAND, *arguments]
    remember_folder()
    try:
        width = streams.width_of(sys.stdout)
        with program.make_context(NAME, list(arguments), terminal_width=width, max_content_width=width) as context:
            status = program.invoke(context)
        sys.stdout.flush()
    except typer.Exit as end:
        status = end.exit_code
    except Interrupted:
        print("perft-check: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except OSError as error:
        return _report_refusal(error)
    except UserError as error:
        return _complain(error.with_advice, ExitCode.USAGE if error.is_usage else ExitCode.ENGINE_FAILED)
    except typer.TyperException as error:
        return _complain(error.format_message().rstrip("."), ExitCode.USAGE)
    except Exception as fault:
        from .failures import apology

        return _complain(apology(fault, arguments), ExitCode.INTERNAL_ERROR)
    return int(status or 0)


def _visible(character: str) -> str:
    """Return a character, written as an escape if a terminal would obey it."""
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def _complain(message: str, status: int) -> int:
    from .output.github_actions import harmless

    line = "".join(map(_visible, "\\n".join(message.splitlines())))  # what the user has given may have line ends
    print(harmless(f"{NAME}: {shorten(line, LONGEST_MESSAGE)}"), file=sys.stderr)
    return status
