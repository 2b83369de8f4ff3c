"""JSON: a document with all fields of a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TypeVar

from msgspec import Struct

from ... import __version__
from ...harness.checking.covering import CoverFinished
from ...harness.engines.spec import short_names
from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.results.bench import BenchFinished, Comparison, Speed, SpeedRatio
from ...harness.model.results.diagnosis import Diagnosis
from ...harness.model.results.events import RunFinished
from ...harness.model.results.positions import (
    CountFinished,
    DivideFinished,
    EngineDivide,
    ListedMove,
    MoveListing,
    MoveLists,
    PerftFinished,
)
from ...harness.model.results.verdict import ExitCode
from ...harness.zoo.score import Score, StrategyScore
from .base import Format
from .jsonl import (
    CODE,
    FUZZ_END,
    FUZZ_FINDING,
    FUZZ_START,
    NAMES,
    PROGRAM,
    RUN_END,
    RUN_START,
    UNSET,
    VERSION,
    CaseFields,
    Fields,
    Shape,
    Times,
    case_text,
    code_fields,
    finding_text,
    fuzz_end,
    fuzz_start,
    run_end,
    run_start,
    to_indented_json,
)

R = TypeVar("R")

_WRITERS: dict[type[Any], Callable[[Any], Iterator[str]]] = {}
KINDS: dict[str, Shape | type[Struct]] = {}
"""The shapes of all JSON documents and JSON lines, by their `kind` field."""


def _writes(kind: str, result: type[R], shape: Shape) -> Callable[[Callable[[R], Fields]], Callable[[R], Fields]]:
    """Register a kind of document whose computed fields the decorated function returns."""
    KINDS[kind] = shape = PROGRAM + shape

    def add(compute: Callable[[R], Fields]) -> Callable[[R], Fields]:
        def write(finished: R) -> Iterator[str]:
            return _document(kind, shape.of(finished, **{"perft_check": __version__} | compute(finished)))

        _WRITERS[result] = write
        return compute

    return add


def _names(*engines: str | None) -> Fields:
    """Return the field that maps engine SPECs to names."""
    return {"names": short_names(filter(None, engines))}


def _document(kind: str, fields: Fields) -> Iterator[str]:
    """Yield a document field by field. A field that is an iterator yields items already encoded as JSON."""
    yield f'{{\n  "format": {VERSION},\n  "kind": "{kind}"'
    for name, value in fields.items():
        yield f',\n  "{name}": '
        if isinstance(value, Iterator):
            yield from _items(value)
        else:
            yield to_indented_json(value)
    yield "\n}\n"


def _items(items: Iterator[str]) -> Iterator[str]:
    """Yield a JSON list with one line per item."""
    before, after = "[", "]"
    for item in items:
        yield f"{before}\n    {item}"
        before, after = ",", "\n  ]"
    yield after if before == "," else "[]"


@_writes(
    "run",
    RunFinished,
    RUN_START + RUN_END + Shape(RunFinished, "results not_begun", results=list[CaseFields], not_begun=list[CaseFields]),
)
def _run(finished: RunFinished) -> Fields:
    cases = {name: map(case_text, getattr(finished, name)) for name in ("results", "not_begun")}
    return run_start(finished) | run_end(finished) | cases


@_writes("fuzz", FuzzFinished, FUZZ_START + FUZZ_END + Shape(FuzzFinished, "findings", findings=[FUZZ_FINDING]))
def _fuzz(finished: FuzzFinished) -> Fields:
    missing = dict.fromkeys(("sweep", "course", "code"), UNSET)
    return missing | fuzz_start(finished) | fuzz_end(finished) | {"findings": map(finding_text, finished.findings)}


@_writes(
    "cover",
    CoverFinished,
    Shape(
        CoverFinished,
        "engine names suites exit_code interrupted seconds positions verdicts failures",
        names=NAMES,
        verdicts=Times,
    )
    + CODE,
)
def _cover(finished: CoverFinished) -> Fields:
    verdicts = {verdict.value: number for verdict, number in finished.verdicts}
    given = {"perft_check": finished.version, "seconds": round(finished.seconds, 6), "verdicts": verdicts}
    return _names(finished.engine) | given | code_fields(finished.code)


_STRATEGY = Shape(
    StrategyScore, "groups classes curve faults", curve=list[dict[str, float]], faults=dict[str, dict[str, Any]]
)


@_writes(
    "score",
    Score,
    Shape(
        Score,
        "command seconds seeds jobs planned done strategies outcomes",
        seconds=float,
        done=int,
        strategies={str: _STRATEGY},
    ),
)
def _score(score: Score) -> Fields:
    strategies = {name: _strategy(strategy) for name, strategy in score.strategies.items()}
    given = {"perft_check": score.version, "seconds": score.budget, "done": len(score.outcomes)}
    return given | {"strategies": strategies}


def _strategy(strategy: StrategyScore) -> Fields:
    return _STRATEGY.of(
        strategy,
        curve=[{"seconds": seconds, "families": families} for seconds, families in strategy.curve],
        faults={
            name: {
                "class": fault.fault_class,
                "family": fault.family,
                "chess960": fault.chess960,
                "held_out": fault.held_out,
                "seeds": fault.seeds,
                **asdict(fault.row),
            }
            for name, fault in strategy.faults.items()
        },
    )


@_writes(
    "perft",
    PerftFinished,
    Shape(
        PerftFinished,
        "engine names fen chess960 depth exit_code nodes seconds reference expected kinds",
        names=NAMES,
        kinds=list[Times],
    ),
)
def _perft(finished: PerftFinished) -> Fields:
    kinds = [{"depth": depth, **row} for depth, row in enumerate(finished.kinds)]
    return _names(finished.engine, finished.reference) | {"seconds": round(finished.seconds, 6), "kinds": kinds}


@_writes(
    "count",
    CountFinished,
    Shape(
        CountFinished,
        "engine names fen chess960 depth split exit_code complete nodes seconds positions pieces counted",
        names=NAMES,
        complete=bool,
        counted=int,
    ),
)
def _count(finished: CountFinished) -> Fields:
    counted = {"complete": finished.is_complete, "seconds": round(finished.seconds, 6), "counted": finished.done}
    return _names(finished.engine) | counted


_SPEED = Shape(Speed, "engine position depth nodes rounds verdict median", median=float | None)
_SPEED_RATIO = Shape(SpeedRatio, "position depth ratios median")
_COMPARISON = Shape(
    Comparison,
    "engine baseline positions fail_below median quartiles interval is_beyond_noise is_too_slow",
    positions=[_SPEED_RATIO],
)


@_writes(
    "bench",
    BenchFinished,
    Shape(
        BenchFinished,
        "exit_code interrupted names speeds techniques comparison",
        names=NAMES,
        speeds=[_SPEED],
        comparison=(_COMPARISON, None),
    ),
)
def _bench(finished: BenchFinished) -> Fields:
    compared = finished.comparison
    speeds = [_SPEED.of(one, median=one.median if one.rounds else None) for one in finished.speeds]
    names = _names(*(one.engine for one in finished.speeds))
    return names | {"speeds": speeds, "comparison": None if compared is None else _comparison(compared)}


def _comparison(compared: Comparison) -> Fields:
    return _COMPARISON.of(compared, positions=list(map(_SPEED_RATIO.of, compared.positions)))


_DIVIDED = Shape(EngineDivide, "engine nodes root_moves", nodes=int, root_moves=Times)


@_writes(
    "divide",
    DivideFinished,
    Shape(
        DivideFinished,
        "engine references names fen chess960 depth exit_code divides differences finding vote",
        engine=str,
        references=list[str],
        names=NAMES,
        divides=[_DIVIDED],
    ),
)
def _divide(finished: DivideFinished) -> Fields:
    first, *others = finished.divides
    return _names(*(one.engine for one in finished.divides)) | {
        "engine": first.engine,
        "references": [one.engine for one in others],
        "divides": [_DIVIDED.of(one, nodes=one.total, root_moves=dict(one.root_moves)) for one in finished.divides],
        "differences": [one for one in finished.differences if one.differs],
    }


_MOVE = Shape(ListedMove, "uci san value")
_MOVES = Shape(MoveListing, "gentype moves", gentype=str, moves=[_MOVE])


@_writes(
    "moves",
    MoveLists,
    Shape(
        MoveLists, "engine names fen chess960 oddities exit_code lists", names=NAMES, exit_code=ExitCode, lists=[_MOVES]
    ),
)
def _moves(listed: MoveLists) -> Fields:
    lists = [_MOVES.of(one, gentype=one.title, moves=list(map(_MOVE.of, one.moves))) for one in listed.lists]
    return _names(listed.engine) | {"exit_code": ExitCode.AGREE, "lists": lists}


@_writes(
    "diagnosis",
    Diagnosis,
    Shape(Diagnosis, "exit_code differing correct candidates together partial tried out_of_time untried next_question"),
)
def _diagnosis(diagnosis: Diagnosis) -> Fields:
    return {}


KINDS |= {
    "run-start": RUN_START,
    "case": CaseFields,
    "run-end": RUN_END,
    "fuzz-start": FUZZ_START,
    "finding": FUZZ_FINDING,
    "fuzz-end": FUZZ_END,
}


JSON = Format("json", ".json", _WRITERS)
