"""Compiled kernels on disk: damage is repaired, a full disk only costs time, and planted code is not executed."""

from __future__ import annotations

import errno
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from filelock import FileLock
from helpers.program import COMPILING
from perft_check.generator.kernels import play
from perft_check.generator.kernels.machine import execution_mode, folders, kernel_cache
from perft_check.generator.kernels.machine.folders import cache_folder, digest_of, source_digest, why_unsafe
from perft_check.generator.kernels.machine.jit import kernel
from perft_check.generator.kernels.machine.kernel_cache import KeptCode, KernelFiles
from perft_check.generator.kernels.sliders.lookup import MagicTables, PextTables, Tables

needs_posix = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Store kernels in a folder of the test, with an empty state as in a new process."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of the user"))
    monkeypatch.setattr(execution_mode, "_left", set())
    for remembered in (folders.cache_folder, kernel_cache._say_once):
        remembered.cache_clear()
    yield tmp_path / "cache" / f"kernels-{source_digest()}"
    for remembered in (folders.cache_folder, kernel_cache._say_once):
        remembered.cache_clear()


def is_loaded() -> bool:
    """Call a kernel as a new process does; return True if it was loaded from disk."""

    def double(tables: Tables) -> np.uint64:
        return tables.base + tables.base

    compiled: Any = kernel(double)
    assert compiled(PextTables(np.uint64(21))) == 42
    assert compiled(MagicTables(np.uint64(2))) == 4
    return len(compiled.compiled) < 2


def test_a_kernel_is_compiled_once(kernels: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert (is_loaded(), is_loaded()) == (False, True)
    assert len(list(kernels.glob("*.kernel"))) == 2
    assert not caplog.messages


def test_kernels_of_another_package_depend_on_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes in another package do not affect the kernels of the generator."""
    package = ModuleType("package")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "package", package)

    def names(source: str) -> list[object]:
        (tmp_path / "reader.py").write_text(source)
        digest_of.cache_clear()
        files = [KernelFiles(module, "read")._file(tmp_path, "uint64") for module in ("package.reader", play.__name__)]
        return [*files, source_digest()]

    before, same, after = names("A = 1"), names("A = 1"), names("A = 2")
    assert before == same
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, True, True]


MISSES = """\
from perft_check.generator.kernels.play import board_after

board_after.get_ready(board_after.argument_types_for())
print(len(board_after.compiled))
"""


@pytest.mark.slow
def test_only_one_of_several_processes_compiles(kernels: Path) -> None:
    """The other processes wait, and load the result."""
    command = [sys.executable, "-c", MISSES]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    misses = [int(process.communicate()[0]) for process in processes]
    assert sorted(misses) == [0, 0, 1]


def test_waiting_for_another_process_is_limited(kernels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a process is stopped while it compiles, the others compile all kernels themselves."""
    assert not is_loaded()
    monkeypatch.setattr(kernel_cache, "MAX_WAIT", 0.1)
    held = [FileLock(f"{file}.lock") for file in kernels.glob("*.kernel")]
    for file in kernels.glob("*.kernel"):
        file.unlink()
    with ExitStack() as locks:
        for lock in held:
            locks.enter_context(lock)
        assert not is_loaded()
    assert is_loaded()


def test_a_kernel_that_another_process_has_just_cached_is_loaded(
    kernels: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that stops waiting and is about to compile a kernel finds it on disk, and loads it."""
    assert not is_loaded()
    load, misses = KernelFiles.load, []

    def load_late(files: KernelFiles, signature: str) -> KeptCode | None:
        misses.append(signature)
        return None if misses.count(signature) == 1 else load(files, signature)

    monkeypatch.setattr(KernelFiles, "load", load_late)
    assert is_loaded()
    assert misses == ["PextTables(1)", "PextTables(1)", "MagicTables(1)", "MagicTables(1)"]
    assert not caplog.messages


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "short digest": lambda data: data[:10],
    "nothing but the digest": lambda data: data[:32],
    "truncated": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "bit of the digest": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "first bit": lambda data: data[:32] + bytes([data[32] ^ 1]) + data[33:],
    "middle bit": lambda data: data[:5000] + bytes([data[5000] ^ 128]) + data[5001:],
    "last bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "other file": lambda _: b"\x80\x04N." * 100,
}


def test_damaged_kernels_are_compiled_again_and_reported_once(kernels: Path, caplog: pytest.LogCaptureFixture) -> None:
    is_loaded()
    for name, damaged in DAMAGES.items():
        caplog.clear()
        for file in kernels.glob("*.kernel"):
            file.write_bytes(damaged(file.read_bytes()))
        assert not is_loaded(), name
        assert caplog.messages == [f"perft-check: damaged kernels in {kernels} are compiled again"], name
        assert is_loaded(), name


def test_a_folder_with_the_name_of_a_kernel(kernels: Path, caplog: pytest.LogCaptureFixture) -> None:
    is_loaded()
    for file in kernels.glob("*.kernel"):
        file.unlink()
        file.mkdir()
    assert not is_loaded()
    assert caplog.messages == [
        f"perft-check: {kernels} cannot be written (Is a directory): kernels are compiled in every run"
    ]


def test_a_full_disk_only_costs_time(
    kernels: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert (is_loaded(), is_loaded()) == (False, False)
    assert caplog.messages == [
        f"perft-check: {kernels} cannot be written (No space left on device): kernels are compiled in every run"
    ]
    assert not list(kernels.glob("*.kernel"))


class LeavesTrace:
    """Creates a folder when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self._trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self._trace),)


