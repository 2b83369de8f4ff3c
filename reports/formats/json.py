"""JSON for other programs: all fields of a result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from ... import __version__
from ...harness.fuzzing.model import FuzzFinished
from ...harness.history.model import Change, KeptCase, KeptRun, RunsCompared, RunShown, RunsListed
from ...harness.model.results.bench import BenchFinished, Comparison, Speed
from ...harness.model.results.configuration import ConfigurationShown
from ...harness.model.results.counting import CountFinished
from ...harness.model.results.divide import ConsistencyFinished, Divided, DivideFinished
from ...harness.model.results.events import RunFinished
from ...harness.model.results.listing import Listed, MoveListing
from ...harness.model.results.perft import PerftFinished
from ...harness.model.results.verdict import ExitCode
from ...harness.zoo.hunting.model import Score, ScoreRow, StrategyScore
from .base import Format
from .parts.fields import (
    VERSION,
    Fields,
    case_text,
    find_text,
    finding_fields,
    fuzz_end_fields,
    fuzz_start_fields,
    run_end_fields,
    run_start_fields,
)

JSON = Format("json", ".json")


def _pieces(kind: str, version: str, fields: Fields) -> Iterator[str]:
    """Yield a document, a field at a time. Of a field that is an iterator, each item is JSON already."""
    yield "{"
    for name, value in ({"format": VERSION, "kind": kind, "perft_check": version} | fields).items():
        yield f"{'' if name == 'format' else ','}\n  {json.dumps(name)}: "
        if isinstance(value, Iterator):
            yield from _items(value)
        else:
            yield json.dumps(value, indent=2).replace("\n", "\n  ")
    yield "\n}\n"


def _items(items: Iterator[str]) -> Iterator[str]:
    """Yield a list with a line for each item."""
    before, after = "[", "]"
    for item in items:
        yield f"{before}\n    {item}"
        before, after = ",", "\n  ]"
    yield after if before == "," else "[]"


@JSON.writes(RunFinished)
def _run(finished: RunFinished) -> Iterator[str]:
    fields = {
        **run_start_fields(finished),
        **run_end_fields(finished),
        "results": map(case_text, finished.results),
        "not_begun": map(case_text, finished.not_begun),
    }
    return _pieces("run", finished.started.version, fields)


@JSON.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> Iterator[str]:
    """Times stand only where they have decided what was examined: else one seed gives the same bytes."""
    fields = {
        **fuzz_start_fields(finished),
        **fuzz_end_fields(finished),
        "finds": map(find_text, finished.finds),
    }
    return _pieces("fuzz", finished.started.version, fields)


@JSON.writes(Score)
def _score(score: Score) -> Iterator[str]:
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
    return _pieces("score", score.version, fields)


def _strategy(strategy: StrategyScore) -> dict[str, Any]:
    def figures(rows: Mapping[str, ScoreRow]) -> dict[str, Any]:
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
def _perft(finished: PerftFinished) -> Iterator[str]:
    fields = {
        "engine": finished.engine,
        **_place(finished.fen, finished.chess960, finished.depth),
        "exit_code": int(finished.exit_code),
        "nodes": finished.nodes,
        "seconds": round(finished.seconds, 6),
        "reference": finished.reference,
        "expected": finished.expected,
        "kinds": [{"depth": depth, **row} for depth, row in enumerate(finished.kinds)],
    }
    return _pieces("perft", __version__, fields)


@JSON.writes(CountFinished)
def _count(finished: CountFinished) -> Iterator[str]:
    fields = {
        "engine": finished.engine,
        **_place(finished.fen, finished.chess960, finished.depth),
        "split": finished.split,
        "exit_code": int(finished.exit_code),
        "complete": finished.is_complete,
        "nodes": finished.nodes,
        "seconds": round(finished.seconds, 6),
        "positions": finished.positions,
        "pieces": finished.pieces,
        "counted": finished.done,
        "verified": finished.verified,
        "wrong_workers": list(finished.wrong_workers),
        "mismatch": None if finished.mismatch is None else asdict(finished.mismatch),
    }
    return _pieces("count", __version__, fields)


@JSON.writes(BenchFinished)
def _bench(finished: BenchFinished) -> Iterator[str]:
    fields = {
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "speeds": [_speed(one) for one in finished.speeds],
        "techniques": [asdict(one) for one in finished.techniques],
        "comparison": None if finished.comparison is None else _comparison(finished.comparison),
    }
    return _pieces("bench", __version__, fields)


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
def _divide(finished: DivideFinished) -> Iterator[str]:
    fields = {
        "engine": finished.divides[0].engine,
        "references": [one.engine for one in finished.divides[1:]],
        **_place(finished.fen, finished.chess960, finished.depth),
        "exit_code": int(finished.exit_code),
        "divides": [_divided(one) for one in finished.divides],
        "differences": [asdict(one) for one in finished.differences if one.differs],
        "finding": finding_fields(finished.finding),
        "vote": None if finished.vote is None else asdict(finished.vote),
    }
    return _pieces("divide", __version__, fields)


def _divided(one: Divided) -> dict[str, Any]:
    return {"engine": one.engine, "nodes": one.total, "root_moves": dict(one.root_moves)}


@JSON.writes(ConsistencyFinished)
def _consistency(finished: ConsistencyFinished) -> Iterator[str]:
    fields = {
        "engine": finished.engine,
        **_place(finished.fen, finished.chess960, finished.depth),
        "exit_code": int(finished.exit_code),
        "root_moves": finished.root_moves,
        "contradictions": [{**asdict(one), "sentence": one.sentence} for one in finished.contradictions],
    }
    return _pieces("consistency", __version__, fields)


@JSON.writes(Listed)
def _listed(listed: Listed) -> Iterator[str]:
    fields = {
        "engine": listed.engine,
        "fen": listed.fen,
        "chess960": listed.chess960,
        "oddities": list(listed.oddities),
        "exit_code": int(ExitCode.AGREE),
        "lists": [_listing(one) for one in listed.lists],
    }
    return _pieces("moves", __version__, fields)


def _listing(one: MoveListing) -> dict[str, Any]:
    moves = [{"uci": move.uci, "san": move.san, "value": move.value} for move in one.moves]
    return {"gentype": one.title, "moves": moves}


def _place(fen: str, chess960: bool, depth: int) -> dict[str, Any]:
    return {"fen": fen, "chess960": chess960, "depth": depth}


@JSON.writes(ConfigurationShown)
def _configuration(shown: ConfigurationShown) -> Iterator[str]:
    return _pieces("configuration", __version__, asdict(shown))


@JSON.writes(RunsListed)
def _runs(listed: RunsListed) -> Iterator[str]:
    return _pieces("history", __version__, {"runs": [_kept_run(run) for run in listed.runs], "earlier": listed.earlier})


@JSON.writes(RunShown)
def _shown(shown: RunShown) -> Iterator[str]:
    return _pieces(
        "kept-run", __version__, {"run": _kept_run(shown.run), "results": [_kept_case(case) for case in shown.cases]}
    )


@JSON.writes(RunsCompared)
def _compare(compared: RunsCompared) -> Iterator[str]:
    fields = {
        "exit_code": int(compared.exit_code),
        "before": _kept_run(compared.before),
        "after": _kept_run(compared.after),
        "same": compared.same,
        "pace": compared.pace,
        "noise": asdict(compared.noise),
        "changes": [_change(one) for one in compared.changes],
    }
    return _pieces("comparison", __version__, fields)


def _kept_run(run: KeptRun) -> dict[str, Any]:
    fields = asdict(run)
    return {**fields.pop("origin"), **fields, "speed": run.speed}


def _kept_case(case: KeptCase) -> dict[str, Any]:
    return {**asdict(case), "verdict": case.verdict.value}


def _change(change: Change) -> dict[str, Any]:
    before, after = (None if case is None else _kept_case(case) for case in (change.before, change.after))
    return {"kind": change.kind.value, "pace": change.pace, "before": before, "after": after}
