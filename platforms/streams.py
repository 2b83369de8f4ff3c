"""The pipes of a child process, at which no call waits for longer than it is told to; and terminals.

A thread waits at each pipe: Windows tells of sockets alone which can go on (documentation of `select`). Where POSIX
tells it of pipes (`selectors`), a question and its answer would take a tenth of a millisecond less; an engine that is
asked ahead would be as fast.
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
"""The most that Linux lets a user's pipe hold, unless it has been told otherwise; and what a thread keeps of one."""
GATHER_SECONDS = 0.008
"""How long output gathers that nobody waits for: many writes are then read at once."""
JOIN_SECONDS = 0.2
INT_BYTES = 4
"""Size of the number that tells how much of a pipe is unread."""
KEY_SECONDS = 0.05
"""How often it is looked for a key."""
WORTH_READING = 4_096
"""Bytes after which more is read at once, for the pipe may be full: none holds less. One that has held more may wait
until it has half of that.
"""
OUTPUT, ERRORS, INPUT = range(3)


class Pipes:
    """Pipes at each of which a thread waits. Each thread closes its pipe: a number that is closed may be another's."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self._input = stdin
        self._news: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        """What has been read, b"" at an end; for INPUT, that it has been written."""
        self._orders: SimpleQueue[bytes | None] = SimpleQueue()
        self._kept = bytearray(), bytearray()
        self._ends: list[int] = []
        """The pipes that have ended, which is not told yet."""
        self._came, self._taken = [0, 0], [0, 0]
        """Bytes of each pipe that a thread has read, and that were asked for."""
        self._is_wanted = threading.Event(), threading.Event()
        self._given = self._written = 0
        """Bytes that are to be written, and of these those that are."""
        self._most_given = CHUNK
        self._is_input_gone = self._is_closed = False
        work = [(self._listen, OUTPUT, stdout), (self._listen, ERRORS, stderr), (self._tell, INPUT, stdin)]
        self._threads = [threading.Thread(target=one, args=words, daemon=True, name="pipe") for one, *words in work]
        for thread in self._threads:
            thread.start()

    def _listen(self, which: int, file: IO[bytes]) -> None:
        """Read to the end; what nobody asks for is read seldom, and no more of it than a pipe holds."""
        data, wanted, worth = b"-", self._is_wanted[which], WORTH_READING
        while data and not self._is_closed:
            try:
                data = os.read(file.fileno(), CHUNK)
            except OSError:  # Windows has errors for some ends
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

    def _tell(self, _which: int, file: IO[bytes]) -> None:
        """Write what is to be written, one after the other."""
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
        """Write what is taken without waiting; return how many bytes. Raises OSError if nobody reads any more."""
        if self._is_input_gone:
            raise BrokenPipeError
        part = bytes(data[: max(0, self._room)])
        if part:
            self._given += len(part)
            self._orders.put(part)
        return len(part)

    def end_input(self) -> None:
        """Close the pipe to the process, once all is written."""
        self._orders.put(None)

    def unread_input(self) -> int:
        """Return how many bytes of its input the process has left unread, without those the system cannot count."""
        return self._given - self._written + _unread_bytes(self._input)

    def wait(self, seconds: float, *, to_write: bool = False) -> bool:
        """Wait until there is output, or an end, or room `to_write` more; return True if there is."""
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
        """How many bytes may be given to the thread that writes."""
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
        """Return what is there of OUTPUT or ERRORS without waiting, b"" at the end, None if nothing is yet."""
        data = bytes(self._kept[which][:CHUNK])
        return data if self._take(which, len(data)) else None

    def _take(self, which: int, size: int) -> bool:
        """Take so many bytes away, or else the end; return True if there was one of them."""
        if not size:
            is_end = which in self._ends
            if is_end:
                self._ends.remove(which)
            return is_end
        del self._kept[which][:size]
        self._taken[which] += size
        self._is_wanted[which].set()
        return True

    def widen(self, *, is_told: bool) -> None:
        """Keep as much as can be of the output, and of the input if much `is_told`."""
        self._most_given = PIPE_BYTES if is_told else CHUNK  # as much as they read is kept at any rate

    def gather(self) -> None:
        """Wait a moment for all that a process has written that has ended."""
        for thread in self._threads[:INPUT]:
            thread.join(JOIN_SECONDS)

    def close(self) -> None:
        """Close them; nothing else may be called then."""
        self._is_closed = True
        self._orders.put(None)
        for wanted in self._is_wanted:
            wanted.set()
        for thread in self._threads:  # they end with their pipe, unless somebody else holds it who has escaped
            thread.join(JOIN_SECONDS)


def _unread_bytes(pipe: IO[bytes]) -> int:
    """Return how many bytes wait in a pipe into which we write; 0 if the system does not tell."""
    if sys.platform == "win32" or not IS_POSIX:
        return 0
    import fcntl
    import termios

    size = bytearray(INT_BYTES)
    with suppress(OSError, ValueError):  # another system, or the input has ended
        fcntl.ioctl(pipe.fileno(), termios.FIONREAD, size)
    return int.from_bytes(size, sys.byteorder)


def open_for_readers(path: str, flags: int) -> int:
    """Open a pipe or a device; a pipe that nobody reads is an error, in place of waiting for ever. Raises OSError."""
    if IS_WINDOWS:  # its files are no pipes
        return os.open(path, flags)
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    return descriptor


class ClosedPipe:
    """Return True if whoever reads from a descriptor of ours has gone, where the system knows it."""

    def __init__(self, descriptor: int) -> None:
        self._poll = select.poll() if IS_POSIX and hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(descriptor, 0)  # poll reports that it is closed without being asked

    def __bool__(self) -> bool:
        return self._poll is not None and bool(self._poll.poll(0))


def is_closed(terminal: int) -> bool:
    """Return True if a terminal was closed while we had it."""
    if IS_WINDOWS:
        return False
    import termios

    try:
        termios.tcgetattr(terminal)
    except (OSError, termios.error):
        return True
    return False


def read_key(seconds: float) -> str:
    """Return the key that is pressed on the terminal, "" if none is for so long."""
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
        tty.setraw(terminal)  # so that Ctrl-C is any other key, too: the run has ended, with its own status
        ready, _, _ = select.select([terminal], [], [], seconds)
        return os.read(terminal, 1).decode("ascii", "replace") if ready else ""
    finally:
        # The rest of an arrow key's sequence is not to be typed into the shell.
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
