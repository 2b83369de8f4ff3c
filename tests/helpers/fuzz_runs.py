"""Shared by the tests of the fuzzer: plans, planted checks, the finds of a report, and living processes."""

from __future__ import annotations

import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import chess
from perft_check.generator import Position
from perft_check.generator.line import Line
from perft_check.harness.engines.asker import Caller
from perft_check.harness.fuzzing.checks.base import Check, Probe
from perft_check.harness.fuzzing.examining import Examiner
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.plan import Plan
from perft_check.harness.model.events import Cause, Finding, WrongMove
from perft_check.harness.model.verdict import Verdict

TESTS = Path(__file__).parents[1]
WIDE = {"COLUMNS": "1000"}
"""Variables of a run that does not break lines."""

Predicate = Callable[[Line], bool]


def fake(mode: str, *arguments: str) -> str:
    """Return the SPEC of a fake engine that misbehaves in this way."""
    return "uci:" + shlex.join([sys.executable, str(TESTS / "fakes" / "engine.py"), mode, *arguments])


def make_plan(
    engine: str = "own",
    references: tuple[str, ...] = ("python-chess",),
    examples: int | None = 100,
    fail_fast: bool = False,
    timeout: float = 10.0,
) -> Plan:
    return Plan(
        engine=engine,
        references=references,
        seed=1,
        examples=examples,
        seconds=None,
        strategies=("placements",),
        gentypes=(),
        variants=(False,),
        depth=2,
        remember=False,
        fail_fast=fail_fast,
        timeout=timeout,
    )


def leaves(board: chess.Board, depth: int) -> int:
    """Return the number of leaf nodes, counted one by one."""
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += leaves(board, depth - 1)
        board.pop()
    return nodes


def line_from(fen: str, *moves: str, chess960: bool = False) -> Line:
    """Return the line from a FEN by moves in UCI text."""
    line = Line(Position.from_fen(fen, chess960))
    for text in moves:
        line = line.after(line.position.parse_uci(text))
    return line


def board_of(line: Line) -> chess.Board:
    """Return the position at the end of a line, as python-chess reaches it."""
    board = chess.Board(line.base.fen(), chess960=line.base.chess960)
    for text in line.uci_moves():
        board.push_uci(text)
    return board


def discrepancy_at(line: Line, rule: str, kind: str = "extra", verdict: Verdict = Verdict.MISMATCH) -> Discrepancy:
    """Return a discrepancy of a check called `planted`, with one wrong move that breaks `rule`."""
    if verdict.is_engine_failure:
        return Discrepancy("planted", verdict, line, None, rule)
    wrong = WrongMove("a1a2", None, kind, rule, rule, "It is planted.", ())
    position = line.position
    finding = Finding(cause=Cause.MOVES, fen=position.fen(), chess960=position.chess960, wrong=(wrong,))
    return Discrepancy("planted", verdict, line, finding)


class Planted:
    """A check that finds a discrepancy of each rule where its predicate holds, and counts its examinations."""

    names = ("planted",)

    def __init__(
        self, rules: Mapping[str, Predicate], verdict: Verdict = Verdict.MISMATCH, least_depth: int = 1
    ) -> None:
        self._rules, self._verdict, self._least_depth = rules, verdict, least_depth
        self.asked = 0

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        self.asked += 1
        for rule, holds in self._rules.items() if probe.depth >= self._least_depth else ():
            if holds(probe.line):
                yield discrepancy_at(probe.line, rule, verdict=self._verdict)


def examiner_of(check: Check) -> Examiner:
    return Examiner([check], [], Caller())


@dataclass(frozen=True)
class Told:
    """One find of a report."""

    title: str
    check: str
    pieces: int
    replay: tuple[str, ...]
    """The arguments after `perft-check`."""


def told(report: str) -> list[Told]:
    """Return the finds of a report without broken lines."""
    titles = re.findall(r"^\d+\. (.*?) *$", report, re.MULTILINE)
    checks = re.findall(r"^check: (.*?);", report, re.MULTILINE)
    pieces = re.findall(r"; (\d+) pieces", report)
    replays = re.findall(r"^again: perft-check (.*?) *$", report, re.MULTILINE)
    return [
        Told(title, check, int(number), tuple(shlex.split(replay)))
        for title, check, number, replay in zip(titles, checks, pieces, replays, strict=True)
    ]


def processes_with(mark: str) -> list[int]:
    """Return the processes that have `mark` in their environment, without zombies."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
            if state != "Z" and mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue  # it has just ended
    return found


def all_gone(mark: str, seconds: float) -> bool:
    """Wait until no process has `mark` in its environment; return False if that takes too long."""
    deadline = time.monotonic() + seconds
    while processes_with(mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
