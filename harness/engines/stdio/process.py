"""A child process with line-based input and output, in its own session, with limits on output, memory and time."""

from __future__ import annotations

import contextlib
import json
import locale
import math
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....platforms.memory import MemoryGuard
from ....platforms.processes import end_of
from ....platforms.streams import CHUNK, ERRORS, OUTPUT
from ...shutdown import POLL_SECONDS
from ..base import EngineCrash, EngineFlood, EngineTimeout, UnparseableOutput, overdue
from ..call import EngineCall
from .child import EngineChild
from .output import Incoming, LastWords, printable

QUIT_SECONDS = 0.5
"""Time for a process to exit after it was asked to quit."""
UNENDED_LINE_SECONDS = 0.5
"""Seconds without output after which a line without a newline is considered complete if the process is idle."""
UNENDED_LINE_MOST_SECONDS = 5.0
"""The same if the process is running: it may be counting, or waiting for a CPU in the middle of a long answer."""
_CONTROL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\-~])")
"""Control sequences (ECMA-48). Some engines color their output or clear lines even when writing to a pipe."""
_PROMPT = re.compile(r"^\s*(?:[A-Za-z]*>\s*|[A-Za-z ]+\?\s*|(?:enter|input|type|give)[A-Za-z ]*:\s*)+", re.IGNORECASE)
"""Prompts for the next command, which some engines print before their answer on the same line."""
_MAY_BE_PROMPT = re.compile("[>?]|^ *[EITGeitg][a-z]+ [A-Za-z ]*:")
"""A quick pre-check for prompts."""
DRAIN_CHUNKS = 64
LEAST_START_SECONDS, MOST_START_SECONDS = 5.0, 60.0
"""Time limit for a process to begin to read: the minimum with any time limit, and the value without one."""
START_POLL_SECONDS = 0.01
NAP_SECONDS = 0.001
"""Time in seconds to let the output of a busy process accumulate, so that many writes are read at once."""
AHEAD_CHUNKS = 32
"""Maximum number of available chunks to read before splitting off lines."""


@dataclass(frozen=True)
class ProcessLimits:
    """Limits and environment of a process."""

    answer_bytes: int = 8 * 2**20
    """Maximum output for one question."""
    line_bytes: int = 2**20
    memory_bytes: int | None = None
    """Limit of the address space or, if the system cannot limit that, of the resident memory, or None for no limit."""
    variables: tuple[tuple[str, str], ...] = ()
    """Names and values of additional environment variables."""

    def describe_excess(self, answer_bytes: int, line_bytes: int) -> str | None:
        """Return a phrase for the limit that the output for a question or its last line exceeds, or None."""
        if answer_bytes > self.answer_bytes:
            return f"more than {self.answer_bytes >> 20} MiB and no total"
        if line_bytes > self.line_bytes:
            return f"a line of more than {self.line_bytes >> 20} MiB"
        return None

    def with_variable(self, variable: tuple[str, str]) -> ProcessLimits:
        """Return a copy with an additional environment variable."""
        return replace(self, variables=(*self.variables, variable))

    @classmethod
    def of_mebibytes(cls, memory: int | None) -> ProcessLimits:
        """Return limits with this much memory, or no memory limit if None."""
        return cls(memory_bytes=None if memory is None else memory << 20)


class NeverReads(EngineTimeout):
    """A process did not read its first input."""

    def __init__(self, message: str, seconds: float) -> None:
        """Store the message and the time waited."""
        super().__init__(message)
        self.seconds = seconds


