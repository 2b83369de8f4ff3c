"""Setups: what is sent to each type of engine, refusals, and that correct engines are correct in all of them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import pytest
from helpers.asking import asking
from helpers.fakes import COUNTING, FAKES, limited
from helpers.program import STOCKFISH, Run, needs_stockfish
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.generator.position_setup import (
    ANOTHER,
    ANOTHER_WITH_CLOCK,
    PositionSetup,
    SetupOption,
    describe_setup,
    format_setup,
    parse_setup,
)
from perft_check.harness.checking.setups import limit_notice, setup_limits
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.stdio.sentinels import SENTINELS
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.suites.bundled import SETUPS, bundled_path
from perft_check.suites.loader import load_suite

START = Position.start()
ROOKS = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9")
ROOKS_960 = Position.from_fen("1r2k1rr/8/8/8/8/8/8/1R2K1RR w HBhb - 0 1", chess960=True)
USELESS = Position.from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
PAWNS = Position.from_fen("4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1")
SENTINEL = f"position fen {SENTINELS[0]}"


def setup(position: Position, words: str, moves: str = "") -> PositionSetup:
    return PositionSetup.of(Game.from_uci(position, moves), parse_setup(words))


NO_RIGHTS = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w - - 3 9")
PAWN = Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9")
SENT = {
    "startpos": (setup(START, "startpos"), ["startpos"]),
    "startpos and moves": (setup(START, "startpos ucinewgame", "e2e4 e7e5"), ["startpos moves e2e4 e7e5"]),
    "shredder": (setup(ROOKS, "shredder"), ["fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 3 9"]),
    "xfen": (setup(ROOKS_960, "xfen"), ["fen 1r2k1rr/8/8/8/8/8/8/1R2K1RR w KQkq - 0 1"]),
    "ep-if-legal": (setup(USELESS, "ep-if-legal"), [f"fen {USELESS.fen().replace('e3', '-')}"]),
    "four-fields": (
        setup(ROOKS, "four-fields", "e1e2"),
        ["fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - moves e1e2"],
    ),
    "twice": (setup(PAWNS, "twice"), ["fen 4k3/8/8/8/1Pp5/8/8/4K3 b - b3 0 1"] * 2),
    "after-another": (setup(ROOKS, "after-another"), [f"fen {ANOTHER}", f"fen {ROOKS.fen()}"]),
    "another with what the position has not": (
        setup(NO_RIGHTS, "after-another"),
        ["fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9", f"fen {NO_RIGHTS.fen()}"],
    ),
    "another side to move": (
        setup(PAWN, "after-another"),
        ["fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 9", f"fen {PAWN.fen()}"],
    ),
    "another clock": (
        setup(PAWNS, "four-fields after-another"),
        [f"fen {ANOTHER_WITH_CLOCK}", "fen 4k3/8/8/8/1Pp5/8/8/4K3 b - b3"],
    ),
    "colors-swapped": (setup(PAWNS, "colors-swapped"), ["fen 4k3/8/8/1pP5/8/8/8/4K3 w - b6 0 1"]),
    "files-mirrored": (setup(PAWNS, "files-mirrored"), ["fen 3k4/8/8/8/5pP1/8/8/3K4 b - g3 0 1"]),
}
"""Setups, with the positions that an engine is asked about after the sentinel."""


def right(game: Game) -> Divide:
    return asking(OwnEngine("own")).divide(Game(game.position), 1)


@pytest.mark.parametrize("name", SENT)
def test_what_a_uci_engine_is_sent(name: str, tmp_path: Path) -> None:
    line, positions = SENT[name]
    expected = [line for position in positions for line in (f"position {position}", "go perft 1")]
    new_game = ["ucinewgame"] * ("ucinewgame" in str(line))
    engine = open_engine(limited("none", str(tmp_path / "log")))
    asker = asking(engine)
    try:
        asker.start()
        assert asker.can_take(line)
        (tmp_path / "log").unlink()
        divide = asker.divide(line, 1)
    finally:
        engine.close()
    assert (tmp_path / "log").read_text().splitlines() == [SENTINEL, *new_game, *expected]
    assert (divide.counts, divide.total) == (right(line).counts, right(line).total)


CALLABLE = """
def told(fen, depth, moves):
    with open("log", "a") as log:
        log.write(f"{fen} / {' '.join(moves)}\\n")
    import chess
    board = chess.Board(fen, chess960=True)
    for move in moves:
        board.push_uci(move)
    return {move.uci(): 1 for move in board.legal_moves}
