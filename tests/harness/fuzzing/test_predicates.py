"""Predicates and hash keys of Python objects and libraries are checked."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest
from fakes.predicates import HABITS, KEYS, PREDICATES
from helpers.fakes import FAKES
from helpers.fuzz_report import reported_findings
from helpers.libraries import EXAMPLES, HEADERS, WARNINGS, built, needs_cc
from helpers.node_modules import needs
from helpers.program import WIDE, Run
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.opening import open_session
from perft_check.harness.engines.predicates import PREDICATES as PREDICATES_OF_ENGINES
from perft_check.harness.engines.spec import EngineSpec
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.keys import Keys
from perft_check.harness.fuzzing.checks.predicate_references import is_insufficient, repetitions
from perft_check.harness.fuzzing.checks.predicates import Predicates

ADAPTERS = Path(__file__).parents[2] / "adapters"
BRIEF = ("-n", "40", "--seed", "1", "-j", "1", "--fail-fast", "--report", "json=-")
NOTES = {
    "check-by-knight-forgotten": "for a move that gives direct check",
    "mate-without-check": "is_checkmate returns True",
    "stalemate-in-check": "is_stalemate returns True",
    "stalemate-of-lone-king-only": "is_stalemate returns False",
    "three-pieces-are-insufficient": "is_insufficient_material returns True",
    "knight-is-sufficient": "is_insufficient_material returns False",
    "repetition-ignores-rights": "is_repetition(2) returns True",
    "repetition-without-first-position": "is_repetition(2) returns False",
    "fifty-moves-are-fifty-plies": "is_fifty_moves returns True",
    "fifty-moves-one-late": "is_fifty_moves returns False",
    "discovered-check-forgotten": "gives_check returns False for a move that gives discovered check",
    "castling-check-forgotten": "gives_check returns False for castling that gives check",
    "pinned-en-passant-is-legal": "is_legal returns True for an illegal move: En passant",
    "knight-need-not-answer-check": "is_legal returns True for an illegal move: Check is not answered",
    "castling-is-always-legal": "is_legal returns True for an illegal move: Castling",
    "knight-may-promote": "is_legal returns True for an illegal move: a promotion of another piece than a pawn",
    "enemy-knight-is-pseudo-legal": "returns True for an illegal move: Move of an enemy piece",
    "double-step-is-not-pseudo-legal": "returns False for a legal move: a pawn that moves",
    "ambiguous-san": "san writes a text that does not name one legal move",
    "san-without-mate-by-black": "san writes no sign of mate for a move that is mate",
    "san-of-promotion-to-queen": "san writes the text of another move",
    "parse-san-prefers-queen": "parse_san does not return the move that it is given: a promotion",
    "no-king": "king",
    "colors-alike": "the key leaves out the color of a ",
    "rook-is-queen": "the key leaves out the type of a ",
    "squares-by-rank": "",
    "no-turn": "the key leaves out the side to move",
    "no-rights": "the key leaves out a castling right",
    "one-word-for-rights": "",
    "no-en-passant": "the key leaves out the en passant square",
    "en-passant-victim-stays": "the key is not updated by a capture en passant",
    "captured-piece-stays": "the key is not updated by a ",
    "promoted-pawn-stays": "the key is not updated by a promotion",
    "castled-rook-stays": "the key is not updated by castling",
    "right-of-captured-rook-stays": "the key is not updated by a ",
    "key-not-taken-back": "the key differs after a move is taken back",
}
"""Faults of `fakes/predicates.py` with words of the finding; empty if the position decides what is seen first."""
SAME_KEY = "two positions have the same key"
"""What may be seen before the comparison that names what the key leaves out."""


def object_with(folder: Path, fault: str) -> str:
    """Return the engine with this fault, in a module of the folder."""
    path = f"import sys\nsys.path.insert(0, {str(FAKES.parent)!r})\n"
    (folder / "mine.py").write_text(f"{path}from fakes.predicates import board_with\nBoard = board_with({fault!r})\n")
    return "python:mine:Board"


@pytest.mark.slow
@pytest.mark.parametrize("fault", [*PREDICATES, *KEYS])
def test_a_fault_of_a_python_object_is_found(fuzz: Run, tmp_path: Path, fault: str) -> None:
    done = fuzz("-e", object_with(tmp_path, fault), *BRIEF)
    assert done.returncode == 1, done.stderr
    findings = json.loads(done.stdout)["findings"]
    assert {one["check"] for one in findings} == {"keys" if fault in KEYS else "predicates"}
    notes = [one["finding"]["note"] for one in findings]
    assert any(NOTES[fault] in note or (fault in KEYS and SAME_KEY in note) for note in notes), notes


@pytest.mark.slow
@pytest.mark.parametrize("habit", HABITS)
def test_a_correct_python_object_is_not_accused(fuzz: Run, tmp_path: Path, habit: str) -> None:
    done = fuzz("-e", object_with(tmp_path, habit), "-n", "40", "--seed", "1", "-j", "1")
    assert done.returncode == 0, done.stdout


PIECE_WORD = "static uint64_t piece_word(const Board *b, int at) { return "
OF_LIBRARY = {
    "is_check": ("PREDICATE(is_check, in_check(b))", "PREDICATE(is_check, in_check(b) && b->white)"),
    "is_checkmate": ("PREDICATE(is_checkmate, in_check(b) && !has", "PREDICATE(is_checkmate, !has"),
    "is_stalemate": ("PREDICATE(is_stalemate, !in_check(b) && !has", "PREDICATE(is_stalemate, !has"),
    "is_insufficient_material": ("b->kind[PAWN] | b->kind[ROOK]", "b->kind[ROOK]"),
    "is_twofold_repetition": ("PREDICATE(is_twofold_repetition, ", "PREDICATE(is_twofold_repetition, game.n > 5 && "),
    "is_threefold_repetition": ("occurrences(&game) >= 3", "occurrences(&game) >= 2"),
    "is_fifty_moves": ("b->half >= 100", "b->half > 100"),
    "gives_check": ("    return in_check(&after);\n", "    return in_check(&after) && !move.into;\n"),
    "is_legal": ("strlen(text) <= 5 && read", "strlen(text) <= 5 && text[4] != 'n' && read"),
    "san": ("kind != KING && alike && (!file || rank)", "kind != KING && alike && rank"),
    "san of promotions": ("move.into & ~32", "'Q'"),
    "parse_san": ("if (strcmp(san, text)) continue;", 'if (strncmp(san, text, strcspn(text, "="))) continue;'),
    "key without kings": (PIECE_WORD, f"{PIECE_WORD}kind_at(b, at) == KING ? 0 : "),
    "key without colors": ("(b->of[1] >> at & 1) * 512", "0"),
    "key without files": ("kind_at(b, at) * 64 + at)", "kind_at(b, at) * 64 + at / 8)"),
    "key without turn": ("uint64_t key = b->white ? word(1152) : 0;", "uint64_t key = 0;"),
    "key with one word for rights": ("return word(1024 + rook);", "return word(1024 + rook * 0);"),
    "key without en passant": ("return is_ep_usable(b) ? word(1088 + b->ep) : 0;", "return 0 * is_ep_usable(b);"),
    "turn not updated": ("return key ^ word(1152) ^ ep_word(before)", "return key ^ ep_word(before)"),
    "rights not updated": ("for EACH (at, before->rooks ^ after->rooks) key ^= right_word(at);", ""),
    "en passant not updated": ("^ ep_word(before) ^ ep_word(after);", "^ ep_word(after);"),
    "captured piece not updated": ("key ^= was ^ is;", "key ^= (was && is ? 0 : was) ^ is;"),
    "piece that leaves not updated": ("key ^= was ^ is;", "key ^= (is ? was : 0) ^ is;"),
    "words of twelve bits": ("return feature ^ feature >> 31;", "return (feature >> 52) * 0x1000100010001001;"),
}
"""Faults of the C example, as a text of `predicates.c` and its replacement."""


def build(folder: Path, old: str = "", new: str = "") -> str:
    """Return the SPEC of the C example with predicates after a change of its source."""
    source = (EXAMPLES / "c" / "predicates.c").read_text(encoding="utf-8")
    assert source.count(old) == 1 or not old
    text = source.replace(old, new) if old else source
    return f"lib:{built(folder, text, '-O2', *WARNINGS, '-I', str(EXAMPLES / 'c'))}"


@needs_cc
@pytest.mark.slow
@pytest.mark.parametrize("fault", OF_LIBRARY)
def test_a_fault_of_a_library_is_found(fuzz: Run, tmp_path: Path, fault: str) -> None:
    done = fuzz("-e", build(tmp_path, *OF_LIBRARY[fault]), *BRIEF)
    assert done.returncode == 1, done.stderr
    findings = json.loads(done.stdout)["findings"]
    notes = [one["finding"]["note"] for one in findings]
    if fault.startswith(("is_", "gives_", "san", "parse")):
        assert {one["check"] for one in findings} == {"predicates"}
        assert any(fault.split()[0] in note for note in notes), notes
    else:  # the library recognizes repetitions by their keys
        assert {one["check"] for one in findings} <= {"keys", "predicates"}
        assert all("key" in note or "repetition" in note for note in notes), notes


@needs_cc
@pytest.mark.slow
def test_the_library_without_a_fault_is_not_accused(fuzz: Run, tmp_path: Path) -> None:
    done = fuzz("-e", build(tmp_path), "-n", "2000", "--seed", "1", "-j", "1")
    assert done.returncode == 0, done.stdout


MINE = """import chess
def moves(fen): return [move.uci() for move in chess.Board(fen).legal_moves]
def is_check(fen): return chess.Board(fen).is_check() and "q" not in fen
def is_legal(fen, moves, move):
    board = chess.Board(fen)
    for text in moves: board.push_uci(text)
    return move in map(str, board.legal_moves)
