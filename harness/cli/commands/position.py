"""Options of the commands about one position: `perft`, `divide`, `moves` and `explore`."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Annotated

import typer

from ....errors import UsageError, did_you_mean
from ... import values
from ...engines.spec import EngineSpec
from .. import completion, options
from ..checks import (
    STDIN,
    Conflict,
    check_memory,
    check_table,
    check_threads,
    compared_with,
    read_engine,
    reject,
    stdin_is_file,
)


def perft(
    context: typer.Context,
    position: options.PositionArgument,
    depth: options.DepthArgument,
    engine: options.FastestEngineOption = None,
    option: options.UciOptionsOption = None,
    name: options.NameOption = None,
    alone: options.AloneOption = False,
    stats: Annotated[bool, typer.Option("--stats", help="Count captures, checks, mates etc. at each depth.")] = False,
    threads: options.ThreadsOption = None,
    hash: options.HashOption = None,
    timeout: options.TimeoutOption = inf,
    moves: options.MovesOption = "",
    chess960: options.VariantOption = None,
    json: options.JsonOption = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Count the leaf nodes of one position."""
    named, _ = read_engine(context, engine, option, name)
    tested = EngineSpec(options.FASTEST) if named is None else named
    if stats and not tested.is_kernel:
        raise Conflict(
            f"--stats works with perft-check's generator, not with {tested}: leave out -e", "stats", "engine"
        )
    check_threads(threads, tested)
    check_table(hash, tested)
    if stats and hash is not None:
        raise Conflict("--stats uses no hash table: leave out --hash", "stats", "hash")
    from ....suites.positions import resolve_game
    from ...engines.types.own import KernelOptions, quickest
    from ...machine import usable_threads
    from ..actions import perft as action

    game = resolve_game(position, chess960, moves)
    if named is None and hash is None and not stats:
        tested = EngineSpec(quickest(depth))
    plan = action.PerftPlan(
        game=game,
        depth=depth,
        engine=tested,
        references=compared_with(tested, alone=alone),
        resources=KernelOptions(threads or usable_threads(), hash),
        timeout=timeout,
        json=json,
    )
    return action.perft(plan, stats=stats)


