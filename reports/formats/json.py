"""JSON for other programs: all fields of a result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from ... import __version__
from ...generator.events import Event
from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.fuzzing.causes import causes_of_finds
from ...harness.fuzzing.model import Discrepancy, Find, FuzzFinished
from ...harness.history.model import Change, KeptCase, KeptRun, RunsCompared, RunShown, RunsListed
from ...harness.model.bench import BenchFinished, Comparison, Speed
from ...harness.model.configuration import ConfigurationShown
from ...harness.model.counted import PerftFinished
from ...harness.model.divide import ConsistencyFinished, Divided, DivideFinished
from ...harness.model.events import CaseResult, CountResult, Finding, RunFinished
from ...harness.model.listing import Listed, MoveListing
from ...harness.model.verdict import ExitCode, Verdict
from ...harness.zoo.hunting.model import Row, Score, StrategyScore
from ..text import label
from .base import Format

T = TypeVar("T")

JSON = Format("json", ".json")
VERSION = 1
"""Raised when a field changes its meaning; new fields may come at any time."""


def _text(version: str, fields: dict[str, Any]) -> str:
    return json.dumps({"format": VERSION, "perft_check": version, **fields}, indent=2) + "\n"


@JSON.writes(RunFinished)
def _run(finished: RunFinished) -> str:
    started = finished.started
    fields = {
        "engine": started.engine,
        "references": list(started.references),
        "suites": [asdict(suite) for suite in started.suites],
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "out_of_time": finished.out_of_time,
        "seconds": round(finished.seconds, 6),
        "nodes": finished.nodes,
        "verdicts": {verdict.value: finished.count(verdict) for verdict in Verdict if finished.count(verdict)},
        "causes": [_cause(group, _name_of_case) for group in causes_of_run(finished.results)],
        "results": [_case(result) for result in finished.results],
        "not_begun": [_case(result) for result in finished.not_begun],
    }
    return _text(started.version, fields)


def _cause(group: CauseGroup[T], name: Callable[[T], str]) -> dict[str, Any]:
    """Return a cause: what is wrong, how much it breaks, and the failures that it accounts for, the simplest first."""
    return {
        "title": group.title,
        "positions": group.positions,
        "ordinary_positions": group.ordinary,
        "failures": [name(member) for member in group.members],
    }


def _name_of_case(result: CaseResult) -> str:
    return label(result.suite, result.name)


def _case(result: CaseResult) -> dict[str, Any]:
    return {
        **asdict(result),
        "verdict": result.verdict.value,
        "at_first": result.at_first and result.at_first.value,
        "seconds": round(result.seconds, 6),
        "references": dict(result.references),
        "finding": _finding(result.finding),
        "reachability": result.reachability.name.lower(),
        "counts": [_count(one) for one in result.counts],
    }


def _count(one: CountResult) -> dict[str, Any]:
    return {**asdict(one), "verdict": one.verdict.value, "seconds": round(one.seconds, 6)}


def _finding(finding: Finding | None) -> dict[str, Any] | None:
    return None if finding is None else {**asdict(finding), "cause": finding.cause.value}


@JSON.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> str:
    """Without times, like the report for terminals: a run with the same seed gives the same bytes."""
    started, coverage = finished.started, finished.coverage
    met = dict(coverage.events)
    fields = {
        "engine": started.engine,
        "references": list(started.references),
        "checks": list(started.checks),
        "seed": started.seed,
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "is_cut_short": finished.is_cut_short,
        "failure": finished.failure,
        "examples": coverage.examples,
        "strategies": dict(coverage.strategies),
        "labels": dict(coverage.labels),
        "events": {event.label: met.get(event.value, 0) for event in Event},
        "causes": [_cause(group, _name_of_find) for group in causes_of_finds(finished.finds)],
        "finds": [_find(find) for find in finished.finds],
    }
    return _text(started.version, fields)


def _name_of_find(find: Find) -> str:
    return f"{find.discrepancy.name}: {find.discrepancy.line}"


def _find(find: Find) -> dict[str, Any]:
    first = find.first
    return {
        "name": find.discrepancy.name,
        "times": find.times,
        "ordinary_times": find.ordinary,
        "first": {"example": first.example, "strategy": first.strategy, **_discrepancy(first.discrepancy)},
        "pieces_before": find.pieces_before,
        "pieces": find.pieces,
        "comes_again": find.comes_again,
        "is_impossible": find.is_impossible,
        "reachability": find.label.name.lower(),
        "is_of_engine": find.is_of_engine,
        "replay": find.replay,
        **_discrepancy(find.discrepancy),
        "verdict": find.verdict.value,
    }


def _discrepancy(found: Discrepancy) -> dict[str, Any]:
    base = found.line.base
    return {
        "check": found.check,
        "verdict": found.verdict.value,
        "message": found.message,
        "place": {"fen": base.fen(), "moves": found.line.uci_moves(), "chess960": base.chess960},
        "finding": _finding(found.finding),
    }


@JSON.writes(Score)
def _score(score: Score) -> str:
    fields = {
        "command": score.command,
        "seconds": score.budget,
        "seeds": score.seeds,
        "jobs": list(score.jobs),
        "planned": score.planned,
        "done": len(score.outcomes),
        "strategies": {name: _strategy(strategy) for name, strategy in score.strategies.items()},
        "outcomes": [asdict(outcome) for outcome in score.outcomes],
    }
    return _text(score.version, fields)


def _strategy(strategy: StrategyScore) -> dict[str, Any]:
    def figures(rows: Mapping[str, Row]) -> dict[str, Any]:
        return {name: asdict(row) for name, row in rows.items()}

    return {
        "groups": figures(strategy.groups),
        "classes": figures(strategy.classes),
        "curve": [{"seconds": seconds, "families": families} for seconds, families in strategy.curve],
        "faults": {
            name: {
                "class": fault.theme,
                "family": fault.family,
                "chess960": fault.chess960,
                "kept_aside": fault.kept_aside,
                "seeds": fault.seeds,
                **asdict(fault.row),
            }
            for name, fault in strategy.faults.items()
        },
    }


@JSON.writes(PerftFinished)
def _perft(finished: PerftFinished) -> str:
    fields = {
        "engine": finished.engine,
        **_place(finished.fen, finished.chess960, finished.depth),
        "exit_code": int(ExitCode.AGREE),
        "nodes": finished.nodes,
        "seconds": round(finished.seconds, 6),
        "kinds": [{"depth": depth, **row} for depth, row in enumerate(finished.kinds)],
    }
    return _text(__version__, fields)


@JSON.writes(BenchFinished)
def _bench(finished: BenchFinished) -> str:
    fields = {
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "speeds": [_speed(one) for one in finished.speeds],
        "techniques": [asdict(one) for one in finished.techniques],
        "comparison": None if finished.comparison is None else _comparison(finished.comparison),
    }
    return _text(__version__, fields)


def _comparison(compared: Comparison) -> dict[str, Any]:
    return {
        **asdict(compared),
        "positions": [{**asdict(one), "median": one.median} for one in compared.positions],
        "median": compared.median,
        "quartiles": list(compared.quartiles),
        "interval": list(compared.interval),
        "is_beyond_noise": compared.is_beyond_noise,
        "is_too_slow": compared.is_too_slow,
    }


def _speed(one: Speed) -> dict[str, Any]:
    """Return the millions of leaf nodes a second of each round, and their median."""
    return {**asdict(one), "verdict": one.verdict.value, "median": one.median if one.rounds else None}


@JSON.writes(DivideFinished)
def _divide(finished: DivideFinished) -> str:
    fields = {
        "engine": finished.divides[0].engine,
        "references": [one.engine for one in finished.divides[1:]],
        **_place(finished.fen, finished.chess960, finished.depth),
        "exit_code": int(finished.exit_code),
        "divides": [_divided(one) for one in finished.divides],
        "differences": [asdict(one) for one in finished.differences if one.differs],
        "finding": _finding(finished.finding),
        "vote": None if finished.vote is None else asdict(finished.vote),
    }
    return _text(__version__, fields)


def _divided(one: Divided) -> dict[str, Any]:
    return {"engine": one.engine, "nodes": one.total, "root_moves": dict(one.root_moves)}


@JSON.writes(ConsistencyFinished)
def _consistency(finished: ConsistencyFinished) -> str:
    fields = {
        "engine": finished.engine,
        **_place(finished.fen, finished.chess960, finished.depth),
        "exit_code": int(finished.exit_code),
        "root_moves": finished.root_moves,
        "contradictions": [{**asdict(one), "sentence": one.sentence} for one in finished.contradictions],
    }
    return _text(__version__, fields)


@JSON.writes(Listed)
def _listed(listed: Listed) -> str:
    fields = {
        "engine": listed.engine,
        "fen": listed.fen,
        "chess960": listed.chess960,
        "oddities": list(listed.oddities),
        "exit_code": int(ExitCode.AGREE),
        "lists": [_listing(one) for one in listed.lists],
    }
    return _text(__version__, fields)


def _listing(one: MoveListing) -> dict[str, Any]:
    moves = [{"uci": move.uci, "san": move.san, "value": move.value} for move in one.moves]
    return {"gentype": one.title, "moves": moves}


def _place(fen: str, chess960: bool, depth: int) -> dict[str, Any]:
    return {"fen": fen, "chess960": chess960, "depth": depth}


@JSON.writes(ConfigurationShown)
def _configuration(shown: ConfigurationShown) -> str:
    return _text(__version__, asdict(shown))


@JSON.writes(RunsListed)
def _runs(listed: RunsListed) -> str:
    return _text(__version__, {"runs": [_kept_run(run) for run in listed.runs], "earlier": listed.earlier})


@JSON.writes(RunShown)
def _shown(shown: RunShown) -> str:
    return _text(__version__, {"run": _kept_run(shown.run), "results": [_kept_case(case) for case in shown.cases]})


@JSON.writes(RunsCompared)
def _compared(compared: RunsCompared) -> str:
    fields = {
        "exit_code": int(compared.exit_code),
        "before": _kept_run(compared.before),
        "after": _kept_run(compared.after),
        "same": compared.same,
        "pace": compared.pace,
        "noise": asdict(compared.noise),
        "changes": [_change(one) for one in compared.changes],
    }
    return _text(__version__, fields)


def _kept_run(run: KeptRun) -> dict[str, Any]:
    fields = asdict(run)
    return {**fields.pop("origin"), **fields, "speed": run.speed}


def _kept_case(case: KeptCase) -> dict[str, Any]:
    return {**asdict(case), "verdict": case.verdict.value}


def _change(change: Change) -> dict[str, Any]:
    before, after = (None if case is None else _kept_case(case) for case in (change.before, change.after))
    return {"kind": change.kind.value, "pace": change.pace, "before": before, "after": after}
