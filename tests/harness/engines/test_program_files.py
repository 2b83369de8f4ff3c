"""A file that is not a program is not started; the message says what it is and what to write instead."""

from __future__ import annotations

import os
import shlex
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.libraries import needs_cc
from helpers.program import WIDE, Run, wrong
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


def pe(flags: int) -> bytes:
    """Return the content of a Windows file with these characteristics."""
    head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40)
    directories = [0] * 32
    coff = struct.pack("<HHIIIHH", 0x8664, 0, 0, 0, 0, 240, flags)
    return head + b"PE\0\0" + coff + struct.pack("<H110x32I", 0x20B, *directories)


FILES: dict[str, tuple[bytes, str]] = {
    "windows": (pe(0x0022), "is a program for Windows: build it for this system, or install Wine, and then "),
    "dos.exe": (b"MZ".ljust(0x80, b"\0"), "is a program for Windows: build it for this system, or install Wine, "),
    "chess.dll": (pe(0x0022), "is run by dotnet; INSTEAD dotnet ./chess.dll"),
    "chess.jar": (b"PK\x03\x04\0", "is run by java; INSTEAD java -jar ./chess.jar"),
    "code.rs": (b"fn main() {}\n", "is source code: build it, then try: perft-check doctor -e ./PROGRAM"),
    "code.py": (b"print(20)\n", "has no #! line, so the system cannot start it; INSTEAD python3 ./code.py"),
    "code": (b"print(20)\n", "has no #! line, so the system cannot start it; INSTEAD sh ./code"),
    "weights.nnue": (b"\x01\0\0", r"is not a program for this system: it begins with '\x01\x00\x00'"),
    "mine.epd": (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n", "is a text file, not a program: give the path"),
}
"""Files that this system cannot start, with the message; INSTEAD and a command stand for the advice."""


def write(path: Path, content: bytes) -> None:
    """Write an executable file."""
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
@pytest.mark.parametrize("name", ["libmine.so", "libmine.so.2"])
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
    name = "engine.c"
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
    done = run("run", "-e", "./mine", **WIDE)
    said = "perft-check: mine does not start: its loader does not exist: build it on this system; try: "
    assert (done.returncode, done.stderr.splitlines()[-1].startswith(said)) == (3, True)


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
    (tmp_path / "registered").mkdir()
    (tmp_path / "registered" / "one").write_text(entry)
    (tmp_path / "registered" / "status").write_text("enabled\n")
    monkeypatch.setattr(processes, "BINFMT_MISC", tmp_path / "registered")
    from perft_check.harness.engines.program_files import ProgramFile

    write(tmp_path / "mine.exe", pe(0x0022))
    assert (ProgramFile("./mine.exe", tmp_path / "mine.exe").why_not_started() is None) == is_started
