"""A file that is not a program is not started; the message says what it is and what to write instead."""

from __future__ import annotations

import os
import shlex
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.libraries import needs_cc
from helpers.program import WIDE, Run, wrong
from perft_check.harness.engines.binary_files import BinaryFile, FileType, read_binary
from perft_check.platforms import processes

PREFIXES = ("", "uci:", "cmd:", "script:")
COMMANDS = (["run"], ["doctor"], ["fuzz"], ["divide", "startpos", "1"])
LIBRARY = """\
#include <stdio.h>
__attribute__((constructor)) static void loaded(void) { fclose(fopen("loaded", "w")); }
void _start(void) { loaded(); }
long perft_check_perft(const char *fen, int depth) { return fen[0] + depth; }
"""
ENGINE = f"""\
#include <unistd.h>
int main(void) {{ return execl("{sys.executable}", "python", "{FAKES / "setups.py"}", "none", (char *)0); }}
"""


def compile_c(folder: Path, source: str, name: str, *flags: str) -> Path:
    """Compile a file from C source code."""
    (folder / "made.c").write_text(source)
    subprocess.run(["cc", *flags, "-o", str(folder / name), str(folder / "made.c")], check=True)
    return folder / name


def pe(flags: int, *, is_managed: bool = False) -> bytes:
    """Return the content of a Windows file with these characteristics."""
    head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40)
    directories = [0] * 32
    directories[28] = 8 * is_managed
    coff = struct.pack("<HHIIIHH", 0x8664, 0, 0, 0, 0, 240, flags)
    return head + b"PE\0\0" + coff + struct.pack("<H110x32I", 0x20B, *directories)


def mach_o(type_: int) -> bytes:
    """Return the content of a macOS file of this type."""
    return struct.pack("<7I", 0xFEEDFACF, 0x0100000C, 0, type_, 0, 0, 0)


def universal(type_: int) -> bytes:
    """Return the content of a macOS file for several processors."""
    return struct.pack(">7I", 0xCAFEBABE, 1, 0x0100000C, 0, 28, 28, 0) + mach_o(type_)


def elf(type_: int, processor: int, end: str = "<") -> bytes:
    """Return the content of an ELF file for a processor, without segments."""
    head = struct.pack("<4s12B", b"\x7fELF", 2, 1 if end == "<" else 2, 1, *[0] * 9)
    return head + struct.pack(f"{end}HHIQQQIHHHHHH", type_, processor, 1, 64, 64, 0, 0, 64, 56, 0, 0, 0, 0)


def zipped(*names: str) -> Callable[[Path], None]:
    """Return a function that writes an archive with these members."""

    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "")

    return write


