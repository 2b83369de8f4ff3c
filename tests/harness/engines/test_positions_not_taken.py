"""An engine that does not set up the given position is refused instead of being accused of faults."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from pathlib import Path

import pytest
from helpers.asking import asking
from helpers.fakes import FAKES, called, written_engine
from helpers.program import WIDE, Run
from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.engines.asking.misreading import MisreadingGuard
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.types.stdin_engine import StdinEngine

KIWIPETE = Game(Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"))
SAME_FOR_ALL = "counts the starting position, whatever it is given"


def spec_of(*words: str) -> str:
    return shlex.join([sys.executable, str(FAKES / "own_position_word.py"), *words])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "case"),
    [
        (("fen",), "fen {fen}\nperft {depth}"),
        (("setboard",), "setboard {fen}\nperft {depth}"),
        (("setfen", "silent"), "setfen {fen}\nperft {depth}"),
    ],
)
def test_position_command_of_a_uci_engine_is_found(words: tuple[str, ...], case: str) -> None:
    engine = open_engine(spec_of(*words))
    assert isinstance(engine, StdinEngine)
    with closing(engine):
        asker = asking(engine)
        asker.start()
        assert (engine.descriptor.case, engine.descriptor.uci) == (case, True)
        assert (asker.perft(KIWIPETE, 2), len(asker.divide(KIWIPETE, 1).counts)) == (2039, 48)


CONSTANT = "import sys\nprint('Nodes:', 8902 - (sys.argv[2] != '3'))\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run -s smoke", "fuzz --examples 50"])
def test_engine_that_never_gets_the_position_is_refused(command: str, run: Run) -> None:
    done = run(*command.split(), "-e", spec_of("none"), **WIDE)
    advice = f"perft-check doctor -e '{spec_of('none')}'"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == f"perft-check: own_position_word.py {SAME_FOR_ALL}; try: {advice}"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (f"{called('start')} {{fen}} {{depth}}", f"called.py {SAME_FOR_ALL}"),
        (f"script:{called('start')}", f"called.py {SAME_FOR_ALL}"),
        (
            f"cmd:{sys.executable} constant.py {{fen}} {{depth}}",
            "counts 8,901 in '7k/8/8/3B4/8/2N5/K7/8 w - - 0 1' and in ",
        ),
    ],
)
def test_program_ignoring_its_arguments_is_refused(spec: str, said: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "constant.py").write_text(CONSTANT)
    done = run("run", "-s", "smoke", "-e", spec, **WIDE)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr.splitlines()[-1]


WANTS_NEW_GAME = """
class Mine(UciEngine):
    is_begun = False
    def hear(self, line):
        word = line.split()[0]
        if word == "ucinewgame":
            self.is_begun = True
        elif not self.is_begun and word in ("position", "go"):
            print("error: no game, send ucinewgame first")
        else:
            super().hear(line)

Mine().serve()
"""


@pytest.mark.slow
def test_engine_asking_for_ucinewgame_gets_it(run: Run, tmp_path: Path) -> None:
    engine = written_engine(tmp_path / "wants.py", WANTS_NEW_GAME)
    done = run("divide", "8/8/8/8/8/8/k6K/8 w - - 0 1", "2", "-e", engine, **WIDE)
    assert (done.returncode, "agree on every root move" in done.stdout) == (0, True), done.stdout + done.stderr


TWO_TOTALS = """
class Mine(UciEngine):
    def answer(self, depth):
        total = self.count(self.board, depth)
        if self.board.turn == chess.BLACK and self.board.castling_rights:
            print(f"Nodes searched: {len(self.moves(self.board))} at the root")
        print(f"Nodes searched: {total}")
Mine().serve()
"""
OTHER_FORM = """
class Mine(UciEngine):
    def answer(self, depth):
        total = self.count(self.board, depth)
        is_odd = self.board.turn == chess.BLACK and self.board.castling_rights
        print(f"{total} in all of them" if is_odd else f"Nodes searched: {total}")
Mine().serve()
"""
FAULTY = """
class Mine(UciEngine):
    def moves(self, board):
        found = super().moves(board)
        return [one for one in found if not board.is_castling(one)]
    def answer(self, depth):
        total, right = self.count(self.board, depth), UciEngine.count(UciEngine(), self.board, depth)
        print(f"Nodes searched: {total}" + (f", expected {right}" if total != right else ""))
Mine().serve()
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run -s smoke --max-depth 2", "fuzz --examples 300"])
@pytest.mark.parametrize("form", [TWO_TOTALS, OTHER_FORM])
def test_format_used_only_in_some_positions_is_not_a_fault(command: str, form: str, run: Run, tmp_path: Path) -> None:
    done = run(*command.split(), "-e", written_engine(tmp_path / "mine.py", form), "--timeout", "5", **WIDE)
    assert done.returncode == 2, done
    last = done.stderr.splitlines()[-1]
    assert last.startswith("perft-check: mine.py is not understood: in "), last
    assert "is in its answer, but not where a count is expected: " in last


@pytest.mark.slow
def test_engine_printing_the_expected_count_is_still_judged(run: Run, tmp_path: Path) -> None:
    engine = written_engine(tmp_path / "mine.py", FAULTY)
    done = run("run", "-s", "smoke", "--max-depth", "2", "-e", engine, **WIDE)
    assert done.returncode == 1, done
    assert "castling" in done.stdout


class NeverAsked(EngineSession):
    def find_misread_line(self, game: Game, depth: int, count: int) -> str:
        raise AssertionError("asked")


def test_small_counts_are_not_searched_for() -> None:
    """A small number may be in an answer by chance."""
    blocked = Game(Position.from_fen("k7/p1p5/P1P5/8/8/8/8/7K w - - 0 1"))
    assert [perft(blocked.position, depth) for depth in range(1, 5)] == [3, 3, 18, 36]
    guard = MisreadingGuard(NeverAsked(open_engine(called("start") + " {fen} {depth}"), CallRunner()))
    guard.check(blocked, 1)
    with pytest.raises(AssertionError, match="asked"):
        guard.check(KIWIPETE, 1)
