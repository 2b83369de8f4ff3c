"""`perft-check suites`: its options."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Optional

import typer

from .options import AgainstOption, exit_with

app = typer.Typer(help="List, show, verify and make suites.", no_args_is_help=True)

SuiteArgument = Annotated[str, typer.Argument(metavar="SUITE", help="A bundled suite or a file.")]


@app.command("list")
def suites_list_command() -> None:
    """List the bundled suites."""
    from .commands import suites

    exit_with(suites.list_suites)


@app.command("show")
def suites_show_command(suite: SuiteArgument) -> None:
    """Show the positions of a suite."""
    from .commands import suites

    exit_with(partial(suites.show, suite))


@app.command("verify")
def suites_verify_command(
    suite: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(metavar="[SUITE]...", help="Bundled suites or files. Default: all bundled ones."),
    ] = None,
    against: AgainstOption = None,
    max_nodes: Annotated[Optional[int], typer.Option(min=0, help="Leave larger counts out.")] = None,  # noqa: UP045
) -> None:
    """Check every count of suites with generators that are not ours (default: python-chess and Stockfish)."""
    from .commands import suites

    exit_with(partial(suites.verify, tuple(suite or ()), tuple(against or ()), max_nodes))


@app.command("make")
def suites_make_command(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where to write the EPD files.")],
    seed: Annotated[int, typer.Option(help="Same seed, same suites.")] = 2026,
    from_zoo: Annotated[
        bool, typer.Option("--from-zoo", help="Choose smoke and special anew, by the faults that they show: minutes.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Faults tried side by side.")] = 1,
) -> None:
    """Make the bundled suites anew; every count verified by python-chess and Stockfish."""
    from .commands import suites

    exit_with(partial(suites.make, folder, seed, from_zoo, jobs))