FILES: dict[str, tuple[bytes | Callable[[Path], None], str]] = {
    "mine.dll": (pe(0x2022), "is a shared library for Windows, not a program: build it for this machine, then write "),
    "windows": (pe(0x0022), "is a program for Windows: build it for this system, or install Wine, and then "),
    "dos.exe": (b"MZ".ljust(0x80, b"\0"), "is a program for Windows: build it for this system, or install Wine, "),
    "chess.dll": (pe(0x0022, is_managed=True), "is a .NET assembly; INSTEAD dotnet ./chess.dll"),
    "mine.dylib": (mach_o(6), "is a shared library for macOS, not a program: build it for this machine, then write "),
    "bundle": (universal(8), "is a shared library for macOS, not a program: build it for this machine, then write "),
    "mac": (mach_o(2), "is a program for macOS: build it for this machine"),
    "arm": (elf(2, 183), "is a program for the processor AArch64, and this machine has another: build it for this"),
    "power": (elf(2, 21, ">"), "is a program for the processor PowerPC64, and this machine has another: build it"),
    "unlinked": (elf(1, 62), "is an object file, not a program: link it"),
    "cut": (b"\x7fELF\x02\x01", "is damaged: it ends before its header does; build or copy it again"),
    "libmine.a": (b"!<arch>\n", "is a static library, not a program: link it"),
    "chess": (zipped("META-INF/MANIFEST.MF"), "is a .jar of Java; INSTEAD java -jar ./chess"),
    "Mine.class": (b"\xca\xfe\xba\xbe\0\0\0\x3d\0\0\0\0", "is a class of Java; INSTEAD java -cp . Mine"),
    "app": (zipped("__main__.py"), "is an archive of Python; INSTEAD python3 ./app"),
    "release.zip": (zipped("engine"), "is an archive: unpack it, and name the program in it"),
    "code.rs": (b"fn main() {}\n", "is source code: build it, then try: perft-check doctor -e ./PROGRAM"),
    "code.py": (b"print(20)\n", "has no #! line, so the system cannot start it; INSTEAD python3 ./code.py"),
    "code": (b"print(20)\n", "has no #! line, so the system cannot start it; INSTEAD sh ./code"),
    "weights.nnue": (b"\x01\0\0", r"is not a program for this system: it begins with '\x01\x00\x00'"),
    "mine.epd": (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n", "is a text file, not a program: name the program"),
}
"""Files that this system cannot start, with the message; INSTEAD and a command stand for the advice."""


def write(path: Path, content: bytes | Callable[[Path], None]) -> None:
    """Write an executable file."""
    if callable(content):
        content(path)
    else:
        path.write_bytes(content)
    path.chmod(0o755)


def said_about(name: str, said: str, prefix: str) -> str:
    """Return the message about a file that is named with a prefix."""
    said, instead, command = said.partition("INSTEAD ")
    if instead:
        places = " {fen} {depth}" if prefix == "cmd:" else ""
        said += f"write -e '{prefix}{command}{places}'" if prefix else f"try: perft-check doctor -e '{command}'"
    return f"./{name} {said}"


@pytest.mark.parametrize("name", FILES)
def test_file_that_is_not_a_program(name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "BINFMT_MISC", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))  # without Wine
    content, said = FILES[name]
    write(tmp_path / name, content)
    for prefix in PREFIXES:
        places = " {fen} {depth}" if prefix == "cmd:" else ""
        spec = f"{prefix}./{name}{places}"
        for command in COMMANDS if prefix == "" else (["run"], ["doctor"]):
            line = wrong(run, *command, "-e", spec, **WIDE)
            assert line.startswith(f"engine {spec!r}: {said_about(name, said, prefix)}"), line


@needs_cc
@pytest.mark.parametrize("name", ["libmine.so", "libmine.so.2", "mine"])
def test_library_is_not_started(name: str, run: Run, tmp_path: Path) -> None:
    compile_c(tmp_path, LIBRARY, name, "-shared", "-fPIC", "-nostartfiles", "-Wl,-e,_start")
    for mode in (0o755, 0o644):
        (tmp_path / name).chmod(mode)
        for prefix in filter(None, PREFIXES):
            for command in COMMANDS:
                line = wrong(run, *command, "-e", f"{prefix}./{name}", **WIDE)
                said = f"./{name} is a shared library, not a program: write -e lib:./{name}"
                assert line == f"engine '{prefix}./{name}': {said}"
    line = wrong(run, "doctor", "-e", name, **WIDE)
    assert line == f"no engine named '{name}': {name} is a shared library, not a program: write -e lib:./{name}"
    assert not (tmp_path / "loaded").exists()
    for spec in (f"lib:./{name}", f"./{name}"):
        assert run("perft", "startpos", "1", "-e", spec, "--alone").stdout == "115\n"  # ord("r") + 1


