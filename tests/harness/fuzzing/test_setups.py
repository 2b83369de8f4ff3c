"""Fuzzing by setups and by sequences: what is generated, what is found, and that correct engines are not accused."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.asking import asking
from helpers.fakes import FAKES
from helpers.fuzz_report import reported_findings, titles
from helpers.planted import examiner_of, make_plan
from helpers.program import Run, wrong
from helpers.sampling import examples_of
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.generator.position_setup import PositionSetup, SetupOption, parse_setup
from perft_check.generator.types.moves import MoveKind
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.fuzzing.batch import BatchContext
from perft_check.harness.fuzzing.candidates import candidates_for
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.setups import Setups
from perft_check.harness.fuzzing.hypothesis_batch import MOST_ENDS, HypothesisBatch, prefixes, setups_along
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.pipelined_batch import EXAMPLES_PER_STRATEGY, generate_bases, generate_starts
from perft_check.harness.fuzzing.plan import BatchAssignment, FuzzPlan
from perft_check.strategies.mixed import strategy_named
from perft_check.suites.loader import load_suite

START = Position.start()
ITALIAN = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5"
SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


def game(moves: str, words: str = "startpos") -> PositionSetup:
    return PositionSetup.of(Game.from_uci(START, moves), parse_setup(words))


def plan(**more: object) -> FuzzPlan:
    settings = {"engine": "own", "references": (), "seed": 1, "examples": None, "seconds": None, "strategies": ()}
    return FuzzPlan(**settings | {"variants": (False,), "depth": 2} | more)  # type: ignore[arg-type]


def test_positions_whose_moves_depend_on_the_history_are_examined() -> None:
    line = game(f"{ITALIAN} e1g1 e8g8 h2h3 a7a5 h3h4 a5a4 b2b4")
    ends = list(setups_along(line))
    assert ends[0] == line
    assert all(isinstance(end, PositionSetup) and end.options == line.options for end in ends)
    assert [len(end.moves) for end in ends] == [13, 7, 6]  # en passant is legal at the end, castling before
    kinds = [{move.kind for move in end.position.legal_moves} for end in ends]
    assert [MoveKind.CASTLING in one for one in kinds] == [False, True, True]
    assert list(setups_along(game("e2e4"))) == [game("e2e4")]
    assert len(list(setups_along(game(" ".join([SHUFFLE] * 25))))) <= MOST_ENDS + 1


def test_a_long_game_with_a_setup_is_reduced_from_its_end() -> None:
    line = game(" ".join([SHUFFLE] * 50))
    assert [len(one.moves) for one in candidates_for(line)] == [100, 150, 175, 188, 194, 197, 199]
    assert all(isinstance(one, PositionSetup) and one.options == line.options for one in candidates_for(line))
    assert list(candidates_for(game("e2e4"))) == [], "no other position is called startpos"


FOUND = {
    "startpos-without-rights": "missing move: Castling, set up by startpos",
    "repetition-in-a-game-is-drawn": "perft ignores draws: Repetition does not end the game",
    "startpos-keeps-turn": "extra move: Move of an enemy piece, set up by startpos after-another",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_a_fault_is_found_named_and_replayed(name: str, run: Run) -> None:
    done = run("fuzz", "-e", f"zoo:{name}", "--strategy", "setups", "--examples", "80", "--seed", "2", COLUMNS="3000")
    assert done.returncode == 1, done.stdout
    assert titles(done.stdout)[0].startswith(FOUND[name])
    is_of_name = "set up by" in FOUND[name]
    assert ("The count is incorrect when the position is set up by `position startpos" in done.stdout) is is_of_name
    again = re.search(r"perft-check (fuzz --replay .*)", done.stdout)
    assert again is not None
    command = shlex.split(again[1])
    assert (" setup startpos" in command[2]) is is_of_name
    assert run(*command).returncode == 1


@pytest.mark.slow
def test_a_finding_in_a_corpus_fails_again(run: Run, tmp_path: Path) -> None:
    engine = f"uci:{shlex.quote(sys.executable)} -m perft_check zoo serve startpos-without-rights"
    replay = str(game(ITALIAN))
    found = run("fuzz", "-e", engine, "--replay", replay)
    assert found.returncode == 1, found.stdout
    assert "missing move: Castling, set up by startpos" in titles(found.stdout)
    arguments = ["--strategy", "setups", "--examples", "20", "--seed", "2", "--corpus", "found.epd"]
    assert run("fuzz", "-e", "zoo:startpos-without-rights", *arguments).returncode == 1
    cases = load_suite(tmp_path / "found.epd").cases
    assert all(SetupOption.START_BY_NAME in case.setup for case in cases)
    assert run("run", "-e", engine, "-s", "found.epd").returncode == 1
    assert run("run", "-e", "zoo:control-other-order", "-s", "found.epd").returncode == 0


def test_a_difference_needs_no_reference(run: Run) -> None:
    done = run("fuzz", "-e", "zoo:startpos-without-rights", "--self-consistency", "--replay", str(game(ITALIAN)))
    assert done.returncode == 1, done.stdout
    assert "missing move: Castling, set up by startpos" in titles(done.stdout)


@pytest.mark.parametrize("option", [SetupOption.COLORS_SWAPPED, SetupOption.FILES_MIRRORED])
def test_colors_and_wings_are_compared_without_a_reference(option: SetupOption) -> None:
    position = Position.from_fen("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1")
    engine = asking(open_engine("zoo:control-other-order"))
    right = PositionSetup.of(Game(position), {option})
    assert list(Setups(engine, None, (), (False,))(Probe(right, 1))) == []
    wrong = asking(open_engine("zoo:ep-across-the-edge"))
    edge = Position.from_fen("4k3/8/8/P7/7p/8/8/4K3 w - - 0 1")
    assert list(Setups(wrong, None, (), (False,))(Probe(PositionSetup.of(Game(edge), {option}), 1))) == []


def test_a_fault_of_one_color_contradicts_the_other() -> None:
    position = Position.from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")  # Black's pushes do not promote
    engine = asking(open_engine("zoo:promotion-rank-constant"))
    (found,) = Setups(engine, None, (), (False,))(
        Probe(PositionSetup.of(Game(position), {SetupOption.COLORS_SWAPPED}), 1)
    )
    assert found.finding is not None
    assert found.finding.note == (
        "the engine contradicts itself: 5 nodes if the position is set up by its FEN with White and Black swapped, "
        "9 by its FEN"
    )


def test_a_fault_by_fen_is_not_attributed_to_the_setup(run: Run) -> None:
    fen = "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1"
    done = run("fuzz", "-e", "zoo:castling-from-check-on-load", "--replay", f"{fen} setup twice")
    assert done.returncode == 1, done.stdout
    assert titles(done.stdout)[0] == "extra move: Castling out of check"


TOTALS_ONLY = {"argv": "cmd:{program} argv right {{fen}} {{depth}} count", "python": "python:castling:count_of"}


@pytest.mark.parametrize("kind", [pytest.param("argv", marks=pytest.mark.slow), "python"])
def test_an_engine_that_prints_totals_only_is_not_accused(
    kind: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(FAKES / "castling.py", tmp_path)
    monkeypatch.setenv("CASTLING", "right")
    engine = TOTALS_ONLY[kind].format(program=shlex.join([sys.executable, "castling.py"]))
    for option in ("colors-swapped", "files-mirrored"):
        for fen in (
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w - f6 0 3",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ):
            for depth in "12":
                done = run("fuzz", "-e", engine, "--replay", f"{fen} setup {option}", "--depth", depth)
                assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "variant"),
    [
        ("own", "--chess960"),
        ("python-chess", "--standard"),
        ("zoo:control-ep-only-if-legal", "--standard"),
        ("zoo:control-other-order", "--chess960"),
    ],
)
def test_correct_engines_are_not_accused(engine: str, variant: str, run: Run) -> None:
    options = [] if variant == "--standard" else [variant]
    done = run("fuzz", "-e", engine, "--strategy", "setups", "--examples", "100", "--seed", "4", *options)
    assert done.returncode == 0, done.stdout


def test_an_impossible_setup_is_one_line(run: Run) -> None:
    said = wrong(run, "fuzz", "-e", "own", "--replay", "kiwipete setup startpos")
    assert said == "--replay 'kiwipete setup startpos': startpos needs the starting position"


class RecordingCheck:
    """A check that finds nothing and records the games that it examines."""

    name = "notes"

    def __init__(self) -> None:
        self.asked: list[Game] = []

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        self.asked.append(probe.game)
        yield from ()


def test_a_batch_examines_each_position_of_a_sequence() -> None:
    recorder, size = RecordingCheck(), 60
    plan = replace(make_plan(), strategies=("sequences",))
    batch = HypothesisBatch(BatchContext(plan, BatchAssignment(0, 0, size), examiner_of(recorder), lambda _hits: None))
    batch.run()
    assert batch.result.strategies == {"sequences": size}
    asked = set(recorder.asked)
    assert len(asked) == size
    whole = [game for game in asked if game.moves and asked.issuperset(prefixes(game))]
    assert len({game.base for game in whole}) >= 4
    assert any(len(game.moves) > 2 for game in whole)


def test_each_position_of_a_sequence_is_a_base_of_walks() -> None:
    for chess960 in (False, True):
        games = examples_of(strategy_named("sequences", chess960=chess960), EXAMPLES_PER_STRATEGY, seed=7)
        plan = replace(make_plan("own:turbo", ("own:turbo",)), variants=(chess960,), strategies=("sequences",))
        bases = generate_bases(plan, chess960, 7)
        assert set(bases) == {each.position for game in games for each in prefixes(game)}
        assert len(bases) > 3 * EXAMPLES_PER_STRATEGY
        starts = generate_starts(replace(plan, strategies=("walks", "sequences")), chess960, 7)
        assert starts == list(dict.fromkeys(game.base for game in games))


def test_a_right_inherited_by_another_rook_is_found_quickly(fuzz: Run) -> None:
    options = ["--strategy", "sequences", "-n", "20", "--seed", "1", "-j", "1", "--fail-fast"]
    done = fuzz("-e", "zoo:right-by-rook-presence", *options)
    assert done.returncode == 1, done.stderr
    assert any("right" in finding.title.lower() for finding in reported_findings(done.stdout)), done.stdout


@pytest.mark.slow
def test_a_correct_engine_plays_all_sequences(fuzz: Run) -> None:
    done = fuzz("-e", "python-chess", "--strategy", "sequences", "-n", "120", "--seed", "2", "-j", "1", "--chess960")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("no fault of python-chess found in 120 positions\n")