"""
PROGRAM = """
import sys, chess
with open("log", "a") as log:
    log.write(f"{sys.argv[1]} / {sys.argv[3] if len(sys.argv) > 3 else ''}\\n")
board = chess.Board(sys.argv[1], chess960=True)
for move in sys.argv[3].split() if len(sys.argv) > 3 else ():
    board.push_uci(move)
moves = [move.uci() for move in board.legal_moves] if sys.argv[2] == "1" else []
print(*(f"{move}: 1" for move in moves), sep="\\n")
print(f"Nodes searched: {len(moves) or 8902}")
"""
WRITTEN = {
    "shredder": "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 3 9 / e1e2",
    "four-fields": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - / e1e2",
    "colors-swapped": "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9 / e8e7",
}


@pytest.mark.parametrize("kind", ["python:told:told", "cmd", "script"])
def test_what_programs_and_functions_are_sent(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "told.py").write_text(CALLABLE)
    (tmp_path / "program.py").write_text(PROGRAM)
    command = f"{shlex.quote(sys.executable)} program.py"
    if kind == "script":  # the depth comes first
        text = PROGRAM.replace("argv[1]", "argv[0]").replace("argv[2]", "argv[1]").replace("argv[0]", "argv[2]")
        (tmp_path / "program.py").write_text(text)
    spec = {"cmd": f"cmd:{command} {{fen}} {{depth}} {{moves}}", "script": f"script:{command}"}.get(kind, kind)
    engine = open_engine(spec)
    asker = asking(engine)
    try:
        asker.start()
        for words, sent in WRITTEN.items():
            (tmp_path / "log").unlink(missing_ok=True)
            line = setup(ROOKS, words, "e1e2")
            assert asker.can_take(line)
            assert asker.divide(line, 1).counts == right(line).counts
            assert (tmp_path / "log").read_text() == f"{sent}\n"
        assert not asker.can_take(setup(START, "startpos"))
        assert not asker.can_take(setup(START, "ucinewgame"))
        assert asker.can_take(setup(ROOKS, "twice")) is (kind == "python:told:told")
    finally:
        engine.close()


LIMITS = {
    "none": set[SetupOption](),
    "startpos-refused": {SetupOption.START_BY_NAME},
    "startpos-ignored": {SetupOption.START_BY_NAME},
    "short-refused": {SetupOption.FOUR_FIELDS},
    "short-ignored": {SetupOption.FOUR_FIELDS},
    "short-crashes": {SetupOption.FOUR_FIELDS},
    "files-unread": {SetupOption.SHREDDER},
    "files-refused": {SetupOption.SHREDDER},
    "files-mean-chess960": {SetupOption.SHREDDER},
}
UCI_ONLY = {SetupOption.START_BY_NAME, SetupOption.NEW_GAME}
"""Options that only UCI supports."""
OF_A_PROCESS = UCI_ONLY | {SetupOption.TWICE, SetupOption.AFTER_ANOTHER}
"""Options that do not apply to a program that answers one question and exits."""
NAMES = {
    SetupOption.START_BY_NAME: "`position startpos`",
    SetupOption.FOUR_FIELDS: "FENs of four fields",
    SetupOption.SHREDDER: "castling rights as the files of the rooks in standard chess",
    SetupOption.XFEN: "castling rights as KQkq in Chess960",
}


def cases_with(*options: SetupOption, but: Collection[SetupOption] = ()) -> int:
    """Return the number of cases in the suite with any of the options (or any at all), and with none of `but`."""
    setups = [case.setup for case in load_suite(bundled_path(SETUPS)) if not {*case.setup} & {*but}]
    return sum(not options or bool({*setup} & {*options}) for setup in setups)


def test_the_suite_contains_every_option_that_may_be_refused() -> None:
    assert all(cases_with(option) > 1 for options in LIMITS.values() for option in options)
    assert cases_with(but=[*SetupOption]) > 1, "some are asked about in the usual way"


@pytest.mark.slow
@pytest.mark.parametrize("limit", LIMITS)
def test_a_refusal_is_a_limitation_and_not_a_fault(limit: str, run: Run) -> None:
    spec, options = limited(limit), LIMITS[limit]
    done = run("run", "-e", spec, "-s", "setups")
    cases, skipped = cases_with(), cases_with(*options) if options else 0
    assert done.returncode == 0, done.stdout
    last = done.stdout.splitlines()[-1]
    assert last.startswith(
        f"{cases - skipped} of {cases} positions agree, " if skipped else f"all {cases} positions agree"
    )
    assert f"{skipped} not compared" in last or not skipped
    rest = "this is not a fault, and it is not asked in this way"
    notices = [f"setups.py does not take {NAMES[one]}; {rest}" for one in options]
    assert [line for line in done.stderr.splitlines() if "does not take" in line] == notices


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["startpos-ignored", "short-crashes", "files-unread", "none"])
def test_fuzz_and_doctor_treat_a_refusal_as_a_limitation(limit: str, run: Run) -> None:
    spec, options = limited(limit), LIMITS[limit]
    done = run("fuzz", "-e", spec, "--strategy", "setups", "--examples", "60", "--seed", "2", "-j", "2")
    assert done.returncode == 0, done.stdout
    assert done.stderr.count("does not take") == len(options)
    rows = [line for line in run("doctor", "-e", spec).stdout.splitlines() if line.startswith("setup ")]
    refused = {line.split()[1] for line in rows if " refused: " in line}
    assert refused == {option.value for option in options}
    assert all(line.endswith(" accepted") for line in rows if " refused: " not in line)
    assert len(rows) == 14 + len(options) - {"startpos": 3, "four-fields": 2, "shredder": 1}.get("".join(refused), 0)


REFUSING = """
import os, re, sys, time
import chess
how, chess960, refused, fen, depth = sys.argv[1], sys.argv[2] == "true", sys.argv[3], sys.argv[4], int(sys.argv[5])
if re.search(refused, " ".join([sys.argv[2], *fen.split()[2:]])):
    if how == "exits":
        sys.exit("error: what castling is that")
    if how == "panics":
        os.abort()
    if how == "raises":
        raise ValueError(fen)
    if how == "is silent":
        sys.exit(0)
    time.sleep(1000)
