"""Ask an engine ahead: another process of it gets the questions of many positions before its first answer.

An answer that differs from the right one is not yet a fault here: it is a doubt, which the caller looks into.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ..asking_ahead import AheadStream, Collected, Opened
from ..base import EngineError, NotAhead
from ..call import EngineCall
from ..engine import Engine
from .runner import CallRunner

if TYPE_CHECKING:
    from ....generator.drawing.drawn import Drawn

BLOCKS_BEFORE = 4
"""How many blocks a process remembers, for answers that are doubted and do not come again alone."""


@dataclass(frozen=True)
class AskedAnew:
    """What a new process has made of blocks that another one was asked about before."""

    is_last_doubtful: bool
    """Whether its answer about the last position is a doubt, too, or it fails there or right behind it."""
    trouble: EngineError | None
    """What it failed with, wherever that was."""


class AheadClient:
    """One process of an engine that is asked ahead. Raises Interrupted where its runner is stopped."""

    def __init__(self, engine: Engine, runner: CallRunner, seconds: float | None, *, chess960: bool) -> None:
        """Start the process, in which an answer may take so many seconds; without a limit if None. Raises NotAhead.

        With `chess960` it will be asked about Chess960.
        """
        self._runner, self._seconds = runner, seconds
        self._ahead = partial(engine.ahead, chess960=chess960)
        self._opened = self._open()
        self._is_usable = True
        self.asked: deque[Drawn] = deque(maxlen=BLOCKS_BEFORE)
        """The latest blocks that the process was asked about, as far as it has answered, and one position more."""

    @property
    def min_depth(self) -> int:
        """The least depth that it counts."""
        return self._opened.min_depth

    @property
    def max_depth(self) -> int:
        """The deepest that it counts."""
        return self._opened.max_depth

    @property
    def under_way(self) -> int:
        """How many blocks it was asked about that have not been collected."""
        return self._stream.under_way

    def castles_to_rook(self, chess960: bool) -> bool:
        """Tell whether it writes castling as king takes rook."""
        return self._opened.castles_to_rook[chess960]

    def get_ready(self) -> None:
        """Start the process anew where it has failed or was stopped, or blocks are under way. Raises EngineError."""
        if self._stream.under_way or not self._is_usable:
            self.restart()

    def restart(self) -> None:
        """Start the process anew: whatever was submitted is forgotten. Raises EngineError."""
        self._runner.call(self._stream.start, self._seconds)
        self._is_usable = True
        self.asked.clear()

    def replace_process(self) -> None:
        """Go on with another process, which nobody has asked about anything. Raises NotAhead."""
        opened = self._open()
        self.close()
        self._opened = opened
        self._is_usable = True
        self.asked.clear()

    def submit(self, drawn: Drawn) -> None:
        """Ask about a block."""
        self._stream.submit(drawn)

    def collect(self) -> Collected:
        """Return what has become of the block that was submitted first. After trouble, get ready again."""
        self._is_usable, collected = False, self._runner.call(self._collect)
        self._is_usable = collected.trouble is None
        drawn, answered = collected.drawn, collected.answered
        self.asked.append(drawn if self._is_usable else drawn.part(0, min(answered + 1, len(drawn))))
        return collected

    def withdraw(self) -> list[Drawn]:
        """Return the blocks that are under way after trouble: the process says nothing about them any more."""
        return [self.collect().drawn for _ in range(self._stream.under_way)]

    def recover(self, rest: Drawn) -> None:
        """After trouble, start the process anew, and submit the rest of the block and what waits behind it.

        Raises EngineError.
        """
        waiting = [rest, *self.withdraw()]
        self.get_ready()
        for drawn in filter(len, waiting):
            self.submit(drawn)

    def ask_anew(self, blocks: Sequence[Drawn]) -> AskedAnew:
        """Ask a new process about blocks, and tell what it makes of their last position. Raises EngineError."""
        self.restart()
        for drawn in blocks:
            self.submit(drawn)
        last = len(blocks[-1]) - 1
        for number, _ in enumerate(blocks, 1):
            collected = self.collect()
            if collected.trouble is not None:
                is_last = number == len(blocks) and collected.answered >= last
                return AskedAnew(is_last, collected.trouble)
        return AskedAnew(last in collected.doubtful, None)

    def close(self) -> None:
        """End the process."""
        self._stream.close()

    @property
    def _stream(self) -> AheadStream:
        return self._opened.stream

    def _open(self) -> Opened:
        try:
            return self._runner.call(self._ahead, self._seconds)
        except EngineError as error:
            raise NotAhead(f"it fails a trial: {error}") from None

    def _collect(self, call: EngineCall) -> Collected:
        call.on_stop(self._stream.interrupt)
        return self._stream.collect()
