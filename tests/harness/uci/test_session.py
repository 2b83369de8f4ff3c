"""A session: how lines are read, what is answered while a count is under way, and how it ends.

No count of depth 99 ends by itself, so that a session ends is what shows that the count was stopped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import pytest
from helpers.processes import PATIENCE
from perft_check.errors import UsageError
from perft_check.harness.uci import BANNER, CHUNK, GREETING, LONGEST_LINE, Answer, Answers, Output, Session, lines_of

TOTAL = "Nodes searched: 8902\n"


class Talk:
    """A session in a thread, with a pipe to read its answers from."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        read, self._written = os.pipe()
        self._answers = os.fdopen(read, encoding="utf-8")
        self._thread = Thread(target=self._hold, daemon=True)
        self._thread.start()
        assert self.line() == BANNER

    def _hold(self) -> None:
        Session(iter(self._lines.get, None), Output(self._written), lambda: Answers("two-plies").to).answer_all()
        os.close(self._written)

    def say(self, *lines: str | None) -> None:
        """Say lines; None is the end of the input."""
        for line in lines:
            self._lines.put(line)

    def line(self) -> str:
        """Return the next line of the answers."""
        return self._answers.readline()

    def total(self) -> int:
        """Return the total of a count whose root moves have been read."""
        assert self.line() == "\n"
        text, total = self.line().split(": ")
        assert (text, self.line()) == ("Nodes searched", "\n")
        return int(total)

    def end(self) -> str:
        """Return what is still answered, up to the end of the session."""
        rest = self._answers.read()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self._answers.close()
        return rest


def test_commands_are_answered_in_their_order() -> None:
    talk = Talk()
    talk.say(
        "uci", "", "   ", "# nothing", "position startpos", "perft 1", "position startpos moves e2e4", "d", "quit", "d"
    )
    answer = talk.end()
    assert answer.startswith(GREETING)
    assert answer.count("Fen: ") == 1
    assert answer.index("Nodes searched: 20\n") < answer.index("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/")


def test_what_was_asked_before_the_end_is_answered() -> None:
    for end in ("quit", None):
        talk = Talk()
        talk.say("perft 3", "go perft 5", "d", end)
        answer = talk.end()
        assert answer.index(TOTAL) < answer.index("Nodes searched: 4865609\n") < answer.index("Fen: ")


def test_isready_and_uci_are_answered_while_a_count_is_under_way_and_stop_ends_it() -> None:
    talk = Talk()
    talk.say("position startpos moves e2e4", "go perft 99", "isready")
    assert talk.line() == "readyok\n"
    talk.say("uci")
    assert "".join(talk.line() for _ in GREETING.splitlines()) == GREETING
    talk.say("stop")
    assert talk.line() == "info string stopped: 0 of 20 root moves counted\n"
    talk.say("go perft 3", "quit")
    assert talk.end().endswith("\nNodes searched: 13160\n\n")


def test_stop_ends_counts_that_wait_and_leaves_what_comes_later() -> None:
    talk = Talk()
    talk.say("stop", "go perft 99", "perft 99", "position startpos moves e2e4", "isready")
    assert talk.line() == "readyok\n"
    talk.say("stop", "perft 1", "d", "quit")
    answer = talk.end()
    assert answer.startswith(2 * "info string stopped: 0 of 20 root moves counted\n")
    assert "\nNodes searched: 20\n" in answer
    assert "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/" in answer


def test_root_moves_of_a_deep_count_are_reported_one_by_one() -> None:
    talk = Talk()
    talk.say("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go perft 6")
    told = [talk.line() for _ in range(3)]
    assert [line[:2] for line in told] == 3 * ["a1"]
    assert sum(int(line.split(": ")[1]) for line in told) == talk.total()
    talk.say("quit")
    talk.end()


def test_an_input_that_cannot_be_read_is_a_mistake_of_the_user() -> None:
    def heard() -> Iterator[str]:
        yield "isready"
        raise IsADirectoryError(21, "Is a directory")

    read, written = os.pipe()
    with pytest.raises(UsageError, match=r"^cannot read stdin: Is a directory$"):
        Session(heard(), Output(written), lambda: Answers("two-plies").to).answer_all()
    os.close(read)
    os.close(written)


def test_a_fault_of_ours_ends_the_session() -> None:
    def load() -> Answer:
        raise AssertionError("a fault")

    read, written = os.pipe()
    with pytest.raises(AssertionError, match=r"^a fault$"):
        Session(["uci", "d", "isready"], Output(written), load).answer_all()
    os.close(written)
    with os.fdopen(read) as said:
        assert said.read() == BANNER + GREETING


def read(folder: Path, data: bytes) -> list[str | None]:
    """Return the lines of some bytes."""
    path = folder / "input"
    path.write_bytes(data)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return list(lines_of(descriptor))
    finally:
        os.close(descriptor)


def test_lines_end_as_they_do_on_any_system_and_the_last_one_need_not(tmp_path: Path) -> None:
    assert read(tmp_path, b"") == []
    assert read(tmp_path, b"uci\nisready\n") == ["uci", "isready"]
    lines = read(tmp_path, b"uci\r\n\r\n  isready  \r\nquit")
    assert [line.split() for line in lines if line is not None] == [["uci"], [], ["isready"], ["quit"]]


def test_a_line_may_be_as_long_as_a_game_of_a_hundred_thousand_moves(tmp_path: Path) -> None:
    for length in (CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, LONGEST_LINE):
        assert read(tmp_path, b"x" * length + b"\nd\n") == ["x" * length, "d"]
    for length in (LONGEST_LINE + 1, LONGEST_LINE + 2 * CHUNK, 5 * LONGEST_LINE):
        assert read(tmp_path, b"x" * length + b"\nd\n") == [None, "d"]
        assert read(tmp_path, b"d\n" + b"x" * length) == ["d", None]


def test_bytes_that_are_no_utf_8_are_replaced(tmp_path: Path) -> None:
    assert read(tmp_path, b"\xff\x00d\n") == ["\N{REPLACEMENT CHARACTER}\x00d"]