class Process:
    """A running child process. Raises EngineCrash if it cannot be started."""

    def __init__(self, name: str, command: list[str], limits: ProcessLimits, inherited: tuple[int, ...] = ()) -> None:
        """Start a command, which inherits the given file descriptors."""
        self._name = name
        self._limits = limits
        self._child = EngineChild(name, command, inherited, dict(limits.variables))
        self._pipes = self._child.pipes
        most = limits.memory_bytes
        self._memory: MemoryGuard | None = MemoryGuard(self._child.family, most)
        if most is not None and self._child.family.limit_memory(most):
            self._memory = None
        self._incoming = Incoming()
        self._stderr = LastWords()
        self._last_line = b""
        self._last_output_at = 0.0
        self._has_wide_pipe = False
        self._ended = False
        self._ended_at: float | None = None
        """When the process was first found to have exited."""
        self._closed = self._is_interrupted = False
        self._has_started = False
        """Whether the process has begun to read."""
        self._ends_lines = False
        """Whether every line ends with a newline, as those of perft-check's child processes do."""
        self._written = 0
        """Bytes written to its stdin."""

    @property
    def is_alive(self) -> bool:
        """Whether the process is running and its output is open."""
        return self._child.poll() is None and not self._ended

    def is_ready(self) -> bool:
        """Return True if the process can be asked again, or False if it was killed or exited after its answer.

        Raises EngineCrash if it exited by itself later, which a restart would hide.
        """
        if self._is_interrupted or self._closed or self._ended:
            return False
        if not self.is_alive:
            raise EngineCrash(self.describe_end())
        return True

    @property
    def status(self) -> int | None:
        """The exit status (negative for a signal), or None if the process is running."""
        return self._child.poll()

    @property
    def stderr_text(self) -> str:
        """The start and the end of its stderr."""
        return self._stderr.text

    def begin_question(self) -> None:
        """Discard the output so far, so that the full output limit applies to the next question."""
        self._drain()
        self._incoming.clear()
        self._last_line = b""

    def send(self, lines: Sequence[str], call: EngineCall) -> None:
        """Write lines. Raises EngineCrash, EngineTimeout."""
        data = "".join(f"{line}\n" for line in lines).encode()
        while data:
            try:
                written = self._pipes.write(data)
            except OSError:
                raise EngineCrash(self.describe_end()) from None
            data, self._written = data[written:], self._written + written
            if not written:
                self._wait(call, "has not read its input", to_write=True)

    def await_start(self, call: EngineCall) -> None:
        """Wait until the process begins to read, then restart the clock of the call.

        Loading a runtime or initializing tables may take seconds on a busy machine. Raises EngineTimeout if the process
        reads nothing within the time limit, or within a few seconds if the limit is shorter.
        """
        if self._has_started:
            return
        began = time.monotonic()
        seconds = max(LEAST_START_SECONDS, MOST_START_SECONDS if call.whole_seconds is None else call.whole_seconds)
        while 0 < self._written <= self._pipes.unread_input() and self.is_alive and not call.stopped:
            if time.monotonic() - began > seconds:
                self._give_up()
                raise NeverReads(str(overdue(self._name, "has not read its input", seconds)), seconds)
            self._check_memory()
            self._take_ready(START_POLL_SECONDS)
        self._has_started = True
        call.restart()

    def end_input(self, lines: Sequence[str] = ()) -> None:
        """Write lines, and close the process's stdin."""
        with contextlib.suppress(OSError):  # it has exited, or reads nothing
            self._pipes.write("".join(f"{line}\n" for line in lines).encode())
        with contextlib.suppress(OSError):
            self._pipes.end_input()

    def read(self, call: EngineCall) -> str | None:
        """Return the next line without colors and prompt, or None if the call was stopped.

        Raises EngineCrash at the end of the output, EngineTimeout after the call's deadline, or EngineFlood if a limit
        is exceeded.
        """
        line = self._incoming.line()
        if line is None:
            self._await_line(math.inf, call)
            line = self._incoming.line()
        if line is None:
            return None
        self._last_line = line
        return plain_text(line)

    def read_object(self, call: EngineCall) -> dict[str, Any] | None:
        """Return the JSON object on the next line, or None if the call was stopped.

        Raises UnparseableOutput if the line is not a JSON object, or the same exceptions as `read`.
        """
        self._ends_lines = True  # a long line may be written in parts, with pauses on a busy machine
        line = self.read(call)
        if line is None:
            return None
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise UnparseableOutput(f"{self._name} answers {printable(line)!r}")
        return found

    def is_silent(self, seconds: float, call: EngineCall) -> bool:
        """Return True if no line arrives within `seconds`. Raises the same exceptions as `read`."""
        self._await_line(seconds, call)
        return not self._incoming.has_line and not call.stopped

    def _await_line(self, seconds: float, call: EngineCall) -> None:
        """Wait up to `seconds` for the next line, or until the call is stopped."""
        until = time.monotonic() + seconds
        while not self._incoming.has_line and not call.stopped:
            if self._incoming.has_more:
                self._take_ahead(call)
                self._incoming.split()
            elif time.monotonic() > until:
                return
            else:
                self._wait_for_more(call)

    def _wait_for_more(self, call: EngineCall) -> None:
        """Wait briefly for more output."""
        is_in_line = self._incoming.unended > 0
        if self._ended and not is_in_line:
            raise EngineCrash(self.describe_end())
        if is_in_line and (self._ended or self._has_finished_line()):
            self._incoming.end_line()  # the last line has no newline
            return
        if self._writes_much:
            time.sleep(NAP_SECONDS)
        is_silent = not self._wait(call, "has not answered")
        if is_silent and not is_in_line and self._has_left_its_pipe():
            raise EngineCrash(self.describe_end())

    def _has_finished_line(self) -> bool:
        """Return True if the last line, which has no newline, can be considered complete."""
        silent = time.monotonic() - self._last_output_at
        if self._ends_lines or silent <= UNENDED_LINE_SECONDS:
            return False
        may_continue = self._child.family.is_running() or self._pipes.has_unread_output()
        return not may_continue or silent > UNENDED_LINE_MOST_SECONDS

    def _take_ahead(self, call: EngineCall) -> None:
        """Read all available output of a busy process.

        Processing lines takes longer than writing them. Reading ahead detects a flood early, even if its lines are
        processed slowly.
        """
        if not self._writes_much:
            return
        if not self._has_wide_pipe:
            self._has_wide_pipe = True
            self._pipes.enlarge(with_input=False)
        self._check_deadline(call, "has not answered")
        for _ in range(AHEAD_CHUNKS):
            if self._ended or (self._take_ready(0) or 0) < CHUNK:
                return

    @property
    def _writes_much(self) -> bool:
        return self._incoming.received > CHUNK

    def widen_pipes(self) -> None:
        """Enlarge the buffers of both pipes, for pipelining."""
        self._pipes.enlarge(with_input=True)

    def exchange(self, data: memoryview, seconds: float) -> tuple[int, bytes]:
        """Write as much of `data` as the pipe accepts, and read some output, which may end within a line.

        Return the number of bytes written and the bytes read, 0 and b"" if neither was possible within `seconds`.
        Raises EngineCrash at the end of the output.
        """
        self._check_memory()
        written = 0
        with contextlib.suppress(OSError):  # reading detects whether the process has exited
            written = self._pipes.write(data) if data else 0
        is_ready = self._pipes.wait(0 if written else seconds, to_write=written < len(data))
        self._read_errors()
        read = self._pipes.read(OUTPUT)
        if read is None:
            if not is_ready and not written and self._has_left_its_pipe():
                raise EngineCrash(self.describe_end())
            return written, b""
        if not read:
            self._take(b"")
            raise EngineCrash(self.describe_end())
        return written, read

    def _has_left_its_pipe(self) -> bool:
        """Return True if the process has exited, but one of its children keeps its output open."""
        if self._child.poll() is None:
            self._ended_at = None
            return False
        self._ended_at = self._ended_at or time.monotonic()
        return time.monotonic() - max(self._ended_at, self._last_output_at) > QUIT_SECONDS

    def _wait(self, call: EngineCall, complaint: str, *, to_write: bool = False) -> bool:
        """Read output briefly. Return True if there was any or, if `to_write`, more can be written."""
        if call.stopped:
            return False
        self._check_deadline(call, complaint)
        self._check_memory()
        return self._take_ready(POLL_SECONDS, to_write=to_write) is not None

    def _check_memory(self) -> None:
        if self._memory is not None and (most := self._memory.excess()) is not None:
            self._give_up()
            limit = f"{most / 2**30:.1f} GiB, half of the memory of this machine; run, divide and fuzz take --memory"
            if self._limits.memory_bytes is not None:
                limit = f"the {most >> 20} MiB that --memory gives it"
            raise EngineCrash(f"{self._name} was killed: it uses more memory than {limit}")

    def _check_deadline(self, call: EngineCall, complaint: str) -> None:
        if call.deadline is not None and time.monotonic() > call.deadline:
            self._give_up()
            raise overdue(self._name, complaint, call.seconds or 0)

    def _give_up(self) -> None:
        """Kill the process, and discard its output because the following exception may keep this object alive."""
        self.kill()
        self._incoming.clear()

    def _take_ready(self, seconds: float, *, to_write: bool = False) -> int | None:
        """Read at most one chunk within `seconds`. Return its size, or None if there is none."""
        if not self._pipes.wait(seconds, to_write=to_write):
            return None
        size, data = self._read_errors(), self._pipes.read(OUTPUT)
        if data is not None:
            self._take(data)
        return size + len(data or b"")

    def _drain(self) -> None:
        """Discard the available output, but keep stderr."""
        for _ in range(DRAIN_CHUNKS):  # the process may never stop writing
            if self._closed or not self._pipes.wait(0):
                return
            self._read_errors()
            if self._pipes.read(OUTPUT) == b"":
                self._ended = True

    def _read_errors(self) -> int:
        data = self._pipes.read(ERRORS) or b""
        self._stderr.take(data)
        return len(data)

    def _take(self, data: bytes) -> None:
        if not data:
            self._ended = True
            return
        self._incoming.take(data)
        self._last_output_at = time.monotonic()
        what = self._limits.describe_excess(self._incoming.received, self._incoming.unended)
        if what is not None:
            self._give_up()
            raise EngineFlood(f"{self._name} floods: {what}")

    def describe_end(self) -> str:
        """Return a sentence about how the process ended. If it has only closed its output, kill it."""
        has_ended = self._child.has_ended(QUIT_SECONDS)
        with contextlib.suppress(OSError, ValueError):
            self._pipes.gather()
            self._drain()
        status = self._child.poll()
        self.kill()
        words = self._stderr.telling_line(self._last_line)
        end = end_of(status or 0) if has_ended else "closed its output but did not end"
        return f"{self._name} {end}: {words}" if words else f"{self._name} {end}"

    def quote_last_output(self) -> str:
        """Return a clause with the last line of stdout and the most informative line of stderr, or ""."""
        line, words = printable(self._last_line.decode(errors="replace")), self._stderr.telling_line()
        parts = [f"it said {line!r}"] * bool(line) + [f"on stderr {words!r}"] * bool(words)
        return ", ".join(parts)

    def quit(self, line: str | None) -> None:
        """Ask the process to quit by sending `line`, if given, and kill it if it does not."""
        if line is not None and self.is_alive:
            self.end_input([line])
            self._child.has_ended(QUIT_SECONDS)
        self.kill()

    def interrupt(self) -> None:
        """Kill the process from another thread. The reading thread then detects its end."""
        self._is_interrupted = True
        self._child.interrupt()

    def kill(self) -> None:
        """Kill the process and its descendants, including those in other sessions."""
        self._ended = True
        if self._closed:
            return
        self._closed = True
        self._child.kill()


COLUMN_LINES = "\N{BOX DRAWINGS LIGHT VERTICAL}\N{BOX DRAWINGS HEAVY VERTICAL}\N{BOX DRAWINGS DOUBLE VERTICAL}"
"""Box-drawing characters between table columns."""
_AS_BARS = str.maketrans(dict.fromkeys(COLUMN_LINES, "|"))


def plain_text(line: bytes) -> str:
    """Return the text of a line without colors and prompt, with | in place of box-drawing characters.

    The line is decoded as UTF-8 or, failing that, in the locale's encoding, such as a Windows code page.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode(locale.getpreferredencoding(False), errors="replace")
    if not text.isascii():
        text = text.translate(_AS_BARS)
    if "\x1b" in text:
        text = _CONTROL.sub("", text)
    return _PROMPT.sub("", text) if _MAY_BE_PROMPT.search(text) else text
