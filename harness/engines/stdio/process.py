"""A child process to talk to in lines: without a shell, in a session of its own, with limits on everything."""

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
"""How long a process may take to end by itself, once told to."""
UNENDED_LINE_SECONDS = 0.5
"""After this silence a line counts as ended without a newline."""
_CONTROL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z\\-~])")
"""Control sequences (ECMA-48): some engines color what they print, or clear lines, even in a pipe."""
_PROMPT = re.compile(r"^\s*(?:[A-Za-z]*>\s*|[A-Za-z ]+\?\s*|(?:enter|input|type|give)[A-Za-z ]*:\s*)+", re.IGNORECASE)
"""Some engines ask for the next command as on a console; what they print then stands behind that on the same line."""
_MAY_ASK = re.compile("[>?]|^ *[EITGeitg][a-z]+ [A-Za-z ]*:")
DRAIN_CHUNKS = 64
LEAST_START_SECONDS, MOST_START_SECONDS = 5.0, 60.0
"""How long a process may take to begin to read: at least, whatever the time limit is, and without one."""
START_POLL_SECONDS = 0.01
NAP_SECONDS = 0.001
"""How long the output of a process that writes much gathers: many writes are then read at once."""
AHEAD_CHUNKS = 32
"""How much is taken in, if there is so much, before the next lines are read."""


@dataclass(frozen=True)
class ProcessLimits:
    """Limits of a process, and what it is given."""

    answer_bytes: int = 8 * 2**20
    """Output for one question."""
    line_bytes: int = 2**20
    memory_bytes: int | None = None
    """Address space, or where no system limits that, what is taken of the memory; None is no limit."""
    variables: tuple[tuple[str, str], ...] = ()
    """Environment variables that it has beside ours, with their values."""

    def describe_excess(self, answer_bytes: int, line_bytes: int) -> str | None:
        """Return what is too much about the output for a question, and its last line, or None."""
        if answer_bytes > self.answer_bytes:
            return f"more than {self.answer_bytes >> 20} MiB and no total"
        if line_bytes > self.line_bytes:
            return f"a line of more than {self.line_bytes >> 20} MiB"
        return None

    def with_variable(self, variable: tuple[str, str]) -> ProcessLimits:
        """Return the limits of a process that has one more environment variable."""
        return replace(self, variables=(*self.variables, variable))

    @classmethod
    def of_mebibytes(cls, memory: int | None) -> ProcessLimits:
        """Return the limits of a process that may use so much memory; None is no limit."""
        return cls(memory_bytes=None if memory is None else memory << 20)


class NeverReads(EngineTimeout):
    """A process has not read what it was told first."""

    def __init__(self, message: str, seconds: float) -> None:
        """Take the message, and how long it was waited for."""
        super().__init__(message)
        self.seconds = seconds


