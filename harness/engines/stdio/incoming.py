"""What a process has written and nobody has read yet: bytes, of which a few at a time become lines."""

from __future__ import annotations

from collections import deque

BLOCK = 65_536
"""Bytes that become lines at once: short lines take fifty times the memory of their bytes."""


class Incoming:
    """The output of a process on its way to who reads it. An empty line is none."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._lines: deque[bytes] = deque()
        self.received = 0
        """Bytes that have come since `clear`."""
        self.unended = 0
        """The length of the last line as far as it has come, without its newline."""

    @property
    def has_more(self) -> bool:
        """Whether there are lines that `split` has yet to find."""
        return len(self._bytes) > self.unended

    @property
    def has_line(self) -> bool:
        """Whether `split` has found a line that is not read yet."""
        return bool(self._lines)

    def clear(self) -> None:
        """Forget everything that has come."""
        self._bytes.clear()
        self._lines.clear()
        self.received = self.unended = 0

    def take(self, data: bytes) -> None:
        """Take in what was written."""
        data = data.replace(b"\r", b"\n")
        self.received += len(data)
        self._bytes += data
        behind = len(data) - 1 - data.rfind(b"\n")
        self.unended = behind if behind < len(data) else self.unended + behind

    def split(self) -> None:
        """Let the next bytes become lines, whole ones only."""
        end = len(self._bytes) - self.unended
        if end > BLOCK:
            end = (self._bytes.rfind(b"\n", 0, BLOCK) + 1) or (self._bytes.find(b"\n", BLOCK) + 1)
        self._lines.extend(line for line in bytes(self._bytes[:end]).split(b"\n") if line)
        del self._bytes[:end]

    def end_line(self) -> None:
        """Let all that is left become lines, the last one without a newline."""
        self.take(b"\n")

    def line(self) -> bytes | None:
        """Return the next line that `split` has found, or None."""
        return self._lines.popleft() if self._lines else None
