"""Engines that write endlessly: this is reported, and the kept output is bounded."""

from __future__ import annotations

import shlex
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from helpers.budget import properties
from helpers.fakes import FAKES, flooding
from helpers.processes import PATIENCE, processes_called_with, until
from helpers.program import Run
from hypothesis import given
from hypothesis import strategies as st
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.base import EngineFlood, EngineTimeout
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.command_lines import command_line
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.stdio.output import BLOCK, Incoming
from perft_check.harness.engines.stdio.process import UNENDED_LINE_SECONDS, Process, ProcessLimits
from perft_check.harness.engines.stdio.transcript import MOST_LISTED
from perft_check.harness.engines.types.stdin_engine import StdinEngine

START = Game(Position.start())
MOST_KEPT = 40 * 2**20
"""Bytes: twice the limit of an answer, because buffers are copied when they grow, and the lines of a part of it."""
TOO_MUCH = "floods: more than 8 MiB and no total"
TOO_LONG = "floods: a line of more than 1 MiB"


@contextmanager
def with_little_memory() -> Iterator[None]:
    """Fail if much more memory is allocated than an answer may have."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < MOST_KEPT
    finally:
        tracemalloc.stop()


@contextmanager
def talking(code: str, limits: ProcessLimits | None = None) -> Iterator[Process]:
    process = Process("it", [sys.executable, "-c", f"import os, sys\n{code}"], limits or ProcessLimits())
    try:
        yield process
    finally:
        process.kill()


def test_an_object_is_read_to_its_end_even_if_its_line_arrives_in_parts() -> None:
    pause = UNENDED_LINE_SECONDS + 0.3
    code = f"import time\nprint('{{\"total\":', end='', flush=True)\ntime.sleep({pause})\nprint(' 20}}', flush=True)"
    with talking(code) as process:
        assert process.read_object(EngineCall(20)) == {"total": 20}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not report whether a thread is running")
@pytest.mark.parametrize(
    "thread", ["", "import threading\nrun = threading.Thread(target=run).start\n"], ids=["main", "another"]
)
def test_line_is_not_cut_while_its_process_is_running(thread: str) -> None:
    """On a busy machine, a process may pause in the middle of a number. Busy-waiting has the same effect."""
    code = f"""import time
