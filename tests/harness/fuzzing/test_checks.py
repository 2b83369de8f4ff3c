"""The checks: each finds planted faults, names them rightly, and finds nothing where all is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import chess
import pytest
from helpers.asking import asking
from helpers.budget import properties
from helpers.lines import board_of, line_from
from helpers.planted import make_plan
from hypothesis import given
from perft_check.generator import Position
from perft_check.generator.counting.perft import perft
from perft_check.generator.generation import accepted_moves
from perft_check.generator.line import Line
from perft_check.generator.movelist import MoveList
from perft_check.generator.symmetry import flip_colors
from perft_check.generator.types.moves import GenType, Move
from perft_check.harness.asking.client import CallRunner
from perft_check.harness.engines.base import Divide, EngineCrash, InProcess
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.kinds.python_chess import PythonChessEngine
from perft_check.harness.fuzzing.checks import counts, lists
from perft_check.harness.fuzzing.checks.base import Check, Probe
from perft_check.harness.fuzzing.checks.children import ChildFens, Children
from perft_check.harness.fuzzing.checks.divides import Consistency, Divides
from perft_check.harness.fuzzing.checks.oracle import decode, encode, expected_lists
from perft_check.harness.fuzzing.examining import Examiner, build_examiner
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.reducing import reduce
from perft_check.harness.model.results.verdict import Verdict
from perft_check.strategies import positions

CASTLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PINNED = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1"
PROMOTES = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
EN_PASSANT = "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1"
CHECKED = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
ACCEPTED_MOVES = "perft_check.generator.generation.accepted_moves"

Seen = tuple[str, str, str]
"""The check, the kind, and the rule of a discrepancy."""


def seen(discrepancies: Iterable[Discrepancy]) -> list[Seen]:
    found = []
    for discrepancy in discrepancies:
        assert discrepancy.finding is not None
        wrong = discrepancy.finding.state or discrepancy.finding.wrong
        found += sorted({(discrepancy.check, move.kind, move.rule) for move in wrong}) or [(discrepancy.check, "", "")]
    return sorted(set(found))


def looked(check: Check, line: Line, depth: int = 2) -> list[Seen]:
    return seen(check(Probe(line, depth)))


def code(fen: str, uci: str) -> Move:
    return Position.from_fen(fen).parse_uci(uci)


# The faulty list, the position, a move, whether it is added or taken out, and the discrepancy.
LISTS: dict[str, tuple[GenType, str, str, str, Seen]] = {
    "legal, missing": (GenType.LEGAL, EN_PASSANT, "c4b3", "out", ("legal", "missing", "en-passant-along-pin")),
    "legal, extra": (GenType.LEGAL, PINNED, "e2c3", "in", ("legal", "extra", "pinned")),
    "legal, twice": (GenType.LEGAL, PROMOTES, "a7a8q", "in", ("legal", "duplicate", "duplicate")),
    "captures": (GenType.CAPTURES, CASTLE, "e5f7", "out", ("captures", "missing", "stage")),
    "quiets": (GenType.QUIETS, CASTLE, "e1g1", "out", ("quiets", "missing", "stage")),
    "quiets, a capture": (GenType.QUIETS, CASTLE, "e5f7", "in", ("quiets", "extra", "stage")),
    "quiet checks": (GenType.QUIET_CHECKS, PROMOTES, "a7a8q", "in", ("quiet_checks", "extra", "stage")),
    "evasions": (GenType.EVASIONS, CHECKED, "e1e2", "out", ("evasions", "missing", "stage")),
    "non-evasions": (GenType.NON_EVASIONS, CASTLE, "e1g1", "out", ("non_evasions", "missing", "stage")),
}


def altered(moves: list[Move], move: Move, how: str) -> list[Move]:
    return [*moves, move] if how == "in" else [other for other in moves if other != move]


def any_code(fen: str, uci: str) -> Move:
    """Return a move; one that is not legal is an ordinary move."""
    try:
        return code(fen, uci)
    except ValueError:
        move = chess.Move.from_uci(uci)
        return Move(move.to_square | move.from_square << 6)


@pytest.mark.parametrize("name", LISTS)
def test_a_wrong_list_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gentype, fen, uci, how, expected = LISTS[name]
    move = any_code(fen, uci)

    class FaultyList:
        def __init__(self, position: Position, wanted: GenType, backend: object = None) -> None:
            right = MoveList(position, wanted).moves
            self.moves = altered(right, move, how) if wanted is gentype else right

    check = lists.GenTypes(tuple(GenType), lists.Subject())
    assert looked(check, line_from(fen)) == []
    monkeypatch.setattr("perft_check.generator.movelist.MoveList", FaultyList)
    assert looked(check, line_from(fen)) == [expected]
    assert (
        looked(
            lists.GenTypes(tuple(other for other in GenType if other is not gentype), lists.Subject()),
            line_from(fen),
        )
        == []
    )


@pytest.mark.parametrize(("how", "kind", "rule"), [("out", "missing", "plain-move"), ("in", "duplicate", "duplicate")])
def test_a_wrong_validator_is_found(how: str, kind: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    move = code(CASTLE, "e5f7") if how == "in" else code(CASTLE, "a2a3")
    assert looked(lists.Validator(lists.Subject()), line_from(CASTLE)) == []
    monkeypatch.setattr(ACCEPTED_MOVES, lambda position, backend: altered(accepted_moves(position, backend), move, how))
    assert looked(lists.Validator(lists.Subject()), line_from(CASTLE)) == [("validator", kind, rule)]


def test_a_validator_that_accepts_a_move_of_a_pinned_piece_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    move = any_code(PINNED, "e2c3")
    monkeypatch.setattr(ACCEPTED_MOVES, lambda position, backend: [*position.legal_moves, move])
    assert looked(lists.Validator(lists.Subject()), line_from(PINNED)) == [("validator", "extra", "pinned")]


@pytest.mark.parametrize("kernel", ["list", "turbo"])
def test_a_wrong_count_is_found(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each divide may be right, so that nothing tells which move is counted wrongly."""
    check, right = counts.Counts(CallRunner()), perft
    assert looked(check, line_from(CASTLE)) == []
    monkeypatch.setattr(
        counts, "perft", lambda position, depth, **how: right(position, depth, **how) + (how["kernel"] == kernel)
    )
    assert list(check(Probe(line_from(CASTLE), 2)))


