"""The output of a process: stdout as lines, and the line of stderr that explains why the process exited."""

from __future__ import annotations

import re
from collections import deque

BLOCK = 65_536
"""Number of bytes to split into lines at a time. Short lines take fifty times the memory once they are split."""
KEPT_FIRST, KEPT_LAST = 20_000, 4_000
"""Bytes of stderr to keep from the start, where some programs write their answer, and from the end."""

LONGEST_SHOWN = 200
"""Maximum number of characters of a line in a message."""
FIRST, LAST = 0, -1
_TELLING = (
    (r"panicked at", FIRST),  # Rust
    (r"^panic: |^fatal error: ", FIRST),  # Go
    (r"^\s*what\(\):", FIRST),  # C++, an uncaught exception
    (r"^SUMMARY: \w+Sanitizer: ", FIRST),  # C and C++, sanitizers
    (r"\w+Sanitizer: |runtime error: ", FIRST),
    (r"[Aa]ssertion.* failed", FIRST),  # C, C++
    (r"^Caused by: ", LAST),  # Java, the cause of an uncaught exception
    (r"^Exception in thread|^Unhandled exception", FIRST),  # Java, C#
    (r"^(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*)?(?:Error|Exception|Exit|Interrupt)\b", LAST),  # Python, JavaScript
    (r"^terminate called", FIRST),  # C++, without an exception
    (r"^(?:info string )?(?i:error|fatal|illegal|invalid)\b", FIRST),  # messages written by the engine's author
)
"""Patterns of lines that explain a failure, most informative first, and which matching line to use."""
_NUMBERS = re.compile(r"^==\d+==\s*|(?<=') \(\d+\)(?= panicked at)")
"""The ID of a process or thread, which would make identical crashes look different."""


def printable(line: str) -> str:
    """Return a line of output for use in a message: shortened, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in line[:1_000]).strip()[:LONGEST_SHOWN]


class Incoming:
    """A buffer that splits output into lines and drops empty lines."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._lines: deque[bytes] = deque()
        self.received = 0
        """Bytes received since `clear`."""
        self.unended = 0
        """Length of the last, incomplete line."""

    @property
    def has_more(self) -> bool:
        """Whether there are complete lines that have not been split off."""
        return len(self._bytes) > self.unended

    @property
    def has_line(self) -> bool:
        """Whether `line` has a line to return."""
        return bool(self._lines)

    def clear(self) -> None:
        """Clear the buffer."""
        self._bytes.clear()
        self._lines.clear()
        self.received = self.unended = 0

    def take(self, data: bytes) -> None:
        """Append output."""
        data = data.replace(b"\r", b"\n")
        self.received += len(data)
        self._bytes += data
        behind = len(data) - 1 - data.rfind(b"\n")
        self.unended = behind if behind < len(data) else self.unended + behind

    def split(self) -> None:
        """Split off the next complete lines."""
        end = len(self._bytes) - self.unended
        if end > BLOCK:
            end = (self._bytes.rfind(b"\n", 0, BLOCK) + 1) or (self._bytes.find(b"\n", BLOCK) + 1)
        self._lines.extend(line for line in bytes(self._bytes[:end]).split(b"\n") if line)
        del self._bytes[:end]

    def end_line(self) -> None:
        """Terminate the last line as if a newline had followed."""
        self.take(b"\n")

    def line(self) -> bytes | None:
        """Return the next line that was split off, or None."""
        return self._lines.popleft() if self._lines else None


class LastWords:
    """The start and the end of the stderr of a process."""

    def __init__(self) -> None:
        self._first = self._last = b""

    def take(self, data: bytes) -> None:
        """Append output."""
        room = KEPT_FIRST - len(self._first)
        self._first += data[:room]
        self._last = (self._last + data[room:])[-KEPT_LAST:]

    @property
    def text(self) -> str:
        """The part that was kept."""
        return (self._first + (b"\n" if len(self._last) == KEPT_LAST else b"") + self._last).decode(errors="replace")

    def telling_line(self, output: bytes = b"") -> str:
        """Return the line that explains a failure, for use in a message, or "" if there is none.

        `output` is the last line of stdout, in which some programs explain the failure.
        """
        lines = [line for line in self.text.splitlines() if line.strip()]
        if len(self._last) == KEPT_LAST and not self._last.endswith(b"\n"):
            lines = lines[:-1] or lines  # the last line may be truncated if there is much output
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
