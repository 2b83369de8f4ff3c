"""A session with a GUI or a tool: it reads commands while counts are under way, and can stop these.

One thread reads lines, another one works commands off in their order, and the main thread writes all answers. So
Ctrl-C always reaches it, and `stop` a count.
"""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from ... import __version__
from ...errors import UsageError
from ..engines.call import EngineCall
from ..model.shutdown import POLL_SECONDS
from .protocol import DECLARATIONS, LONGEST_LINE, Output, info

if TYPE_CHECKING:
    from .answering import Answers

BANNER = f"perft-check {__version__}, which counts and does not search\n"
"""The first line: tools that ask Stockfish leave out one line before they read answers."""
NAME = f"perft-check {__version__}"
GREETING = f"id name {NAME}\nid author the authors of perft-check\n\n{DECLARATIONS}uciok\n"
COUNTS = ("go", "perft")
"""Commands that may take long."""
MOST_SECONDS_TO_END = 2.0
"""How long a count may take to notice that it is stopped, when the session ends early."""


@dataclass(frozen=True)
class Search:
    """A command to be worked off in its turn, and how it is stopped."""

    words: Sequence[str]
    call: EngineCall = field(default_factory=EngineCall)


@dataclass(frozen=True)
class _InputLine:
    line: str | None
    """None: it is too long."""


@dataclass(frozen=True)
class _InputEnd:
    """The end of the input, or the failure to read it."""

    failure: OSError | None = None


@dataclass(frozen=True)
class _AnswerPart:
    """A part of an answer that is not complete yet."""

    text: str


@dataclass(frozen=True)
class _JobEnd:
    """The end of a job, with the end of its answer: what its reader asks next is asked after it.

    Or the fault of ours that has ended it.
    """

    text: str = ""
    fault: BaseException | None = None


_Event = _InputLine | _InputEnd | _AnswerPart | _JobEnd


class Session:
    """A session from its first line to `quit` or the end of the input."""

    def __init__(
        self, lines: Iterable[str | None], output: Output, load: Callable[[], Answers], name: str = NAME
    ) -> None:
        """Take the lines to be heard, where answers go, what loads the generator once it is needed, and its name."""
        self._lines, self._output, self._load = lines, output, load
        self._greeting = GREETING.replace(NAME, name, 1)
        self._events: SimpleQueue[_Event] = SimpleQueue()
        self._jobs: SimpleQueue[Search | None] = SimpleQueue()
        self._unfinished: deque[Search] = deque()
        self._listening = True

    def answer_all(self) -> None:
        """Answer, as Stockfish does, all that was asked before the end. Raises OSError where nobody reads, UsageError
        where the input cannot be read.
        """
        worker = Thread(target=self._work, daemon=True, name="counts")
        Thread(target=self._read, daemon=True, name="input").start()
        worker.start()
        try:
            self._output.write(BANNER)
            while self._listening or self._unfinished:
                self._take(self._next_event())
        finally:
            self._stop()
            self._jobs.put(None)
            worker.join(MOST_SECONDS_TO_END)

    def _read(self) -> None:
        try:
            for line in self._lines:
                self._events.put(_InputLine(line))
        except OSError as failure:
            self._events.put(_InputEnd(failure))
        else:
            self._events.put(_InputEnd())

    def _work(self) -> None:
        answers: Answers | None = None
        for job in iter(self._jobs.get, None):
            try:
                answers = answers or self._load()
                text = answers.to(job.words, job.call, lambda part: self._events.put(_AnswerPart(part)))
            except BaseException as fault:
                self._events.put(_JobEnd(fault=fault))
            else:
                self._events.put(_JobEnd(text))

    def _next_event(self) -> _Event:
        """Wait for an event. A reader that has gone does not leave a long count behind: raises BrokenPipeError."""
        while self._unfinished:
            try:
                return self._events.get(timeout=POLL_SECONDS)
            except Empty:
                if self._output.is_closed:
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
        return self._events.get()

    def _take(self, event: _Event) -> None:
        match event:
            case _InputLine(line):
                if self._listening:
                    self._hear(line)
            case _AnswerPart(text):
                self._output.write(text)
            case _JobEnd(text, fault):
                self._unfinished.popleft()
                if fault is not None:
                    raise fault
                self._output.write(text)
            case _InputEnd(failure):
                self._listening = False
                if failure is not None:
                    raise UsageError(f"cannot read stdin: {failure.strerror}")

    def _hear(self, line: str | None) -> None:
        """Answer at once what cannot wait; leave the rest to its turn."""
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
                self._unfinished.append(Search(words))
                self._jobs.put(self._unfinished[-1])

    @property
    def _is_counting(self) -> bool:
        return any(job.words[0] in COUNTS for job in self._unfinished)

    def _stop(self) -> None:
        for job in self._unfinished:
            job.call.stop()
