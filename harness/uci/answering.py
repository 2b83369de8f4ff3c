"""What is answered to commands in their order: the position and the options that they set, and counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...errors import UsageError, did_you_mean
from ...generator.counting.counter import Kernel
from ...generator.counting.leaves import root_counts
from ...generator.counting.table import Table
from ...generator.position import Position
from ..engines.task import Task
from .commands import position_of, show_position
from .counting import Say, count, depth_of
from .lines import info
from .options import Options, with_option

Words = Sequence[str]

NOTHING_TO_DO = ("ucinewgame", "debug", "register", "ponderhit")
"""Commands of the protocol that change nothing about counts."""
OUT_OF_ORDER = ("uci", "stop", "quit")
"""Commands that do not wait for their turn, and so do not come here."""


class Answers:
    """The answers to commands that are given one after the other."""

    def __init__(self, kernel: Kernel) -> None:
        """Begin with the starting position, to be counted by a kernel."""
        self._kernel = kernel
        self._options = Options()
        self._table: Table | None = None
        self._position = Position.start()
        self._commands: dict[str, Callable[[Words, Task, Say], str]] = {
            "isready": lambda *_: "readyok\n",
            "setoption": self._set_option,
            "position": self._set_up,
            "d": lambda *_: show_position(self._position),
            "go": self._go,
            "perft": self._count,
            **dict.fromkeys(NOTHING_TO_DO, lambda *_: ""),
        }

    def to(self, words: Words, task: Task, say: Say) -> str:
        """Return the answer to a command, or its end where the rest has been said.

        A command that cannot be followed changes nothing: a line says why.
        """
        command = self._commands.get(words[0])
        try:
            if command is None:
                known = (*OUT_OF_ORDER, *self._commands)
                raise UsageError(f"unknown command {words[0]!r}: {did_you_mean(words[0], known)}")
            return command(words[1:], task, say)
        except UsageError as error:
            return info(str(error))

    def _set_option(self, words: Words, _task: Task, _say: Say) -> str:
        options = with_option(self._options, words)
        if options.hash_mib is not None and options.hash_mib != self._options.hash_mib:
            if self._kernel == "list":
                raise UsageError("option Hash is for own:turbo and own:two-plies: counts go on without a table")
            self._table = Table(options.hash_mib << 20)
        self._options = options
        return ""

    def _set_up(self, words: Words, _task: Task, _say: Say) -> str:
        self._position = position_of(words, self._options.chess960)
        return ""

    def _go(self, words: Words, task: Task, say: Say) -> str:
        """Count. A search, which a GUI may ask for, ends at once without a move."""
        if "perft" in words:
            return self._count(words[words.index("perft") + 1 :], task, say)
        return info("perft-check counts and does not search: ask for go perft DEPTH") + "bestmove 0000\n"

    def _count(self, words: Words, task: Task, say: Say) -> str:
        counts = partial(root_counts, kernel=self._kernel, threads=self._options.threads, table=self._table)
        return count(self._position, depth_of(words), counts, task, say)
