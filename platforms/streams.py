"""Pipes to a child process with timeouts, and functions for terminals.

Each pipe is served by a thread, because `select` supports only sockets on Windows. On POSIX, `selectors` would save
0.1 ms per question, but pipelining would not be faster.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO

from .processes import IS_POSIX, IS_WINDOWS

CHUNK = 65_536
PIPE_BYTES = 2**20
"""Maximum output that a thread buffers, and Linux's default limit for the size of a user's pipe."""
GATHER_SECONDS = 0.008
"""Interval between reads in seconds while no caller is waiting, so that many writes are read at once."""
JOIN_SECONDS = 0.2
INT_BYTES = 4
"""Size of the integer for the number of unread bytes in a pipe."""
WORTH_READING = 4_096
"""Smallest capacity of a pipe. If a read returns this many bytes (or half of the largest read so far, if that is more),
it is repeated immediately, because the pipe may have been full.
"""
OUTPUT, ERRORS, INPUT = range(3)


class Pipes:
    """The three pipes of a process. Each has a thread, which also closes it, because descriptors are reused."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self._input, self._output = stdin, stdout
        self._news: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        """Data read from a pipe, or b"" at its end; (INPUT, b"") when data was written."""
        self._orders: SimpleQueue[bytes | None] = SimpleQueue()
        """Data to write, or None to close the pipe."""
        self._kept = bytearray(), bytearray()
        self._ends: list[int] = []
        """Pipes whose end `read` has not reported yet."""
        self._came, self._taken = [0, 0], [0, 0]
        """Number of bytes read by the thread of each output pipe, and number of bytes returned by `read`."""
        self._is_wanted = threading.Event(), threading.Event()
        self._given = self._written = 0
        """Number of bytes passed to the writer thread, and number of bytes that it has written."""
        self._most_given = CHUNK
        self._is_input_gone = self._is_closed = False
        work = [(self._read_pipe, OUTPUT, stdout), (self._read_pipe, ERRORS, stderr), (self._write_pipe, INPUT, stdin)]
        self._threads = [threading.Thread(target=one, args=words, daemon=True, name="pipe") for one, *words in work]
        for thread in self._threads:
            thread.start()

    def _read_pipe(self, which: int, file: IO[bytes]) -> None:
        """Read a pipe until its end, at most `PIPE_BYTES` ahead, with pauses while `read` is not called."""
        data, wanted, worth = b"-", self._is_wanted[which], WORTH_READING
        while data and not self._is_closed:
            try:
                data = os.read(file.fileno(), CHUNK)
            except OSError:  # Windows reports the end of some pipes like this
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
        """Write as much as possible without blocking, and return the number of bytes.

        Raises OSError if the process has closed the pipe.
        """
        if self._is_input_gone:
            raise BrokenPipeError
        part = bytes(data[: max(0, self._room)])
        if part:
            self._given += len(part)
            self._orders.put(part)
        return len(part)

    def end_input(self) -> None:
        """Close the process's stdin after everything has been written."""
        self._orders.put(None)

    def unread_input(self) -> int:
        """Return the number of bytes that the process has not read, if the system can count them."""
        return self._given - self._written + _unread_bytes(self._input)

    def has_unread_output(self) -> bool:
        """Return True if there is output that `read` has not returned, including bytes that the system still holds."""
        return bool(self._kept[OUTPUT]) or not self._news.empty() or _unread_bytes(self._output) > 0

    def wait(self, seconds: float, *, to_write: bool = False) -> bool:
        """Wait for output, the end of a pipe or, if `to_write`, room to write. Return False on timeout."""
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
        """Return the available bytes of OUTPUT or ERRORS, b"" at its end, or None if nothing is available yet."""
        data = bytes(self._kept[which][:CHUNK])
        return data if self._take(which, len(data)) else None

    def _take(self, which: int, size: int) -> bool:
        """Remove `size` bytes from a buffer, or the end if `size` is 0. Return False if there was neither."""
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
        """Enlarge the buffers of stdout and, if `with_input`, of stdin as much as possible."""
        self._most_given = PIPE_BYTES if with_input else CHUNK

    def gather(self) -> None:
        """Wait briefly for the remaining output of a process that has exited."""
        for thread in self._threads[:INPUT]:
            thread.join(JOIN_SECONDS)

    def close(self) -> None:
        """Close the pipes. No other method may be called afterward."""
        self._is_closed = True
        self._orders.put(None)
        for wanted in self._is_wanted:
            wanted.set()
        for thread in self._threads:  # threads end with their pipes, unless an escaped process keeps one open
            thread.join(JOIN_SECONDS)


def _unread_bytes(pipe: IO[bytes]) -> int:
    """Return the number of unread bytes in a pipe, given one of its ends, or 0 if the system does not report it."""
    if sys.platform == "win32" or not IS_POSIX:
        return 0
    import fcntl
    import termios

    size = bytearray(INT_BYTES)
    with suppress(OSError, ValueError):  # not supported, or the pipe is closed
        fcntl.ioctl(pipe.fileno(), termios.FIONREAD, size)
    return int.from_bytes(size, sys.byteorder)


def open_for_readers(path: str, flags: int) -> int:
    """Open a pipe or device for writing, as an opener for `open`. Raises OSError if a pipe has no reader."""
    if IS_WINDOWS:  # no pipes in the file system
        return os.open(path, flags)
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


class ClosedPipe:
    """True once a pipe has no reader, if the system reports that."""

    def __init__(self, descriptor: int) -> None:
        self._poll = select.poll() if IS_POSIX and hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(descriptor, 0)  # `poll` always reports errors

    def __bool__(self) -> bool:
        return self._poll is not None and bool(self._poll.poll(0))


def is_closed(terminal: int) -> bool:
    """Return True if the user has closed the terminal of this descriptor."""
    if IS_WINDOWS:
        return False
    import termios

    try:
        termios.tcgetattr(terminal)
    except (OSError, termios.error):
        return True
    return False
