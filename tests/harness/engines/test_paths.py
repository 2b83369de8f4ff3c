"""A path is what it is, whatever signs it has; and what is no program is told so, and not started."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from helpers.fakes import FAKES
from helpers.program import WIDE, Run, wrong

FAKE = str(FAKES / "setups.py")
ENGINE = f"""#!{sys.executable}
import runpy, sys
sys.argv = ["setups.py", "none"]
runpy.run_path({FAKE!r}, run_name="__main__")
"""
NAMES = ("engine [v2]", "my engine", "it's mine", 'the "best"', "a,b;c", "of {fen}", "(1) engine [Hash=1]")


@pytest.mark.parametrize("prefix", ["", "uci:"])
def test_a_path_that_exists_is_that_path(prefix: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "engine").write_text(ENGINE)
    (tmp_path / "engine").chmod(0o755)
    for name in NAMES:
        shutil.copy(tmp_path / "engine", tmp_path / name)
        done = run("perft", "startpos", "1", "--alone", "-e", f"{prefix}./{name}")
        assert (done.returncode, done.stdout) == (0, "20\n"), done.stderr


@pytest.mark.parametrize("command", ["run", "doctor"])
@pytest.mark.parametrize(
    ("name", "content", "mode", "said"),
    [
        ("libmine.so", b"\x7fELF\0", 0o755, "is a shared library, and no program: write -e lib:./libmine.so"),
        ("libmine.so.2", b"\x7fELF\0", 0o644, "is a shared library, and no program: write -e lib:./libmine.so.2"),
        ("mine.dylib", b"\xcf\xfa\0", 0o755, "is a shared library, and no program: write -e lib:./mine.dylib"),
        ("mine.exe", b"MZ\0", 0o755, "is a Windows program: build it for this system"),
        ("mine", b"print(20)\n", 0o755, "has no #! line, so the system does not start it"),
        ("mine.rs", b"fn main() {}\n", 0o644, "it is source code: build it"),
    ],
)
def test_what_is_no_program_is_told_in_one_line(
    command: str, name: str, content: bytes, mode: int, said: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / name).chmod(mode)
    assert said in wrong(run, command, "-e", f"./{name}", **WIDE)


def test_a_library_without_a_folder_before_its_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "libmine.so").write_bytes(b"\x7fELF\0")
    line = "no engine named 'libmine.so': it is a shared library, and no program: write -e lib:./libmine.so"
    assert wrong(run, "doctor", "-e", "libmine.so", **WIDE) == line