@needs_cc
@pytest.mark.parametrize("flags", [("-pie",), ("-no-pie",), ("-static",), ("-static-pie",), ("-pie", "-s")])
def test_program_is_started_whatever_its_name(flags: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    name = "engine.so" if flags[0] == "-pie" else "engine.c"
    try:
        compile_c(tmp_path, ENGINE, "made", *flags)
    except subprocess.CalledProcessError:
        pytest.skip("no static C library")
    (tmp_path / "made").rename(tmp_path / name)
    done = run("perft", "startpos", "1", "-e", f"./{name}", "--alone")
    assert (done.returncode, done.stdout) == (0, "20\n"), done


@needs_cc
def test_program_with_missing_loader(run: Run, tmp_path: Path) -> None:
    compile_c(tmp_path, ENGINE, "mine", "-pie", "-Wl,--dynamic-linker=/lib/ld-nowhere.so.1")
    said = "./mine needs the loader '/lib/ld-nowhere.so.1', which does not exist: build it on this system"
    assert wrong(run, "run", "-e", "./mine", **WIDE) == f"engine './mine': {said}"


@needs_cc
def test_program_without_execute_permission(run: Run, tmp_path: Path) -> None:
    compile_c(tmp_path, ENGINE, "mine").chmod(0o644)
    for spec in ("./mine", "uci:./mine", "cmd:./mine {fen} {depth}"):
        assert wrong(run, "doctor", "-e", spec) == f"engine {spec!r}: ./mine is not executable: run chmod +x ./mine"


def test_path_that_is_not_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for spec in ("./build", "uci:./build", "cmd:./build {fen} {depth}", "uci:build"):
        name = "build" if spec == "uci:build" else "./build"
        assert wrong(run, "run", "-e", spec) == f"engine {spec!r}: {name} is a folder: name the program in it"
    assert wrong(run, "run", "-e", "build") == "no engine named 'build': build is a folder: name the program in it"
    assert wrong(run, "doctor", "-e", "./pipe") == "engine './pipe': ./pipe is no regular file: name a program"
    assert wrong(run, "run", "-e", "/dev/null") == "engine '/dev/null': /dev/null is no regular file: name a program"


def test_windows_program_is_run_by_wine(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "BINFMT_MISC", tmp_path / "none")
    write(tmp_path / "mine.exe", pe(0x0022))
    wine, fake = tmp_path / "wine", shlex.join([sys.executable, str(FAKES / "setups.py"), "none"])
    wine.write_text(f'#!/bin/sh\n[ "$1" = ./mine.exe ] && exec {fake}\n')
    wine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    said = "./mine.exe is a program for Windows: build it for this system, or"
    line = wrong(run, "doctor", "-e", "./mine.exe", **WIDE)
    assert line == f"engine './mine.exe': {said} try: perft-check doctor -e 'wine ./mine.exe'"
    line = wrong(run, "run", "-e", "uci:./mine.exe", **WIDE)
    assert line == f"engine 'uci:./mine.exe': {said} write -e 'uci:wine ./mine.exe'"
    for prefix in ("", "uci:"):
        done = run("perft", "startpos", "1", "-e", f"{prefix}wine ./mine.exe", "--alone")
        assert (done.returncode, done.stdout) == (0, "20\n"), done


@pytest.mark.parametrize(
    ("entry", "is_started"),
    [
        ("enabled\ninterpreter /usr/bin/wine\nflags: \noffset 0\nmagic 4d5a\n", True),
        ("enabled\ninterpreter /usr/bin/wine\nflags: \noffset 1\nmagic 4d00\nmask ff00\n", False),
        ("enabled\ninterpreter /usr/bin/wine\nflags: \noffset 0\nmagic 4d00\nmask ff00\n", True),
        ("disabled\ninterpreter /usr/bin/wine\nflags: \noffset 0\nmagic 4d5a\n", False),
        ("enabled\ninterpreter /usr/bin/wine\nflags: \nextension .exe\n", True),
        ("enabled\ninterpreter /usr/bin/wine\nflags: \nextension .jar\n", False),
    ],
)
def test_registered_interpreter_starts_a_file(
    entry: str, is_started: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This does not apply to libraries, whatever is registered for their format."""
    (tmp_path / "registered").mkdir()
    (tmp_path / "registered" / "one").write_text(entry)
    (tmp_path / "registered" / "status").write_text("enabled\n")
    monkeypatch.setattr(processes, "BINFMT_MISC", tmp_path / "registered")
    from perft_check.harness.engines.program_files import ProgramFile

    for name, flags in {"mine.exe": 0x0022, "mine.dll": 0x2022}.items():
        write(tmp_path / name, pe(flags))
        why = ProgramFile(f"./{name}", tmp_path / name).why_not_started()
        assert (why is None) == (is_started and name == "mine.exe")


def test_programs_of_this_machine_are_accepted() -> None:
    for name in ("sh", "env", "python3", "stockfish"):
        path = shutil.which(name) or shutil.which(name, path="/usr/games")
        if path is not None and (binary := read_binary(Path(path))) is not None:
            assert binary.type is FileType.PROGRAM
            assert binary.is_for_this_system
            assert binary.is_for_this_processor


def test_programs_for_older_processors_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    from perft_check.harness.engines import binary_files

    for here, processor, may_run in (
        ("x86-64", "x86", True), ("x86", "x86-64", False), ("AArch64", "ARM", True), ("", "MIPS", True),
        ("RISC-V", "", True),
    ):  # fmt: skip
        monkeypatch.setattr(binary_files, "_processor_here", lambda here=here: here)
        assert BinaryFile(FileType.PROGRAM, "Linux", processor).is_for_this_processor == may_run