def divide(
    context: typer.Context,
    position: options.PositionArgument,
    depth: options.DepthArgument,
    engine: options.FastestEngineOption = None,
    option: options.UciOptionsOption = None,
    name: options.NamesOption = None,
    against: options.AgainstOption = None,
    alone: options.AloneOption = False,
    explain: options.ExplainOption = values.EXPLAINED,
    coverage: options.CoverageOption = False,
    threads: options.ThreadsOption = None,
    hash: options.HashOption = None,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = None,
    moves: options.MovesOption = "",
    chess960: options.VariantOption = None,
    answer: options.AnswerOption = None,
    json: options.JsonOption = False,
    report: Annotated[list[str] | None, options.report_option("html", "md", "json", "junit", "sarif", "github")] = None,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Count below each root move, and find the wrong move if a count is incorrect."""
    if depth < 1:
        raise UsageError(f"divide needs a depth of 1 or more, not {depth}")
    if answer is None and engine is None and stdin_is_file():
        answer = STDIN
    if answer is not None:
        given = {"engine": engine, "against": against, "alone": alone, "coverage": coverage}
        check_memory(memory)
        reject("compares text with perft-check's generator", "answer", given)
        return _compare_answer(position, depth, moves, chess960, answer, json=json, report=report)
    named, others = read_engine(context, engine, option, name, against)
    tested = EngineSpec(options.FASTEST) if named is None else named
    if alone and others:
        raise Conflict("--alone and -a cannot be combined: leave one out", "alone", "against")
    if coverage:
        reject("needs a reference to compare with", "coverage", {"alone": alone})
        reject("needs explanations", "coverage", {"explain": explain == 0})
    check_threads(threads, tested, *others)
    check_table(hash, tested, *others)
    check_memory(memory, tested, *others)
    from ....suites.positions import resolve_game
    from ...engines.stdio.process import ProcessLimits
    from ...engines.types.own import KernelOptions, quickest
    from ...machine import usable_threads
    from ...model.results.positions import DivideFinished
    from ..actions import divide as action
    from ..output.report_files import report_targets

    game = resolve_game(position, chess960, moves)
    references = compared_with(tested, others, alone=alone)
    if named is None and hash is None and not references:
        tested = EngineSpec(quickest(depth))
    engines: list[str] = [tested, *references]
    return action.divide(
        game,
        depth,
        engines,
        report_targets([*(report or ()), *["json=-"] * json], DivideFinished, engines),
        resources=KernelOptions(threads or usable_threads(), hash),
        timeout=timeout,
        limits=ProcessLimits.of_mebibytes(memory),
        explains=explain > 0,
        coverage=coverage,
    )


def _compare_answer(
    position: str, depth: int, moves: str, chess960: bool | None, answer: str, *, json: bool, report: list[str] | None
) -> int:
    from ....suites.positions import resolve_game
    from ...model.results.positions import DivideFinished
    from ..actions.diagnose import Answer, compare_answer
    from ..output.report_files import report_targets

    game = resolve_game(position, chess960, moves)
    targets = report_targets([*(report or ()), *["json=-"] * json], DivideFinished, [], [answer])
    return compare_answer(game, depth, Answer.read(answer), targets)


def diagnose(
    context: typer.Context,
    position: Annotated[
        str,
        typer.Argument(metavar="FEN|NAME|FILE", help="A position, or a file of positions with the engine's counts."),
    ],
    depth: Annotated[int | None, typer.Argument(parser=options.checked(values.whole(1)), metavar="DEPTH")] = None,
    answer: options.AnswerOption = None,
    engine: options.FastestEngineOption = None,
    option: options.UciOptionsOption = None,
    name: options.NameOption = None,
    moves: options.MovesOption = "",
    chess960: options.VariantOption = None,
    time: options.TimeOption = None,
    timeout: options.TimeoutOption = 600,
    memory: options.MemoryOption = None,
    json: options.JsonOption = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Find the known bugs that reproduce wrong counts."""
    is_file = Path(position).is_file()
    if is_file and (depth is not None or answer is not None):
        raise UsageError(
            f"{position} is a file with positions, depths and counts: leave out depth and --answer", position
        )
    if not is_file and depth is None and Path(position).suffix and " " not in position:
        raise UsageError(f"there is no file {position}", position)
    if not is_file and depth is None:
        raise UsageError("diagnose needs a depth after the position")
    if answer is not None and engine is not None:
        raise Conflict("--answer and -e cannot be combined: leave one out", "answer", "engine")
    named = None
    if not is_file and answer is None and engine is not None:
        named, _ = read_engine(context, engine, option, name)
    if not is_file and answer is None and named is None:
        if not stdin_is_file():
            raise UsageError("diagnose needs the engine's counts: add --answer FILE, --answer - for stdin, or -e SPEC")
        answer = STDIN
    check_memory(memory, *([] if named is None else [named]))
    from ....suites.positions import resolve_game
    from ...engines.stdio.process import ProcessLimits
    from ...model.results.diagnosis import Diagnosis
    from ..actions import diagnose as action
    from ..output.report_files import report_targets

    request = action.DiagnoseRequest(
        game=None if is_file else resolve_game(position, chess960, moves),
        depth=depth or 0,
        suite=position if is_file else None,
        answer=None if answer is None else action.Answer.read(answer),
        engine=named,
        seconds=20.0 if time is None else time,
        timeout=timeout,
        limits=ProcessLimits.of_mebibytes(memory),
    )
    return action.diagnose(request, report_targets(["json=-"] * json, Diagnosis, []))


def moves(
    context: typer.Context,
    position: options.PositionArgument,
    type: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            "-t",
            metavar="GENTYPE",
            autocompletion=completion.gentypes,
            help="captures, quiets etc.; may be repeated. Default: legal.",
        ),
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Every GenType that exists in the position.")] = False,
    moves: options.MovesOption = "",
    chess960: options.VariantOption = None,
    json: options.JsonOption = False,
    engine: Annotated[
        list[str] | None,
        options.engine_option("Technique that generates the moves.", "own:TECHNIQUE", completion.techniques),
    ] = None,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Show the moves of a GenType on a board."""
    technique, _ = read_engine(context, engine)
    from ....reports.terminal.divide import render_moves
    from ....suites.positions import resolve_game
    from ...checking.listing import list_in_order, list_types, named_types, possible_types
    from ...engines.opening import OWN
    from ...model.results.verdict import ExitCode
    from ..output import console

    if technique is not None and technique != "own":
        named = [spec for spec in OWN if ":" in spec]
        if technique not in named:
            hint = did_you_mean(technique if technique.startswith("own") else "", named)
            why = f"moves works with perft-check's techniques, not with {str(technique)!r}: {hint}"
            raise UsageError(why, technique)
        if type or all:
            raise UsageError(f"{technique} generates legal moves only: leave out --type and --all", technique)
        listed = list_in_order(technique, resolve_game(position, chess960, moves).position)
    else:
        reached = resolve_game(position, chess960, moves).position
        wanted = possible_types(reached) if all else named_types(type or ["legal"], reached)
        listed = list_types(reached, wanted)
    if json:
        console.print_json(listed)
    else:
        console.out().print(render_moves(listed))
    return ExitCode.AGREE


def explore(
    context: typer.Context,
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            autocompletion=completion.positions,
            help="A quoted FEN, or a name such as kiwipete.",
        ),
    ] = "startpos",
    engine: Annotated[list[str] | None, options.engine_option("Engine to explore. Default: perft-check's.")] = None,
    option: options.UciOptionsOption = None,
    name: options.NamesOption = None,
    against: options.AgainstOption = None,
    depth: Annotated[
        int,
        typer.Option("--depth", parser=options.checked(values.whole(1, 99)), metavar="N", help="Depth in plies."),
    ] = 3,
    timeout: options.TimeoutOption = 60,
    memory: options.MemoryOption = None,
    chess960: options.VariantOption = None,
    light: Annotated[bool, typer.Option("--light", help="Use a light theme.")] = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Browse the trees of two engines side by side in the terminal."""
    tested, others = read_engine(context, engine, option, name, against)
    if tested in others:
        raise UsageError(f"{tested} would be compared with itself: name another engine with -a")
    from ....errors import require
    from ..actions import explore as action

    require("textual", action.EXTRA, "explore")
    start = action.starting_point_of(position, chess960, depth)
    shown = EngineSpec(options.FASTEST) if tested is None else tested
    check_memory(memory, shown, *others)
    return action.explore(start, shown, others, timeout=timeout, memory=memory, light=light)
