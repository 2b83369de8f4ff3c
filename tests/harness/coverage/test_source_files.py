"""Engines may name any file as source: only regular files of limited size in expected folders are read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from perft_check.harness.coverage import source_files
from perft_check.harness.coverage.model import SourceLocation
from perft_check.harness.coverage.source_files import SourceFile, find_locations, read_sources, source_folders
from perft_check.platforms.processes import IS_POSIX


def read(path: str | Path, folder: Path) -> SourceFile:
    """Return what is read from a path as source, below one folder."""
    (source,) = read_sources([(str(path), True)], [folder.resolve()])
    return source


def test_a_source_in_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    file = tmp_path / "src" / "mine.c"
    file.write_bytes(b"int a;\r\nint b; /* \x0c \xe2\x80\xa8 \xff */\n\nint c;")
    source = read(file, tmp_path)
    assert source.lines == ("int a;", "int b; /* \x0c \u2028 \ufffd */", "", "int c;")
    assert (source.name, source.real_path, source.absence) == ("src/mine.c", str(file.resolve()), "")
    assert [source.line(number) for number in (0, 1, 4, 5)] == ["", "int a;", "int c;", ""]
    assert read("src/mine.c", tmp_path).lines == source.lines
    assert read("src/../src/./mine.c", tmp_path).name == "src/mine.c"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "the engine names no file"),
        ("missing.c", "no such file"),
        ("a\0b", "it is not a valid path"),
        ("folder", "it is not a regular file"),
        ("large.c", "it has more than 2,000,000 bytes"),
        ("x" * 5000, "File name too long"),
    ],
)
def test_the_reason_for_a_missing_source_is_given(tmp_path: Path, path: str, why: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "large.c").write_bytes(b"\n" * 2_000_001)
    source = read(path, tmp_path)
    assert (source.lines, source.absence, source.name) == ((), why, path)


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "link", "/dev/zero", "/proc/self/environ"])
@pytest.mark.skipif(not IS_POSIX, reason="these files are those of POSIX")
def test_nothing_outside_the_folders_is_read(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret").write_text("password")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "secret")
    source = read(path, folder)
    assert source.lines == ()
    assert source.absence == "it is outside the working folder and the engine's project"


@pytest.mark.skipif(not IS_POSIX, reason="there are no such files")
def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.c")
    assert read("pipe.c", tmp_path).absence == "it is not a regular file"


def test_the_total_size_of_sources_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "MOST_BYTES", 10)
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text("int i;\n")
    first, second = read_sources([("a.c", True), ("b.c", True)], [tmp_path.resolve()])
    assert (first.lines, second.absence) == (("int i;",), "there is too much source for one report")


def test_sources_are_read_in_the_working_folder_and_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, here = tmp_path / "project", tmp_path / "here"
    for folder in (project / ".git", project / "build", project / "src", here):
        folder.mkdir(parents=True)
    (project / "src" / "mine.c").write_text("int a;\n")
    monkeypatch.chdir(here)
    folders = source_folders([project / "build" / "libmine.so"])
    assert folders == (here.resolve(), project.resolve())
    (source,) = read_sources([("src/mine.c", True)], folders)
    assert (source.name, source.lines) == ("src/mine.c", ("int a;",))


def test_without_a_repository_the_project_is_the_folder_of_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_files, "REPOSITORIES", ("no such folder",))
    monkeypatch.chdir(tmp_path)
    assert source_folders([Path("build/libmine.so")]) == (tmp_path.resolve(), (tmp_path / "build").resolve())


def test_a_home_folder_with_a_repository_is_not_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "build").mkdir()
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert (tmp_path / "build").resolve() in source_folders([tmp_path / "build" / "libmine.so"])


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
