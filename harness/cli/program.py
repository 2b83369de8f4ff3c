"""The entry point: run a command line, return an exit status, and report errors in one line on stderr."""

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
from .output import streams

NAME = "perft-check"
LONGEST_MESSAGE = 1_000
"""Maximum length of a message in characters, because it may quote arbitrarily long input."""
OPTIONS_OF_ALL = ("-h", "--help", "--version", "--install-completion", "--show-completion")
"""Options that may be given without a command. Any other option implies the default command."""


def main() -> None:
    """Run the command line and exit with its status."""
    streams.prepare_standard_streams()
    try:
        orphans.adopt()
        collect_seldom()
        status = run_command_line(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = ExitCode.INTERRUPTED
    except OSError as error:
        status = _report_os_error(error)
    if status == ExitCode.INTERRUPTED:
        end(status)  # another thread may still be compiling or waiting for an engine
    gc.freeze()  # skip the garbage collection at interpreter exit
    sys.exit(status)


OF_OUTPUT = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO)
"""Errors when writing to stdout, such as a full disk, a closed stream, or a reader that is gone."""


def _report_os_error(error: OSError) -> int:
    """Print an operating system error, and return the exit status."""
    if error.errno in OF_OUTPUT and error.filename is None:
        return _report_lost_output(error)
    reason = error.strerror or str(error) or type(error).__name__
    try:
        os.getcwd()
    except OSError:
        return _print_error(
            "the working folder no longer exists; perhaps an engine deleted it: start perft-check in another folder",
            ExitCode.USAGE,
        )
    name = "" if error.filename is None else f"{error.filename}: "
    return _print_error(f"{name}{reason}", ExitCode.USAGE)


def _report_lost_output(error: OSError) -> int:
    """Report that the output cannot be written, unless its reader is gone. Return the exit status."""
    # Python flushes stdout at exit and would report the error a second time, so redirect it.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return ExitCode.OUTPUT_CLOSED
    if error.errno == errno.EIO:  # the terminal was closed
        return ExitCode.INTERRUPTED
    reason = "stdout is closed" if error.errno == errno.EBADF else error.strerror
    return _print_error(f"cannot write the output: {reason}", ExitCode.USAGE)


def run_command_line(arguments: Sequence[str]) -> int:
    """Run a command line and return the exit status. Errors are reported in one line."""
    import typer

    from .app import DEFAULT_COMMAND, program

    if os.environ.get("_PERFT_CHECK_COMPLETE"):  # a shell asks for completions
        program(prog_name=NAME)  # exits
    if not arguments or (arguments[0].startswith("-") and not arguments[0].startswith(OPTIONS_OF_ALL)):
        arguments = [DEFAULT_COMMAND, *arguments]
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
        return _report_os_error(error)
    except UserError as error:
        return _print_error(error.with_advice, ExitCode.USAGE if error.is_usage else ExitCode.ENGINE_FAILED)
    except typer.TyperException as error:
        return _print_error(error.format_message().rstrip("."), ExitCode.USAGE)
    except Exception as fault:
        from .failures import internal_error_message

        return _print_error(internal_error_message(fault, arguments), ExitCode.INTERNAL_ERROR)
    return int(status or 0)


def _visible(character: str) -> str:
    """Return a character, escaped if it would control the terminal."""
    return character if character.isprintable() else character.encode("unicode_escape").decode()


def _print_error(message: str, status: int) -> int:
    from .output.github_actions import escape_commands

    line = "".join(map(_visible, "\\n".join(message.splitlines())))  # a message may quote input with line breaks
    print(escape_commands(f"{NAME}: {shorten(line, LONGEST_MESSAGE)}"), file=sys.stderr)
    return status
