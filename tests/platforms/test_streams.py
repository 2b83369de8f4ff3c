"""Streams, processes and memory of the platform."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from helpers.processes import PATIENCE, until
from perft_check.platforms import memory
from perft_check.platforms.processes import command_to_start, end_of
from perft_check.platforms.streams import CHUNK, ERRORS, OUTPUT, PIPE_BYTES, Pipes

Open = Callable[[str], tuple[Pipes, "subprocess.Popen[bytes]"]]
ECHO = "import sys\nfor line in sys.stdin.buffer:\n    sys.stdout.buffer.write(line)\n    sys.stdout.buffer.flush()"


@pytest.fixture
def open_() -> Iterator[Open]:
    """Return a function that runs Python code in a process, and returns the process and its pipes."""
    with ExitStack() as ending:

        def start(code: str) -> tuple[Pipes, subprocess.Popen[bytes]]:
            pipe = subprocess.PIPE
            process = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
            assert process.stdin
            assert process.stdout
            assert process.stderr
            pipes = Pipes(process.stdin, process.stdout, process.stderr)
            ending.callback(pipes.close)
            ending.callback(process.wait)
            ending.callback(process.kill)
            return pipes, process

        yield start
    until(lambda: not any(one.name == "pipe" for one in threading.enumerate()), "the threads have ended")


def read_until(pipes: Pipes, holds: Callable[[bytes], bool], which: int = OUTPUT) -> bytes:
    """Read until `holds` returns True for all data so far, or up to the end."""
    found, end = b"", time.monotonic() + PATIENCE
    while not holds(found):
        assert time.monotonic() < end, found[-100:]
        pipes.wait(0.1)
        data = pipes.read(which)
        if data == b"":
            return found
        found += data or b""
    return found


def test_unread_output_is_known(open_: Open) -> None:
    pipes, _ = open_("import sys\nsys.stdout.write('e2e4: 2')\nsys.stdout.flush()\nsys.stdin.read()")
    until(pipes.has_unread_output)
    assert read_until(pipes, lambda found: found == b"e2e4: 2") == b"e2e4: 2"
    assert not pipes.has_unread_output()


def test_output_is_read_up_to_its_end(open_: Open) -> None:
    pipes, process = open_(ECHO)
    for line in (b"uci\n", b"isready\n"):
        assert pipes.write(line) == len(line)
        assert read_until(pipes, lambda found: found.endswith(b"\n")) == line
    assert not pipes.wait(0)
    assert pipes.read(OUTPUT) is None
    pipes.end_input()
    assert read_until(pipes, lambda _: False) == b""
    assert process.wait() == 0


def test_stdout_and_stderr_are_separate(open_: Open) -> None:
    pipes, _ = open_("import os\nos.write(2, b'bad')\nos.write(1, b'good')")
    assert read_until(pipes, lambda _: False) == b"good"
    assert read_until(pipes, lambda _: False, ERRORS) == b"bad"


def test_output_before_the_end_of_a_process_is_read(open_: Open) -> None:
    for _ in range(10):
        pipes, process = open_("import os\nos.write(2, b'out of ideas')\nos.abort()")
        process.wait()
        pipes.gather()
        assert pipes.wait(0)
        assert pipes.read(ERRORS) == b"out of ideas"


def test_writing_to_a_process_that_does_not_read_does_not_block(open_: Open) -> None:
    pipes, _ = open_("import time\ntime.sleep(600)")
    taken = 0
    while size := pipes.write(b"x" * CHUNK):
        taken += size
        pipes.wait(0.1, to_write=True)
    assert taken <= 4 * PIPE_BYTES
    assert not pipes.wait(0.05, to_write=True)


def test_a_flood_is_buffered_only_up_to_the_size_of_a_pipe(open_: Open) -> None:
    pipes, _ = open_("import os\nwhile True: os.write(1, b'x' * 65536)")
    pipes.wait(1)
    time.sleep(0.3)
    size = 0
    while pipes.wait(0) and size < 100 * PIPE_BYTES:
        data = pipes.read(OUTPUT)
        size += len(data or b"")
        assert pipes._came[OUTPUT] - pipes._taken[OUTPUT] <= PIPE_BYTES + CHUNK
    assert size > 0


def test_writing_to_a_process_that_has_ended_fails(open_: Open) -> None:
    pipes, process = open_("pass")
    process.wait()
    assert read_until(pipes, lambda _: False) == b""

    def is_refused() -> bool:
        try:
            pipes.write(b"uci\n")
        except OSError:
            return True
        return False

    until(is_refused, "it cannot be written to")


@pytest.mark.skipif(sys.platform == "win32", reason="the system does not tell")
def test_unread_input_is_counted(open_: Open) -> None:
    pipes, process = open_("import sys\nsys.stdin.read(4)\nprint('read', flush=True)\nsys.stdin.read()")
    waiting, _ = open_("import time\ntime.sleep(600)")
    waiting.write(b"uci\n")
    pipes.write(b"uci\n")
    read_until(pipes, lambda found: found.endswith(b"\n"))
    until(lambda: pipes.unread_input() == 0)  # the writing thread may count bytes after they were read
    assert waiting.unread_input() == 4
    pipes.end_input()
    assert process.wait() == 0
    assert pipes.unread_input() == 0


def test_a_program_is_started_with_its_words() -> None:
    assert command_to_start(["./engine.bat", "a b"], is_windows=False) == ["./engine.bat", "a b"]
    assert command_to_start([r"C:\engines\stockfish.exe", "a b"], is_windows=True) == [
        r"C:\engines\stockfish.exe",
        "a b",
    ]


@pytest.mark.parametrize("name", ["engine.bat", "Engine.CMD"])
def test_a_batch_file_is_started_by_the_shell(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYSTEMROOT", "W:")
    command = command_to_start([name, "8/8/8/8/8/8/8/K1k5 w - - 0 1", "a&b|c^d"], is_windows=True)
    assert isinstance(command, str)
    _, _, words = command.partition(" ")
    assert words == f'/d /s /c ""{name}" "8/8/8/8/8/8/8/K1k5 w - - 0 1" "a&b|c^d""'


@pytest.mark.parametrize("word", ["%PATH%", 'a"b', "two\nlines"])
def test_words_that_the_shell_would_change_are_rejected_for_a_batch_file(word: str) -> None:
    with pytest.raises(OSError, match="takes no words with quotes or %"):
        command_to_start(["engine.bat", word], is_windows=True)


@pytest.mark.parametrize(
    ("status", "description"),
    [
        (0, "exited with status 0"),
        (-11, "was killed by SIGSEGV"),
        (-40, "was killed by signal 40"),
        (0xC0000005, "was ended by an access violation (status 0xc0000005)"),
        (0xC00000FD, "was ended by a stack overflow (status 0xc00000fd)"),
    ],
)
def test_the_end_of_a_process_is_described(status: int, description: str) -> None:
    assert end_of(status) == description


def test_cached_files_of_a_container_count_as_available(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "CONTROL_GROUP", str(tmp_path))
    whole = memory.available_bytes()
    files = {"max": "50000000\n", "current": "49000000\n", "stat": "anon 2\nfile 46000000\ninactive_file 40000000\n"}
    for name, text in files.items():
        (tmp_path / f"memory.{name}").write_text(text, encoding="ascii")
    assert memory.available_bytes() == 41_000_000
    (tmp_path / "memory.stat").unlink()
    assert memory.available_bytes() == 1_000_000
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert memory.available_bytes() > min(whole, 1 << 28) // 2
