"""Every rule with its exact sentence in selected positions; `source` is a real bug or a rare event."""

from __future__ import annotations

import csv
import tomllib
from importlib.resources import files
from pathlib import Path

import chess
import pytest
from helpers.each import check_each
from helpers.program import Run, wrong
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
from perft_check.harness.explaining.examples import rule_texts

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


@pytest.mark.parametrize("text", ["", " ", "0000", "\n", "e2", "e2e", "e2e4qq", "E2E4", "a0a1", "é2é4", "e2e4" * 9])
def test_any_text_is_explained(text: str) -> None:
    position = Position.start()
    assert explain_move(position, text).rule is Rule.NOT_A_MOVE
    assert explain_duplicate(position, text).rule is Rule.DUPLICATE
    fen = position.fen()
    assert explain_state(position, text, fen, fen) == ()
    assert [found.rule for found in explain_state(position, text, fen, text)] == [Rule.UNREADABLE_FEN]


OF_SEVERAL_MOVES = {Rule.PROMOTION_LETTERS, Rule.CASTLING_WINGS}
OF_FENS = {Rule.FEN_CASTLING, Rule.FEN_EN_PASSANT}
"""A single move does not show these rules: the same position has to be correct if it is reached by moves."""
OF_DRAWS = {Rule.DRAW_BY_CLOCK, Rule.DRAW_BY_REPETITION, Rule.DRAW_BY_MATERIAL, Rule.LIST_TOO_SHORT}
"""Nor these: all moves are missing, except if the position is not a draw."""
OF_POSITIONS = {rule for rule, text in rule_texts().items() if any("/" in one for one in text.example.correct)}


def test_every_rule_has_a_text_in_the_order_of_the_rules() -> None:
    tables = tomllib.loads((files("perft_check.harness.explaining") / "rules.toml").read_text())
    assert list(tables) == [rule.value for rule in Rule]
    assert all(text.text.endswith(".") and text.source for text in rule_texts().values())


@pytest.mark.parametrize("rule", Rule, ids=[rule.value for rule in Rule])
def test_the_example_breaks_the_rule(rule: Rule) -> None:
    example = rule_texts()[rule].example
    if rule not in OF_SEVERAL_MOVES | OF_FENS | OF_DRAWS:
        assert {one.rule for one in example.reasons} == {rule}
    assert example.extra or example.missing
    assert set(example.missing) <= set(example.correct)


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule not in OF_POSITIONS and rule is not Rule.STAGE])
def test_the_correct_moves_agree_with_python_chess(rule: Rule) -> None:
    example = rule_texts()[rule].example
    chess960 = example.position.chess960
    board = chess.Board(example.position.fen(), chess960=chess960)
    assert sorted(example.correct) == sorted(board.uci(move, chess960=chess960) for move in board.legal_moves)
    assert rule is Rule.DUPLICATE or not set(example.extra) & set(example.correct)


def test_a_rule_is_explained(run: Run) -> None:
    done = run("explain", "en-passant-uncovers-rank")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "en-passant-uncovers-rank: En passant takes both pawns off the king's rank"
    assert lines[3] == "Source: FIDE Laws of Chess 3.9.2"
    assert lines[-5:] == [
        "position             8/8/2k5/K1Pp3r/8/8/8/8 w - d6 0 4",
        "correct legal moves  3: a5a4 a5b4 a5a6",
        "wrong answer         4: these and c5d6",
        "seeded faults        ep-bishop-lines-only: perft-check zoo show NAME",
        "your engine          perft-check divide '8/8/2k5/K1Pp3r/8/8/8/8 w - d6 0 4' 1 -e ./my-engine",
    ]


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("duplicate", "wrong answer         7: these, and e2e4 again"),
        ("castling", "wrong answer         14: these without e1g1"),
        ("castling-by-king-target", "wrong answer         17: these, but f1c1 instead of f1a1"),
        ("undo-capture", "wrong answer                      4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"),
        ("stage", "wrong answer    9: these and a7a8q"),
    ],
)
def test_the_wrong_move_is_explained(run: Run, rule: str, line: str) -> None:
    assert line in run("explain", rule).stdout.splitlines()


def test_all_rules_are_listed_and_an_unknown_name_is_a_usage_error(run: Run) -> None:
    done = run("explain")
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == [rule.value for rule in Rule]
    assert wrong(run, "explain", "pined") == "no rule named 'pined': did you mean 'pinned'?"
    assert wrong(run, "explain", "zzz") == "no rule named 'zzz': `perft-check explain` lists all"
    assert "unexpected argument 'b'" in wrong(run, "explain", "pinned", "b")


def test_a_failure_names_the_command_that_explains_it(run: Run) -> None:
    done = run("divide", "8/8/2k5/K1Pp3r/8/8/8/8 w - d6 0 4", "1", "-e", "zoo:ep-bishop-lines-only")
    assert done.returncode == 1
    assert "rule: perft-check explain en-passant-uncovers-rank" in done.stdout.splitlines()