sys.path.insert(0, sys.argv[6])
from fakes.counting import perft
print(perft(chess.Board(fen, chess960=chess960), depth))
"""
TWO_FILES, NO_CLOCK, LETTERS_960 = "^false [A-Ha-h]{2}", r"^false \S+ \S+$", "^true [KQ]"
REFUSALS = {
    ("exits", "false", TWO_FILES): (SetupOption.SHREDDER, SetupOption.XFEN),
    ("raises", "false", "^false [A-Ha-h]"): (SetupOption.SHREDDER, SetupOption.XFEN),
    ("is silent", "false", TWO_FILES): (SetupOption.SHREDDER, SetupOption.XFEN),
    ("waits", "false", TWO_FILES): (SetupOption.SHREDDER, SetupOption.XFEN),
    ("exits", "false", NO_CLOCK): (SetupOption.FOUR_FIELDS, SetupOption.XFEN),
    ("raises", "{chess960}", LETTERS_960): (SetupOption.XFEN,),
}
"""The fields that a program refuses and how, the notation that is skipped, and what else is not compared.

A program whose command has no placeholder for Chess960 is not asked about its positions, which need XFEN.
"""


@pytest.mark.slow
@pytest.mark.parametrize("refusing", REFUSALS, ids=" ".join)
def test_a_program_that_exits_at_a_notation_refuses_it(
    refusing: tuple[str, str, str], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "refusing.py").write_text(REFUSING)
    how, variant, refused = refusing
    option, *_ = REFUSALS[refusing]
    cases, skipped = cases_with(but=OF_A_PROCESS), cases_with(*REFUSALS[refusing], but=OF_A_PROCESS)
    words = shlex.join([sys.executable, "refusing.py", how, "VARIANT", refused, "FEN", "DEPTH", str(FAKES.parent)])
    spec = words.replace("VARIANT", variant).replace("FEN DEPTH", "{fen} {depth}")
    done = run("run", "-e", spec, "-s", "setups", "--timeout", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line for line in done.stderr.splitlines() if "does not take" in line] == [
        f"refusing.py does not take {NAMES[option]}; this is not a fault, and it is not asked in this way"
    ]
    *_, last = done.stdout.splitlines()
    assert last.startswith(f"{cases - skipped} of {cases} positions agree, {skipped} not compared"), last


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (
            "fen-ignored",
            "setups.py counts the starting position by `position startpos`, and not by `position fen "
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`, as for all other positions: it does "
            "not count 8902 nodes in the starting position when sent go perft 3; it said 'Nodes searched: 0'",
        ),
        ("fen-crashes", "as for all other positions: it was killed by SIGABRT"),
        (
            "fen-of-black",
            "setups.py does not receive the position, or its answer cannot be read: at depth 2 it counts 476 in ",
        ),
        ("fen-starts-anew", "setups.py counts the starting position, whatever it is given"),
    ],
)
def test_an_engine_that_reads_only_startpos_or_only_fen(limit: str, message: str, run: Run) -> None:
    done = run("doctor", "-e", limited(limit), COLUMNS="300")
    assert (done.returncode != 0, message in done.stdout + done.stderr) == (True, True), done.stdout + done.stderr


def test_a_notice_names_all_limits() -> None:
    limits = dict.fromkeys([SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.FOUR_FIELDS], "")
    assert limit_notice("mine", limits) == (
        "mine does not take castling rights as the files of the rooks in standard chess, castling rights as KQkq in "
        "Chess960 and FENs of four fields; this is not a fault, and it is not asked in this way"
    )
    assert limit_notice("mine", {}) is None


UNCASTLING = f"""{COUNTING}
def count(fen, depth, chess960=False):
    board, nodes = chess.Board(fen, chess960=chess960), 0
    for move in [move for move in board.legal_moves if not board.is_castling(move)]:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes
