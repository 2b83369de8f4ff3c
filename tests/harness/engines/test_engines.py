"""Opening engines, castling notation, failures of UCI processes, and plug-ins."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from docs.blocks import all_blocks
from helpers.fakes import ON_UCI_ENGINE
from perft_check.errors import UsageError
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.generator.types.moves import Move
from perft_check.harness.engines.base import EngineContradiction, EngineCrash, EngineError, EngineRejection
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.root_moves import as_king_steps
from perft_check.harness.engines.spec import EngineSpec
from perft_check.harness.engines.stdio.descriptor import UCI_CASE, Descriptor
from perft_check.harness.engines.stdio.process import Process
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.engines.types.stdin_engine import SENTINEL, StdinEngine
from perft_check.suites.positions import resolve_position

KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")


PLUGIN = next(block.text for block in all_blocks() if block.title == "my_engine.py")
"""The plug-in in docs/engines.md."""
COMPUTES_NAME = """\
class MyEngine:
    def __init__(self, variant):
        self.variant = variant

    @property
    def name(self):
        return f"engine {self.variant}"
"""
GENERATOR = """\
from perft_check.generator import Position, divide as ours

def divide(fen, depth):
    return {move.uci(): nodes for move, nodes in ours(Position.from_fen(fen), depth).items()}
"""


class Compiled(OwnEngine):
    """An engine whose compilation takes longer than the time limit of a call."""

    def __init__(self, call: EngineCall) -> None:
        super().__init__("own")
        self._call = call

    def legal_moves(self, position: Position) -> Sequence[Move]:
        self._call.deadline = self._call.began
        return super().legal_moves(position)


def test_compilation_time_does_not_count_toward_the_time_limit() -> None:
    call = EngineCall(3600.0)
    assert Compiled(call).divide(Game(KIWIPETE), 2, call).total == 2039
    assert not call.is_overdue


@pytest.mark.parametrize("spec", ["own", "own:turbo", "own:two-plies", "python-chess"])
def test_a_stopped_call_ends_the_count(spec: str) -> None:
    engine, call = open_engine(spec), EngineCall()
    call.stop()
    engine.perft(Game(Position.start()), 12, call)
    engine.divide(Game(Position.start()), 12, call)


def test_a_call_reports_the_nodes_counted() -> None:
    call = EngineCall()
    OwnEngine("own").perft(Game(KIWIPETE), 4, call)
    assert call.nodes == 4085603


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "engine '': the name is empty; was a variable not set?"),
        ("uci:", "engine 'uci:': the command is empty; write uci:PROGRAM, with its arguments if any"),
        ("uci:./missing", "engine 'uci:./missing': there is no file ./missing"),
        ("./missing", "engine './missing': there is no file ./missing"),
        (
            "uci:nowhere",
            "engine 'uci:nowhere': no program 'nowhere' is on the PATH; write ./nowhere for one in this folder",
        ),
        ("/etc/passwd", "engine '/etc/passwd': /etc/passwd has no #! line, so the system cannot start it; "),
        ("python[x:y", "engine 'python[x:y': write python:MODULE:CALLABLE, such as python:mychess.perft:divide"),
        ("python_chess", "no engine named 'python_chess': did you mean 'python-chess'?"),
    ],
)
def test_the_error_about_an_engine_that_does_not_exist(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        open_engine(spec)
    assert str(raised.value).startswith(message)


FAKE = f"""{ON_UCI_ENGINE}
def say(text): print(text, flush=True)
class Fake(UciEngine):
    def answer(self, depth):
        ANSWER
