"""Every rule with its exact sentence in selected positions; `source` is a real bug or a rare event."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from helpers.each import check_each
from perft_check.generator import GenType, MoveList, Position
from perft_check.harness.explaining import (
    Explanation,
    Rule,
    explain_duplicate,
    explain_move,
    explain_notation,
    explain_stage,
    explain_state,
)

DATA = Path(__file__).parent / "data"
ASK = {"extra": explain_move, "missing": explain_move, "duplicate": explain_duplicate, "notation": explain_notation}


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def named(row: dict[str, str]) -> str:
    return f"{row['rule']}-{row['source'] or row['move']}"


MOVES, STAGES, STATES = rows("moves.csv"), rows("stages.csv"), rows("states.csv")


def expected(row: dict[str, str]) -> Explanation:
    return Explanation(Rule(row["rule"]), row["sentence"], tuple(row["squares"].split()))


def test_move() -> None:
    def check(row: dict[str, str]) -> None:
        position = Position.from_fen(row["fen"], chess960=None)
        assert ASK[row["ask"]](position, row["move"]) == expected(row)

    check_each(check, MOVES, named)


def test_cases_are_extra_or_missing_moves() -> None:
    def check(row: dict[str, str]) -> None:
        position = Position.from_fen(row["fen"], chess960=None)
        try:
            position.parse_uci(row["move"])
        except ValueError:
            assert row["ask"] == "extra"
        else:
            assert row["ask"] == "missing"

    check_each(check, (row for row in MOVES if row["ask"] in ("extra", "missing")), named)


def test_stage() -> None:
    def check(row: dict[str, str]) -> None:
        position, gentype = Position.from_fen(row["fen"], chess960=None), GenType[row["gentype"].upper()]
        belongs = row["belongs"] == "in"
        assert explain_stage(position, row["move"], gentype, belongs) == expected(row)
        assert (row["move"] in [listed.move.uci(chess960=True) for listed in MoveList(position, gentype)]) is belongs

    check_each(check, STAGES, named)


def test_state() -> None:
    def check(row: dict[str, str]) -> None:
        position = Position.from_fen(row["fen"], chess960=None)
        assert explain_state(position, row["move"], row["expected"], row["engine"]) == (expected(row),)

    check_each(check, STATES, named)


def test_the_expected_state_is_correct() -> None:
    def check(row: dict[str, str]) -> None:
        position = Position.from_fen(row["fen"], chess960=None)
        assert position.play(position.parse_uci(row["move"])).fen() == row["expected"]
        assert explain_state(position, row["move"], row["expected"], row["expected"]) == ()

    check_each(check, STATES, named)


def test_every_rule_has_a_case() -> None:
    undoing = {rule for rule in Rule if rule.name.startswith("UNDO_")}  # test_state.py has them
    of_several_moves = {Rule.PROMOTION_LETTERS, Rule.CASTLING_WINGS}  # test_mistakes.py has them
    of_fens = {Rule.FEN_CASTLING, Rule.FEN_EN_PASSANT}  # test_fen_reading.py has them
    of_draws = {
        Rule.DRAW_BY_CLOCK,
        Rule.DRAW_BY_REPETITION,
        Rule.DRAW_BY_MATERIAL,
        Rule.LIST_TOO_SHORT,
    }  # tested in test_reported_causes.py
    elsewhere = undoing | of_several_moves | of_fens | of_draws
    assert {Rule(row["rule"]) for row in MOVES + STAGES + STATES} == set(Rule) - elsewhere


def test_slugs_and_titles_are_distinct() -> None:
    assert len({rule.title for rule in Rule}) == len(Rule)
    assert all(rule.value == rule.name.lower().replace("_", "-") for rule in Rule)


@pytest.mark.parametrize("text", ["", " ", "0000", "\n", "e2", "e2e", "e2e4qq", "E2E4", "a0a1", "é2é4", "e2e4" * 9])
def test_any_text_is_explained(text: str) -> None:
    position = Position.start()
    assert explain_move(position, text).rule is Rule.NOT_A_MOVE
    assert explain_duplicate(position, text).rule is Rule.DUPLICATE
    fen = position.fen()
    assert explain_state(position, text, fen, fen) == ()
    assert [found.rule for found in explain_state(position, text, fen, text)] == [Rule.UNREADABLE_FEN]
