"""Mutants are those that the operators promise, and they live or die as they should."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest
from mutation import killing, report
from mutation.answers import ANSWERS
from mutation.killing import MutantOutcome, outcomes
from mutation.ledger import fates, read, written
from mutation.markdown import SHOWN, around_difference, tables
from mutation.mutants import Mutant, mutants_of, mutants_of_module
from mutation.ordering import QuestionOrder
from mutation.questions import Question, first_questions, long_questions
from mutation.targets import TARGETS, path_of
from mutation.verdicts import MutantVerdict, verdicts

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1"
QUESTIONS = [Question("count", (fen, 1, "list", "pext"), nodes) for fen, nodes in ((START, 20), (KIWIPETE, 48))]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are tried in forked processes")

SMALL = '''"""A module."""

from bits import ONE, ZERO, rest

LIMIT = 8


@inline
def steps(left: int, right: int, free: bool = True) -> int:
    """Return steps."""
    count = ZERO
    while left != ZERO and not free:
        count += right & ~left
        left = rest(left)
    return step(count, LIMIT) if free else left
'''
EXPECTED = """
LIMIT constant 8 -> 9
LIMIT constant 8 -> 7
steps constant True -> False
steps constant ZERO -> ONE
steps condition left != ZERO and not free -> (left != ZERO or not free)
steps branch left != ZERO and not free -> (not free)
steps branch left != ZERO and not free -> (left != ZERO)
steps comparison left != ZERO -> (left == ZERO)
steps twin left -> right
steps constant ZERO -> ONE
steps condition not free -> free
steps arithmetic count += right & ~left -> count -= right & ~left
steps statement count += right & ~left -> pass
steps arithmetic right & ~left -> (right | ~left)
steps twin right -> left
steps arithmetic ~left -> left
steps twin left -> right
steps statement left = rest(left) -> pass
steps twin left -> right
steps condition step(count, LIMIT) if free else left -> (left if free else step(count, LIMIT))
steps branch step(count, LIMIT) if free else left -> step(count, LIMIT)
steps branch step(count, LIMIT) if free else left -> left
steps arguments step(count, LIMIT) -> step(LIMIT, count)
steps twin left -> right
"""


def texts(mutants: list[Mutant]) -> list[str]:
    return [f"{mutant.function} {mutant.operator} {mutant.before} -> {mutant.after}" for mutant in mutants]


def test_the_mutants_of_a_small_module_are_exactly_these() -> None:
    assert sorted(texts(mutants_of(SMALL, "small"))) == sorted(EXPECTED.strip().splitlines())


def test_names_that_are_left_out_have_no_mutants() -> None:
    assert texts(mutants_of(SMALL, "small", ("steps",))) == EXPECTED.strip().splitlines()[:2]


def test_a_mutant_changes_its_own_place_only() -> None:
    for mutant in mutants_of(SMALL, "small"):
        changed = mutant.applied_to(SMALL)
        assert changed != SMALL
        assert changed.endswith(SMALL[mutant.start + len(mutant.before) :])


def test_ids_outlive_lines_above_them() -> None:
    ids = [mutant.id for mutant in mutants_of(SMALL, "small")]
    later = mutants_of(SMALL.replace("LIMIT = 8", "MORE = ALL\nLIMIT = 8"), "small")
    assert len(set(ids)) == len(ids)
    assert [mutant.id for mutant in later if mutant.function != "MORE"] == ids


@pytest.mark.parametrize("module", ["types.frame", "kernels.castling", "kernels.pawns"])
def test_every_mutant_is_a_program_unlike_the_source(module: str) -> None:
    source = path_of(module).read_text(encoding="utf-8")
    right = ast.dump(ast.parse(source))
    assert all(ast.dump(ast.parse(mutant.applied_to(source))) != right for mutant in mutants_of_module(module))


@pytest.mark.parametrize("module", TARGETS)
def test_what_is_left_out_exists(module: str) -> None:
    tree = ast.parse(path_of(module).read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert set(TARGETS[module]) <= names | functions


def test_every_verdict_is_about_a_mutant_that_there_is() -> None:
    mutants = [mutant for module in TARGETS for mutant in mutants_of_module(module)]
    ids = {mutant.id for mutant in mutants}
    assert len(ids) == len(mutants)
    assert set(verdicts()) <= ids
    assert {verdict.verdict for verdict in verdicts().values()} <= {"equivalent", "cost", "unused"}
    assert all(verdict.reason for verdict in verdicts().values())


def by_hand(module: str, before: str, after: str) -> Mutant:
    source = path_of(module).read_text(encoding="utf-8")
    assert source.count(before) == 1
    return Mutant("00000000", module, "", "by hand", 1, before, after, source.index(before))


KILLED = [
    ("kernels.pawns", "RANK_3 = np.uint64(0xFF << 16)", "RANK_3 = np.uint64(0xFE << 16)", "wrong answer", "count"),
    ("kernels.geometry", "(-2, -1), (-2, 1)", "(-2, -1), (-2, 2)", "wrong answer", "count"),
    ("kernels.safety", "<< square\n        sliders = rest(sliders)\n", "<< square\n", "time", "count"),
    ("kernels.safety", "leapers = leaper_checkers(tables,", "leapers = leaper_checkers(king,", "error", "count"),
    ("kernels.castling", "import ONE, ZERO, lsb, rest", "import ONE, ZERO, lsb, nothing", "error", "import"),
    ("kernels.machine.bits", "8 * int(index)).value)", "8 * int(index) + (1 << 60)).value)", "crash", "count"),
]  # fmt: skip
EQUIVALENT = [
    # No rook stands on its king's square.
    ("kernels.castling", "return G1 if rook > king else C1", "return G1 if rook >= king else C1"),
    # The squares between two others are the same from either end.
    ("kernels.legality", "between(tables, origin, target)", "between(tables, target, origin)"),
]


@needs_fork
@pytest.mark.parametrize(("module", "before", "after", "fate", "by"), KILLED)
def test_faults_made_by_hand_are_killed(
    module: str, before: str, after: str, fate: str, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(killing, "SECONDS", 0.3 if fate == "time" else killing.PATIENT_SECONDS)
    (outcome,) = outcomes([by_hand(module, before, after)], QUESTIONS)
    assert (outcome.fate, outcome.by) == (fate, by)


@pytest.mark.slow
@needs_fork
def test_equivalent_mutants_survive_every_kind_of_question() -> None:
    asked = [*first_questions(), *long_questions(20)]
    some = [question for kind in ANSWERS for question in [one for one in asked if one.kind == kind][:10]]
    assert {question.kind for question in some} == set(ANSWERS)
    found = list(outcomes([by_hand(*change) for change in EQUIVALENT], some, jobs=2))
    assert [outcome.survived for outcome in found] == [True, True], found


def test_what_kills_is_asked_first() -> None:
    order = QuestionOrder(["children", "count", "lists"])
    assert order.for_module("turbo") == [1, 2, 0]
    order.credit("play", 0)
    order.credit("turbo", 2)
    assert order.for_module("turbo") == [2, 0, 1]
    assert order.for_module("play") == [0, 2, 1]
    assert order.for_module("pawns") == [2, 0, 1]


FIRST = [MutantOutcome("a", "survived"), MutantOutcome("b", "time", "count", 3), MutantOutcome("c", "survived")]
LONG = [MutantOutcome("a", "survived"), MutantOutcome("c", "wrong answer", "soak", 5)]


def test_results_are_kept_and_the_last_stage_decides(tmp_path: Path) -> None:
    path = tmp_path / "mutants.jsonl"
    assert list(written(path, "first", FIRST)) == FIRST
    assert list(written(path, "long", LONG)) == LONG
    path.write_text(path.read_text() + path.read_text().splitlines()[0].replace('"sources": "', '"sources": "other'))
    assert {stage: list(found.values()) for stage, found in read(path).items()} == {"first": FIRST, "long": LONG}
    assert fates(read(path)) == {"a": FIRST[0], "b": FIRST[1], "c": LONG[1]}


def test_a_line_that_was_cut_off_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "mutants.jsonl"
    list(written(path, "first", FIRST))
    path.write_bytes(path.read_bytes()[:-9])
    assert list(read(path)["first"].values()) == FIRST[:-1]
    list(written(path, "first", FIRST[-1:]))
    assert list(read(path)["first"].values()) == FIRST


@pytest.mark.parametrize("line", ["Buy milk.", "[]", "{}", '{"sources": "", "stage": "first", "id": 1}'])
def test_what_is_no_outcome_is_told(tmp_path: Path, line: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(f"{line}\n")
    with pytest.raises(ValueError, match="line 1: no outcome of a mutant; give another file"):
        read(path)


def test_the_table_adds_up() -> None:
    mutants = mutants_of(SMALL, "small")
    found = {mutant.id: MutantOutcome(mutant.id, "time", "count", 1) for mutant in mutants}
    found |= {mutant.id: MutantOutcome(mutant.id, "survived") for mutant in mutants[:6]}
    proven = {mutant.id: MutantVerdict(mutant.id, "equivalent", "-") for mutant in mutants[:3]}
    *_, last = report.rows(mutants, found, proven, lambda mutant: mutant.operator)
    assert last == report.Row("all", (0, 0, 0, len(mutants) - 6, 6), 3)
    assert last.cells == ["24", "0", "0", "0", "18", "6", "3", "75.0 %"]
    assert report.survivors(mutants, found) == mutants[:6]
    assert report.killers(found) == {"count": 18}


def test_long_changes_are_cut_around_their_difference() -> None:
    assert around_difference("a & b", "a | b") == ("a & b", "a | b")
    before = f"following({'x, ' * 20}first, {'y, ' * 20}z)"
    found, changed = around_difference(before, before.replace("first", "other"))
    assert found[:3] == found[-3:] == "..."
    assert "first" in found
    assert found.replace("first", "other") == changed
    assert len(found) == SHOWN + 6


def test_the_documentation_groups_survivors_by_reason() -> None:
    mutants = mutants_of(SMALL, "small")[:3]
    found = {mutant.id: MutantOutcome(mutant.id, "survived") for mutant in mutants}
    known = {mutant.id: MutantVerdict(mutant.id, "cost", "only slower") for mutant in mutants[:2]}
    lines = list(tables(mutants, found, known))
    assert "| all | 3 | 0 | 0 | 0 | 0 | 3 | 2 | 0.0 % |" in lines
    assert lines[-5:] == [
        "\n**Cost**: only slower.\n",
        f"- {mutants[0].id} small:5 `8` → `9`",
        f"- {mutants[1].id} small:5 `8` → `7`",
        "\n**Unread**: not read yet.\n",
        f"- {mutants[2].id} small:9 `True` → `False`",
    ]
