"""Verdicts on comparisons, and exit statuses of the program."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, IntEnum
from functools import cached_property


class Verdict(Enum):
    """The verdict on a case."""

    AGREE = "agree"
    MISMATCH = "mismatch"
    REJECTED = "rejected position"
    CRASH = "crash"
    TIMEOUT = "timeout"
    UNPARSEABLE = "unparseable output"
    SPLIT = "references disagree"
    UNFINISHED = "unfinished"
    """Interrupted or out of time before the last count was compared."""
    NOT_REPRODUCED = "not reproduced"
    """A failure that was not reproduced when the question was repeated, and does not count against the engine."""
    KNOWN = "known failure"
    """A failure that is listed in the baseline, so it does not fail the run."""
    SKIPPED = "not compared"
    """Not compared, because of the limits of the engine."""

    @cached_property
    def is_failure(self) -> bool:
        """Whether the engine, the suite or a reference is incorrect."""
        return self not in _NO_FAILURES

    @cached_property
    def is_engine_failure(self) -> bool:
        """Whether the engine gave no answer to compare."""
        return self in (Verdict.REJECTED, Verdict.CRASH, Verdict.TIMEOUT, Verdict.UNPARSEABLE)


_NO_FAILURES = frozenset({Verdict.AGREE, Verdict.NOT_REPRODUCED, Verdict.UNFINISHED, Verdict.KNOWN, Verdict.SKIPPED})


class ExitCode(IntEnum):
    """Exit status of every command."""

    AGREE = 0
    MISMATCH = 1
    """A count or a move is incorrect, or references disagree."""
    USAGE = 2
    """Invalid input: option, FEN, file, engine name or configuration."""
    ENGINE_FAILED = 3
    """An engine crashed, hung, rejected a position or printed unreadable output, and there was no mismatch."""
    NOTHING_TO_RUN = 4
    """Nothing was compared, or with --require-all, something was not compared or not tried."""
    INTERNAL_ERROR = 70
    """An internal error, whose traceback is in a file."""
    INTERRUPTED = 130
    OUTPUT_CLOSED = 141
    """The reader closed the output. Shells report this status for programs that are terminated by SIGPIPE."""


def exit_code(verdicts: Collection[Verdict], interrupted: bool, internal_error: bool = False) -> ExitCode:
    """Return the exit status of a run with these verdicts."""
    if internal_error:
        return ExitCode.INTERNAL_ERROR
    if interrupted:
        return ExitCode.INTERRUPTED
    if any(verdict in (Verdict.MISMATCH, Verdict.SPLIT) for verdict in verdicts):
        return ExitCode.MISMATCH
    if any(verdict.is_engine_failure for verdict in verdicts):
        return ExitCode.ENGINE_FAILED
    if not any(verdict in (Verdict.AGREE, Verdict.NOT_REPRODUCED, Verdict.KNOWN) for verdict in verdicts):
        return ExitCode.NOTHING_TO_RUN
    return ExitCode.AGREE