def key(move): return hash(move)
def zobrist(fen): return 7
"""


def test_functions_of_a_module_are_found(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function named `key` may have another purpose, and a small number is no key."""
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    shown = dict(line.split(maxsplit=1) for line in run("doctor", "-e", "python:mine:moves").stdout.splitlines())
    assert shown["is_check"] == "is_check"
    assert shown["is_legal"].startswith("is_legal; not compared: castling in the notation of the other variant")
    found = run("doctor", "-e", "python:mine:moves", COLUMNS="1000").stdout
    assert "is_checkmate, is_stalemate," in found
    assert "parse_san, key; 'Predicates and keys' in the documentation lists the names" in found


def test_a_library_says_what_it_does_not_export(run: Run, tmp_path: Path) -> None:
    done = run("doctor", "-e", build(tmp_path), COLUMNS="1000")
    (row,) = (line for line in done.stdout.splitlines() if line.startswith("predicates not found"))
    assert (
        row.split(maxsplit=3)[3]
        == "is_repetition, is_pseudo_legal; 'Predicates and keys' in the documentation lists the names"
    )


def test_every_predicate_is_declared_in_the_header() -> None:
    text = " ".join((HEADERS / "perft_check.h").read_text(encoding="utf-8").split())
    missing = [one.name for one in PREDICATES_OF_ENGINES if f"{one.signature};" not in text]
    assert missing == []


