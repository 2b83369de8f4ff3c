"""Lines of an input, whatever is in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from perft_check.harness.uci.session import CHUNK, LONGEST_LINE, lines_of


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


def test_an_input_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(IsADirectoryError):
        list(lines_of(descriptor))
    os.close(descriptor)
