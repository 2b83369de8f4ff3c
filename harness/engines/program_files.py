"""Explain why a file cannot be started as a program and what to write instead, based on its content."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from ...errors import did_you_mean
from ...platforms.processes import IS_POSIX, has_interpreter
from .command_lines import command_line, doctor_command, quote
from .command_words import has_placeholders, join_words
from .spec import COMMANDS

INTERPRETERS = {
    ".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node", ".sh": "sh", ".bash": "bash", ".jar": "java -jar",
    ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".php": "php", ".jl": "julia", ".dll": "dotnet",
}  # fmt: skip
"""Interpreters by file name extension."""
SOURCES = (
    ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rs", ".go", ".java", ".cs", ".zig", ".ts", ".kt", ".swift", ".nim",
    ".d", ".hs", ".ml", ".adb", ".pas", ".f90", ".asm", ".s",
)  # fmt: skip
"""Extensions of source files that must be compiled."""
_DATA = (
    ".txt", ".md", ".csv", ".tsv", ".epd", ".fen", ".pgn", ".json", ".toml", ".yaml", ".yml", ".xml", ".html", ".log",
)  # fmt: skip
"""Extensions of data files."""
_HEAD = 512
"""Number of bytes at the start of a file that are read to determine its type."""
_WINE = ("wine", "wine64")
"""Programs that run Windows programs on other systems."""
_LIBRARY = re.compile(r".+\.(?:so(?:\.[0-9]+)*|dylib)", re.IGNORECASE)
"""Names of shared libraries. On Windows, they end in .dll; elsewhere, such a file is a .NET assembly."""
_COMPILED = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""First bytes of compiled programs that Linux and macOS can start, if they are for this machine."""


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
        if not head:
            return "is empty: build it again"
        if self.is_library():
            return f"is a shared library, not a program: write -e {quote(f'lib:{self._typed}')}"
        if head.startswith(_COMPILED) or has_interpreter(self._path, head):
            return None
        if head.startswith(b"#!"):
            return self._explain_script(head)
        if head.startswith(b"MZ") and self._path.suffix.lower() not in INTERPRETERS:
            return f"is a program for Windows: build it for this system, or {self._by_wine()}" if IS_POSIX else None
        return self._describe(head)

    def _explain_script(self, head: bytes) -> str | None:
        """Return a clause that says why a file with a #! line cannot be started, or None if it can."""
        line = head.splitlines(keepends=True)[0].decode(errors="replace")
        if line.endswith("\r\n"):
            return f"has Windows line endings, which make its #! line useless; {self._by_interpreter()}"
        interpreter = (line[2:].split() or [""])[0]
        if os.path.exists(interpreter):
            return None
        return f"needs the interpreter {interpreter!r}, which does not exist; {self._by_interpreter()}"

    def _describe(self, head: bytes) -> str:
        """Describe a file that is not compiled for this system and has no #! line."""
        suffix, is_text = self._path.suffix.lower(), b"\0" not in head
        if suffix in INTERPRETERS and not is_text:
            return f"is run by {INTERPRETERS[suffix].split()[0]}; {self._by_interpreter()}"
        if not is_text:
            return f"is not a program for this system: it begins with {repr(head[:8])[1:]}"
        if suffix in SOURCES:
            return f"is source code: build it, then try: {command_line('doctor', '-e', './PROGRAM')}"
        if suffix in _DATA:
            return "is a text file, not a program: give the path of the engine's executable"
        if suffix in INTERPRETERS or os.access(self._path, os.X_OK):
            return f"has no #! line, so the system cannot start it; {self._by_interpreter()}"
        example = quote(f"{self._prefix}{join_words(self._after('python3'))}")
        return f"is a text file, not a program; if it is a script, name its interpreter before it, such as -e {example}"

    def _by_interpreter(self) -> str:
        return self._instead(*INTERPRETERS.get(self._path.suffix.lower(), "sh").split())

    def _by_wine(self) -> str:
        wine = next(filter(shutil.which, _WINE), None)
        return self._instead(wine) if wine else f"install Wine, and then {self._instead(_WINE[0])}"

    def _instead(self, *words: str) -> str:
        """Return a clause with the command to use: `words` and the file."""
        command = self._after(*words)
        if self._prefix or has_placeholders(join_words(command)):
            return f"write -e {quote(f'{self._prefix}{join_words(command)}')}"
        return f"try: {doctor_command('', command)}"

    def _after(self, *words: str) -> list[str]:
        return [*words, self._typed, *self._arguments]

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