class Process:
    """A running child process. Raises EngineCrash if it cannot be started."""

    def __init__(self, name: str, command: list[str], limits: ProcessLimits, inherited: tuple[int, ...] = ()) -> None:
        """Start a command; `inherited` are descriptors of ours that it gets, too."""
        self._name = name
        self._limits = limits
        self._child = EngineChild(name, command, inherited, dict(limits.variables))
        self._pipes = self._child.pipes
        most = limits.memory_bytes
        self._memory: MemoryGuard | None = MemoryGuard(self._child.family, most)
        if most is not None and self._child.family.limit_memory(most):
            self._memory = None
        self._incoming = Incoming()
        self._stderr_said = LastWords()
        self._last_line = b""
        self._heard = 0.0
        self._has_wide_pipe = False
        self._ended = False
        self._ended_at: float | None = None
        """When the process was first seen to have ended."""
        self._closed = self._is_interrupted = False
        self._has_started = False
        """Whether the process has begun to read."""
        self._told = 0
        """Bytes that were written to it."""

    @property
    def is_alive(self) -> bool:
        """Whether the process runs and can still be heard."""
        return self._child.poll() is None and not self._ended

    def is_ready(self) -> bool:
        """Return True if the process can be asked once more. It cannot where we have ended it, or where its last answer
        ended with it.

        Raises EngineCrash if it has ended by itself after its answer: to start another one would hide that.
        """
        if self._is_interrupted or self._closed or self._ended:
            return False
        if not self.is_alive:
            raise EngineCrash(self.describe_end())
        return True

    @property
    def status(self) -> int | None:
        """The exit status of a process that has ended, negative for a signal; None while it runs."""
        return self._child.poll()

    @property
    def said_on_stderr(self) -> str:
        """The beginning and the end of what it has written there."""
        return self._stderr_said.text

    def begin_question(self) -> None:
        """Forget what was said so far: a new question has its own allowance of output."""
        self._drain()
        self._incoming.clear()
        self._last_line = b""

    def send(self, lines: Sequence[str], call: EngineCall) -> None:
        """Write lines, all at once. Raises EngineCrash, EngineTimeout."""
        data = "".join(f"{line}\n" for line in lines).encode()
        while data:
            try:
                written = self._pipes.write(data)
            except OSError:
                raise EngineCrash(self.describe_end()) from None
            data, self._told = data[written:], self._told + written
            if not written:
                self._wait(call, "has not read its input", to_write=True)

    def await_start(self, call: EngineCall) -> None:
        """Wait until the process has begun to read: only then its time begins.

        A runtime that is loaded, or a table that is filled, takes seconds on a loaded machine. Raises EngineTimeout if
        the process reads nothing within the time limit, or within a few seconds if that is less.
        """
        if self._has_started:
            return
        began = time.monotonic()
        seconds = max(LEAST_START_SECONDS, MOST_START_SECONDS if call.whole_seconds is None else call.whole_seconds)
        while 0 < self._told <= self._pipes.unread_input() and self.is_alive and not call.stopped:
            if time.monotonic() - began > seconds:
                self._give_up()
                raise NeverReads(str(overdue(self._name, "has not read its input", seconds)), seconds)
            self._keep_memory()
            self._take_ready(START_POLL_SECONDS)
        self._has_started = True
        call.restart()

    def end_input(self, lines: Sequence[str] = ()) -> None:
        """Write a few lines, and end the input behind them: a program that waits for more learns that none comes."""
        with contextlib.suppress(OSError):  # it has ended, or reads nothing
            self._pipes.write("".join(f"{line}\n" for line in lines).encode())
        with contextlib.suppress(OSError):
            self._pipes.end_input()

    def read(self, call: EngineCall) -> str | None:
        """Return the next line without colors and prompt, or None once the call is stopped.

        Raises EngineCrash at the end of the output, EngineTimeout after the call's deadline, and
        EngineFlood beyond the limits.
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
        """Return the JSON object on the next line, or None once the call is stopped.

        Raises UnparseableOutput if it is none, and as `read` does.
        """
        line = self.read(call)
        if line is None:
            return None
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise UnparseableOutput(f"{self._name} answers by {printable(line)!r}")
        return found

    def is_silent(self, seconds: float, call: EngineCall) -> bool:
        """Wait for the next line; return True if none has come within so many seconds. Raises as `read` does."""
        self._await_line(seconds, call)
        return not self._incoming.has_line and not call.stopped

    def _await_line(self, seconds: float, call: EngineCall) -> None:
        """Wait for the next line, for so many seconds at most, or until the call is stopped."""
        until = time.monotonic() + seconds
        while not self._incoming.has_line and not call.stopped:
            if self._incoming.has_more:
                self._take_ahead(call)
                self._incoming.split()
            elif time.monotonic() > until:
                return
            else:
                self._hear(call)

    def _hear(self, call: EngineCall) -> None:
        """Wait for a moment for the end of a line, or of the output."""
        is_in_line = self._incoming.unended > 0
        if self._ended and not is_in_line:
            raise EngineCrash(self.describe_end())
        if is_in_line and (self._ended or time.monotonic() - self._heard > UNENDED_LINE_SECONDS):
            self._incoming.end_line()  # a last line without a newline
            return
        if self._writes_much:
            time.sleep(NAP_SECONDS)
        is_silent = not self._wait(call, "has not answered")
        if is_silent and not is_in_line and self._has_left_its_pipe():
            raise EngineCrash(self.describe_end())

    def _take_ahead(self, call: EngineCall) -> None:
        """Take in what a process that writes much has written in the meantime.

        To read a line takes longer than to write it. So a flood ends at its limit, and not at the pace of its lines.
        """
        if not self._writes_much:
            return
        if not self._has_wide_pipe:
            self._has_wide_pipe = True
            self._pipes.widen(is_told=False)
        self._keep_deadline(call, "has not answered")
        for _ in range(AHEAD_CHUNKS):
            if self._ended or (self._take_ready(0) or 0) < CHUNK:
                return

    @property
    def _writes_much(self) -> bool:
        return self._incoming.received > CHUNK

    def widen_pipes(self) -> None:
        """Let the system keep as much as it can for a process that is told much ahead."""
        self._pipes.widen(is_told=True)

    def exchange(self, told: memoryview, seconds: float) -> tuple[int, bytes]:
        """Write of `told` what the process takes, and read some of what it has said, lines or parts of them.

        Returns the number of bytes written, and what was read; there is neither where nothing has been possible for so
        many seconds. Raises EngineCrash at the end of the output.
        """
        self._keep_memory()
        written = 0
        with contextlib.suppress(OSError):  # whether the process has gone is left to who reads from it
            written = self._pipes.write(told) if told else 0
        is_ready = self._pipes.wait(0 if written else seconds, to_write=written < len(told))
        self._hear_errors()
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
        """Return True if the process has ended, but not its output, which a child of it still holds."""
        if self._child.poll() is None:
            self._ended_at = None
            return False
        self._ended_at = self._ended_at or time.monotonic()
        return time.monotonic() - max(self._ended_at, self._heard) > QUIT_SECONDS

    def _wait(self, call: EngineCall, complaint: str, *, to_write: bool = False) -> bool:
        """Take in output for a moment; return True if there was any, or room `to_write` more."""
        if call.stopped:
            return False
        self._keep_deadline(call, complaint)
        self._keep_memory()
        return self._take_ready(POLL_SECONDS, to_write=to_write) is not None

    def _keep_memory(self) -> None:
        if self._memory is not None and (most := self._memory.excess()) is not None:
            self._give_up()
            share = f"{most / 2**30:.1f} GiB, half of what this machine has; run, divide and fuzz take --memory"
            if self._limits.memory_bytes is not None:
                share = f"the {most >> 20} MiB that --memory gives it"
            raise EngineCrash(f"{self._name} was ended: it has more memory than {share}")

    def _keep_deadline(self, call: EngineCall, complaint: str) -> None:
        if call.deadline is not None and time.monotonic() > call.deadline:
            self._give_up()
            raise overdue(self._name, complaint, call.seconds or 0)

    def _give_up(self) -> None:
        """Kill the process, and forget what it has written: who keeps the error keeps this object."""
        self.kill()
        self._incoming.clear()

    def _take_ready(self, seconds: float, *, to_write: bool = False) -> int | None:
        """Take in what there is within so many seconds, a chunk at most; return its size, None if nothing came."""
        if not self._pipes.wait(seconds, to_write=to_write):
            return None
        size, data = self._hear_errors(), self._pipes.read(OUTPUT)
        if data is not None:
            self._take(data)
        return size + len(data or b"")

    def _drain(self) -> None:
        """Throw away what is there already, without waiting; only last words are kept."""
        for _ in range(DRAIN_CHUNKS):  # a process may never stop talking
            if self._closed or not self._pipes.wait(0):
                return
            self._hear_errors()
            if self._pipes.read(OUTPUT) == b"":
                self._ended = True

    def _hear_errors(self) -> int:
        """Take in what there is on stderr; return how many bytes."""
        data = self._pipes.read(ERRORS) or b""
        self._stderr_said.take(data)
        return len(data)

    def _take(self, data: bytes) -> None:
        if not data:
            self._ended = True
            return
        self._incoming.take(data)
        self._heard = time.monotonic()
        what = self._limits.describe_excess(self._incoming.received, self._incoming.unended)
        if what is not None:
            self._give_up()
            raise EngineFlood(f"{self._name} floods: {what}")

    def describe_end(self) -> str:
        """Return a sentence about how the process ended; kill it where it only fell silent."""
        has_ended = self._child.has_ended(QUIT_SECONDS)
        with contextlib.suppress(OSError, ValueError):
            self._pipes.gather()
            self._drain()
        status = self._child.poll()
        self.kill()
        words = self._stderr_said.telling_line(self._last_line)
        end = end_of(status or 0) if has_ended else "closed its output but did not end"
        return f"{self._name} {end}: {words}" if words else f"{self._name} {end}"

    def quote_last_output(self) -> str:
        """Return what the process has said last, on stdout and on stderr, as a clause; "" if it was silent."""
        line, words = printable(self._last_line.decode(errors="replace")), self._stderr_said.telling_line()
        parts = [f"it said {line!r}"] * bool(line) + [f"on stderr {words!r}"] * bool(words)
        return ", ".join(parts)

    def quit(self, line: str | None) -> None:
        """End the process: with `line`, if it listens, and at any rate."""
        if line is not None and self.is_alive:
            self.end_input([line])
            self._child.has_ended(QUIT_SECONDS)
        self.kill()

    def interrupt(self) -> None:
        """Kill the process from another thread; the thread that reads from it learns that it has ended."""
        self._is_interrupted = True
        self._child.interrupt()

    def kill(self) -> None:
        """Kill the process and everything that it has started, in its session or in another."""
        self._ended = True
        if self._closed:
            return
        self._closed = True
        self._child.kill()


COLUMN_LINES = "\N{BOX DRAWINGS LIGHT VERTICAL}\N{BOX DRAWINGS HEAVY VERTICAL}\N{BOX DRAWINGS DOUBLE VERTICAL}"
"""What stands between the columns of a table that is drawn."""
_AS_BARS = str.maketrans(dict.fromkeys(COLUMN_LINES, "|"))


def plain_text(line: bytes) -> str:
    """Return the text of a line without colors and prompt, as UTF-8 or else as this machine writes text.

    Between the columns of a table that is drawn there is | then. A program may write in a code page of
    Windows (`locale.getpreferredencoding`, PEP 540).
    """
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode(locale.getpreferredencoding(False), errors="replace")
    if not text.isascii():
        text = text.translate(_AS_BARS)
    if "\x1b" in text:
        text = _CONTROL.sub("", text)
    return _PROMPT.sub("", text) if _MAY_ASK.search(text) else text
