"""New processes reproduce a crash by its reduced position or by the earlier questions."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.asking import Answering, asking
from helpers.games import game_from
from helpers.planted import add_to_corpus, make_plan
from helpers.program import WIDE, Run, wrong
from perft_check.generator.game import Game
from perft_check.generator.types.pieces import PieceType
from perft_check.harness.engines.asking import histories
from perft_check.harness.engines.asking.confirming import SURE_TRIES
from perft_check.harness.engines.asking.histories import format_game, load_history
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.base import Divide, EngineCrash
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.fuzzing.checks.divides import Divides
from perft_check.harness.fuzzing.examining import Examiner, games_to_replay, replay, replay_command
from perft_check.harness.fuzzing.reducing import reduce
from perft_check.harness.model.results.verdict import Verdict

OWN = OwnEngine("own")
QUEENS = game_from("3qk3/8/8/8/8/8/P7/3QK3 w - - 0 1")
LINES = [
    QUEENS,
    game_from("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a4"),
    game_from("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", chess960=True),
]
PATIENCE = 4
"""Number of questions that the tired engine answers."""


class Tired(Answering):
    """Crashes at the fifth question of a process or, with `dislikes_queens`, at each queen."""

    def __init__(self, dislikes_queens: bool) -> None:
        super().__init__(self._answer)
        self._dislikes_queens, self._asked, self.starts = dislikes_queens, 0, 1

    def _answer(self, game: Game, depth: int) -> Divide:
        self._asked += 1
        queens = game.base.pieces[0][PieceType.QUEEN]
        if queens if self._dislikes_queens else self._asked > PATIENCE:
            self.close()
            raise EngineCrash("out of breath")
        return OWN.divide(game, depth, EngineCall())

    def close(self) -> None:
        self._asked, self.starts = 0, self.starts + 1


def examiner_of(engine: Answering) -> Examiner:
    tested = asking(engine)
    return Examiner([Divides(tested, asking(OWN, is_reference=True), None)], [tested], CallRunner())


def test_a_reduced_crash_is_reproduced_in_new_processes() -> None:
    engine = Tired(dislikes_queens=True)
    examiner = examiner_of(engine)
    (found,) = examiner.examine(QUEENS, 1)
    started = engine.starts
    reduced, _, reproducible = reduce(found, 1, examiner)
    assert (reduced.verdict, reduced.pieces, reduced.history, reproducible) == (Verdict.CRASH, 3, (), True)
    assert engine.starts >= started + SURE_TRIES


def test_a_crash_that_no_position_reproduces_keeps_its_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "cache_root", lambda: tmp_path)
    engine = Tired(dislikes_queens=False)
    examiner = examiner_of(engine)
    asked = [*LINES, *LINES]
    found = next(one for line in asked for one in examiner.examine(line, 1))
    kept, _, reproducible = reduce(found, 1, examiner)
    assert (kept.game, reproducible) == (found.game, True)
    assert kept.history == tuple(map(format_game, asked[: PATIENCE + 1]))
    command = shlex.split(replay_command(replace(make_plan("uci:mine", ("own:turbo",))), kept, 1))
    path = command[command.index("--replay") + 1]
    lines = games_to_replay(path, chess960=False)
    assert lines == load_history(Path(path)) == asked[: PATIENCE + 1]
    (again,) = replay(lines, 1, examiner_of(Tired(dislikes_queens=False)))
    assert (again.verdict, again.message) == (Verdict.CRASH, "out of breath")


class Overflowing(Answering):
    """Counts one extra node at each tenth question of a process."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.questions = 0

    def _answer(self, game: Game, depth: int) -> Divide:
        self.questions += 1
        right = OWN.divide(game, depth, EngineCall())
        return Divide.of_total(right.total + 1) if self.questions % 10 == 0 else right

    def close(self) -> None:
        self.questions = 0


def test_a_fault_that_depends_on_the_number_of_questions_is_reproduced_in_another_game() -> None:
    """The process had answered four questions before the history begins; a new process has answered one."""
    engine = Overflowing()
    engine.questions = 4
    examiner = examiner_of(engine)
    asked = [*LINES, *LINES]
    found = [one for line in asked for one in examiner.examine(line, 1)]
    assert [one.game for one in found] == [asked[5]], "at the tenth question of all"
    kept, _, reproducible = reduce(found[0], 1, examiner)
    assert (kept.history, reproducible) == (tuple(map(format_game, asked)), True)
    assert kept.finding is not None
    note = "new processes that are asked for all 6 positions again and again fail at other positions"
    assert kept.finding.note == note
    (again,) = replay(asked, 1, examiner_of(Overflowing()))
    assert (again.verdict, again.game) == (Verdict.MISMATCH, asked[2]), "at the third of them, the second time"


class Drifting(Overflowing):
    """Counts one extra node at each tenth question too, but processes begin at 0, 1 or 2."""

    def __init__(self) -> None:
        super().__init__()
        self._starts = 0

    def close(self) -> None:
        self._starts += 1
        self.questions = self._starts % 3


