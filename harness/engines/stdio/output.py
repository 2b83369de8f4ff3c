"""What a process writes: its stdout as lines, and its stderr, of which one line tells why the process ended."""

from __future__ import annotations

import re
from collections import deque

BLOCK = 65_536
"""Bytes that become lines at once: short lines take fifty times the memory of their bytes."""
KEPT_FIRST, KEPT_LAST = 20_000, 4_000
"""Bytes that are kept of the beginning, where some programs write their answer, and of the end."""

LONGEST_SHOWN = 200
"""Characters of a line in a message."""
FIRST, LAST = 0, -1
_TELLING = (
    (r"panicked at", FIRST),  # Rust
    (r"^panic: |^fatal error: ", FIRST),  # Go
    (r"^\s*what\(\):", FIRST),  # C++, an exception that nobody has caught
    (r"^SUMMARY: \w+Sanitizer: ", FIRST),  # C and C++, sanitizers; clang has one where only branches are counted, too
    (r"\w+Sanitizer: |runtime error: ", FIRST),
    (r"[Aa]ssertion.* failed", FIRST),  # C, C++
    (r"^Caused by: ", LAST),  # Java, the cause of the exception that was not caught
    (r"^Exception in thread|^Unhandled exception", FIRST),  # Java, C#
    (r"^(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*)?(?:Error|Exception|Exit|Interrupt)\b", LAST),  # Python, JavaScript
    (r"^terminate called", FIRST),  # C++, where nothing else is said
    (r"^(?:info string )?(?i:error|fatal|illegal|invalid)\b", FIRST),  # what its author writes
)
"""Lines that say what happened, the most telling first, and which of several that look alike."""
_NUMBERS = re.compile(r"^==\d+==\s*|(?<=') \(\d+\)(?= panicked at)")
"""The number of the process or thread, by which the same crash would look different each time."""


def printable(line: str) -> str:
    """Return a line of an engine as it may stand in a message: short, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in line[:1_000]).strip()[:LONGEST_SHOWN]


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


class LastWords:
    """The beginning and the end of what a process has written to stderr."""

    def __init__(self) -> None:
        self._first = self._last = b""

    def take(self, data: bytes) -> None:
        """Take in what was written."""
        room = KEPT_FIRST - len(self._first)
        self._first += data[:room]
        self._last = (self._last + data[room:])[-KEPT_LAST:]

    @property
    def text(self) -> str:
        """What is kept."""
        return (self._first + (b"\n" if len(self._last) == KEPT_LAST else b"") + self._last).decode(errors="replace")

    def telling_line(self, output: bytes = b"") -> str:
        """Return the line that says what happened, as it may stand in a message; "" if nothing was said.

        Some programs say it in the last line of their stdout, `output`.
        """
        lines = [line for line in self.text.splitlines() if line.strip()]
        if len(self._last) == KEPT_LAST and not self._last.endswith(b"\n"):
            lines = lines[:-1] or lines  # in a flood the last line is cut off anywhere
        last = output.decode(errors="replace")
        if not lines and any(re.search(pattern, last[:1_000]) for pattern, _ in _TELLING):
            lines = [last]
        for pattern, which in _TELLING:
            places = [place for place, line in enumerate(lines) if re.search(pattern, line[:1_000])]
            if places:
                line, *after = lines[places[which] :]
                follows = after[0] if line.rstrip().endswith(":") and after else ""
                return printable(_NUMBERS.sub("", f"{line.strip()} {follows.strip()}"))
        return printable(_NUMBERS.sub("", lines[-1])) if lines else ""