def plant(kernels: Path, trace: Path) -> None:
    """Replace all kernels by code with a valid digest."""
    code = pickle.dumps(LeavesTrace(trace))
    for file in kernels.glob("*.kernel"):
        file.write_bytes(hashlib.sha256(code).digest() + code)


@needs_posix
def test_code_that_others_can_write_is_not_executed(
    kernels: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    is_loaded()
    plant(kernels, tmp_path / "trace")
    kernels.chmod(0o777)
    cache_folder.cache_clear()
    is_loaded()
    assert not (tmp_path / "trace").exists()
    instead = tmp_path / "of the user" / "perft-check" / kernels.name
    assert caplog.messages == [
        f"perft-check: {kernels} can be written by other users: compiled kernels are kept in {instead}"
    ]
    kernels.chmod(0o700)
    cache_folder.cache_clear()
    is_loaded()
    assert (tmp_path / "trace").exists(), "the planted code works"


@needs_posix
def test_unsafe_folders(tmp_path: Path) -> None:
    folder, file = tmp_path / "a" / "b", tmp_path / "file"
    file.write_text("")
    assert why_unsafe(folder) is None
    assert (folder.stat().st_mode & 0o777) == 0o700
    assert why_unsafe(file) == "cannot be used (File exists)"
    assert why_unsafe(file / "x") == "cannot be used (Not a directory)"
    for mode, objection in ((0o775, "can be written by other users"), (0o702, "can be written by other users")):
        folder.chmod(mode)
        assert why_unsafe(folder) == objection
    folder.chmod(0o755)
    assert why_unsafe(folder) is None
    (tmp_path / "link").symlink_to(folder)
    for mode, is_safe in ((0o777, False), (0o1777, True)):
        (tmp_path / "a").chmod(mode)
        for place in (folder, tmp_path / "link"):
            assert why_unsafe(place) == (None if is_safe else "lies in a folder that other users can write to")


@needs_posix
@pytest.mark.parametrize("members", [[], ["somebody"]])
def test_a_private_group_may_write_to_a_parent_folder(
    tmp_path: Path, members: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import grp
    import pwd

    user = pwd.getpwuid(os.geteuid())
    group = grp.struct_group(("private", "x", os.getegid(), members))
    monkeypatch.setattr(grp, "getgrgid", lambda _number: group)
    monkeypatch.setattr(pwd, "getpwall", lambda: [user])
    folders._is_group_of_one.cache_clear()
    folder = tmp_path / "a" / "b"
    folder.mkdir(mode=0o700, parents=True)
    (tmp_path / "a").chmod(0o770)
    assert why_unsafe(folder) == ("lies in a folder that other users can write to" if members else None)
    (tmp_path / "a").chmod(0o1770)
    assert why_unsafe(folder) is None
    folders._is_group_of_one.cache_clear()


@needs_posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can change the owner of files")
def test_a_folder_of_another_user_is_not_safe(tmp_path: Path) -> None:
    os.chown(tmp_path, 1, 1)
    assert why_unsafe(tmp_path) == "belongs to another user"


def test_without_any_folder_kernels_are_compiled(
    kernels: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert (is_loaded(), is_loaded()) == (False, False)
    assert caplog.messages == [
        f"perft-check: {kernels} cannot be used (Not a directory): kernels are compiled in every run; "
        "set NUMBA_CACHE_DIR to a folder of your own"
    ]


@pytest.mark.slow
def test_damage_is_reported_in_one_line(tmp_path: Path) -> None:
    code = (
        "from perft_check.generator.kernels.machine.jit import kernel\n"
        "import numpy as np\n"
        "@kernel\ndef double(number: np.uint64) -> np.uint64: return number + number\n"
        "print(double(np.uint64(21)))"
    )

    def run() -> tuple[str, str]:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        return done.stdout, done.stderr

    assert run() == ("42\n", "")
    (file,) = tmp_path.glob("kernels-*/*.kernel")
    file.write_bytes(file.read_bytes()[:-1])
    assert run() == ("42\n", f"perft-check: damaged kernels in {file.parent} are compiled again\n")
    assert run() == ("42\n", "")


@pytest.mark.slow
def test_a_command_reports_compilation_once(tmp_path: Path) -> None:
    """The notice depends on the file names of cached kernels."""
    command = [sys.executable, "-m", "perft_check", "perft", "startpos", "5"]
    for kernel_name in ("own", "own:turbo", "own:two-plies"):
        messages = [
            subprocess.run(
                [*command, "--engine", kernel_name],
                capture_output=True,
                text=True,
                env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
                check=True,
            ).stderr
            for _ in range(2)
        ]
        assert [len(COMPILING.findall(text)) for text in messages] == [1, 0], kernel_name