def test_processes_that_fail_at_different_positions_have_varying_answers() -> None:
    engine = Drifting()
    engine.questions = 4
    examiner = examiner_of(engine)
    (found,) = [one for line in [*LINES, *LINES] for one in examiner.examine(line, 1)]
    kept, _, reproducible = reduce(found, 1, examiner)
    assert kept.finding is not None
    assert (kept.finding.varies, reproducible) == (True, True)
    assert kept.finding.note.startswith("answers differ from time to time"), kept.finding.note


class Remembering(Answering):
    """Misses a king move in a position with queens after `LINES[1]`, and otherwise a push."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self._remembers = False

    def _answer(self, game: Game, depth: int) -> Divide:
        self._remembers |= game == LINES[1]
        right = OWN.divide(game, depth, EngineCall())
        if game != QUEENS:
            return right
        missed = "e1f1" if self._remembers else "a2a3"
        return Divide.of((move, nodes) for move, nodes in right.counts.items() if move != missed)

    def close(self) -> None:
        self._remembers = False


def test_another_fault_of_the_game_alone_is_reported_instead() -> None:
    examiner = examiner_of(Remembering())
    asked = [LINES[1], QUEENS]
    (found,) = [one for game in asked for one in examiner.examine(game, 1)]
    assert found.finding is not None
    assert [one.uci for one in found.finding.wrong] == ["e1f1"]
    kept, _, reproducible = reduce(replace(found, history=tuple(map(format_game, asked))), 1, examiner)
    assert kept.finding is not None
    assert ([one.uci for one in kept.finding.wrong], kept.history, reproducible) == (["a2a3"], (), True)


class Wavering(Answering):
    """Counts one extra node at a single question, and never again."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self._asked = 0

    def _answer(self, game: Game, depth: int) -> Divide:
        self._asked += 1
        right = OWN.divide(game, depth, EngineCall())
        return Divide.of_total(right.total + 1) if self._asked == len(LINES) else right


def test_a_fault_that_is_not_reproducible_keeps_its_history() -> None:
    examiner = examiner_of(Wavering())
    found = next(one for line in LINES for one in examiner.examine(line, 1))
    kept, _, reproducible = reduce(found, 1, examiner)
    assert (kept.game, reproducible) == (found.game, False)
    assert kept.history == tuple(map(format_game, LINES))


def test_only_the_first_discrepancy_of_a_signature_has_a_history() -> None:
    """Histories are long, and a common fault shows in thousands of positions."""

    def wrong(game: Game, depth: int) -> Divide:
        return Divide.of_total(OWN.divide(game, depth, EngineCall()).total + 1)

    examiner = examiner_of(Answering(wrong))
    histories = [one.history for line in LINES for one in examiner.examine(line, 1)]
    assert histories == [(format_game(LINES[0]),), (), ()]


def test_a_reference_that_fails_does_not_shorten_the_history() -> None:
    """The process of the engine under test continues with its whole history."""

    def dislikes_queens(game: Game, depth: int) -> Divide:
        if game.base.pieces[0][PieceType.QUEEN]:
            raise EngineCrash("a reference has died")
        return OWN.divide(game, depth, EngineCall())

    tested = asking(Tired(dislikes_queens=False))
    reference = asking(Answering(dislikes_queens), is_reference=True)
    examiner = Examiner([Divides(tested, reference, None)], [tested, reference], CallRunner())
    asked = [QUEENS, *LINES[1:], *LINES[1:]]
    *_, failed = [one for game in asked for one in examiner.examine(game, 1)]
    assert (failed.message, failed.history) == ("out of breath", tuple(map(format_game, asked)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file has no positions"),
        (b"\xff\xfe", "the file is not UTF-8 text"),
        (None, "No such file or directory"),
    ],
)
def test_a_history_that_cannot_be_read_is_one_line(
    run: Run, tmp_path: Path, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / "bad.replay").write_bytes(content)
    said = wrong(run, "fuzz", "--replay", "bad.replay", "-e", "own:turbo", "-a", "own")
    assert said == f"--replay bad.replay: {message}"


def test_a_corpus_replays_a_crash_that_needs_moves(run: Run, tmp_path: Path) -> None:
    (found,) = examiner_of(Tired(dislikes_queens=True)).examine(QUEENS, 1)
    line = game_from("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1")
    assert add_to_corpus(tmp_path / "found.epd", replace(found, game=line), 1)
    assert (tmp_path / "found.epd").read_text().splitlines()[-1].endswith(';moves "e1g1"')
    done = run("-e", "zoo:castling-not-found", "-s", "found.epd", "-q", **WIDE)
    assert done.returncode == 3
    assert "after the moves e1g1: zoo:castling-not-found has crashed: no move e1g1" in done.stdout
    assert run("-e", "own", "-s", "found.epd").returncode == 0
    (tmp_path / "bad.epd").write_text('4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;moves "e1g1 e8e1"\n')
    bad = run("-e", "own", "-s", "bad.epd")
    assert (bad.returncode, bad.stderr.count("\n")) == (2, 1)
    assert bad.stderr.startswith("perft-check: bad.epd:1: moves 'e1g1 e8e1': ")
