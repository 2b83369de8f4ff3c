"""Patterns for totals in unknown formats."""

from __future__ import annotations

import pytest
from perft_check.harness.engines.stdio.learned_patterns import ProbeAnswer, total_re_for
from perft_check.harness.engines.stdio.lines import AnswerPatterns, LinePattern, totals


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Searched 8902 things in 7 ms", "^Searched (?P<nodes>[0-9]+)"),
        ("8,902 ends below", "^(?P<nodes>[0-9][0-9,]*) ends below"),
        ("[perft] depth 3 => {8902}", "^[[]perft[]] depth (?P<depth>[0-9]+) => [{](?P<nodes>[0-9]+)"),
        ("after 7 ms:   8902", "^after [0-9]+ ms: +(?P<nodes>[0-9]+)"),
        ("ends below\t8902\tof 3", "^ends below[[:space:]]+(?P<nodes>[0-9]+)"),
        ("8902 \tends \x01below", "^(?P<nodes>[0-9]+)[[:space:]]+ends .below"),
    ],
)
def test_pattern_reads_its_line(line: str, expected: str) -> None:
    found = total_re_for(line, 8902, 3)
    assert found == expected
    [(name, nodes, depth)] = AnswerPatterns(total=LinePattern("total_re", found)).totals(line)
    assert (name, nodes, depth) == ("total_re", 8902, 3 if "<depth>" in found else None)


def test_pattern_for_a_long_line_begins_after_the_number_before_the_count() -> None:
    """The text before that number belongs to one position: moves and their counts."""
    moves = ",".join(f'"{file}2{file}3":380' for file in "abcdefgh")
    found = total_re_for(f'{{"depth":3,"divide":{{{moves}}},"nodes":8902,"ms":3}}', 8902, 3)
    assert found == "[}],.nodes.:(?P<nodes>[0-9]+)"


def test_no_pattern_without_the_count() -> None:
    assert total_re_for("Searched 18902 things", 8902, 3) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("White 1 : Perft(3): 8902 nodes.", "Perft[(](?P<depth>[0-9]+)[)]: (?P<nodes>[0-9]+)"),
        ("engine-2> Searched 8902 things", "Searched (?P<nodes>[0-9]+)"),
        ("[12]$ ends below: 8902", "ends below: (?P<nodes>[0-9]+)"),
        ("perft 3Searched 8902 things", "Searched (?P<nodes>[0-9]+)"),
        ("engine-2> 8902 things", "(?P<nodes>[0-9]+) things"),
    ],
)
def test_pattern_begins_after_a_prompt_and_an_echoed_question(line: str, expected: str) -> None:
    assert total_re_for(line, 8902, 3, "perft 3") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("(chess) (chess) 8902 leaf nodes", "^(?:[(]chess[)] )+(?P<nodes>[0-9]+) leaf nodes"),
        ("chess:chess:8902", "^(?:chess:)+(?P<nodes>[0-9]+)"),
        (">> >> >> 8,902", "^(?:>> )+(?P<nodes>[0-9][0-9,]*)"),
    ],
)
def test_pattern_accepts_any_number_of_prompts(line: str, expected: str) -> None:
    found = total_re_for(line, 8902, 3)
    assert found == expected
    prompt = line[: len(line.split("8")[0]) // (3 if line.startswith(">") else 2)]
    for times in (1, 4):
        [(_, nodes, _)] = AnswerPatterns(total=LinePattern("total_re", found)).totals(f"{prompt * times}400 leaf nodes")
        assert nodes == 400


def test_pattern_must_read_the_other_probes() -> None:
    """A prompt without a sign at its end may differ between positions."""
    others = [
        ProbeAnswer(("White to move: Searched 96 things",), 96, 2),
        ProbeAnswer(("to move: Searched 7 tables", "Black to move: Searched 96 things"), 96, 2),
        ProbeAnswer(("White to move: Searched 95 things",), 96, 2),
    ]
    line = "White to move: Searched 8902 things"
    assert total_re_for(line, 8902, 3, "perft 3") == "^White to move: Searched (?P<nodes>[0-9]+)"
    assert total_re_for(line, 8902, 3, "perft 3", others[:1]) == "^White to move: Searched (?P<nodes>[0-9]+)"
    assert total_re_for(line, 8902, 3, "perft 3", others) is None
    others[1] = ProbeAnswer(("Black to move: Searched 96 things",), 96, 2)
    assert total_re_for(line, 8902, 3, "perft 3", others) == "to move: Searched (?P<nodes>[0-9]+)"


@pytest.mark.parametrize(
    "row", ["| | **Total** | **8902** | |", "| | Total | 8902 | |", "| **Total** | 8,902 |", "**Total: 8902**"]
)
def test_total_in_a_markdown_table_is_read(row: str) -> None:
    assert [nodes for _, nodes, _ in totals(row, None)] == [8902]
