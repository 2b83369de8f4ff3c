"""Pipelined batches: different answers are examined, and correct engines are not accused."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.fakes import FAKES, castling, written_engine
from helpers.planted import make_plan
from helpers.program import STOCKFISH, Run, needs_stockfish
from perft_check.generator import Position
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.generator.sampling.sampler import PositionSampler
from perft_check.harness.engines.asking import pipelined
from perft_check.harness.engines.asking.pipelined import LARGEST_BLOCK, PipelinedSession, RetryOutcome
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.base import CannotPipeline, EngineTimeout
from perft_check.harness.engines.block_stream import CollectedBlock, OpenedStream
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.stdio.stream import opening
from perft_check.harness.engines.stdio.stream.opening import MARKERS
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.fuzzing import block_batch
from perft_check.harness.fuzzing.batch import BatchContext, BatchResult
from perft_check.harness.fuzzing.block_batch import (
    ALWAYS_EXAMINED,
    EACH_TIME,
    ONCE,
    Suspects,
    UnreproducedSuspect,
    python_chess_agrees,
)
from perft_check.harness.fuzzing.examining import build_examiner
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.pipelined_batch import PipelinedBatch
from perft_check.harness.fuzzing.plan import BatchAssignment
from perft_check.harness.model.results.finding import Cause
from perft_check.harness.model.results.verdict import Verdict

SIZE = 120


def one_bug(fault: str) -> str:
    return f"uci:{sys.executable} {FAKES / 'one_bug.py'} uci {fault}"


@contextmanager
def batch_of(
    engine: str, size: int = SIZE, seed: int = 1, chess960: bool = False, depth: int = 1
) -> Iterator[PipelinedBatch]:
    """Start an engine, and yield a batch that has not been run."""
    plan = replace(make_plan(engine, ("own:turbo",)), seed=seed, variants=(chess960,), strategies=(), depth=depth)
    examiner = build_examiner(plan)
    examiner.start()
    assert examiner.subject.can_pipeline
    session = PipelinedSession(examiner.subject, examiner.caller, plan.timeout, chess960=chess960)
    try:
        yield PipelinedBatch(
            BatchContext(plan, BatchAssignment(3, 100, size, is_pipelined=True), examiner, lambda _hits: None), session
        )
    finally:
        session.close()
        examiner.close()


def result_of(engine: str, size: int = SIZE, seed: int = 1, chess960: bool = False, depth: int = 1) -> BatchResult:
    with batch_of(engine, size, seed, chess960, depth) as batch:
        batch.run()
        return batch.result


def found(result: BatchResult) -> list[Discrepancy]:
    return [hit.discrepancy for hit in result.first.values()]


@pytest.mark.slow
@needs_stockfish
@pytest.mark.parametrize(("chess960", "name"), [(False, "pipelined"), (True, "pipelined (Chess960)")])
def test_a_correct_engine_has_no_discrepancy(chess960: bool, name: str) -> None:
    result = result_of(f"uci:{STOCKFISH}", 2_000, chess960=chess960, depth=2)
    assert result.strategies == {name: 2_000}
    assert found(result) == []
    assert len(result.events) > 60


@pytest.mark.slow
def test_a_different_answer_is_examined_and_explained() -> None:
    result = result_of(one_bug("pins-forgotten"), 1_000)
    assert {discrepancy.finding.headline for discrepancy in found(result) if discrepancy.finding is not None} == {
        "extra move: Pinned piece leaves its line"
    }
    (hit,) = result.first.values()
    assert (hit.strategy, 100 < hit.example <= 1_100) == ("pipelined", True)


@pytest.mark.slow
def test_chess960_castling_written_as_the_kings_target_is_reported() -> None:
    """This engine's castling looks like a king step, and the trial has no such castling."""
    names = {discrepancy.name for discrepancy in found(result_of(castling("near-target"), 200, chess960=True))}
    assert names == {"notation castling-by-king-target"}


ODD = """
asked = 0

class Mine(UciEngine):
    is_ready = False

    def hear(self, line):
        super().hear(line)
        self.is_ready = line.startswith("isready") or (self.is_ready and not line.startswith("go"))

    def answer(self, depth):
        global asked
        asked += 1
        board, counts = self.board, dict(self.counts(self.board, depth))
        if FAILS:
            FAILURE
        for move, count in counts.items():
            print(f"{move}: {count}")
        print(f"\\nNodes searched: {sum(counts.values())}\\n")
"""


