"""Options of `perft-check doctor`, `init` and `uci`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ....errors import UsageError
from ...engines.spec import KERNELS, EngineSpec
from .. import completion, options
from ..checks import read_engine


def doctor(
    context: typer.Context,
    engine: Annotated[list[str] | None, options.engine_option("Engine to examine.")] = None,
    option: options.UciOptionsOption = None,
    name: options.NameOption = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE.json", help="Save how to ask the engine; use it as -e FILE.json."),
    ] = None,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Show facts about this machine and its engines, or how perft-check asks one engine and what it answers."""
    tested, _ = read_engine(context, engine, option, name)
    if save is not None and tested is None:
        raise UsageError("--save needs an engine: add -e SPEC")
    if save is not None and not save.endswith(".json"):
        raise UsageError(f"--save {save!r}: the file name must end in .json")
    if save is not None and not (folder := Path(save).parent).is_dir():
        raise UsageError(f"--save {save!r}: there is no folder {str(folder)!r}")
    from ..actions.doctor import examine_engine, show_machine

    return show_machine() if tested is None else examine_engine(tested, save)


def init(
    context: typer.Context,
    engine: Annotated[list[str] | None, options.engine_option(f"Engine under test: {options.SPECS}.")] = None,
    option: options.UciOptionsOption = None,
    name: options.NameOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing perft-check.toml.")] = False,
) -> int:
    """Examine an engine, and write a perft-check.toml for it."""
    tested, _ = read_engine(context, engine, option, name)
    if tested is None:
        raise UsageError("init needs an engine: add -e ./my-engine; perft-check init --help lists all forms")
    from ..actions import init as action

    return action.init(tested, force=force)


def uci(
    context: typer.Context,
    engine: Annotated[
        list[str] | None,
        options.engine_option(
            f"Kernel that counts: own, own:turbo or own:two-plies. Default: {options.FASTEST}.",
            complete=completion.words(*KERNELS),
        ),
    ] = None,
    name: options.NameOption = None,
) -> int:
    """Run perft-check's generator as a UCI engine, for tools that expect Stockfish."""
    kernel, _ = read_engine(context, engine or [options.FASTEST], None, name)
    if kernel not in KERNELS:
        why = f"{str(kernel)!r} is not one of {', '.join(KERNELS)}"
        raise typer.BadParameter(why, param_hint=["--engine", "-e"])
    from ..actions.serving import be_engine

    return be_engine(EngineSpec(kernel))
