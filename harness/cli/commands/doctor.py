"""`perft-check doctor`: what this machine offers, and which engines are here."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ....errors import UsageError
from ....generator.counting.leaves import perft
from ....generator.line import Line
from ....generator.setup import describe_setup, words_of
from ....reports.terminal.parts.layout import Facts
from ....suites.bundled import SETUPS, bundled_path
from ....suites.case import Case
from ....suites.loader import load_suite
from ....suites.positions import resolve_position
from ...asking.client import EngineClient, ForegroundCallRunner, TimeLimit
from ...checking.lists.guessing import Guess, guess
from ...checking.setups import setup_limits
from ...checking.systematic.looking import SystematicErrors
from ...engines.base import Engine, EngineError, InProcess
from ...engines.capabilities import lists_of
from ...engines.kinds.library import LibraryEngine
from ...engines.kinds.program import ProgramEngine
from ...engines.kinds.stdin_engine import StdinEngine
from ...engines.registry import OWN, find_program, open_engine
from ...engines.stdio.descriptor import save_descriptor
from ...model.conventions import SETTINGS
from ...model.machine import threads
from ...model.results.verdict import ExitCode, Verdict, exit_code
from ...model.shutdown import catch_interrupts
from ..failures import versions
from ..output import console
from ..settings.engine import DoctorSettings

CHECK_SECONDS = 10.0
FINAL_LEFT_OUT = "left out where it has counted no nodes, which is no fault: they are compared at depth 1"
MOST_CONTRADICTIONS = 5
"""Lists that contradict the convention are shown up to this number."""
PROGRAMS = ("stockfish", "fairy-stockfish", "ethereal-chess")
"""Engines that Debian packages and that can count."""


def main(settings: DoctorSettings) -> ExitCode:
    """Print facts about this machine, or about one engine, whose descriptor may be saved.

    Raises UsageError, EngineError, Interrupted.
    """
    spec, save = settings.engine, settings.save
    if spec is None:
        console.out().print(Facts(machine_facts()))
        return ExitCode.AGREE
    engine = open_engine(spec)
    if save is not None and not isinstance(engine, StdinEngine):
        raise UsageError(f"--save: {spec!r} needs no descriptor")
    with catch_interrupts() as interrupt, closing(engine):
        asker = EngineClient(engine, ForegroundCallRunner(interrupt), TimeLimit(CHECK_SECONDS))
        console.start_engine(asker)
        lists = guess(asker, {}) if lists_of(engine) else None
        found = list(checks(asker))
        if all(verdict is Verdict.AGREE for _, _, verdict in found):
            found += setup_checks(asker)
        found += () if lists is None else _contradictions(lists)
        told = () if lists is None else list_facts(lists)
        final = [("moves that end the game", FINAL_LEFT_OUT)] if asker.leaves_out_final_moves else []
        facts = [
            ("engine", spec),
            *understood(engine),
            *variants(asker),
            *final,
            *told,
            *((title, text) for title, text, _ in found),
        ]
        console.out().print(Facts(facts))
        if save is not None and isinstance(engine, StdinEngine):
            save_descriptor(Path(save), replace(engine.descriptor, min_depth=engine.min_depth))
            console.out().print(f"saved: use it as -e {save}", soft_wrap=True)
    return exit_code([verdict for _, _, verdict in found], interrupted=False)


def _place(engine: Engine) -> str:
    if isinstance(engine, InProcess):
        return "in this process"
    return "by starting it for every question" if isinstance(engine, ProgramEngine) else "in a process of its own"


def understood(engine: Engine) -> Iterator[tuple[str, str]]:
    """Yield how an engine is asked and how its answers are read."""
    if isinstance(engine, LibraryEngine):
        yield from _describe_library(engine)
        return
    if not isinstance(engine, StdinEngine):
        yield "spoken to", _place(engine)
        if isinstance(engine, ProgramEngine) and engine.arguments.plays_moves:
            yield "moves after a FEN", _moves(engine.plays_moves, engine.refusal_of_moves)
        return
    descriptor = engine.descriptor
    yield "launch", shlex.join(descriptor.launch)
    yield "asked by", " / ".join(descriptor.case.split("\n"))
    between = f", with {descriptor.separator!r} between thousands" if descriptor.separator else ""
    yield "total", (descriptor.total_format or "any known way of writing it") + between
    understood = engine.understood
    if not understood.prints_divide:
        yield "root moves", "not printed: divides are put together from one count for each child"
    elif not understood.prints_root_moves:
        yield "root moves", "printed from depth 2 on: those of depth 1 are taken from there"
    else:
        yield "root moves", "printed"
    yield "least depth", str(engine.min_depth)
    if descriptor.plays_moves:
        yield "moves after a FEN", _moves(understood.plays_moves, understood.refusal_of_moves)


def variants(asker: EngineClient) -> Iterator[tuple[str, str]]:
    """Yield whether an engine is asked about Chess960. Raises Interrupted."""
    yield "Chess960", "asked about" if asker.no_chess960 is None else f"not asked about: {asker.no_chess960}"


def _moves(are_played: bool, refusal: str) -> str:
    """Return what an engine does with moves after a FEN."""
    if are_played:
        return "played"
    return f"{f'not played ({refusal})' if refusal else 'ignored'}: it is sent the FEN after them"


def _describe_library(engine: LibraryEngine) -> Iterator[tuple[str, str]]:
    yield "spoken to", "as a C library, in a process of its own"
    yield "functions", ", ".join(f"perft_check_{name}" for name in engine.offers)


CASTLING = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1"
"""Kings on the c-file may castle to both sides: an engine that knows castling of standard chess only counts less."""
CHECKS = (
    ("startpos 3", "startpos", 3, 8902, False),
    ("kiwipete 2", "kiwipete", 2, 2039, False),
    ("castling 2 (Chess960)", CASTLING, 2, 522, True),
)
"""Positions, depths and counts that show whether the answers of an engine are understood, and whether of Chess960."""


def checks(engine: EngineClient) -> Iterator[tuple[str, str, Verdict]]:
    """Yield whether answers are right: a title, a sentence and the verdict for each position. Raises Interrupted."""
    systematic = SystematicErrors(engine)
    for title, position, depth, expected, chess960 in CHECKS:
        if chess960 and engine.no_chess960 is not None:
            continue
        setup = Line(resolve_position(position, chess960))
        try:
            count = engine.perft(setup, depth)
        except EngineError as error:
            yield title, f"{error.verdict.value}: {error}", error.verdict
            continue
        if count == expected:
            yield title, f"right: {count:,}", Verdict.AGREE
        else:
            finding = systematic.finding(setup, depth, count)
            why = "" if finding is None else f": {finding.note.partition(';')[0]}"
            yield title, f"wrong: {count:,} instead of {expected:,}{why}", Verdict.MISMATCH


def setup_checks(engine: EngineClient) -> Iterator[tuple[str, str, Verdict]]:
    """Yield, for each way in which an engine may be brought to a position, whether it takes it and is then right.

    Raises Interrupted.
    """
    limits = setup_limits(engine)
    for option, why in limits.items():
        yield f"setup {option.value}", f"refused: {why}", Verdict.SKIPPED
    cases: dict[str, list[Case]] = {}
    for case in load_suite(bundled_path(SETUPS)):
        if engine.can_take(case.played_line, limits.keys()):
            cases.setdefault(words_of(case.setup), []).append(case)
    for words, asked in cases.items():
        wrong = next(filter(None, (_wrong_setup(engine, case) for case in asked)), None)
        yield f"setup {words or 'moves'}", *(wrong or ("accepted", Verdict.AGREE))


def _wrong_setup(engine: EngineClient, case: Case) -> tuple[str, Verdict] | None:
    """Return what is wrong about the answer to a case, None if nothing is."""
    line, depth = case.played_line, max(2, engine.min_depth)
    expected = perft(line.position, depth)
    where = f"{case.name}, {describe_setup(case.setup, line.uci_moves())}"
    try:
        count = engine.perft(line, depth)
    except EngineError as error:
        return f"{error.verdict.value}: {error} ({where})", error.verdict
    return None if count == expected else (f"wrong: {count:,} instead of {expected:,} ({where})", Verdict.MISMATCH)


def list_facts(lists: Guess) -> Iterator[tuple[str, str]]:
    """Yield which lists of moves an engine makes, and by which convention."""
    yield "lists", ", ".join(gentype.name.lower() for gentype in lists.offered) or "none"
    for setting in SETTINGS:
        if setting.about & set(lists.offered):
            value = lists.convention.value(setting)
            yield setting.name, f"{value}: {setting.values[value]}"


def _contradictions(lists: Guess) -> Iterator[tuple[str, str, Verdict]]:
    for one in lists.contradictions[:MOST_CONTRADICTIONS]:
        wrong = ", ".join(f"{move.kind} {move.uci}" for move in one.wrong)
        yield f"{one.gentype.name.lower()}", f"wrong: {wrong} in {one.fen}", Verdict.MISMATCH
    more = len(lists.contradictions) - MOST_CONTRADICTIONS
    if more > 0:
        yield "lists", f"wrong: {more} more", Verdict.MISMATCH
    for text in lists.would_fit:
        yield "lists", f"if that is meant: fuzz --convention {text}", Verdict.MISMATCH


def machine_facts() -> Iterator[tuple[str, str]]:
    """Yield the facts about this machine, as name and value."""
    yield from versions()
    yield from _kernels()
    yield "techniques", f"use -e {', '.join(OWN)}"
    for name in PROGRAMS:
        path = find_program(name)
        yield name, f"{path}  use -e uci:{name}" if path else "not here"


def _kernels() -> Iterator[tuple[str, str]]:
    from ....generator.kernels.machine.execution_mode import current_mode
    from ....generator.kernels.machine.folders import cache_folder
    from ....generator.kernels.machine.kernel_cache import is_cached
    from ....generator.kernels.machine.target import host_cpu_name, target_has_pext
    from ....generator.kernels.tables import BACKENDS, default_backend

    yield "cpu", f"{host_cpu_name()}, {threads()}"
    yield "kernels", _compiling_error() or current_mode().value
    available = [name for name in BACKENDS if name != "pext" or target_has_pext()]
    others = [name for name in available if name != default_backend()]
    yield "sliders", f"{default_backend()}" + (f" (also here: {', '.join(others)})" if others else "")
    folder = cache_folder()
    if folder is None:
        yield "kernel cache", "none: every run compiles anew"
    else:
        state = "compiled" if is_cached() else "empty: the first run compiles, a few seconds"
        yield "kernel cache", f"{folder} ({state})"


def _compiling_error() -> str | None:
    """Return why nothing can be compiled here, or None."""
    from ....generator.kernels.machine.execution_mode import ExecutionMode

    try:
        import numba  # noqa: F401 - whether that is possible
    except Exception as error:  # whatever a broken library raises
        return (
            f"none can be compiled: {type(error).__name__}: {error}; {ExecutionMode.PYTHON.value}, unless they are kept"
        )
    return None
