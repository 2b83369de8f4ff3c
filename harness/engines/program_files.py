"""Explain why a file cannot be started as a program and what to write instead, based on its content."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ...errors import did_you_mean
from ...platforms.processes import IS_POSIX
from .command_lines import doctor_command, quote
from .command_words import has_placeholders, join_words
from .spec import COMMANDS

INTERPRETERS = {".py": "python3", ".js": "node", ".sh": "sh", ".rb": "ruby", ".pl": "perl", ".lua": "lua"}
"""Interpreters by file name extension."""
_HEAD = 512
"""Number of bytes at the start of a file that are read to determine its type."""
_LIBRARY = re.compile(r".+\.(?:so(?:\.[0-9]+)*|dylib)", re.IGNORECASE)
"""Names of shared libraries. On Windows, they end in .dll; elsewhere, such a file is a .NET assembly."""


class ProgramFile:
    """A file that a SPEC names as the program of an engine."""

    def __init__(self, spec: str, path: Path, arguments: Sequence[str] = ()) -> None:
        """Store the SPEC, the path of the file, and the arguments that follow it."""
        self._path, self._arguments = path, arguments
        prefix, colon, _ = spec.partition(":")
        self._prefix = f"{prefix}:" if colon and prefix in COMMANDS else ""

    def why_not_started(self) -> str | None:
        """Return the end of a sentence that says why the file cannot be started and what to do, or None if it can."""
        if self._path.is_dir():
            return "is a folder: name the program in it"
        if not self._path.is_file():
            return "is no regular file: name a program"
        try:
            with self._path.open("rb") as file:
                head = file.read(_HEAD)
            why = self._explain_content(head)
        except OSError:  # executable but not readable
            why = None
        return why or self._explain_permissions()

    def is_library(self) -> bool:
        """Return True if the name is that of a shared library."""
        name = self._path.name
        return _LIBRARY.fullmatch(name) is not None or (not IS_POSIX and name.lower().endswith(".dll"))

    def _explain_permissions(self) -> str | None:
        if os.access(self._path, os.X_OK):
            return None
        if os.stat(self._path).st_mode & 0o100:
            return "cannot be executed although it is marked executable: check its owner and the mount option noexec"
        return f"is not executable: run chmod +x {quote(self._typed)}"

    def _explain_content(self, head: bytes) -> str | None:
        """Return a clause about a library, or about text that is no script. The system decides about other files."""
        if not head:
            return "is empty: build it again"
        if self.is_library():
            return f"is a shared library, not a program: write -e {quote(f'lib:{self._typed}')}"
        if b"\0" in head or (head.startswith(b"#!") and b"\r" not in head.splitlines(keepends=True)[0]):
            return None
        why = "has no #! line, so the system cannot start it"
        if head.startswith(b"#!"):
            why = "has Windows line endings, which make its #! line useless"
        interpreter = INTERPRETERS.get(self._path.suffix.lower())
        advice = "build it, or name the interpreter of a script before it"
        return f"{why}; {self._instead(interpreter) if interpreter else advice}"

    def _instead(self, interpreter: str) -> str:
        """Return a clause with the command that runs the file with an interpreter."""
        command = [interpreter, self._typed, *self._arguments]
        if self._prefix or has_placeholders(join_words(command)):
            return f"write -e {quote(f'{self._prefix}{join_words(command)}')}"
        return f"try: {doctor_command('', command)}"

    @property
    def _typed(self) -> str:
        """The path with a leading folder, as typed in a shell."""
        return str(self._path) if self._path.is_absolute() else os.path.join(os.curdir, self._path)


def other_name(path: Path) -> str:
    """Return a phrase that suggests a file with a similar name in the same folder, or "" if there is none."""
    try:
        close = did_you_mean(path.name, [one.name for one in path.parent.iterdir() if one.is_file()], "")
    except OSError:
        return ""
    return f"; {close}" if close else ""
