"""`perft-check init`: examine an engine and write a configuration file for it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from ....atomic import write_atomically
from ....errors import UsageError
from ....generator.game import Game
from ....generator.position import Position
from ....reports.layout import LabeledValues
from ....reports.text import duration, unwrapped
from ....suites.bundled import ALL_BUNDLED, QUICK
from ....suites.case import UNPRINTABLE
from ...checking.comparing import least_depth
from ...checking.examining import check_counts, describe_chess960
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import EngineSession, TimeLimit
from ...engines.base import EngineError
from ...engines.command_lines import command_line
from ...engines.opening import open_session
from ...engines.spec import EngineSpec
from ...model.results.verdict import ExitCode
from ...shutdown import catch_interrupts
from ..configuration.file import FILE_NAME, PYPROJECT, display_path, find
from ..output import console
from ..output.compiling import start_engines
from .doctor import CHECK_SECONDS

SLOW_SECONDS = 0.1
"""Time per question above which a configuration chooses the quick suites, because the default ones take minutes."""
QUESTIONS = 3
"""Number of small counts to time; the fastest one determines the time per question."""
TEMPLATE = """\
# Configuration of perft-check. Keys are the long options of the command line without the leading dashes, and apply to
# all commands that have the option. Options on the command line take precedence.
# Paths are relative to the folder of this file.

# The engine under test:
{facts}
{engine}

# Reference engines, which also check every count:
# against = ["python-chess", "uci:stockfish"]

# Suites, and the largest count to check. Default: the small counts of the suites that find the most faults.
# suite = ["standard", "special"]
# max-nodes = "1M"
# Run only the suites {quick_suites}:
{quick}
# Time limit for one count, plus one second per 50,000 nodes:
# timeout = "10s"
# report = ["json=perft.json"]

# For `perft-check fuzz`, which generates random positions. The same seed generates the same positions.
seed = 1
examples = "10k"

# For a nightly run, on the command line or in another file, chosen with --config:
#   perft-check run {all} --max-nodes 1G
#   perft-check fuzz --examples 1M
"""


@dataclass(frozen=True)
class _Examined:
    """Facts about an engine that was examined."""

    engine: EngineSpec
    facts: list[tuple[str, str]]
    seconds: float
    """The time that it takes to answer a small question."""
    chess960: bool
    """Whether it supports Chess960."""


def init(engine: EngineSpec, *, force: bool) -> ExitCode:
    """Write a configuration for an engine.

    Raises UsageError, EngineError, Interrupted, without writing anything.
    """
    path = Path(FILE_NAME)
    exists = os.path.lexists(path)
    if exists and not force:
        raise UsageError(f"{FILE_NAME} already exists: to replace it, add --force")
    before = None if exists else find()
    examined = _examine(engine)
    facts = [*examined.facts, ("time per question", duration(examined.seconds))]
    if before is not None and before.path.name == PYPROJECT:
        facts.append(("overrides", f"[tool.perft-check] in {display_path(before.path)}, which is no longer used here"))
    is_slow = examined.seconds > SLOW_SECONDS
    _write(path, document(examined.engine, facts, quick=is_slow, chess960=examined.chess960))
    facts += [("a run checks", ", ".join(QUICK))] if is_slow else []
    shown = [("engine", examined.engine.full_name), *facts, ("written", f"{FILE_NAME}{' (replaced)' * exists}")]
    console.out().print(LabeledValues([*shown, *_advice(examined.engine)]))
    return ExitCode.AGREE


def _examine(spec: EngineSpec) -> _Examined:
    """Ask an engine for a few counts, and time its answers. Raises UsageError, EngineError, Interrupted."""
    _check_encodable(spec)
    with (
        catch_interrupts() as interrupt,
        open_session(spec, ForegroundCallRunner(interrupt), TimeLimit(CHECK_SECONDS)) as session,
    ):
        start_engines([session], interrupt)
        facts = [*session.engine.facts(), describe_chess960(session), *_check_counts(session)]
        seconds = min(_time_question(session) for _ in range(QUESTIONS))
        return _Examined(spec, facts, seconds, session.no_chess960 is None)


def _time_question(session: EngineSession) -> float:
    began = time.perf_counter()
    session.perft(Game(Position.start()), least_depth(session))
    return time.perf_counter() - began


def _check_encodable(engine: str) -> None:
    try:
        engine.encode()
    except UnicodeEncodeError:
        raise UsageError(f"engine {engine!r}: the name is not valid UTF-8; rename the file") from None


def _check_counts(session: EngineSession) -> list[tuple[str, str]]:
    """Return facts about the engine's counts, correct or not. Raises EngineError if it gives no answer."""
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


def _advice(engine: EngineSpec) -> list[tuple[str, str | Text]]:
    """Return what to do next, with a warning if the engine is perft-check's generator."""
    following = ("next", unwrapped(command_line("run")))
    if not engine.is_kernel:
        return [following]
    return [
        following,
        ("warning", "this configuration tests perft-check's own generator, not your engine"),
        ("to test yours", unwrapped(command_line("init", "-e", "./my-engine"))),
    ]


def document(engine: str, facts: Iterable[tuple[str, str]], *, quick: bool, chess960: bool) -> str:
    """Return the text of a configuration for an engine, with `facts` as comments."""
    every = [name for name in ALL_BUNDLED if chess960 or "chess960" not in name]
    spec = EngineSpec(engine)
    lines = [f"engine = {_toml_string(spec.bare)}"]
    lines += [f"option = {_toml_array(spec.options)}"] if spec.options else []
    lines += [f"name = {_toml_string(spec.name)}"] if spec.has_given_name else []
    return TEMPLATE.format(
        engine="\n".join(lines),
        facts="\n".join(f"#   {UNPRINTABLE.sub('?', f'{name}: {value}')}" for name, value in facts),
        quick_suites=", ".join(QUICK),
        quick="quick = true" if quick else "# quick = true",
        all=" ".join(f"-s {name}" for name in every),
    )


def _toml_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_array(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_toml_string, texts))}]"
