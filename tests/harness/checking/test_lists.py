"""Move lists by GenType: the convention of an engine is guessed, and wrong moves are named."""

from __future__ import annotations

import chess
import pytest
from fakes import lists as fakes
from helpers.asking import Answering, asking
from helpers.budget import properties
from hypothesis import given
from perft_check.errors import UsageError
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.generator.movelist import MoveList
from perft_check.generator.types.moves import GenType
from perft_check.harness.checking.lists.correct import askable, correct_list
from perft_check.harness.checking.lists.guessing import DIAGNOSTIC, ConventionGuess, guess_convention
from perft_check.harness.checking.lists.wrong import differences, wrong_moves
from perft_check.harness.engines.base import Divide, EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.root_moves import as_king_takes_rook
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.lists import EngineLists
from perft_check.harness.model.conventions import CONVENTION_SETTINGS, EITHER, LEGAL, Convention, read_given
from perft_check.strategies import positions

EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
PROMOTES = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
BLOCKS = "4k3/8/8/4r3/8/8/3B4/4K3 w - - 0 1"
DISCOVERS = "k7/8/8/3P4/8/5B2/8/K7 w - - 0 1"
PINNED = "4k3/4r3/8/8/4N3/8/8/4K3 w - - 0 1"
FEW = "8/8/8/8/8/4k3/8/4K3 w - - 0 1"
CASTLES = "5k2/8/8/8/8/8/8/4K2R w K - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Listing(Answering):
    """An engine that lists moves with a function based on python-chess."""

    gentypes = tuple(GenType)

    def __init__(self, lister: fakes.Lister) -> None:
        super().__init__(lambda _line, _depth: Divide.of(()))
        self._lister = lister

    def moves(self, game: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        found = self._lister(game.position.fen(castling="shredder"), gentype.name.lower())
        return None if found is None else [as_king_takes_rook(game.position, move) for move in found]


def guessed(lister: fakes.Lister, **given: str) -> ConventionGuess:
    return guess_convention(asking(Listing(lister)), given)


def some_unsafe(fen: str, gentype: str) -> list[str] | None:
    """List pseudo-legal moves, but only legal king moves."""
    board, found = fakes.board_of(fen), fakes.classic(fen, gentype)
    if found is None:
        return None
    king = chess.square_name(board.king(board.turn) or chess.A1)
    legal = {board.uci(move) for move in board.legal_moves}
    return [move for move in found if move in legal or not move.startswith(king)]


BY_CAPTURE = ("legality=legal", "underpromotion-push=captures", "underpromotion-capture=captures")
BY_SQUARE = ("legality=legal", "queen-push=quiets", "underpromotion-capture=captures")
# The generator, the given settings, and what differs from perft-check's convention.
CONVENTIONS: dict[str, tuple[fakes.Lister, dict[str, str], tuple[str, ...]]] = {
    "as Stockfish did it": (fakes.classic, {}, ()),
    "promotions with captures": (fakes.by_capture, {}, BY_CAPTURE),
    "by target square": (
        fakes.by_square,
        {"en-passant": "quiets"},
        (*BY_SQUARE, "en-passant=quiets", "promotion-checks=quiets"),
    ),
    "only some moves that are not legal": (some_unsafe, {}, ("legality=either",)),
    "direct checks only": (
        fakes.only_direct,
        {"discovered-checks": "left-out"},
        (*BY_CAPTURE, "discovered-checks=left-out"),
    ),
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_convention_of_a_correct_generator_is_guessed(name: str) -> None:
    lister, given, expected = CONVENTIONS[name]
    found = guessed(lister, **given)
    assert (found.convention.differing, found.contradictions, found.would_fit) == (expected, (), ())


def test_lists_that_are_not_offered_are_not_asked_for() -> None:
    assert GenType.QUIET_CHECKS not in guessed(fakes.classic).offered
    only_legal = guessed(lambda fen, gentype: fakes.classic(fen, gentype) if gentype == "legal" else None)
    assert (only_legal.offered, only_legal.convention) == ((GenType.LEGAL,), Convention())


def test_an_engine_that_crashes_repeatedly_is_not_asked_for_lists() -> None:
    asked = []

    def crashes(fen: str, _gentype: str) -> list[str]:
        asked.append(fen)
        raise EngineCrash("it has died")

    assert guessed(crashes) == ConventionGuess(Convention(), tuple(GenType))
    assert len(asked) == 3


@pytest.mark.parametrize("lister", [fakes.by_square, fakes.quiet_en_passant])
def test_values_that_look_like_faults_are_not_guessed(lister: fakes.Lister) -> None:
    found = guessed(lister)
    assert found.would_fit == ("en-passant=quiets",)
    told = {f"{one.gentype.name} {move.kind} {move.uci}" for one in found.contradictions for move in one.wrong}
    assert told == {"CAPTURES missing e5d6", "QUIETS extra e5d6"}


def adding(move: str, *gentypes: str) -> fakes.Lister:
    """Return a generator that lists an additional move in some lists of one position."""
    fen = {"e4c3": PINNED, "a1a3": PROMOTES}[move]
    return lambda given, gentype: (
        (fakes.by_capture(given, gentype) or []) + [move] * (gentype in gentypes and given.split()[0] == fen.split()[0])
    )


def without_knights(fen: str, gentype: str) -> list[str]:
    return [move for move in fakes.by_capture(fen, gentype) or () if not move.endswith("n")]


def without_a_promotion(fen: str, gentype: str) -> list[str]:
    return [move for move in fakes.by_capture(fen, gentype) or () if gentype != "captures" or move != "a7b8n"]


# The generator, the position, and the titles of the findings.
FAULTS: dict[str, tuple[fakes.Lister, str, list[str]]] = {
    "en passant among the quiets": (
        fakes.quiet_en_passant,
        EN_PASSANT,
        ["missing move: En passant in CAPTURES", "extra move: En passant in QUIETS"],
    ),
    "an evasion is missing": (fakes.no_blocks, BLOCKS, ["missing move: Piece blocks a check in EVASIONS"]),
    "no discovered checks": (fakes.only_direct, DISCOVERS, ["missing move: Discovered check in QUIET_CHECKS"]),
    "a capture twice": (fakes.repeats, PROMOTES, ["duplicate move: Move listed more than once"]),
    "a pinned piece moves": (adding("e4c3", "quiets"), PINNED, ["extra move: Pinned piece leaves its line"]),
    "a jump": (
        adding("a1a3", "legal", "non_evasions", "quiets"),
        PROMOTES,
        ["extra move: Piece does not move like this"],
    ),
    "no knights": (without_knights, PROMOTES, ["missing move: Promotion piece is missing"]),
    "a promotion is missing": (without_a_promotion, PROMOTES, ["missing move: Underpromotion by capture in CAPTURES"]),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_list_has_its_title(name: str) -> None:
    """Errors in the list of all legal moves are not reported again for lists derived from it."""
    lister, fen, expected = FAULTS[name]
    check = EngineLists(asking(Listing(lister)), {})
    found = list(check(Probe(Game(Position.from_fen(fen)), 1)))
    assert [one.finding.headline for one in found if one.finding] == expected
    assert {one.check for one in found} == {"lists"}
    assert list(check(Probe(Game(Position.from_fen(FEW)), 1))) == []


def test_a_finding_names_the_list_and_the_convention() -> None:
    check = EngineLists(asking(Listing(fakes.only_direct)), {})
    (found,) = check(Probe(Game(Position.from_fen(DISCOVERS)), 1))
    assert found.finding is not None
    assert found.finding.note == f"in the list of QUIET_CHECKS, by the convention {' '.join(BY_CAPTURE)}"
    (move,) = found.finding.wrong
    sentence = "The move of the pawn on d5 to d6 belongs to QUIET_CHECKS: it is quiet and gives check."
    assert (move.uci, move.rule, move.sentence) == ("d5d6", "quiet-checks-discovered-check", sentence)


LEFT_OUT = "it gives check in a way that the convention leaves out."
EXTRA = [
    ({"discovered_checks": "left-out"}, DISCOVERS, "d5d6", f"quiet-checks-discovered-check: {LEFT_OUT}"),
    ({"castling_checks": "left-out"}, CASTLES, "e1h1", f"quiet-checks-castling: {LEFT_OUT}"),
    ({}, DISCOVERS, "a1a2", "quiet-checks-no-check: it gives no check."),
    ({}, PROMOTES, "a7b8q", "quiet-checks-queen-capture: it promotes to a queen."),
    ({}, KIWIPETE, "e5f7", "quiet-checks-capture: it captures a piece."),
    ({}, DISCOVERS, "a1a3", "piece-movement: a king moves one square in any direction."),
]


@pytest.mark.parametrize(("given", "fen", "move", "told"), EXTRA)
def test_a_move_that_is_not_a_quiet_check_is_explained(given: dict[str, str], fen: str, move: str, told: str) -> None:
    position, convention = Position.from_fen(fen), Convention(**given)
    got = [*correct_list(position, GenType.QUIET_CHECKS, convention), move]
    (wrong,) = wrong_moves(position, GenType.QUIET_CHECKS, got, convention)
    assert (wrong.kind, f"{wrong.rule}: {wrong.sentence.partition(': ')[2]}") == ("extra", told)


@properties(60)
@given(positions())
def test_correct_generators_agree_everywhere(position: Position) -> None:
    """Lists by python-chess with their conventions, and perft-check's lists with its own."""
    ours = Convention()
    for gentype in askable(position, ours):
        listed = sorted(move.uci(chess960=True) for move in MoveList(position, gentype).moves)
        assert sorted(correct_list(position, gentype, ours)) == listed
    for lister, _, texts in CONVENTIONS.values():
        convention = Convention(**{name.replace("-", "_"): value for name, value in read_given(texts, "").items()})
        for gentype in askable(position, convention):
            got = Listing(lister).moves(Game(position), gentype, EngineCall())
            assert got is None or wrong_moves(position, gentype, got, convention) == []


def test_in_check_captures_are_asked_for_only_by_convention() -> None:
    position = Position.from_fen(BLOCKS)
    assert askable(position, Convention()) == {GenType.EVASIONS, GenType.LEGAL}
    asked = Convention(in_check="asked", legality=LEGAL)
    assert correct_list(position, GenType.CAPTURES, asked) == []
    assert correct_list(position, GenType.QUIETS, asked) == correct_list(position, GenType.LEGAL, asked)


def test_optional_moves_are_not_compared() -> None:
    position, either = Position.from_fen(PINNED), Convention(legality=EITHER)
    legal = correct_list(position, GenType.QUIETS, either)
    assert wrong_moves(position, GenType.QUIETS, [*legal, "e4c3"], either) == []
    assert [move.rule for move in wrong_moves(position, GenType.CAPTURES, ["e4c3"], either)] == ["captures-quiet"]


def test_all_diagnostic_positions_are_valid() -> None:
    for fen in DIAGNOSTIC:
        assert Position.from_fen(fen).oddities == [], fen


def test_every_setting_has_a_default_that_is_guessed() -> None:
    for setting in CONVENTION_SETTINGS:
        assert Convention().value(setting) == setting.guessed[0]
        assert set(setting.guessed) <= set(setting.values)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("quiet", "--convention 'quiet': write NAME=VALUE, such as queen-push=quiets"),
        ("en_passant=quiets", "--convention 'en_passant': did you mean 'en-passant'?"),
        ("en-passant=no", "--convention en-passant=no: choose from captures, quiets, neither"),
    ],
)
def test_an_unknown_convention_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_given([text], "--convention")
    assert str(caught.value) == complaint


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/1K3R2 w F - 0 1", "4k3/8/8/8/8/8/8/R2K4 w A - 0 1"])
def test_castling_as_the_kings_target_is_accepted_in_lists(fen: str) -> None:
    """Root moves show the notation. In the second position the target could also be reached by a king step."""
    position = Position.from_fen(fen, chess960=True)
    listed = [move.uci() for move in position.legal_moves]
    assert differences(position, GenType.LEGAL, listed, Convention()) == []
    assert differences(position, GenType.LEGAL, listed[1:], Convention()) == [(listed[0], "missing")]
