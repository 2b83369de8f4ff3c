"""Command lines to copy: a shell splits them into the original words."""

from __future__ import annotations

import os
import subprocess

import pytest
from helpers.made_results import case
from perft_check.harness.engines.command_lines import command_line, commands_of_case, quote
from perft_check.harness.model.results.verdict import Verdict

WORDS = {
    "8/8/8/8 w - - 0 1": "'8/8/8/8 w - - 0 1'",
    "it's": """'it'"'"'s'""",
    "two\nlines": r"$'two\nlines'",
    "it's\ta \\ tab\r": r"$'it\'s\ta \\ tab\r'",
    "\x1b[31mred\x07": r"$'\e[31mred\007'",
    "turned \u202e round": r"$'turned \U0000202e round'",
    os.fsdecode(b"caf\xe9\n"): r"$'caf\xe9\n'",
}


@pytest.mark.parametrize(("word", "typed"), WORDS.items(), ids=range(len(WORDS)))
def test_a_word_is_quoted_on_one_line(word: str, typed: str) -> None:
    assert quote(word) == typed


def test_a_shell_splits_a_command_line_into_the_same_words() -> None:
    typed = command_line(*WORDS).removeprefix("perft-check ")
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", rf"printf '%s\0' {typed}"], capture_output=True, check=True, env=environment)
    assert [os.fsdecode(word) for word in done.stdout.split(b"\0")] == [*WORDS, ""]


def test_the_questions_before_an_incorrect_search_are_replayed_at_a_depth_that_fuzz_accepts() -> None:
    failed = case("search", Verdict.MISMATCH, depth=0, replay="questions.replay")
    assert commands_of_case(failed, "./engine") == ("perft-check fuzz --replay questions.replay -e ./engine --depth 1",)
