"""A UCI session that reads commands while it counts, so that `stop` works.

One thread reads lines, another executes commands in order, and the main thread writes all answers, so that it can
always be interrupted by Ctrl-C. The generator takes a second to import, so it is loaded after the greeting.
"""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread

from ... import __version__
from ...errors import UsageError, shorten
from ...platforms.streams import ClosedPipe
from ..engines.call import EngineCall
from ..shutdown import POLL_SECONDS

Words = Sequence[str]
Say = Callable[[str], None]
"""A function that writes the first lines of an answer."""
Answer = Callable[[Words, EngineCall, Say], str]
"""A function that returns the rest of the answer to a command."""
MOST_THREADS, MOST_MIB = 1024, 2**25
"""Stockfish's upper bounds for the options Threads and Hash."""
DECLARATIONS = f"""\
option name Threads type spin default 1 min 1 max {MOST_THREADS}
option name Hash type spin default 16 min 1 max {MOST_MIB}
option name UCI_Chess960 type check default false
"""
BANNER = f"perft-check {__version__}, which counts and does not search\n"
"""The first line. Tools made for Stockfish skip one line before they read answers."""
NAME = f"perft-check {__version__}"
GREETING = f"id name {NAME}\nid author the authors of perft-check\n\n{DECLARATIONS}uciok\n"
COUNTS = ("go", "perft")
"""Commands that may take a long time."""
MOST_SECONDS_TO_END = 2.0
"""Time in seconds that the session waits at its end for a stopped count to return."""
LONGEST_LINE = 1_000_000
"""Maximum length of a line in bytes, a hundred times what the longest possible game needs."""
CHUNK = 65_536
LONGEST_INFO = 400
"""Maximum length of an `info string` in characters."""


def lines_of(descriptor: int) -> Iterator[str | None]:
    """Yield the lines of a file descriptor without line endings, and None for each line that is too long.

    The last line may be incomplete. Raises OSError.
    """
    kept = b""
    while chunk := os.read(descriptor, CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield _text(kept + part)
            kept = b""
        if len(kept) <= LONGEST_LINE:
            kept += rest
    if kept:
        yield _text(kept)


def _text(line: bytes) -> str | None:
    return line.decode(errors="replace") if len(line) <= LONGEST_LINE else None


class Output:
    """An unbuffered output. The lock of a buffer could prevent Ctrl-C from ending the program."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_closed = ClosedPipe(descriptor)

    def write(self, text: str) -> None:
        """Write a text. Raises OSError."""
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._descriptor, data) :]

    @property
    def is_closed(self) -> bool:
        """Whether the reader is known to have closed its end."""
        return bool(self._is_closed)


def info(text: str) -> str:
    """Return an `info string` line."""
    return f"info string {shorten(text, LONGEST_INFO)}\n"


@dataclass(frozen=True)
class Job:
    """A queued command, and the call that stops it."""

    words: Words
    call: EngineCall = field(default_factory=EngineCall)


class Session:
    """A session from its first line to `quit` or the end of the input."""

    def __init__(
        self, lines: Iterable[str | None], output: Output, load: Callable[[], Answer], name: str = NAME
    ) -> None:
        """Create a session. `load` loads the generator on first use, and `name` is the engine's name."""
        self._lines, self._output, self._load = lines, output, load
        self._greeting = GREETING.replace(NAME, name, 1)
        self._events: SimpleQueue[Callable[[], None]] = SimpleQueue()
        """Actions for the main thread, queued by the other two."""
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._unfinished: deque[Job] = deque()
        self._listening = True

    def answer_all(self) -> None:
        """Answer all commands until `quit` or the end of the input, as Stockfish does.

        Raises OSError if the output cannot be written, and UsageError if the input cannot be read.
        """
        worker = Thread(target=self._work, daemon=True, name="counts")
        Thread(target=self._read, daemon=True, name="input").start()
        worker.start()
        try:
            self._output.write(BANNER)
            while self._listening or self._unfinished:
                self._next_event()()
        finally:
            self._stop()
            self._jobs.put(None)
            worker.join(MOST_SECONDS_TO_END)

    def _read(self) -> None:
        failure = None
        try:
            for line in self._lines:
                self._events.put(partial(self._hear, line))
        except OSError as error:
            failure = error
        self._events.put(partial(self._end_input, failure))

    def _work(self) -> None:
        answer: Answer | None = None
        for job in iter(self._jobs.get, None):
            try:
                answer = answer or self._load()
                text = answer(job.words, job.call, lambda part: self._events.put(partial(self._output.write, part)))
            except BaseException as fault:
                self._events.put(partial(self._end_job, "", fault))
            else:
                self._events.put(partial(self._end_job, text))

    def _next_event(self) -> Callable[[], None]:
        """Wait for an event. Raises BrokenPipeError if the reader closes its end during a long count."""
        while self._unfinished:
            try:
                return self._events.get(timeout=POLL_SECONDS)
            except Empty:
                if self._output.is_closed:
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
        return self._events.get()

    def _end_job(self, text: str, fault: BaseException | None = None) -> None:
        """Remove a job from the queue, then write the rest of its answer, to which the client may react immediately."""
        self._unfinished.popleft()
        if fault is not None:
            raise fault
        self._output.write(text)

    def _end_input(self, failure: OSError | None) -> None:
        self._listening = False
        if failure is not None:
            raise UsageError(f"cannot read stdin: {failure.strerror}")

    def _hear(self, line: str | None) -> None:
        """Answer urgent commands immediately and queue the others."""
        if not self._listening:
            return
        if line is None:
            self._output.write(info(f"a line of more than {LONGEST_LINE:,} bytes is ignored"))
            return
        words = line.split()
        match words:
            case []:
                pass
            case ["quit", *_]:
                self._listening = False
            case ["stop", *_]:
                self._stop()
            case ["uci", *_]:
                self._output.write(self._greeting)
            case ["isready", *_] if not self._unfinished or self._is_counting:
                self._output.write("readyok\n")
            case [first, *_] if not first.startswith("#"):
                self._unfinished.append(Job(words))
                self._jobs.put(self._unfinished[-1])

    @property
    def _is_counting(self) -> bool:
        return any(job.words[0] in COUNTS for job in self._unfinished)

    def _stop(self) -> None:
        for job in self._unfinished:
            job.call.stop()
