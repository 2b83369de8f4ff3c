"""Arguments for starting processes, and descriptions of their ends, as each system documents them."""

from __future__ import annotations

import pytest
from perft_check.platforms.processes import command_to_start, end_of


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
        (0, "ended with status 0"),
        (-11, "was killed by SIGSEGV"),
        (-40, "was killed by signal 40"),
        (0xC0000005, "was ended by an access violation (status 0xc0000005)"),
        (0xC00000FD, "was ended by a stack overflow (status 0xc00000fd)"),
    ],
)
def test_the_end_of_a_process_is_described(status: int, description: str) -> None:
    assert end_of(status) == description