"""


def agrees(asker: EngineSession) -> int:
    """Assert that an engine is correct in every setup that it supports, and return their number."""
    games = [case.game_after_moves for case in load_suite(bundled_path(SETUPS))]
    lines = [game for game in games if asker.can_take(game)]
    for game in lines:
        assert asker.divide(game, 2).total == asking(OwnEngine("own")).divide(Game(game.position), 2).total, str(game)
    return len(lines)


@pytest.mark.parametrize("chess960", [False, True])
def test_an_engine_that_never_castles_may_read_every_notation(
    chess960: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "uncastling.py").write_text(UNCASTLING)
    monkeypatch.chdir(tmp_path)
    with closing(open_engine("python:uncastling:count")) as engine:
        asker = asking(engine)
        asker.start()
        assert setup_limits(asker, [chess960]) == {}


@pytest.mark.parametrize(
    "spec", ["own", "own:turbo", "python-chess", pytest.param(f"uci:{STOCKFISH}", marks=needs_stockfish)]
)
def test_a_correct_engine_is_correct_in_every_setup(spec: str) -> None:
    with closing(open_engine(spec)) as engine:
        asker = asking(engine)
        asker.start()  # may compile kernels
        assert agrees(asker) == cases_with(but=() if spec.startswith("uci:") else UCI_ONLY)
        assert setup_limits(asker) == {}


@pytest.mark.parametrize(
    ("position", "words", "why"),
    [
        (ROOKS, "startpos", "startpos needs the starting position"),
        (START, "startpos four-fields", "startpos cannot be combined with an option about the FEN"),
        (ROOKS, "xfen shredder", "xfen and shredder cannot be combined"),
        (ROOKS, "files-mirrored", "files-mirrored needs a position without castling rights"),
        (ROOKS, "sideways", "unknown setup 'sideways': choose from startpos, ucinewgame, shredder, xfen, "),
    ],
)
def test_setup_options_that_do_not_apply_are_rejected(position: Position, words: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        setup(position, words)


def test_a_setup_is_written_and_read_as_text() -> None:
    line = setup(START, "ucinewgame startpos", "e2e4")
    assert str(line) == f"{START.fen()} moves e2e4 setup startpos ucinewgame"
    assert (
        eval(
            repr(line),
            {"PositionSetup": PositionSetup, "Game": Game, "Position": Position, "parse_setup": parse_setup},
        )
        == line
    )
    assert format_setup(SetupOption) == (
        "startpos ucinewgame shredder xfen ep-if-legal four-fields twice after-another colors-swapped files-mirrored"
    )
    moves = ["a2a3"] * 100
    assert describe_setup(line.options, moves) == (
        "`position startpos moves a2a3 a2a3 a2a3 a2a3 a2a3 a2a3 ... a2a3 a2a3 a2a3 a2a3 a2a3 a2a3 (100 moves)`, "
        "after `ucinewgame`"
    )
