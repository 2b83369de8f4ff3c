"""Each fault is reported by its cause, not by its consequences."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from fakes.one_bug import board_after, generator_of
from helpers.asking import Answering, asking
from helpers.fakes import COUNTING
from helpers.games import game_from
from helpers.program import Run
from perft_check.generator.game import Game
from perft_check.harness.checking.consistency import first_unlisted
from perft_check.harness.checking.descent.descending import descend
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.base import Divide, EngineRejection
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.root_moves import as_king_takes_rook
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.divides import Divides
from perft_check.harness.model.results.finding import Cause, Finding
from perft_check.harness.zoo.generator import IllegalMove

OWN = OwnEngine("own")
EN_PASSANT = "7k/8/8/8/2p5/8/BP6/6K1 b - - 0 1"
"""Two plies before an en passant capture along a pin."""
CASTLES = "4k3/8/8/8/8/8/P7/4K2R w K - 0 1"
PROMOTES = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
TAKES_BOTH = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1"


def one_bug(
    fault: str, *, totals: bool = False, ignores: bool = False, letters: bool = True, once: bool = False
) -> Answering:
    """Return a zoo engine with a fault, or without one for "none".

    `totals`: it prints no root moves. `ignores`: it leaves out moves that it does not list. Without
    `letters` its promotions have none, and stand there once for all four pieces if `once`.
    """
    generator = generator_of(fault)

    def divide(game: Game, depth: int) -> Divide:
        try:
            board = board_after(generator, game.base.fen(), game.uci_moves(), game.base.chess960, ignores)
        except IllegalMove as move:
            raise EngineRejection(f"no such move: {move}") from None
        pairs = [(as_king_takes_rook(game.position, move), count) for move, count in generator.divide(board, depth)]
        if not letters:
            pairs = [(move[:4], count) for move, count in pairs]
        if once:
            pairs = list(dict(pairs).items())
        total = sum(count for _, count in pairs)
        return Divide.of_total(total) if totals else Divide.of(pairs)

    return Answering(divide, lambda line, depth: divide(line, depth).total if depth else 1)


def found(engine: Answering | OwnEngine, fen: str, depth: int, reference: Answering | OwnEngine = OWN) -> Finding:
    finding = descend(game_from(fen), depth, asking(engine), asking(reference, is_reference=True))
    assert finding is not None
    return finding


def wrong(finding: Finding) -> set[tuple[str, str, str]]:
    return {(move.kind, move.uci, move.rule) for move in (*finding.state, *finding.wrong)}


@pytest.mark.parametrize(("once", "times"), [(False, "4 times"), (True, "once")])
def test_missing_promotion_letters_are_one_cause(once: bool, times: str) -> None:
    finding = found(one_bug("none", letters=False, once=once), TAKES_BOTH, 1)
    assert wrong(finding) == {
        ("extra", "a7a8", "promotion-piece-missing"),
        ("extra", "a7b8", "promotion-piece-missing"),
    }
    sentence = finding.wrong[0].sentence
    assert sentence.endswith(f" It stands there {times}, for a7a8q, a7a8r, a7a8b, a7a8n."), sentence


def test_missing_promotion_letters_do_not_hide_a_wrong_count_below_another_move() -> None:
    finding = found(one_bug("castling-from-check", letters=False), "4k3/P6r/8/8/8/8/8/R3K3 b Q - 0 1", 2)
    assert finding.headline == "extra move: Castling out of check"


def test_a_reference_without_promotion_letters_is_named() -> None:
    finding = found(OWN, PROMOTES, 1, one_bug("none", letters=False))
    assert finding.headline == "the reference is wrong: Promotion piece is missing"
    assert wrong(finding) == {("missing", "a7a8", "promotion-piece-missing")}


def test_a_missing_move_that_is_ignored_is_reported() -> None:
    told = "after c4b3, which it does not list, it still counts the position before"
    assert found(one_bug("ep-pinned-along", ignores=True), EN_PASSANT, 3).note == told
    silent = descend(game_from(EN_PASSANT), 3, asking(one_bug("ep-pinned-along")), asking(OWN))
    assert silent is not None
    assert silent.note == ""


def test_consequences_of_an_unlisted_move_are_no_separate_fault() -> None:
    line = game_from(EN_PASSANT, "h8g8", "b2b4", "c4b3", "a2b3")
    for ignores in (False, True):
        engine = asking(one_bug("ep-pinned-along", ignores=ignores))
        assert first_unlisted(line, engine) == 2
        check = Divides(engine, asking(PythonChessEngine(), is_reference=True), None)
        (discrepancy,) = check(Probe(line, 1))
        assert discrepancy.name == "missing en-passant-along-pin"
        assert not discrepancy.game.moves


def test_a_listed_move_that_is_not_played_is_reported() -> None:
    """The engine only knows castling as e1h1."""
    engine = one_bug("none")

    def divide(game: Game, depth: int) -> Divide:
        moves = tuple(move for move in game.moves if move.uci() != "e1g1")
        return engine.divide(Game(game.base, moves), depth, EngineCall())

    finding = descend(game_from(CASTLES, "e1g1"), 1, asking(Answering(divide)), asking(OWN))
    assert finding is not None
    assert [(move.kind, move.uci, move.rule) for move in finding.state] == [("state", "e1g1", "move-not-played")]


@dataclass(frozen=True)
class Total:
    """What is reported about an engine that prints only totals."""

    fen: str
    depth: int
    path: tuple[str, ...]
    wrong: set[tuple[str, str, str]]
    cause: Cause = Cause.MOVES
    ends: str = "; it prints no root moves, but its counts to depth 3 are as if exactly this were wrong"


TOTALS = {
    "ep-pinned-along": Total(EN_PASSANT, 3, ("Kg8", "b4"), {("missing", "c4b3", "en-passant-along-pin")}),
    "castling-from-check": Total(
        "4k3/8/8/8/8/8/7r/R3K3 b Q - 0 1", 2, ("Re2+",), {("extra", "e1c1", "castling-in-check")}
    ),
    "hash-move-twice": Total("8/P2k4/8/8/8/8/8/4K3 w - - 1 2", 1, (), {("duplicate", "a7a8q", "duplicate")}),
    "pins-forgotten": Total(
        "rk6/8/8/8/8/8/N7/K7 w - - 0 1", 2, (), {("extra", f"a2{to}", "pinned") for to in ("b4", "c1", "c3")}
    ),
}


@pytest.mark.parametrize("name", TOTALS)
def test_the_rule_is_named_for_engines_that_print_only_totals(name: str) -> None:
    way = TOTALS[name]
    finding = found(one_bug(name, totals=True), way.fen, way.depth)
    assert (finding.cause, wrong(finding)) == (way.cause, way.wrong), finding
    assert tuple(san for _, san in finding.path) == way.path
    assert finding.note.endswith(way.ends)


def test_totals_are_followed_from_the_least_depth_that_differs() -> None:
    finding = found(one_bug("castling-from-check", totals=True), "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", 4)
    assert (finding.path, wrong(finding)) == ((), {("extra", "e1c1", "castling-in-check")})


def test_counts_after_moves_are_asked_for_only_if_totals_differ() -> None:
    asked: list[int] = []
    engine = one_bug("none", totals=True)

    def perft(_setup: Game, depth: int) -> int:
        asked.append(depth)
        return 0

    counting = asking(Answering(lambda line, depth: engine.divide(line, depth, EngineCall()), perft))
    check = Divides(counting, asking(PythonChessEngine(), is_reference=True), None)
    assert list(check(Probe(game_from(EN_PASSANT), 2))) == []
    assert asked == []


def test_an_incorrect_state_after_a_move_shows_in_totals() -> None:
    finding = found(one_bug("right-survives-capture", totals=True), "4k3/1b6/8/8/8/P7/8/4K2R b K - 0 1", 2)
    assert (finding.cause, finding.base_moves) == (Cause.STATE, ("b7h1",))
    assert finding.note == (
        "the count is incorrect, and the engine prints no root moves that show why; 1 extra move here (7 instead of 6)"
    )


def test_nodes_are_not_called_moves() -> None:
    def only_deep(engine: EngineSession) -> Answering:
        return Answering(
            lambda game, depth: Divide.of_total(engine.perft(game, depth) + 5 * (depth == 3 and not game.moves))
        )

    finding = found(only_deep(asking(OWN)), CASTLES, 3)
    assert finding.cause is Cause.COUNT
    assert finding.note.partition("; ")[2].startswith(
        "it counts 5 nodes too many at depth 3 (1,489 instead of 1,484), though it counts"
    )


def test_a_reference_that_contradicts_itself_is_named() -> None:
    undo = found(OWN, CASTLES, 3, one_bug("right-lost-by-undo"))
    assert (undo.cause, undo.engine_is_correct) == (Cause.UNDO, True)
    assert undo.headline == "the reference is wrong: Castling right does not come back"
    assert "the reference contradicts itself" in undo.note
    state = found(OWN, "4k3/1b6/8/8/8/P7/8/4K2R b K - 0 1", 2, one_bug("right-survives-capture"))
    assert (state.cause, state.engine_is_correct) == (Cause.STATE, True)
    assert wrong(state) == {("missing", "e1g1", "castling-no-right")}


def test_a_wrong_undo_names_the_move_and_the_resulting_position() -> None:
    finding = found(one_bug("right-lost-by-undo"), CASTLES, 3)
    assert wrong(finding) == {("undo", "e1g1", "undo-castling-right")}
    assert (finding.fen, finding.depth) == (CASTLES, 3)
    assert finding.note.startswith(
        "below a2a3 the engine contradicts itself (75 in the divide, 80 after playing it, 80 from the FEN): "
    )
    assert finding.wrong[0].sentence == (
        "Once O-O is taken back, White's right to castle king-side does not come back. "
        "It may also be an earlier move: Kd1, Kf1, Kd2, Ke2."
    )


LEAVES_THE_PAWN = f"""{COUNTING}
def divide(fen, depth):
    board, counts = chess.Board(fen), {{}}
    for move in board.legal_moves:
        child = board.copy()
        child.push(move)
        if board.is_en_passant(move):
            child.set_piece_at(chess.D5, chess.Piece.from_symbol("p"))
        counts[move.uci()] = perft(child, depth - 1)
    return counts
"""


def test_a_wrong_state_is_identified_by_its_count(run: Run, tmp_path: Path) -> None:
    """The fault occurs only in the divide: the FEN after the move is counted correctly, and no moves can be played."""
    (tmp_path / "leaves.py").write_text(LEAVES_THE_PAWN)
    done = run("divide", "4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 2", "3", "-e", "python:leaves:divide", "-a", "own")
    assert done.returncode == 1, done.stderr
    assert "below c5d6 it counts 29 nodes instead of 23, as from this wrong position" in done.stdout
    assert "c5d6 (cxd6) played wrongly: The pawn on d5, taken en passant, is still there." in done.stdout
