"""The commands about one engine: `doctor`, `init` and `uci`."""

from __future__ import annotations

from typing import Annotated

import typer

from ....errors import UsageError
from ...engines.spec import KERNELS, EngineSpec
from .. import completion, options
from ..checks import read_engine


def doctor(
    context: typer.Context,
    engine: Annotated[list[str] | None, options.engine_option("Show how this engine is understood.")] = None,
    option: options.UciOptionsOption = None,
    name: options.NameOption = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE.json", help="Save that as a descriptor, to be used as -e FILE.json."),
    ] = None,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Show what this machine offers and which engines are here, or how one engine is understood."""
    tested, _ = read_engine(context, engine, option, name)
    if save is not None and tested is None:
        raise UsageError("--save needs --engine: it saves how that engine is understood")
    if save is not None and not save.endswith(".json"):
        raise UsageError(f"--save {save!r}: name a file that ends in .json, as -e wants it")
    from ..actions.doctor import look_at, show_machine

    return show_machine() if tested is None else look_at(tested, save)


def init(
    context: typer.Context,
    engine: Annotated[
        list[str] | None, options.engine_option(f"Engine under test: {options.SPECS}. Default: a terminal asks.")
    ] = None,
    option: options.UciOptionsOption = None,
    name: options.NameOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a perft-check.toml also where somebody has changed it.")
    ] = False,
) -> int:
    """Look at an engine and write a perft-check.toml for it, with limits for a run of ten seconds."""
    tested, _ = read_engine(context, engine, option, name)
    from ..actions import init as action

    return action.init(tested, force=force)


def uci(
    context: typer.Context,
    engine: Annotated[
        list[str] | None,
        options.engine_option(
            f"Our kernel that counts: own, own:turbo or own:two-plies. Default: {options.FASTEST}.",
            complete=completion.words(*KERNELS),
        ),
    ] = None,
    name: options.NameOption = None,
) -> int:
    """Be a UCI engine that counts, over stdin and stdout, where a tool expects Stockfish."""
    kernel, _ = read_engine(context, engine or [options.FASTEST], None, name)
    if kernel not in KERNELS:
        why = f"{str(kernel)!r} is no kernel of ours: {', '.join(KERNELS)}"
        raise typer.BadParameter(why, param_hint=["--engine", "-e"])
    from ..actions.serving import be_engine

    return be_engine(EngineSpec(kernel))