def play_wrongly(change: Callable[[Position], Position], origin: int) -> Callable[[Position, Move], Position]:
    right = Position.play_unchecked

    def play(position: Position, move: Move) -> Position:
        child = right(position, move)
        return change(child) if move.origin == origin else child

    return play


CHILDREN: dict[str, tuple[Callable[[Position], Position], str]] = {
    "a right that is lost": (lambda child: replace(child, castling=0), "castling-right-lost"),
    "a square of en passant": (lambda child: replace(child, en_passant=None), "en-passant-square"),
    "the clock": (lambda child: replace(child, halfmove=child.halfmove + 1), "halfmove-clock"),
    "the number of the move": (lambda child: replace(child, fullmove=child.fullmove + 1), "move-number"),
    "who is to move": (lambda child: replace(child, turn=child.turn.other, en_passant=None), "side-to-move"),
}


@pytest.mark.parametrize("name", CHILDREN)
@pytest.mark.parametrize("by_moves", [False, True])
def test_a_move_that_is_played_wrongly_is_found(name: str, by_moves: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found from the position before, and at the end of a line that has played it."""
    change, rule = CHILDREN[name]
    line = line_from(CASTLE, "a2a4") if by_moves else line_from(CASTLE)
    assert looked(Children(lists.Subject()), line) == []
    monkeypatch.setattr(Position, "play_unchecked", play_wrongly(change, chess.A2))
    line = Line(line.base, line.moves)
    found = looked(Children(lists.Subject()), line)
    if rule == "en-passant-square":  # what puts it into words asks the broken generator whether it matters
        assert [check for check, _, _ in found] == ["children"]
        return
    assert ("children", "state", rule) in found
    assert {(check, kind) for check, kind, _ in found} == {("children", "state")}


def test_a_wrong_fen_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Position.fen
    line = line_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert list(Children(lists.Subject())(Probe(line, 2))) == []
    monkeypatch.setattr(Position, "fen", lambda position, **how: right(position, **how).replace(" b ", " w "))
    found = [discrepancy for discrepancy in Children(lists.Subject())(Probe(line, 2)) if discrepancy.check == "fen"]
    assert [discrepancy.verdict for discrepancy in found] == [Verdict.MISMATCH]


def test_a_mirrored_position_with_other_moves_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    line = line_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert looked(lists.Symmetry(lists.Subject()), line) == []
    right = flip_colors
    monkeypatch.setattr(lists, "flip_colors", lambda position: replace(right(position), castling=0))
    assert looked(lists.Symmetry(lists.Subject()), line) == [("symmetry", "missing", "castling")]


class Stub(InProcess):
    """An engine that asks python-chess, with the faults that a test gives it."""

    name = "stub"

    def __init__(
        self,
        wrong: Callable[[chess.Board, list[str]], list[str]] = lambda _board, moves: moves,
        fen: Callable[[Line], str | None] = lambda line: line.position.fen(),
    ) -> None:
        self._wrong, self._fen = wrong, fen

    def start(self, call: EngineCall) -> None:
        pass

    def fen(self, setup: Line, call: EngineCall) -> str | None:
        return self._fen(setup)

    def perft(self, setup: Line, depth: int, call: EngineCall) -> int:
        return self._count(board_of(setup), depth)

    def divide(self, setup: Line, depth: int, call: EngineCall) -> Divide:
        board = board_of(setup)
        return Divide.of((move, self._below(board, move, depth)) for move in self._moves(board))

    def _moves(self, board: chess.Board) -> list[str]:
        king_takes_rook = chess.Board(board.fen(), chess960=True)
        return self._wrong(board, [king_takes_rook.uci(move) for move in king_takes_rook.legal_moves])

    def _count(self, board: chess.Board, depth: int) -> int:
        return 1 if depth == 0 else sum(self._below(board, move, depth) for move in self._moves(board))

    def _below(self, board: chess.Board, move: str, depth: int) -> int:
        child = chess.Board(board.fen(), chess960=True)
        child.push(chess.Move.from_uci(move))
        child.chess960 = board.chess960
        return self._count(child, depth - 1)


def no_castling(board: chess.Board, moves: list[str]) -> list[str]:
    return [move for move in moves if not (move.startswith("e1") and move[2] in "ah" and board.piece_at(chess.E1))]


def divides(engine: Stub, reference: Stub | None = None) -> Divides:
    arbiter = asking(PythonChessEngine(), is_reference=True) if reference else None
    return Divides(asking(engine), asking(reference or PythonChessEngine(), is_reference=True), arbiter)


def test_a_missing_move_of_an_engine_is_found() -> None:
    assert looked(divides(Stub()), line_from(CASTLE)) == []
    assert looked(divides(Stub(no_castling)), line_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) == [
        ("moves", "missing", "castling")
    ]


def test_a_repeated_move_of_an_engine_is_found() -> None:
    found = looked(divides(Stub(lambda _board, moves: [*moves, moves[0]])), line_from(PROMOTES), 1)
    assert found == [("moves", "duplicate", "duplicate")]


def test_a_wrong_move_one_ply_down_is_reported_there() -> None:
    (discrepancy,) = divides(Stub(no_castling))(Probe(line_from("4k3/7p/8/8/8/8/8/4K2R b K - 0 1"), 2))
    assert discrepancy.line.base.fen().split()[1] == "w"
    assert looked(divides(Stub(no_castling)), discrepancy.line, 1) == [("moves", "missing", "castling")]


def test_python_chess_contradicts_a_wrong_reference() -> None:
    (discrepancy,) = divides(Stub(), Stub(no_castling))(Probe(line_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), 1))
    assert discrepancy.verdict is Verdict.SPLIT
    assert discrepancy.message == "python-chess contradicts the reference stub here"


def dies(_board: chess.Board, _moves: list[str]) -> list[str]:
    raise EngineCrash("it has died")


def test_failures_of_engine_and_reference_are_told_apart() -> None:
    with pytest.raises(EngineCrash):
        looked(divides(Stub(dies)), line_from(CASTLE))
    with pytest.raises(EngineCrash, match="the reference stub failed: it has died") as caught:
        looked(divides(Stub(), Stub(dies)), line_from(CASTLE))
    assert caught.value.of_reference
    (discrepancy,) = Examiner([divides(Stub(dies))], [], CallRunner()).examine(line_from(CASTLE), 2)
    assert (discrepancy.check, discrepancy.verdict, discrepancy.finding) == ("moves", Verdict.CRASH, None)
    assert discrepancy.message == "it has died"


def keeps_rights(line: Line) -> str | None:
    """Return the FEN with the castling rights of the base position."""
    return replace(line.position, castling=line.base.castling & line.position.occupied).fen()


def test_a_wrong_position_of_an_engine_is_found() -> None:
    line = line_from("4k2r/6K1/8/8/8/8/8/8 w k - 0 1")
    assert looked(ChildFens(asking(Stub())), line) == []
    assert looked(ChildFens(asking(Stub(fen=lambda _: None))), line) == []
    assert ("fen", "state", "halfmove-clock") in looked(
        ChildFens(asking(Stub(fen=lambda line: replace(line.position, halfmove=7).fen()))), line
    )


def test_the_line_of_a_wrong_position_shows_it_again() -> None:
    """Without that it could be neither reduced nor replayed."""

    def is_confused_by_double_steps(line: Line) -> str:
        position = line.position
        return replace(position, halfmove=position.halfmove + 7 * (position.en_passant is not None)).fen()

    engine = Stub(fen=is_confused_by_double_steps)
    examiner = Examiner([ChildFens(asking(engine))], [], CallRunner())
    first = examiner.examine(line_from("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"), 2)[0]
    assert first.signature in {discrepancy.signature for discrepancy in examiner.examine(first.line, 2)}
    reduced, _, _ = reduce(first, 2, examiner)
    assert reduced.pieces <= 4


def test_an_engine_that_contradicts_itself_is_found() -> None:
    def only_from_here(board: chess.Board, moves: list[str]) -> list[str]:
        return moves[1:] if board.move_stack else moves

    line = line_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert list(Consistency(asking(Stub()))(Probe(line, 2))) == []
    (discrepancy,) = Consistency(asking(Stub(only_from_here)))(Probe(line, 2))
    assert (discrepancy.check, discrepancy.verdict) == ("consistency", Verdict.MISMATCH)
    assert "the engine contradicts itself" in discrepancy.message


EXAMINERS = [build_examiner(make_plan()), build_examiner(make_plan("python-chess", ("own:turbo",)))]


@properties(40)
@given(positions())
def test_right_positions_have_no_discrepancy(position: Position) -> None:
    line = Line(position)
    moves = position.legal_moves
    for examiner in EXAMINERS:
        assert examiner.examine(line, 2) == []
        for move in moves[: len(moves) // 8 + 1]:
            assert examiner.examine(line.after(move), 1) == []


@properties(100)
@given(positions())
def test_moves_in_16_bits_are_decoded_and_encoded(position: Position) -> None:
    board = chess.Board(position.fen(castling="shredder"), chess960=True)
    codes = {encode(board, move): move for move in board.legal_moves}
    assert {number: decode(number) for number in codes} == codes
    assert set(codes) == set(position.legal_moves)
    for gentype, expected in expected_lists(board).items():
        assert sorted(expected) == sorted(MoveList(position, gentype).moves)
