"""A file that is not a program is not started; the message says what it is and what to write instead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.libraries import needs_cc
from helpers.program import WIDE, Run, wrong

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


TEXT = "has no #! line, so the system cannot start it; "
BUILD = f"{TEXT}build it, or name the interpreter of a script before it"
FILES: dict[str, tuple[bytes, str]] = {
    "code.rs": (b"fn main() {}\n", BUILD),
    "code.py": (b"print(20)\n", f"{TEXT}INSTEAD python3 ./code.py"),
    "code": (b"print(20)\n", BUILD),
    "mine.epd": (b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5\n", BUILD),
}
"""Text files that this system cannot start, with the message; INSTEAD and a command stand for the advice."""


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
def test_text_that_is_not_a_program(name: str, run: Run, tmp_path: Path) -> None:
    content, said = FILES[name]
    write(tmp_path / name, content)
    for prefix in PREFIXES:
        places = " {fen} {depth}" if prefix == "cmd:" else ""
        spec = f"{prefix}./{name}{places}"
        for command in COMMANDS if prefix == "" else (["run"], ["doctor"]):
            line = wrong(run, *command, "-e", spec, **WIDE)
            assert line == f"engine {spec!r}: {said_about(name, said, prefix)}"


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
    said = "mine does not start: its interpreter or loader does not exist: build it on this system, or install that"
    assert wrong(run, "run", "-e", "./mine", **WIDE) == said


@pytest.mark.parametrize("content", [b"MZ".ljust(0x80, b"\0"), b"\x01\0\0"])
@pytest.mark.parametrize("command", COMMANDS)
def test_program_for_another_system(content: bytes, command: list[str], run: Run, tmp_path: Path) -> None:
    write(tmp_path / "mine.exe", content)
    said = "mine.exe does not start: it is no program for this system: build it here, or put the program that runs it "
    assert wrong(run, *command, "-e", "./mine.exe", **WIDE) == f"{said}before it"


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
