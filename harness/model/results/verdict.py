"""The outcome of a comparison, and the exit status of the program."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum, IntEnum
from functools import cached_property


class Verdict(Enum):
    """The outcome of one case. Kinds of failure are kept apart, never folded into one."""

    AGREE = "agree"
    MISMATCH = "mismatch"
    REJECTED = "rejected position"
    CRASH = "crash"
    TIMEOUT = "timeout"
    UNPARSEABLE = "unparseable output"
    SPLIT = "references disagree"
    UNFINISHED = "unfinished"
    """Interrupted, or out of time, before the last count was compared."""
    NOT_REPRODUCED = "not reproduced"
    """A failure that was not reproduced when the question was repeated, so that it is not held against the engine."""
    SKIPPED = "not compared"
    """All counts are too shallow for the engine to be asked."""

    @cached_property
    def is_failure(self) -> bool:
        """Whether the engine, the suite or a reference is wrong."""
        return self not in (Verdict.AGREE, Verdict.NOT_REPRODUCED, Verdict.UNFINISHED, Verdict.SKIPPED)

    @cached_property
    def is_engine_failure(self) -> bool:
        """Whether the engine gave no answer to compare."""
        return self in (Verdict.REJECTED, Verdict.CRASH, Verdict.TIMEOUT, Verdict.UNPARSEABLE)


class ExitCode(IntEnum):
    """Exit status of every command."""

    AGREE = 0
    MISMATCH = 1
    """A count or a move is wrong, or references disagree."""
    USAGE = 2
    """Bad input: option, FEN, file, engine name, configuration."""
    ENGINE_FAILED = 3
    """Some engine crashed, hung, rejected a position or printed garbage, and nothing mismatched."""
    NOTHING_TO_RUN = 4
    """Nothing was compared; with --require-all, not everything, or something was not tried."""
    INTERNAL_ERROR = 70
    """An internal error; a file has its traceback."""
    INTERRUPTED = 130
    OUTPUT_CLOSED = 141
    """The reader of the output has closed it. A shell shows this status for a program that SIGPIPE has ended."""


_WORST_FIRST = (
    ExitCode.INTERNAL_ERROR,
    ExitCode.INTERRUPTED,
    ExitCode.MISMATCH,
    ExitCode.ENGINE_FAILED,
    ExitCode.USAGE,
    ExitCode.NOTHING_TO_RUN,
    ExitCode.AGREE,
)


def worst(statuses: Collection[ExitCode]) -> ExitCode:
    """Return the exit status of several runs, each with its own."""
    return min(statuses, key=_WORST_FIRST.index)


def exit_code(verdicts: Collection[Verdict], interrupted: bool, internal_error: bool = False) -> ExitCode:
    """Return the exit status of a run that ended with these verdicts."""
    if internal_error:
        return ExitCode.INTERNAL_ERROR
    if interrupted:
        return ExitCode.INTERRUPTED
    if any(verdict in (Verdict.MISMATCH, Verdict.SPLIT) for verdict in verdicts):
        return ExitCode.MISMATCH
    if any(verdict.is_engine_failure for verdict in verdicts):
        return ExitCode.ENGINE_FAILED
    if not any(verdict in (Verdict.AGREE, Verdict.NOT_REPRODUCED) for verdict in verdicts):
        return ExitCode.NOTHING_TO_RUN
    return ExitCode.AGREE