@needs_cc
@pytest.mark.slow
def test_positions_with_one_key_by_chance_are_reported_with_the_command_that_shows_it(
    fuzz: Run, run: Run, tmp_path: Path
) -> None:
    """The key has 64 bits, but only a million values."""
    engine = build(
        tmp_path, "*key = game.keys[game.n - 1];", "*key = game.keys[game.n - 1] % 1000003 * 0x9E3779B97F4A7C15;"
    )
    done = fuzz("-e", engine, "-n", "8000", "--seed", "1", "-j", "1")
    assert done.returncode == 1, done.stderr
    (finding,) = reported_findings(done.stdout)
    assert SAME_KEY in finding.title
    again = run(*finding.replay, **WIDE)
    assert again.returncode == 1
    assert SAME_KEY in again.stdout


PAIR = ("8/8/8/3q4/8/8/8/k1K5 w - - 0 1", "8/8/8/3p4/8/8/8/k1K5 w - - 0 1")


@needs_cc
def test_different_positions_with_one_key_are_found_among_many(tmp_path: Path) -> None:
    """The words of a queen and a pawn are the same."""
    engine = build(tmp_path, "feature = (feature + 1) *", "feature = ((feature & 0x6FF) + 1) *")
    with open_session(EngineSpec(engine), CallRunner()) as session:
        session.start()
        keys = Keys(session)
        assert list(keys.compare_many(PAIR[:1], chess960=False)) == []
        (found,) = keys.compare_many(PAIR, chess960=False)
    assert found.finding is not None
    assert found.finding.note == f"two positions have the same key; the other is {PAIR[0]}"


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", None),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/3BKN2 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", False),
        ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", False),
    ],
)
def test_definitions_of_insufficient_material_that_differ_are_not_compared(fen: str, expected: bool | None) -> None:
    assert is_insufficient(chess.Board(fen)) is expected


def test_an_unusable_en_passant_square_does_not_decide_about_repetition() -> None:
    board = chess.Board("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")
    for text in ("e8d8", "e1d1", "d8e8", "d1e1"):
        board.push_uci(text)
    assert repetitions(board) == (1, 2)


OWN_ROOK = "8/8/8/8/8/8/7R/k3K2R w K - 0 1"
FENS = (OWN_ROOK, "8/8/8/pPN5/1K6/8/8/k7 w - a6 0 1", "7k/8/8/8/8/8/7p/K7 b - - 0 1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "notes"),
    [
        pytest.param("chess_js", [], marks=needs("chess.js")),
        pytest.param(
            "chessops",
            ["isLegal returns True for an illegal move: Piece does not move like this; e1h2"],
            marks=needs("chessops"),
        ),
    ],
)
def test_npm_packages_are_asked_by_functions(monkeypatch: pytest.MonkeyPatch, function: str, notes: list[str]) -> None:
    """chessops takes the king's move onto any rook of its own for castling."""
    monkeypatch.chdir(ADAPTERS)
    with open_session(EngineSpec(f"python:npm_boards:{function}"), CallRunner()) as session:
        session.start()
        check = Predicates(session)
        found = [one for fen in FENS for one in check(Probe(Game(Position.from_fen(fen)), 1))]
        assert len(session.find_predicates()) >= 7
    assert [one.finding.note for one in found if one.finding is not None] == notes