def odd(folder: Path, fails: str, failure: str, more: str = "", *arguments: str) -> str:
    """Return an engine that does something other than answer correctly when it fails; `more` follows its class."""
    program = ODD.replace("FAILS", fails).replace("FAILURE", failure)
    return written_engine(folder / "odd.py", f"{program}{more}\nMine().serve()\n", *arguments)


@pytest.mark.slow
def test_a_crash_is_found_with_its_position(tmp_path: Path) -> None:
    """The engine dies if en passant is legal, and a new process answers the rest of the block."""
    result = result_of(odd(tmp_path, "board.has_legal_en_passant()", "sys.exit(7)"))
    (crash,) = found(result)
    assert crash.verdict is Verdict.CRASH
    assert crash.game.position.en_passant is not None
    assert 1 < result.hit_counts[crash.signature] <= SIZE - result.examples
    assert result.examples > SIZE // 2  # the positions after a crash are asked as well


@pytest.mark.slow
def test_only_some_of_many_similar_crashes_are_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_batch, "ALWAYS_EXAMINED", 1)
    result = result_of(odd(tmp_path, "board.pieces(1, True) and not board.pieces(4, True)", "sys.exit(7)"), 60)
    (crash,) = found(result)
    assert "R" not in crash.game.position.fen().split()[0]
    assert 1 < result.hit_counts[crash.signature] < 60 - result.examples, "each position without an answer is a crash"
    assert result.examples > 10


BUFFERED = """
    def serve(self):
        left = b""
        while chunk := os.read(0, 1 << 16):
            *whole, left = (left + chunk).split(b"\\n")
            for line in whole:
                self.hear(line.decode())
            sys.stdout.flush()
"""


@pytest.mark.slow
def test_a_crash_is_found_at_its_position_even_if_earlier_answers_are_lost(tmp_path: Path) -> None:
    """The engine writes when it has read all questions, as C++ does with streams that are not synchronized with C."""
    result = result_of(odd(tmp_path, "board.has_legal_en_passant()", "os._exit(7)", BUFFERED))
    (crash,) = found(result)
    assert crash.verdict is Verdict.CRASH
    assert crash.game.position.en_passant is not None
    assert crash.game.moves == ()


FORGETS_ONCE = """
seen = 0

def forgets():
    global seen
    armed = os.path.exists(sys.argv[1])
    seen += armed
    if armed and seen == 20:
        os.remove(sys.argv[1])
        return True
    return False
"""


def test_an_unreproduced_suspect_is_reported_with_the_earlier_questions(tmp_path: Path) -> None:
    """The engine misses a move in the twentieth position, once in all its processes."""
    armed = tmp_path / "armed"
    engine = odd(tmp_path, "counts and forgets()", "counts.popitem()", FORGETS_ONCE, str(armed))
    with batch_of(engine, 300) as batch:
        armed.touch()
        batch.run()
    (suspect,) = found(batch.result)
    assert suspect.finding is not None
    assert (suspect.finding.cause, suspect.finding.note) == (Cause.VANISHED, ONCE)
    assert len(suspect.history) > 20, "including those that measured the speed"
    assert suspect.history[-1] == str(suspect.game)


class FailsAfterMany(PipelinedSession):
    """Differs at the last position if it is asked about at least so many positions."""

    def __init__(self, least: int) -> None:
        self._least = least

    def retry(self, blocks: Sequence[PositionBatch]) -> RetryOutcome:
        return RetryOutcome(sum(map(len, blocks)) >= self._least, None)


@pytest.mark.parametrize(("least", "kept", "note"), [(3, 5, EACH_TIME), (20, 20, EACH_TIME), (21, 20, ONCE)])
def test_only_the_earlier_questions_that_reproduce_a_suspect_are_kept(least: int, kept: int, note: str) -> None:
    """Half of the questions are dropped while the rest reproduces it: from twenty to ten and five; two are too few."""
    sampler = PositionSampler([Position.start()], 1)
    blocks = sampler.sample(8), sampler.sample(12)
    suspect = UnreproducedSuspect(blocks, None).discrepancy(FailsAfterMany(least))
    assert suspect.finding is not None
    assert suspect.finding.note == note
    assert list(suspect.history) == [block.fen(number) for block in blocks for number in range(len(block))][-kept:]


