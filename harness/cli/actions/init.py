"""`perft-check init`: look at an engine, and write a configuration for it. A terminal asks which engine it is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from ....atomic import write_atomically
from ....errors import UsageError
from ....reports.layout import LabeledValues
from ....reports.text import duration, speed, unwrapped
from ....suites.positions import resolve_position
from ...checking.budget import Budget, QuestionCost, budget, measure_cost
from ...checking.examining import check_counts, variants
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import EngineSession, TimeLimit
from ...engines.base import EngineError
from ...engines.command_lines import command_line
from ...engines.opening import open_sessions
from ...engines.spec import EngineSpec
from ...model.results.verdict import ExitCode
from ...model.shutdown import catch_interrupts
from ..configuration.file import OURS, PYPROJECT, display_path, find
from ..configuration.writing import document, is_as_written
from ..dialogue import ask_for_engine
from ..output import console
from ..output.compiling import start_engines
from .bench import POSITIONS
from .doctor import CHECK_SECONDS

RUN_SECONDS = 10.0
"""How long the run is that is written down."""


@dataclass(frozen=True)
class _Look:
    """What is known of an engine once it was looked at."""

    engine: EngineSpec
    facts: list[tuple[str, str]]
    cost: QuestionCost


def init(engine: EngineSpec | None, *, force: bool) -> ExitCode:
    """Write a configuration for an engine. Raises UsageError, EngineError, Interrupted; nothing is written then."""
    path = Path(OURS)
    _check_replaceable(path, force)
    is_there = os.path.lexists(path)
    before = None if is_there else find()
    look = ask_for_engine(_look_at) if engine is None else _look_at(engine)
    facts = [*look.facts, ("speed", speed(look.cost.nodes_per_second, 1))]
    if before is not None and before.path.name == PYPROJECT:
        facts.append(
            ("instead of", f"[tool.perft-check] of {display_path(before.path)}, which does not hold here any more")
        )
    run = budget(look.cost, RUN_SECONDS)
    _check_replaceable(path, force)  # whoever looks at a slow engine may have edited the file meanwhile
    _write(path, document(look.engine, facts, run, look.cost.chess960))
    facts = [("engine", look.engine.introduction), *facts]
    console.out().print(LabeledValues([*facts, *_run_facts(run, is_there), *_warnings(look.engine)]))
    return ExitCode.AGREE


def _check_replaceable(path: Path, force: bool) -> None:
    """Raise UsageError where there is a file that `init` has not written, or that somebody has changed since."""
    if force or not os.path.lexists(path):
        return
    try:
        as_written = path.is_file() and not path.is_symlink() and is_as_written(path.read_bytes())
    except OSError:
        as_written = False
    if not as_written:
        raise UsageError(f"{OURS} is there already, and not as init writes it: --force replaces it")


def _look_at(text: str) -> _Look:
    """Return what is known of an engine. Raises UsageError, EngineError, Interrupted."""
    spec = EngineSpec(text)
    _check_encodable(spec)
    with (
        catch_interrupts() as interrupt,
        open_sessions([spec], ForegroundCallRunner(interrupt), TimeLimit(CHECK_SECONDS)) as [session],
    ):
        start_engines([session], interrupt)
        facts = [*session.engine.facts(), *variants(session), *_check_counts(session)]
        return _Look(spec, facts, measure_cost(session, [resolve_position(name) for name in POSITIONS]))


def _check_encodable(engine: str) -> None:
    try:
        engine.encode()
    except UnicodeEncodeError:
        raise UsageError(f"engine {engine!r}: the name is not UTF-8, which a configuration has to be") from None


def _check_counts(session: EngineSession) -> list[tuple[str, str]]:
    """Return what the engine counts, right or wrong. Raises EngineError where it gives no answer."""
    facts = []
    for title, text, verdict in check_counts(session):
        if verdict.is_engine_failure:
            raise EngineError(f"{title}: {text}; nothing is written")
        facts.append((title, text))
    return facts


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _run_facts(run: Budget, is_replaced: bool) -> list[tuple[str, str | Text]]:
    limit = "all counts" if run.leaves_nothing_out else f"counts up to {run.max_nodes:,} nodes"
    return [
        ("written", f"{OURS}, in place of the one that was there" if is_replaced else OURS),
        ("a run", f"{', '.join(run.suites)}: {limit}, about {duration(run.seconds)}"),
        ("next", unwrapped(command_line("run"))),
    ]


def _warnings(engine: EngineSpec) -> list[tuple[str, str | Text]]:
    if not engine.is_own:
        return []
    return [
        ("warning", "runs test perft-check's own generator, and no engine of yours"),
        ("yours", unwrapped(command_line("init", "-e", "./my-engine"))),
    ]
