"""`perft-check init`: examine an engine and write a configuration file for it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from ....atomic import write_atomically
from ....errors import UsageError
from ....reports.layout import LabeledValues
from ....reports.text import duration, speed, unwrapped
from ....suites.bundled import ALL_BUNDLED
from ....suites.case import UNPRINTABLE
from ....suites.positions import resolve_position
from ...checking.budget import Budget, QuestionCost, budget, measure_cost
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
from ..dialogue import ask_for_engine
from ..output import console
from ..output.compiling import start_engines
from .bench import POSITIONS
from .doctor import CHECK_SECONDS

RUN_SECONDS = 10.0
"""Duration in seconds of the run that the configuration describes."""
TEMPLATE = """\
# Configuration of perft-check. Keys are the long options of the command line without the leading dashes, and apply to
# all commands that have the option. Options on the command line take precedence.
# Paths are relative to the folder of this file.

# The engine under test:
{facts}
{engine}

# Reference engines, which check every count, too:
# against = ["python-chess", "uci:stockfish"]

suite = {suites}
# Larger counts are skipped. With {limit} a run takes about {seconds}.
{max_nodes}
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
LAST_LINE = "# perft-check init replaces this file unless it was edited: {digest}\n"
"""The last line, with a digest of all lines above it."""


@dataclass(frozen=True)
class _Examined:
    """Facts about an engine that was examined."""

    engine: EngineSpec
    facts: list[tuple[str, str]]
    cost: QuestionCost


def init(engine: EngineSpec | None, *, force: bool) -> ExitCode:
    """Write a configuration for an engine. If it is None, ask the user in a terminal.

    Raises UsageError, EngineError, Interrupted, without writing anything.
    """
    path = Path(FILE_NAME)
    _check_replaceable(path, force)
    exists = os.path.lexists(path)
    before = None if exists else find()
    examined = ask_for_engine(_examine) if engine is None else _examine(engine)
    facts = [*examined.facts, ("speed", speed(examined.cost.nodes_per_second, 1))]
    if before is not None and before.path.name == PYPROJECT:
        facts.append(("overrides", f"[tool.perft-check] in {display_path(before.path)}, which is no longer used here"))
    run = budget(examined.cost, RUN_SECONDS)
    _check_replaceable(path, force)  # the user may have edited the file in the meantime
    _write(path, document(examined.engine, facts, run, examined.cost.chess960))
    facts = [("engine", examined.engine.full_name), *facts]
    console.out().print(LabeledValues([*facts, *_run_facts(run, exists), *_warnings(examined.engine)]))
    return ExitCode.AGREE


def _check_replaceable(path: Path, force: bool) -> None:
    """Raise UsageError if there is a file that was not written by `init` or was edited since."""
    if force or not os.path.lexists(path):
        return
    try:
        as_written = path.is_file() and not path.is_symlink() and is_as_written(path.read_bytes())
    except OSError:
        as_written = False
    if not as_written:
        raise UsageError(f"{FILE_NAME} already exists: to replace it, add --force")


def _examine(text: str) -> _Examined:
    """Ask an engine for a few counts, and measure its speed. Raises UsageError, EngineError, Interrupted."""
    spec = EngineSpec(text)
    _check_encodable(spec)
    with (
        catch_interrupts() as interrupt,
        open_session(spec, ForegroundCallRunner(interrupt), TimeLimit(CHECK_SECONDS)) as session,
    ):
        start_engines([session], interrupt)
        facts = [*session.engine.facts(), describe_chess960(session), *_check_counts(session)]
        return _Examined(spec, facts, measure_cost(session, [resolve_position(name) for name in POSITIONS]))


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


def _run_facts(run: Budget, is_replaced: bool) -> list[tuple[str, str | Text]]:
    limit = "all counts" if run.leaves_nothing_out else f"counts up to {run.max_nodes:,} nodes"
    return [
        ("written", f"{FILE_NAME} (replaced)" if is_replaced else FILE_NAME),
        ("a run checks", f"{', '.join(run.suites)}: {limit}, about {duration(run.seconds)}"),
        ("next", unwrapped(command_line("run"))),
    ]


def _warnings(engine: EngineSpec) -> list[tuple[str, str | Text]]:
    if not engine.is_kernel:
        return []
    return [
        ("warning", "this configuration tests perft-check's own generator, not your engine"),
        ("to test yours", unwrapped(command_line("init", "-e", "./my-engine"))),
    ]


def document(engine: str, facts: Iterable[tuple[str, str]], run: Budget, chess960: bool) -> str:
    """Return the text of a configuration for an engine and a run with a budget, with `facts` as comments."""
    every = [name for name in ALL_BUNDLED if chess960 or "chess960" not in name]
    spec = EngineSpec(engine)
    lines = [f"engine = {_toml_string(spec.bare)}"]
    lines += [f"option = {_toml_array(spec.options)}"] if spec.options else []
    lines += [f"name = {_toml_string(spec.name)}"] if spec.has_given_name else []
    text = TEMPLATE.format(
        engine="\n".join(lines),
        facts="\n".join(f"#   {UNPRINTABLE.sub('?', f'{name}: {value}')}" for name, value in facts),
        suites=_toml_array(run.suites),
        limit="all counts" if run.leaves_nothing_out else "this limit",
        seconds=duration(run.seconds),
        max_nodes=f"{'# ' if run.leaves_nothing_out else ''}max-nodes = {run.max_nodes:_}",
        all=" ".join(f"-s {name}" for name in every),
    )
    return text + _last_line(text.encode())


def is_as_written(data: bytes) -> bool:
    """Return True if `data` was written by `document` and is unchanged, according to the digest in its last line."""
    *lines, last = data.splitlines(keepends=True) or [b""]
    return last == _last_line(b"".join(lines)).encode()


def _last_line(above: bytes) -> str:
    return LAST_LINE.format(digest=hashlib.sha256(above).hexdigest()[:32])


def _toml_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_array(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_toml_string, texts))}]"
