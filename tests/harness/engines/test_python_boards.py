"""Python classes whose boards list and play moves, under various names, are walked with their methods."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.headlines import without_moves
from helpers.program import Run

pytestmark = pytest.mark.slow  # most tests start processes

BOARDS = """
import chess

class Good(chess.Board): pass
class RaisesInPush(chess.Board):
    def push(self, move): raise RuntimeError("no push")
class RefusesInPush(chess.Board):
    def push(self, move): return False
class RaisesInPop(chess.Board):
    def pop(self): raise KeyError("nothing to undo")
class KeepsRights(chess.Board):
    def push(self, move):
        rights = self.castling_rights
        super().push(move)
        self.castling_rights = rights
class KeepsRightsOfCapturedRooks(chess.Board):
    def push(self, move):
        rights, taken = self.castling_rights, self.piece_type_at(move.to_square)
        super().push(move)
        if taken == chess.ROOK: self.castling_rights |= rights & chess.BB_SQUARES[move.to_square]
class LosesEnPassant(chess.Board):
    def push(self, move):
        super().push(move)
        self.ep_square = None
class PopsNoRights(chess.Board):
    def pop(self):
        rights = self.castling_rights
        move = super().pop()
        self.castling_rights &= rights
        return move
class PopsNoClock(chess.Board):
    def pop(self):
        clock = self.halfmove_clock
        move = super().pop()
        self.halfmove_clock = clock
        return move
class PopsNoCapturedPawn(chess.Board):
    def pop(self):
        move = super().pop()
        if self.is_en_passant(move): self.remove_piece_at(move.to_square + (-8 if self.turn else 8))
        return move

class PrintsNoFen:
    def __init__(self, fen): self.board = chess.Board(fen)
    def legal_moves(self): return list(self.board.legal_moves)
    def push(self, move): self.board.push(move)
class KeepsRightsOfTheMove(PrintsNoFen):
    def pop(self):
        rights = self.board.castling_rights
        self.board.pop()
        self.board.castling_rights = rights
class PopsNoEnPassant(PrintsNoFen):
    def pop(self):
        self.board.pop()
        self.board.ep_square = None
class RefusesWhatItListed(PrintsNoFen):
    def legal_moves(self): return [move.uci() for move in self.board.legal_moves]
    def push(self, move): self.board.push_uci(move)
    def fen(self): return self.board.fen()
    def pop(self):
        rights = self.board.castling_rights
        self.board.pop()
        self.board.castling_rights &= rights

class _Wrapped:
    def __init__(self, fen): self._board = chess.Board(fen)
class SetUp:
    def __init__(self): self._board = None
    def set_fen(self, fen): self._board = chess.Board(fen)
    def generateLegalMoves(self): return [move.uci() for move in self._board.legal_moves]
    def makeMove(self, move): self._board.push_uci(move)
    def unmakeMove(self): self._board.pop()
    def getFen(self): return self._board.fen()
class UndoesAMove(_Wrapped):
    def get_legal_moves(self): yield from self._board.legal_moves
    def do_move(self, move): self._board.push(move)
    def undo_move(self, move): assert self._board.pop() == move
class NewBoards:
    @classmethod
    def from_fen(cls, fen):
        made = cls()
        made._board = chess.Board(fen)
        return made
    @property
    def available_moves(self): return tuple(self._board.legal_moves)
    def apply_move(self, move):
        made = NewBoards()
        made._board = self._board.copy()
        made._board.push(move)
        return made
class IsCopied(_Wrapped):
    moves = property(lambda self: self._board.legal_moves)
    def play(self, move): self._board.push(move)
class CannotBeCopied(_Wrapped):
    def __deepcopy__(self, memo): raise TypeError("cannot pickle")
    def gen_moves(self): return set(self._board.legal_moves)
    def step(self, move): self._board.push(move)
class RemembersItsFen(_Wrapped):
    def __init__(self, fen):
        super().__init__(fen)
        self.fen, self.moves = fen, []
    def possible_moves(self): return list(self._board.legal_moves)
    def make_move(self, move):
        self.moves.append(move)
        self._board.push(move)
class ListsOnly(_Wrapped):
    def legal_moves(self): return list(self._board.legal_moves)
class TakesUci(_Wrapped):
    def legal_moves_uci(self): return [move.uci() for move in self._board.legal_moves]
    def push_uci(self, text): self._board.push_uci(text)
    def pop(self): self._board.pop()