@pytest.mark.slow
@needs_stockfish
def test_a_run_is_pipelined_unless_it_is_careful(fuzz: Run) -> None:
    arguments = ["-e", STOCKFISH, "-n", "800", "--seed", "3", "-j", "2"]
    done = fuzz(*arguments, "--report", "json=-")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    strategies = found["strategies"]
    assert strategies.pop("pipelined") == 800 - strategies.pop("sweep") - 160 - 40
    assert sum(strategies.values()) == 160 + 40
    careful = fuzz("-e", STOCKFISH, "-n", "20", "--seed", "3", "-j", "1", "--careful", "--report", "json=-")
    assert "pipelined" not in json.loads(careful.stdout)["strategies"]


@pytest.mark.slow
def test_an_engine_that_cannot_be_pipelined_is_asked_one_question_at_a_time(fuzz: Run, tmp_path: Path) -> None:
    descriptor = {
        "name": "repeats FENs",
        "launch": shlex.join([sys.executable, str(FAKES / "one_bug.py"), "uci", "none"]),
        "case": "position fen {fen}\nposition fen {fen}{moves}\ngo perft {depth}",
        "uci": True,
    }
    (tmp_path / "engine.json").write_text(json.dumps(descriptor))
    done = fuzz("-e", "engine.json", "-n", "180", "--seed", "1", "-j", "1", "--depth", "1")
    assert done.returncode == 0, done.stderr
    why = "repeats FENs is asked one question at a time: its descriptor names the FEN more than once\n"
    assert why in done.stderr
    assert done.stdout.endswith("no fault of repeats FENs found in 180 positions\n")


@pytest.mark.parametrize(("chess960", "to_rook"), [(False, False), (False, True), (True, True)])
def test_python_chess_compares_castling_in_both_notations(chess960: bool, to_rook: bool) -> None:
    castling = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960)
    sampled = PositionSampler([castling], 1, chess960=chess960, castles_to_rook=to_rook).sample(50)
    assert all(python_chess_agrees(sampled, index) for index in range(50))
    wrong = replace(sampled, castles_to_rook=not to_rook)
    assert not all(python_chess_agrees(wrong, index) for index in range(50))


