"""Addresses become source lines if there are a symbolizer and a line table, and offsets otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from perft_check.harness.coverage import source_files
from perft_check.harness.coverage.model import SourceLocation
from perft_check.harness.coverage.source_files import find_locations

needs_cc = pytest.mark.skipif(shutil.which("cc") is None or shutil.which("nm") is None, reason="no C compiler")
TOOLS = [name for name in ("llvm-symbolizer", "addr2line") if shutil.which(name)]


def library(folder: Path, *flags: str) -> tuple[str, int]:
    """Return a library and the address of its function."""
    (folder / "one.c").write_text("int one(int n) {\n    return n + 1;\n}\n", encoding="utf-8")
    made = folder / "libone.so"
    subprocess.run(["cc", *flags, "-shared", "-fPIC", "-o", str(made), str(folder / "one.c")], check=True)
    listed = subprocess.run(["nm", str(made)], check=True, capture_output=True, text=True).stdout
    (address,) = (int(line.split()[0], 16) for line in listed.splitlines() if line.endswith(" one"))
    return str(made), address


@needs_cc
@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_names_file_line_and_function(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, address = library(tmp_path, "-g")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / tool).symlink_to(os.path.realpath(str(shutil.which(tool))))
    monkeypatch.setenv("PATH", str(folder))
    assert find_locations(made, [address, 0]) == (SourceLocation(str(tmp_path / "one.c"), 1, "one"), None)


@needs_cc
def test_a_library_without_lines_has_offsets(tmp_path: Path) -> None:
    made, address = library(tmp_path, "-g0")
    assert find_locations(made, [address]) == (SourceLocation(made, address, is_source=False),)


def test_without_a_tool_locations_are_offsets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_locations("libone.so", [0x10, -1, 0]) == (
        SourceLocation("libone.so", 0x10, is_source=False),
        SourceLocation("libone.so", 0, is_source=False),
        None,
    )


@pytest.mark.parametrize("script", ["exit 1", "echo one", "yes x | head -c 100000", "printf '\\377\\n\\377\\n'"])
def test_arbitrary_tool_output_is_harmless(script: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool = tmp_path / "addr2line"
    tool.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    tool.chmod(0o755)
    made = tmp_path / "libone.so"
    made.write_bytes(b"no library")
    monkeypatch.setattr(source_files, "LLVM", ())
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert find_locations(str(made), [16]) == (SourceLocation(str(made), 16, is_source=False),)