def run():
    os.write(1, b'e2e4: 2')
    until = time.monotonic() + {UNENDED_LINE_SECONDS + 0.5}
    while time.monotonic() < until: pass
    os.write(1, b'0\\ntotal 20')
    sys.stdin.read()
{thread}run()"""
    with talking(code) as process:
        assert [process.read(EngineCall(PATIENCE)) for _ in range(2)] == ["e2e4: 20", "total 20"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("when", "what", "message"),
    [
        ("at-once", "lines", TOO_MUCH),
        ("at-once", "short-lines", TOO_MUCH),
        ("at-once", "empty-lines", TOO_MUCH),
        ("at-once", "one-line", TOO_LONG),
        ("when-ready", "lines", TOO_MUCH),
        ("when-it-counts", "lines", TOO_MUCH),
        ("when-it-counts", "one-line", TOO_LONG),
        ("when-it-counts", "answers", TOO_MUCH),
    ],
)
def test_flood_is_reported_with_bounded_memory(tmp_path: Path, when: str, what: str, message: str) -> None:
    """There is no time limit, so only the flood can end the search for commands."""
    engine = open_engine(flooding(when, what, str(tmp_path / "floods")))
    with with_little_memory(), pytest.raises(EngineFlood) as caught:
        engine.start(EngineCall())
    assert str(caught.value).endswith(message)
    engine.close()
    until(lambda: not processes_called_with(str(tmp_path)))


@pytest.mark.slow
def test_endless_stderr_is_not_an_answer() -> None:
    engine = open_engine(flooding("at-once", "errors"))
    with with_little_memory(), pytest.raises(EngineTimeout) as caught:
        engine.start(EngineCall(0.5))
    assert str(caught.value).endswith("within 5 seconds; on stderr 'debug'")
    engine.close()


def test_engine_flooding_at_start_is_started_once(tmp_path: Path) -> None:
    engine = open_engine(flooding("at-once", "lines", str(tmp_path / "floods")))
    with pytest.raises(EngineFlood):
        engine.start(EngineCall(PATIENCE))
    engine.close()
    assert (tmp_path / "floods").read_text() == "a flood\n"


@pytest.mark.slow
def test_another_command_may_count_after_a_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("perft_check.harness.engines.stdio.command_search.AFTER_A_FLOOD", PATIENCE)
    engine = open_engine(flooding("unless-perft", "lines"))
    assert isinstance(engine, StdinEngine)
    engine.start(EngineCall(PATIENCE))
    assert engine.descriptor.case.endswith("\nperft {depth}")
    assert engine.perft(START, 3, EngineCall(PATIENCE)) == 8902
    engine.close()


def test_output_after_an_answer_is_not_part_of_it() -> None:
    """It counts toward the limit of the next question."""
    engine = open_engine(flooding("afterwards", "lines"))
    assert isinstance(engine, StdinEngine)
    engine.start(EngineCall(PATIENCE))
    assert engine.descriptor.case.endswith("\ngo perft {depth}")
    with pytest.raises(EngineFlood, match=TOO_MUCH):
        engine.perft(START, 3, EngineCall(PATIENCE))
    engine.close()


@pytest.mark.nightly
@pytest.mark.slow
def test_verbose_engine_is_read_to_the_end() -> None:
    engine = open_engine(flooding("talks", "lines"))
    with with_little_memory():
        engine.start(EngineCall(PATIENCE))
        assert engine.divide(START, 3, EngineCall(PATIENCE)).total == 8902
    engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["uci:{engine}", "cmd:{engine} {fen} {depth}", "script:{engine}"])
def test_flood_is_reported_and_no_process_left(run: Run, tmp_path: Path, kind: str) -> None:
    """This includes descendants of the engine."""
    engine = shlex.join([sys.executable, str(FAKES / "floods.py"), "at-once", "lines", str(tmp_path / "floods")])
    command = shlex.join(["sh", "-c", f"{engine} | cat"])
    spec = kind.replace("{engine}", command)
    done = run("perft", "startpos", "3", "-e", spec)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.endswith(f"{TOO_MUCH}; try: {command_line('doctor', '-e', command)}\n")
    until(lambda: not processes_called_with(str(tmp_path)))


def test_too_many_root_moves() -> None:
    """The number of moves exceeds its limit although the number of bytes does not."""
    code = f"print('e2e4: 20\\n' * {MOST_LISTED + 1}, flush=True)\nsys.stdin.read()"
    spec = shlex.join([sys.executable, "-c", f"import sys\n{code}"])
    program = open_engine(f"cmd:{spec} {{fen}} {{depth}}")
    with pytest.raises(EngineFlood, match=f"floods: more than {MOST_LISTED:,} moves in one answer$"):
        program.perft(START, 3, EngineCall(PATIENCE))


def test_line_arriving_byte_by_byte() -> None:
    code = "for _ in range(200_000): os.write(1, b'x')\nos.write(1, b'\\n')\nsys.stdin.read()"
    with talking(code) as process:
        assert process.read(EngineCall(PATIENCE)) == "x" * 200_000


def test_output_limit_applies_to_each_question() -> None:
    code = "for line in sys.stdin: print('x' * 99 + '\\n' + 'y' * 900 + '\\nend', flush=True)"
    with talking(code, ProcessLimits(answer_bytes=1500)) as process:
        for _ in range(3):
            process.begin_question()
            ask_to_the_end(process)
        with pytest.raises(EngineFlood):
            ask_to_the_end(process)


def ask_to_the_end(process: Process) -> None:
    process.send(["question"], EngineCall(PATIENCE))
    while process.read(EngineCall(PATIENCE)) != "end":
        pass


@properties(100)
@given(
    st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", b"\r\n", b"\n\n", b"d\ne", b"f" * BLOCK]), max_size=12),
    st.data(),
)
def test_lines_are_complete_and_in_order(parts: list[bytes], data: st.DataObject) -> None:
    incoming, lines = Incoming(), []
    for part in parts:
        incoming.take(part)
        assert incoming.unended <= incoming.received
        if data.draw(st.booleans()):
            lines += all_lines(incoming)
    text = b"".join(parts)
    assert incoming.received == len(text)
    incoming.end_line()
    lines += all_lines(incoming)
    assert lines == [line for line in text.replace(b"\r", b"\n").split(b"\n") if line]
    assert (incoming.unended, incoming.has_more) == (0, False)


def all_lines(incoming: Incoming) -> list[bytes]:
    lines = []
    while incoming.has_more:
        incoming.split()
        while (line := incoming.line()) is not None:
            lines.append(line)
    return lines