"""

RIGHT = (
    *("Good", "SetUp", "UndoesAMove", "NewBoards", "IsCopied", "CannotBeCopied", "RemembersItsFen", "ListsOnly"),
    "TakesUci",
)
SMALL = ("-s", "smoke", "--max-nodes", "3000")
QUICK = ("--careful", "--depth", "2", "--seed", "3", "-j", "1", "-n", "40")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(BOARDS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", RIGHT)
def test_a_correct_class_agrees_with_any_known_method_names(run: Run, name: str) -> None:
    checked = run("-e", f"python:mine:{name}", *SMALL)
    assert (checked.returncode, "all 36 positions agree" in checked.stdout) == (0, True), checked.stdout


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["SetUp", "NewBoards", "CannotBeCopied", "TakesUci"])
def test_fuzz_finds_no_fault_in_a_correct_class(run: Run, name: str) -> None:
    fuzzed = run("fuzz", "-e", f"python:mine:{name}", *QUICK)
    assert fuzzed.returncode == 0, fuzzed.stdout + fuzzed.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("RaisesInPush", "push(e1f2) raised RuntimeError (mine.py:6): no push"),
        ("RefusesInPush", "push(e1f2) returned False about a move that it lists"),
        ("RaisesInPop", "pop() after e1f2 raised KeyError (mine.py:10): 'nothing to undo'"),
    ],
)
def test_a_push_or_pop_that_fails_is_a_crash(run: Run, name: str, said: str) -> None:
    done = run("-e", f"python:mine:{name}", *SMALL, COLUMNS="200")
    assert (done.returncode, said in done.stdout) == (3, True), done.stdout


WRONG = {
    "KeepsRights": "wrong state: Castling right is kept too long",
    "KeepsRightsOfCapturedRooks": "wrong state: Castling right is kept too long",
    "LosesEnPassant": "wrong state: Wrong en passant square",
    "PopsNoRights": "wrong undo: Castling right does not come back",
    "PopsNoClock": "wrong undo: Position is another one than before the move",
    "PopsNoCapturedPawn": "wrong undo: Captured piece does not come back",
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", WRONG)
def test_a_move_that_is_made_or_undone_incorrectly_is_named(run: Run, name: str) -> None:
    done = run("-e", f"python:mine:{name}", *SMALL, COLUMNS="200")
    assert (done.returncode, WRONG[name] in without_moves(done.stdout)) == (1, True), done.stdout


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["KeepsRightsOfCapturedRooks", "LosesEnPassant", "PopsNoCapturedPawn"])
def test_fuzz_names_a_move_that_is_made_or_undone_incorrectly(run: Run, name: str) -> None:
    fuzzed = run("fuzz", "-e", f"python:mine:{name}", *QUICK[:-2], "-n", "200", COLUMNS="200")
    assert (fuzzed.returncode, WRONG[name] in without_moves(fuzzed.stdout)) == (1, True), fuzzed.stdout


UNDO = {
    "PopsNoRights": WRONG["PopsNoRights"],
    "RefusesWhatItListed": WRONG["PopsNoRights"],
    "KeepsRightsOfTheMove": WRONG["PopsNoRights"],
    "PopsNoEnPassant": WRONG["PopsNoClock"],
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", UNDO)
def test_an_incorrect_undo_is_one_cause(run: Run, name: str) -> None:
    done = run("-e", f"python:mine:{name}", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    assert [cause["title"] for cause in json.loads(done.stdout)["causes"]] == [UNDO[name]]


@pytest.mark.nightly
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", UNDO)
def test_an_incorrect_undo_is_one_cause_in_fuzz(run: Run, name: str) -> None:
    done = run("fuzz", "-e", f"python:mine:{name}", *QUICK[:-1], "120", "--report", "json=-")
    assert done.returncode == 1, done.stderr
    causes = [cause["failures"] for cause in json.loads(done.stdout)["causes"]]
    undone = [failures for failures in causes if not all(failure.startswith("predicate: ") for failure in failures)]
    assert len(undone) == 1, done.stdout  # predicates of the boards are incorrect as well


@pytest.mark.usefixtures("folder")
def test_an_incorrect_undo_is_reported_with_the_fields_that_differ(run: Run) -> None:
    done = run("-e", "python:mine:PopsNoClock", *SMALL, "--report", "json=-")
    (finding, *_) = (one["finding"] for one in json.loads(done.stdout)["results"] if one["finding"])
    (wrong,) = finding["wrong"]
    assert (finding["cause"], wrong["kind"], wrong["rule"]) == ("undo", "undo", "undo-position")
    assert wrong["sentence"].startswith(f"Once {wrong['san']} is taken back, the halfmove clock is ")


ONLY_EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"


@pytest.mark.usefixtures("folder")
def test_a_move_that_is_not_listed_after_an_undo_is_named(run: Run) -> None:
    done = run("divide", ONLY_EN_PASSANT, "2", "-e", "python:mine:PopsNoEnPassant", "-a", "own", COLUMNS="300")
    assert "is taken back, e5d6 is not listed any more." in done.stdout + done.stderr