Fake().serve()
"""
CASE = UCI_CASE.replace("{command}", "go perft {depth}")
Fake = Callable[[str], StdinEngine]


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Fake]:
    """Return a function that makes an engine, given the Python code that answers `go perft`."""
    made: list[StdinEngine] = []

    def make(answer: str) -> StdinEngine:
        script = tmp_path / f"fake{len(made)}.py"
        script.write_text(FAKE.replace("ANSWER", textwrap.indent(answer, " " * 8).strip()))
        made.append(StdinEngine("fake", Descriptor("fake", (sys.executable, str(script)), CASE)))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        ("sys.exit(3)", EngineCrash, "fake exited with status 3"),
        ("import os; os.abort()", EngineCrash, "fake was killed by SIGABRT"),
        ("say('Invalid FEN, sorry')", EngineRejection, "fake refuses the position: Invalid FEN, sorry"),
        (
            "say('e2e4: 1'); say('Nodes searched: 2')",
            EngineContradiction,
            "fake contradicts itself: its total is 2, its divide adds up to 1",
        ),
    ],
)
def test_failures_of_a_process_are_classified(fake: Fake, answer: str, kind: type[EngineError], message: str) -> None:
    engine = fake(answer)
    with pytest.raises(kind) as raised:
        engine.divide(Game(KIWIPETE), 1, EngineCall())
    assert (type(raised.value), str(raised.value)) == (kind, message)


def test_output_after_an_answer_is_not_part_of_the_next_answer(fake: Fake) -> None:
    answer = "say('Nodes searched: 48')\nsay('e2e4: 1')\nsay('Nodes searched: 7')\nsay('bestmove e2e4')"
    engine = fake(answer)
    assert [engine.perft(Game(KIWIPETE), 1, EngineCall()) for _ in range(3)] == [48] * 3


def test_a_question_is_sent_in_one_message(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, sent = fake("say('Nodes searched: 48')"), []
    engine.start(EngineCall())
    send = Process.send

    def noted(process: Process, lines: Sequence[str], call: EngineCall) -> None:
        sent.append(list(lines))
        send(process, lines, call)

    monkeypatch.setattr(Process, "send", noted)
    assert [engine.perft(Game(KIWIPETE), depth, EngineCall()) for depth in (1, 2)] == [48, 48]
    sentinel, position = f"position fen {SENTINEL.fen()}", f"position fen {KIWIPETE.fen()}"
    assert sent == [["isready", sentinel, position, f"go perft {depth}"] for depth in (1, 2)]


@pytest.mark.parametrize(("name", "count"), [("startpos", 20), ("START", 20), ("kiwipete", 48), ("ep-legal", 7)])
def test_positions_have_names(name: str, count: int) -> None:
    assert len(resolve_position(name).legal_moves) == count


def test_a_named_position_can_be_read_as_chess960() -> None:
    assert resolve_position("kiwipete", chess960=True).chess960
    assert not resolve_position("kiwipete").chess960


def test_the_castling_field_shows_whether_a_fen_is_of_chess960() -> None:
    fen = "4k3/8/8/8/8/8/8/1RK2R2 w KQ - 0 1"
    assert resolve_position(fen).chess960
    assert not resolve_position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").chess960
    with pytest.raises(UsageError) as raised:
        resolve_position(fen, chess960=False)
    assert str(raised.value).endswith("(leave out --standard if it is such a position)")


@pytest.mark.parametrize(
    ("text", "standard"), [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e1f1", "e1f1"), ("a1b1", "a1b1"), ("x", "x")]
)
def test_castling_is_written_with_the_target_of_the_king(text: str, standard: str) -> None:
    assert as_king_steps(KIWIPETE, text) == standard


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return a function that installs a package with the prefix `mine`, given the text of its module."""

    def install(module: str) -> None:
        (tmp_path / "my_engine.py").write_text(module)
        (tmp_path / "my_generator.py").write_text(GENERATOR)
        metadata = tmp_path / "my_engine-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-engine\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text("[perft_check.engines]\nmine = my_engine:MyEngine\n")
        monkeypatch.syspath_prepend(tmp_path)

    yield install
    for name in ("my_engine", "my_generator"):
        sys.modules.pop(name, None)


def test_the_plug_in_in_the_documentation_adds_a_prefix(plug_in: Callable[[str], None]) -> None:
    plug_in(PLUGIN)
    engine = open_engine("mine:fast")
    engine.start(EngineCall())
    assert (engine.spec, engine.name, engine.chess960) == ("mine:fast", "mine:fast", False)
    castling = Game(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert engine.perft(castling, 1, EngineCall()) == 15
    assert "e1h1" in engine.divide(castling, 1, EngineCall()).counts


def test_the_name_of_a_plug_in_may_be_a_property(plug_in: Callable[[str], None]) -> None:
    plug_in(COMPUTES_NAME)
    engine = open_engine(EngineSpec("mine:fast", "new", has_given_name=True))
    assert (engine.spec, engine.name) == ("mine:fast", "engine fast")
    assert isinstance(engine.spec, EngineSpec)
