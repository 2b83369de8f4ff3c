"""Engines may name any file as source: only regular files of limited size in expected folders are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from perft_check.harness.coverage import source_files
from perft_check.harness.coverage.source_files import SourceFile, read_sources, source_folders
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
