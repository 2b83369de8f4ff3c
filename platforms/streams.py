"""Pipes of a child process with time limits, and functions for terminals.

Each pipe has a thread that waits for it, because `select` supports only sockets on Windows. With `selectors`, a
question and its answer would be 0.1 ms faster on POSIX; pipelining would be as fast.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO

from .processes import IS_POSIX, IS_WINDOWS

CHUNK = 65_536
PIPE_BYTES = 2**20
"""The default of the largest pipe that Linux allows a user, and the most output that a thread buffers."""
GATHER_SECONDS = 0.008
"""Time between reads of output that nobody waits for, so that many writes are read together."""
JOIN_SECONDS = 0.2
INT_BYTES = 4
"""Size of the integer that says how much of a pipe is unread."""
KEY_SECONDS = 0.05
"""Time between two checks for a key."""
WORTH_READING = 4_096
"""If a read returns this many bytes, the next one follows without a pause, because the pipe may be full: this is the
smallest capacity of a pipe. If more has been read in one go, half of that is used instead.
"""
OUTPUT, ERRORS, INPUT = range(3)


class Pipes:
    """The three pipes of a process, each with a thread. A thread closes its own pipe, as descriptors are reused."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self._input = stdin
        self._news: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        """Data read from a pipe, b"" at its end; (INPUT, b"") when data was written."""
        self._orders: SimpleQueue[bytes | None] = SimpleQueue()
        """Data to write; None closes the pipe."""
        self._kept = bytearray(), bytearray()
        self._ends: list[int] = []
        """Pipes that have ended, which `read` has not reported yet."""
        self._came, self._taken = [0, 0], [0, 0]
        """For each output pipe, the number of bytes that its thread has read, and that `read` has returned."""
        self._is_wanted = threading.Event(), threading.Event()
        self._given = self._written = 0
        """The number of bytes passed to the writing thread, and written by it."""
        self._most_given = CHUNK
        self._is_input_gone = self._is_closed = False
        work = [(self._read_pipe, OUTPUT, stdout), (self._read_pipe, ERRORS, stderr), (self._write_pipe, INPUT, stdin)]
        self._threads = [threading.Thread(target=one, args=words, daemon=True, name="pipe") for one, *words in work]
        for thread in self._threads:
            thread.start()

    def _read_pipe(self, which: int, file: IO[bytes]) -> None:
        """Read to the end; with pauses while `read` is not called, and at most `PIPE_BYTES` in advance."""
        data, wanted, worth = b"-", self._is_wanted[which], WORTH_READING
        while data and not self._is_closed:
            try:
                data = os.read(file.fileno(), CHUNK)
            except OSError:  # how Windows reports some ends
                data = b""
            wanted.clear()
            self._came[which] += len(data)
            self._news.put((which, data))
            worth = max(worth, len(data) // 2)
            if len(data) < worth and self._came[which] > self._taken[which]:
                wanted.wait(GATHER_SECONDS)
            while self._came[which] - self._taken[which] > PIPE_BYTES and not self._is_closed:
                wanted.clear()
                wanted.wait(GATHER_SECONDS)
        file.close()

    def _write_pipe(self, _which: int, file: IO[bytes]) -> None:
        with suppress(OSError), file:
            while (data := self._orders.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(file.fileno(), rest) :]
                self._written += len(data)
                self._news.put((INPUT, b""))
        self._is_input_gone = True
        self._news.put((INPUT, b""))

    def write(self, data: bytes | memoryview) -> int:
        """Write as much as possible without waiting, and return the number of bytes.

        Raises OSError if the process does not read any more.
        """
        if self._is_input_gone:
            raise BrokenPipeError
        part = bytes(data[: max(0, self._room)])
        if part:
            self._given += len(part)
            self._orders.put(part)
        return len(part)

    def end_input(self) -> None:
        """Close the pipe to the process when everything is written."""
        self._orders.put(None)

    def unread_input(self) -> int:
        """Return the number of bytes that the process has not read, as far as the system can count them."""
        return self._given - self._written + _unread_bytes(self._input)

    def wait(self, seconds: float, *, to_write: bool = False) -> bool:
        """Wait until there is output, a pipe ends, or (`to_write`) more can be written; return False if time is up."""
        self._take_news()
        if seconds > 0 and not self._can_go_on(to_write):
            with suppress(Empty):
                self._keep(*self._news.get(timeout=seconds))
                self._take_news()
        return self._can_go_on(to_write)

    def _can_go_on(self, to_write: bool) -> bool:
        return any(self._kept) or bool(self._ends) or (to_write and (self._is_input_gone or self._room > 0))

    @property
    def _room(self) -> int:
        return self._most_given - (self._given - self._written)

    def _take_news(self) -> None:
        with suppress(Empty):
            while True:
                self._keep(*self._news.get_nowait())

    def _keep(self, which: int, data: bytes) -> None:
        if data:
            self._kept[which].extend(data)
        elif which != INPUT:
            self._ends.append(which)

    def read(self, which: int) -> bytes | None:
        """Return the available bytes of OUTPUT or ERRORS, b"" at its end, None if there is nothing yet."""
        data = bytes(self._kept[which][:CHUNK])
        return data if self._take(which, len(data)) else None

    def _take(self, which: int, size: int) -> bool:
        """Remove `size` bytes, or the end if `size` is 0; return False if there was neither."""
        if not size:
            is_end = which in self._ends
            if is_end:
                self._ends.remove(which)
            return is_end
        del self._kept[which][:size]
        self._taken[which] += size
        self._is_wanted[which].set()
        return True

    def enlarge(self, *, with_input: bool) -> None:
        """Buffer as much as possible: of the output in any case, of the input if `with_input`."""
        self._most_given = PIPE_BYTES if with_input else CHUNK

    def gather(self) -> None:
        """Wait briefly for the rest of the output of a process that has ended."""
        for thread in self._threads[:INPUT]:
            thread.join(JOIN_SECONDS)

    def close(self) -> None:
        """Close the pipes. No other method may be called afterwards."""
        self._is_closed = True
        self._orders.put(None)
        for wanted in self._is_wanted:
            wanted.set()
        for thread in self._threads:  # they end with their pipes, unless a process that escaped holds one open
            thread.join(JOIN_SECONDS)


def _unread_bytes(pipe: IO[bytes]) -> int:
    """Return the number of unread bytes in a pipe, given its writing end; 0 if the system does not report it."""
    if sys.platform == "win32" or not IS_POSIX:
        return 0
    import fcntl
    import termios

    size = bytearray(INT_BYTES)
    with suppress(OSError, ValueError):  # not supported, or the input has ended
        fcntl.ioctl(pipe.fileno(), termios.FIONREAD, size)
    return int.from_bytes(size, sys.byteorder)


def open_for_readers(path: str, flags: int) -> int:
    """Open a pipe or device for writing, as an opener for `open`. Raises OSError if nobody reads from a pipe."""
    if IS_WINDOWS:  # which has no pipes in the file system
        return os.open(path, flags)
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


class ClosedPipe:
    """True as soon as nobody reads from a pipe any more, if the system reports that."""

    def __init__(self, descriptor: int) -> None:
        self._poll = select.poll() if IS_POSIX and hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(descriptor, 0)  # `poll` always reports errors

    def __bool__(self) -> bool:
        return self._poll is not None and bool(self._poll.poll(0))


def is_closed(terminal: int) -> bool:
    """Return True if an open terminal was closed by the user."""
    if IS_WINDOWS:
        return False
    import termios

    try:
        termios.tcgetattr(terminal)
    except (OSError, termios.error):
        return True
    return False


def read_key(seconds: float) -> str:
    """Return the key that is pressed on the terminal within `seconds`, or ""."""
    if sys.platform == "win32":
        import msvcrt

        end = time.monotonic() + seconds
        while not msvcrt.kbhit() and time.monotonic() < end:
            time.sleep(KEY_SECONDS)
        return msvcrt.getwch() if msvcrt.kbhit() else ""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setraw(terminal)  # Ctrl-C is an ordinary key: the run has ended, and its exit status is known
        ready, _, _ = select.select([terminal], [], [], seconds)
        return os.read(terminal, 1).decode("ascii", "replace") if ready else ""
    finally:
        # Discard the rest of an arrow key's sequence, which would otherwise be typed into the shell.
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
