"""Engines that speak UCI and know `go perft N`, such as Stockfish, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time

from ...generator.position import Position
from ..task import Task
from .base import EngineCrash, EngineGarbage, EngineRejection, EngineTimeout
from .castling import as_king_takes_rook

HANDSHAKE_SECONDS = 10.0
SILENCE_SECONDS = 600.0
"""How long an engine may count without printing a line."""

_DIVIDE = re.compile(r"\s*([a-h][1-8][a-h][1-8][nbrq]?)\s*:\s*(\d+)\s*")
_TOTAL = re.compile(r"\s*nodes searched\s*:\s*(\d+)\s*", re.IGNORECASE)


class UciEngine:
    """A UCI process, started at the first question and again after a crash."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    def notice(self) -> str | None:
        """There is nothing to wait for."""
        return None

    def start(self, task: Task) -> None:
        """Start the process and wait for its `uciok`."""
        self._start(task)

    def perft(self, position: Position, depth: int, task: Task) -> int:
        """Return the total that the engine prints."""
        if depth == 0:
            return 1  # many engines take depth 0 for a search without end
        total, _ = self._ask(position, depth, task)
        return total

    def divide(self, position: Position, depth: int, task: Task) -> dict[str, int]:
        """Return the engine's own divide; raises EngineGarbage if it does not add up to its total."""
        total, counts = self._ask(position, depth, task)
        if not task.stopped and sum(counts.values()) != total:
            raise EngineGarbage(
                f"{self.name} contradicts itself: its total is {total}, its divide adds up to {sum(counts.values())}"
            )
        return counts

    def close(self) -> None:
        """End the process and whatever it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError, ValueError):
            if process.stdin is not None:
                process.stdin.write("quit\n")
                process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        _kill(process)

    def _ask(self, position: Position, depth: int, task: Task) -> tuple[int, dict[str, int]]:
        if self._process is None or self._process.poll() is not None:
            self._start(task)
        process = self._process
        assert process is not None, "just started"
        task.on_stop(lambda: _kill(process))
        self._send(f"setoption name UCI_Chess960 value {'true' if position.chess960 else 'false'}")
        self._send(f"position fen {position.fen()}")
        self._send(f"go perft {depth}")
        counts: dict[str, int] = {}
        while True:
            line = self._read(SILENCE_SECONDS, task)
            if line is None:
                return 0, {}
            if match := _DIVIDE.fullmatch(line):
                move = as_king_takes_rook(position, match[1])
                if move in counts:
                    raise EngineGarbage(f"{self.name} lists {match[1]} twice")
                counts[move] = int(match[2])
                task.add(int(match[2]))
            elif match := _TOTAL.fullmatch(line):
                return int(match[1]), counts
            elif "invalid" in line.lower() or "illegal" in line.lower():
                raise EngineRejection(f"{self.name} refuses the position: {line.strip()}")

    def _start(self, task: Task) -> None:
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                errors="replace",
                bufsize=1,
                start_new_session=True,
            )
        except OSError as error:
            raise EngineCrash(f"{self.name} does not start: {error.strerror or error}") from None
        self._process = process
        self._lines = queue.Queue()
        threading.Thread(target=_pump, args=(process, self._lines), daemon=True).start()
        self._send("uci")
        while (line := self._read(HANDSHAKE_SECONDS, task)) is not None:
            if line.strip() == "uciok":
                return

    def _send(self, line: str) -> None:
        process = self._process
        assert process is not None, "started before anything is sent"
        assert process.stdin is not None, "its input is a pipe"
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
        except (OSError, ValueError):
            raise EngineCrash(self._epitaph()) from None

    def _read(self, seconds: float, task: Task) -> str | None:
        """Return the next line, or None once the task is stopped."""
        deadline = time.monotonic() + seconds
        while not task.stopped:
            try:
                line = self._lines.get(timeout=0.05)
            except queue.Empty:
                if time.monotonic() < deadline:
                    continue
                self.close()
                raise EngineTimeout(f"{self.name} has not answered for {seconds:g} seconds") from None
            if line is None:
                raise EngineCrash(self._epitaph())
            return line
        return None

    def _epitaph(self) -> str:
        process, self._process = self._process, None
        assert process is not None, "only a started engine can die"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        _kill(process)
        status = process.returncode
        if status is not None and status < 0:
            return f"{self.name} was killed by {signal.Signals(-status).name}"
        return f"{self.name} ended with status {status}"


def _pump(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None, "its output is a pipe"
    with contextlib.suppress(ValueError, OSError):
        for line in process.stdout:
            lines.put(line)
    lines.put(None)


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill the process and everything else in its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
