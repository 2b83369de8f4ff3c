"""A session with a GUI or a tool: it reads commands while counts are under way, and can stop them.

One thread reads lines, another one carries out commands in their order, and the main thread writes all answers. So
Ctrl-C always reaches the main thread, and `stop` a count. Nothing here needs the generator, which takes a second to
load: a GUI is greeted before that.
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
"""Takes a part of an answer, whole lines, before the answer is complete."""
Answer = Callable[[Words, EngineCall, Say], str]
"""Returns the end of the answer to a command."""
MOST_THREADS, MOST_MIB = 1024, 2**25
"""The bounds of Stockfish for its options Threads and Hash."""
DECLARATIONS = f"""\
option name Threads type spin default 1 min 1 max {MOST_THREADS}
option name Hash type spin default 16 min 1 max {MOST_MIB}
option name UCI_Chess960 type check default false
"""
BANNER = f"perft-check {__version__}, which counts and does not search\n"
"""The first line: tools that ask Stockfish skip one line before they read answers."""
NAME = f"perft-check {__version__}"
GREETING = f"id name {NAME}\nid author the authors of perft-check\n\n{DECLARATIONS}uciok\n"
COUNTS = ("go", "perft")
"""Commands that may take long."""
MOST_SECONDS_TO_END = 2.0
"""How long a count may take to notice that it is stopped when the session ends early."""
LONGEST_LINE = 1_000_000
"""Bytes of a line: a hundred times what the longest possible game needs."""
CHUNK = 65_536
LONGEST_INFO = 400
"""Characters of an `info string`."""


def lines_of(descriptor: int) -> Iterator[str | None]:
    """Yield the lines of a file descriptor without their ends, and None for a line that is too long. Raises OSError.

    The last line may have no end.
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
    """A file descriptor to write to. A buffer has a lock, which could keep Ctrl-C from ending the program."""

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
        """Whether the reader is known to have gone."""
        return bool(self._is_closed)


def info(text: str) -> str:
    """Return a line for the reader that is no answer."""
    return f"info string {shorten(text, LONGEST_INFO)}\n"


@dataclass(frozen=True)
class Job:
    """A command that waits for its turn, and the means to stop it."""

    words: Words
    call: EngineCall = field(default_factory=EngineCall)


class Session:
    """A session from its first line to `quit` or the end of the input."""

    def __init__(
        self, lines: Iterable[str | None], output: Output, load: Callable[[], Answer], name: str = NAME
    ) -> None:
        """Take the lines to read, where answers go, what loads the generator on first use, and the engine's name."""
        self._lines, self._output, self._load = lines, output, load
        self._greeting = GREETING.replace(NAME, name, 1)
        self._events: SimpleQueue[Callable[[], None]] = SimpleQueue()
        """What the main thread has to do for the other two."""
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._unfinished: deque[Job] = deque()
        self._listening = True

    def answer_all(self) -> None:
        """Answer everything that was asked before the end, as Stockfish does.

        Raises OSError if the output cannot be written, UsageError if the input cannot be read.
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
        """Wait for an event. Raises BrokenPipeError if the reader has gone during a long count."""
        while self._unfinished:
            try:
                return self._events.get(timeout=POLL_SECONDS)
            except Empty:
                if self._output.is_closed:
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
        return self._events.get()

    def _end_job(self, text: str, fault: BaseException | None = None) -> None:
        """Write the end of an answer. The job is finished before: what the reader asks next is asked after it."""
        self._unfinished.popleft()
        if fault is not None:
            raise fault
        self._output.write(text)

    def _end_input(self, failure: OSError | None) -> None:
        self._listening = False
        if failure is not None:
            raise UsageError(f"cannot read stdin: {failure.strerror}")

    def _hear(self, line: str | None) -> None:
        """Answer immediately what cannot wait; queue the rest."""
        if not self._listening:
            return
        if line is None:
            self._output.write(info(f"a line of more than {LONGEST_LINE:,} bytes is left out"))
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