def test_an_engine_that_fails_its_trial_is_not_pipelined() -> None:
    class Fails(PythonChessEngine):
        def open_pipeline(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
            raise EngineTimeout("it has not answered within 10 seconds")

    with pytest.raises(CannotPipeline) as caught:
        PipelinedSession(Fails(), CallRunner(), 10.0, chess960=False)
    assert str(caught.value) == "it fails a trial: it has not answered within 10 seconds"


def test_a_crash_after_the_last_position_of_a_block_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine answers everything, and dies at a marker after eighty questions.

    It is asked that many before the batch, however slow it is, so that a new process is asked all of them, too.
    """
    monkeypatch.setattr(opening, "ROUNDS", 4)
    monkeypatch.setattr(pipelined, "LARGEST_BLOCK", pipelined.SMALLEST_BLOCK)
    monkeypatch.setattr(pipelined, "MOST_BUDGET", 0)
    marker = MARKERS[0].split()[0]
    result = result_of(odd(tmp_path, f"asked > 80 and board.board_fen() == {marker!r}", "os._exit(7)"))
    (crash,) = found(result)
    assert (crash.verdict, len(crash.history) > 20) == (Verdict.CRASH, True)
    assert crash.history[-1] == str(crash.game)
    assert result.examples == SIZE


@pytest.mark.slow
def test_a_crash_that_only_pipelining_shows_is_reported_next_to_other_findings(tmp_path: Path) -> None:
    """The engine needs `isready` before a position with en passant, and misses a move in check."""
    forgets = "sys.exit(7)\n        if board.is_check() and counts:\n            counts.popitem()"
    engine = odd(tmp_path, "board.ep_square is not None and not self.is_ready", forgets)
    result = result_of(engine)
    crashes = [one for one in found(result) if one.verdict is Verdict.CRASH]
    assert [one.game.position.en_passant is not None for one in crashes] == [True]
    assert len(found(result)) > 1


def test_suspects_that_show_something_new_are_examined() -> None:
    suspects, plain, rare = Suspects(), np.array([1, 0], dtype=np.uint64), np.array([1, 4], dtype=np.uint64)
    assert all(suspects.is_worth_examining(plain) for _ in range(ALWAYS_EXAMINED))
    assert [number for number in range(ALWAYS_EXAMINED + 1, 129) if suspects.is_worth_examining(plain)] == [32, 64, 128]
    assert suspects.is_worth_examining(rare)
    assert not suspects.is_worth_examining(rare)
    assert [suspects.is_worth_examining(rare, words) for words in ("abort", "abort", "trap")] == [True, False, True]
    assert suspects.number == 133


def test_the_events_are_those_of_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks: list[PositionBatch] = []
    submit = PipelinedSession.submit

    def noted(self: PipelinedSession, sampled: PositionBatch) -> None:
        blocks.append(sampled)
        submit(self, sampled)

    monkeypatch.setattr(PipelinedSession, "submit", noted)
    with batch_of(one_bug("none"), 24) as batch:
        blocks.clear()  # so far the speed has been measured
        batch.run()
    bits = [sum(int(word) << 64 * place for place, word in enumerate(row)) for block in blocks for row in block.events]
    assert batch.result.events == Counter(event for one in bits for event in range(128) if one >> event & 1)


class AlwaysCorrect(PipelinedSession):
    """Gives correct answers, in blocks of a given size."""

    counts_deep = False

    def __init__(self, block: int) -> None:
        self.block, self.budget, self.block_nodes, self.most_nodes = block, 0, 0, 0
        self.submitted: list[PositionBatch] = []
        self.collected = 0

    def castles_to_rook(self, chess960: bool) -> bool:
        return chess960

    def get_ready(self) -> None:
        pass

    def submit(self, sampled: PositionBatch) -> None:
        self.submitted.append(sampled)

    def collect(self) -> CollectedBlock:
        sampled = self.submitted[self.collected]
        self.collected += 1
        return CollectedBlock(sampled, np.array([], dtype=np.int64), len(sampled))


def test_the_speed_of_an_engine_changes_no_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """One position in 512 is compared with python-chess."""
    plan = replace(make_plan("own:turbo", ("own:turbo",)), variants=(False,), strategies=("locked",))
    compared: list[int] = []

    def agrees(_sampled: PositionBatch, index: int) -> bool:
        compared.append(index)
        return True

    monkeypatch.setattr(block_batch, "python_chess_agrees", agrees)
    texts = []
    for block in (100, 512, LARGEST_BLOCK):
        engine = AlwaysCorrect(block)
        assignment = BatchAssignment(3, 0, 3_000, is_pipelined=True)
        one = PipelinedBatch(BatchContext(plan, assignment, build_examiner(plan), lambda _hits: None), engine)
        compared.clear()
        one.run()
        assert max(map(len, engine.submitted)) == block
        assert (one.result.examples, len(compared)) == (3_000, 6)
        texts.append(b"".join(sampled.text.tobytes() for sampled in engine.submitted))
    assert len(set(texts)) == 1


class CountsDeep(AlwaysCorrect):
    """Counts deeper than to depth 1."""

    counts_deep = True


@pytest.mark.parametrize("block", [8, 32])
def test_every_fifth_block_of_a_slow_engine_has_sparse_positions(block: int) -> None:
    plan = replace(make_plan("own:turbo", ("own:turbo",)), variants=(False,), strategies=("locked",), depth=2)
    engine = CountsDeep(block)
    assignment = BatchAssignment(3, 0, 10 * (4 * block + 1), is_pipelined=True)
    PipelinedBatch(BatchContext(plan, assignment, build_examiner(plan), lambda _: None), engine).run()
    sizes, depths = (
        [len(sampled) for sampled in engine.submitted],
        [int(sampled.depths.max()) for sampled in engine.submitted],
    )
    assert sizes == [block, block, block, block, 1] * 10
    assert [depth > 1 for depth in depths] == [False, False, False, False, True] * 10
