"""Read the file type, operating system and processor from the headers of compiled files.

The formats are ELF, PE (Windows) and Mach-O (macOS).
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO


class FileType(StrEnum):
    """Types of compiled files."""

    PROGRAM = "program"
    LIBRARY = "shared library"
    OBJECT = "object file"
    MANAGED = ".NET assembly"
    """A program or library for the .NET runtime."""


@dataclass(frozen=True)
class BinaryFile:
    """A compiled file."""

    type: FileType
    system: str
    """The operating system that uses this format."""
    processor: str = ""
    """The processor, or "" if the file may contain code for several."""
    interpreter: str = ""
    """The program that loads the file, or "" if the operating system does."""

    @property
    def is_for_this_system(self) -> bool:
        """Whether this operating system uses the format."""
        return self.system == THIS_SYSTEM

    @property
    def is_for_this_processor(self) -> bool:
        """Whether this machine's processor can run the file. True if the processor is unknown."""
        here = _processor_here()
        return here in ("", self.processor) or self.processor in ("", OLDER.get(here, ""))


LINUX, WINDOWS, MACOS = "Linux", "Windows", "macOS"
THIS_SYSTEM = {"win32": WINDOWS, "cygwin": WINDOWS, "darwin": MACOS}.get(sys.platform, LINUX)
"""The operating system. All others are treated as Linux, because they also use ELF."""
ELF, PE = b"\x7fELF", b"MZ"
CLASSES = {1: "32 bits", 2: "64 bits"}
PROCESSORS = {
    3: "x86", 8: "MIPS", 20: "PowerPC", 21: "PowerPC64", 22: "S390", 40: "ARM", 62: "x86-64", 183: "AArch64",
    243: "RISC-V", 258: "LoongArch",
}  # fmt: skip
"""Processors by ELF machine number."""
OLDER = {"x86-64": "x86", "AArch64": "ARM"}
"""Older processors whose programs a processor may be able to run."""
_INTERPRETER, _DYNAMIC = 3, 2
_DEBUG, _FLAGS_1, _PIE = 21, 0x6FFFFFFB, 0x08000000
"""Entries of the dynamic section that only occur in programs."""
_MOST_ENTRIES = 1 << 16
"""Maximum number of bytes of the dynamic section to read."""
_MACH_O = {b"\xfe\xed\xfa\xce": ">", b"\xfe\xed\xfa\xcf": ">", b"\xce\xfa\xed\xfe": "<", b"\xcf\xfa\xed\xfe": "<"}
_UNIVERSAL = b"\xca\xfe\xba\xbe"
_MOST_PARTS = 40
"""Maximum number of parts of a macOS universal file. Java classes start alike, but with a larger number here."""
_MACH_O_TYPES = {1: FileType.OBJECT, 2: FileType.PROGRAM, 6: FileType.LIBRARY, 8: FileType.LIBRARY}
_DLL = 0x2000
_MANAGED = 14
"""The index of the .NET header among the directories of a PE file."""


class Damaged(ValueError):
    """The file starts like a compiled file but is malformed."""


def read_binary(path: Path) -> BinaryFile | None:
    """Read the headers of a file, or return None if the format is unknown. Raises Damaged, OSError."""
    with path.open("rb") as file:
        head = file.read(4)
        reader: Callable[[BinaryIO], BinaryFile | None] | None = None
        if head == ELF:
            reader = _read_elf
        elif head[:2] == PE:
            reader = _read_pe
        elif head in _MACH_O or head == _UNIVERSAL:
            reader = _read_mach_o
        try:
            return reader(file) if reader else None
        except (struct.error, KeyError):
            raise Damaged from None


def elf_target(head: bytes) -> tuple[int, int]:
    """Return the class and machine numbers of an ELF file, given its first 20 bytes."""
    return head[4], int.from_bytes(head[18:20], "big" if head[5:6] == b"\x02" else "little")


def _unpack(file: BinaryIO, offset: int, form: str) -> tuple[int, ...]:
    file.seek(offset)
    return struct.unpack(form, file.read(struct.calcsize(form)))


def _read_elf(file: BinaryIO) -> BinaryFile:
    """Read an ELF file (System V ABI, chapter 4). Like libraries, programs may have the type ET_DYN."""
    bits, order = _unpack(file, 4, "BB")
    end = {1: "<", 2: ">"}[order]
    is_wide = {1: False, 2: True}[bits]
    word = "Q" if is_wide else "I"
    type_, machine = _unpack(file, 16, f"{end}HH")
    (headers,) = _unpack(file, 32 if is_wide else 28, end + word)
    size, count = _unpack(file, 54 if is_wide else 42, f"{end}HH")
    processor = PROCESSORS.get(machine, f"number {machine}")
    if type_ == 1:
        return BinaryFile(FileType.OBJECT, LINUX, processor)
    interpreter, is_library = "", False
    for number in range(count):
        place = headers + number * size
        (kind,) = _unpack(file, place, f"{end}I")
        offset, length = (_unpack(file, place + at, end + word)[0] for at in ((8, 32) if is_wide else (4, 16)))
        if kind == _INTERPRETER:
            file.seek(offset)
            interpreter = file.read(min(length, 4096)).partition(b"\0")[0].decode(errors="replace")
        elif kind == _DYNAMIC and type_ == 3:
            file.seek(offset)
            pairs = list(struct.iter_unpack(end + 2 * word, file.read(min(length, _MOST_ENTRIES))))
            is_library = not any(tag == _DEBUG or (tag == _FLAGS_1 and value & _PIE) for tag, value in pairs)
    type_of_file = FileType.LIBRARY if is_library and not interpreter else FileType.PROGRAM
    return BinaryFile(type_of_file, LINUX, processor, interpreter)


def _read_pe(file: BinaryIO) -> BinaryFile:
    """Read a PE file or a DOS program, both of which begin with "MZ"."""
    (header,) = _unpack(file, 0x3C, "<I")
    file.seek(header)
    if file.read(4) != b"PE\0\0":
        return BinaryFile(FileType.PROGRAM, WINDOWS)
    (flags, magic) = _unpack(file, header + 22, "<HH")
    directories = header + 24 + {0x10B: 96, 0x20B: 112}[magic]
    if any(_unpack(file, directories + 8 * _MANAGED, "<II")):
        return BinaryFile(FileType.MANAGED, WINDOWS)
    return BinaryFile(FileType.LIBRARY if flags & _DLL else FileType.PROGRAM, WINDOWS)


def _read_mach_o(file: BinaryIO) -> BinaryFile | None:
    """Read a Mach-O file, or the first part of a universal one."""
    file.seek(0)
    begin, magic = 0, file.read(4)
    if magic == _UNIVERSAL:
        (parts,) = _unpack(file, 4, ">I")
        if parts > _MOST_PARTS:
            return None
        (begin,) = _unpack(file, 16, ">I")
        file.seek(begin)
        magic = file.read(4)
    (type_,) = _unpack(file, begin + 12, f"{_MACH_O[magic]}I")
    return BinaryFile(_MACH_O_TYPES.get(type_, FileType.PROGRAM), MACOS)


def _processor_here() -> str:
    """Return the processor for which this Python was built, or "" if unknown."""
    try:
        with open(sys.executable, "rb") as file:
            head = file.read(20)
    except OSError:
        return ""
    return PROCESSORS.get(elf_target(head)[1], "") if head.startswith(ELF) and len(head) == 20 else ""
