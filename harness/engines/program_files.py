"""Explain why a file cannot be started as a program and what to write instead, based on its content."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

from ...errors import did_you_mean
from ...platforms.processes import has_interpreter
from .binary_files import THIS_SYSTEM, WINDOWS, BinaryFile, Damaged, FileType, read_binary
from .command_lines import command_line, doctor_command, quote
from .command_words import has_placeholders, join_words
from .spec import COMMANDS

INTERPRETERS = {
    ".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node", ".sh": "sh", ".bash": "bash", ".jar": "java -jar",
    ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".php": "php", ".jl": "julia",
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
_ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"(\xb5/\xfd", b"7z\xbc\xaf\x27\x1c", b"Rar!")
_MAGIC = {
    b"!<arch>\n": "is a static library, not a program: link it",
    b"\0asm": "is WebAssembly, which needs a runtime before it, such as wasmtime",
}
"""Descriptions of files by their first bytes, phrased as the end of a sentence."""
_LOADERS = ("ld-", "ld.so", "ld64.so")
"""Prefixes of dynamic loaders, which run the program given as their argument."""
_CLASS_OF_JAVA = b"\xca\xfe\xba\xbe"
_PORTABLE = b"MZqFpD"
"""First bytes of a program for several systems (Cosmopolitan), which a shell can start if the system cannot."""


class ProgramFile:
    """A file that a SPEC gives as the program of an engine."""

    def __init__(self, spec: str, path: Path, arguments: Sequence[str] = ()) -> None:
        """Store the SPEC, the path of the file, and the arguments that follow it."""
        self._path, self._arguments = path, arguments
        prefix, colon, _ = spec.partition(":")
        self._prefix = f"{prefix}:" if colon and prefix in COMMANDS else ""

    def why_not_started(self) -> str | None:
        """Return the end of a sentence on why the file cannot be started and what to do, or None if it can."""
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
        """Return True if the file is a shared library for this machine."""
        try:
            binary = read_binary(self._path) if self._path.is_file() else None  # reading a named pipe might block
        except (OSError, Damaged):
            return False
        return (
            binary is not None
            and binary.type is FileType.LIBRARY
            and not (_describe_platform(binary) or self._is_loader)
        )

    @property
    def _is_loader(self) -> bool:
        return self._path.resolve().name.startswith(_LOADERS)

    def _explain_permissions(self) -> str | None:
        if os.access(self._path, os.X_OK):
            return None
        if os.stat(self._path).st_mode & 0o100:
            return "cannot be executed although it is marked executable: check its owner and the mount option noexec"
        return f"is not executable: run chmod +x {quote(self._typed)}"

    def _explain_content(self, head: bytes) -> str | None:
        if not head:
            return "is empty: build it again"
        if head.startswith(_PORTABLE):
            return None if THIS_SYSTEM == WINDOWS else f"is started by a shell; {self._instead('sh')}"
        try:
            binary = read_binary(self._path)
        except Damaged:
            return "is damaged: it ends before its header does; build or copy it again"
        if binary is not None and binary.type in (FileType.LIBRARY, FileType.OBJECT) and not self._is_loader:
            return self._describe_library(binary)
        if has_interpreter(self._path, head):
            return None
        if binary is not None:
            return self._explain_binary(binary)
        if head.startswith(b"#!"):
            return self._explain_script(head)
        return self._describe_archive(head) or self._describe_text(head)

    def _describe_library(self, binary: BinaryFile) -> str:
        """Describe a library or an object file."""
        foreign = _describe_platform(binary)
        if binary.type is FileType.OBJECT:
            return f"is an object file{foreign}, not a program: link it"
        build = "build it for this machine, then " if foreign else ""
        return f"is a shared library{foreign}, not a program: {build}write -e {quote(f'lib:{self._typed}')}"

    def _explain_binary(self, binary: BinaryFile) -> str | None:
        """Return why this system cannot start a compiled program, or None if it can."""
        if binary.type is FileType.MANAGED:
            return None if THIS_SYSTEM == WINDOWS else f"is a .NET assembly; {self._instead('dotnet')}"
        if binary.system == WINDOWS != THIS_SYSTEM:
            return f"is a program for Windows: build it for this system, or {self._by_wine()}"
        if foreign := _describe_platform(binary):
            return f"is a program{foreign}: build it for this machine"
        if binary.interpreter and not os.path.exists(binary.interpreter):
            return f"needs the loader {binary.interpreter!r}, which does not exist: build it on this system"
        return None

    def _explain_script(self, head: bytes) -> str | None:
        """Return why a file with a #! line cannot be started, or None if it can."""
        line = head.splitlines(keepends=True)[0].decode(errors="replace")
        if line.endswith("\r\n"):
            return f"has Windows line endings, which make its #! line useless; {self._by_interpreter()}"
        interpreter = (line[2:].split() or [""])[0]
        if os.path.exists(interpreter):
            return None
        return f"needs the interpreter {interpreter!r}, which does not exist; {self._by_interpreter()}"

    def _describe_archive(self, head: bytes) -> str | None:
        """Describe an archive or a file for a runtime; return None for any other file."""
        for start, said in _MAGIC.items():
            if head.startswith(start):
                return said
        if head.startswith(_CLASS_OF_JAVA):
            typed = Path(self._typed)
            return f"is a class of Java; {self._instead('java', '-cp', str(typed.parent), typed.stem, is_named=True)}"
        if not head.startswith(_ARCHIVES):
            return None
        members = _members(self._path)
        if "META-INF/MANIFEST.MF" in members:
            return f"is a .jar of Java; {self._instead('java', '-jar')}"
        if "__main__.py" in members:
            return f"is an archive of Python; {self._instead('python3')}"
        return "is an archive: unpack it, and name the program in it"

    def _describe_text(self, head: bytes) -> str:
        """Describe a file that is not compiled and has no #! line."""
        if b"\0" in head:
            return f"is not a program for this system: it begins with {repr(head[:8])[1:]}"
        suffix = self._path.suffix.lower()
        if suffix in SOURCES:
            return f"is source code: build it, then try: {command_line('doctor', '-e', './PROGRAM')}"
        if suffix in _DATA:
            return "is a text file, not a program: name the program of the engine"
        if suffix in INTERPRETERS or os.access(self._path, os.X_OK):
            return f"has no #! line, so the system cannot start it; {self._by_interpreter()}"
        example = quote(f"{self._prefix}{join_words(self._after('python3'))}")
        return f"is a text file, not a program; if it is a script, name its interpreter before it, such as -e {example}"

    def _by_interpreter(self) -> str:
        return self._instead(*INTERPRETERS.get(self._path.suffix.lower(), "sh").split())

    def _by_wine(self) -> str:
        wine = next(filter(shutil.which, _WINE), None)
        return self._instead(wine) if wine else f"install Wine, and then {self._instead(_WINE[0])}"

    def _instead(self, *words: str, is_named: bool = False) -> str:
        """Return a clause with the command to use: `words` and the file, or only `words` if `is_named`."""
        command = [*words, *self._arguments] if is_named else self._after(*words)
        if self._prefix or has_placeholders(join_words(command)):
            return f"write -e {quote(f'{self._prefix}{join_words(command)}')}"
        return f"try: {doctor_command('', command)}"

    def _after(self, *words: str) -> list[str]:
        return [*words, self._typed, *self._arguments]

    @property
    def _typed(self) -> str:
        """The path with a leading folder, as typed in a shell."""
        return str(self._path) if self._path.is_absolute() else os.path.join(os.curdir, self._path)


def _describe_platform(binary: BinaryFile) -> str:
    """Return a phrase that names the system or processor of a compiled file if it is not for this machine."""
    if not binary.is_for_this_system:
        return f" for {binary.system}"
    return (
        "" if binary.is_for_this_processor else f" for the processor {binary.processor}, and this machine has another"
    )


def other_name(path: Path) -> str:
    """Return a phrase that suggests a file with a similar name in the same folder, or "" if there is none."""
    try:
        close = did_you_mean(path.name, [one.name for one in path.parent.iterdir() if one.is_file()], "")
    except OSError:
        return ""
    return f"; {close}" if close else ""


def _members(path: Path) -> frozenset[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            return frozenset(archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return frozenset()
