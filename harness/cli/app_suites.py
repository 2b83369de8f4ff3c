"""`perft-check suites`: its commands."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from .command import App, exit_with, require_command, takes
from .settings.suites import GallerySettings, MakeSettings, VerifySettings

app = App(name="suites")


@app.callback(invoke_without_command=True)
def suites(context: typer.Context) -> None:
    """List, show, verify and make suites, and show rare events."""
    require_command(context)


@app.command("list")
def suites_list_command() -> None:
    """List the bundled suites."""
    from .commands import suites

    exit_with(suites.list_suites)


@app.command("show")
def suites_show_command(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="A bundled suite or a file.")],
) -> None:
    """Show the positions of a suite."""
    from .commands import suites

    exit_with(partial(suites.show, suite))


@app.command("verify")
@takes(VerifySettings)
def suites_verify_command(settings: VerifySettings) -> int:
    """Check every count of suites with generators that are not ours (default: python-chess and Stockfish)."""
    from .commands import suites

    return suites.verify(settings)


@app.command("make")
@takes(MakeSettings)
def suites_make_command(settings: MakeSettings) -> int:
    """Make the bundled suites anew; every count verified by python-chess and Stockfish."""
    from .commands import suites

    return suites.make(settings)


@app.command("gallery")
@takes(GallerySettings)
def suites_gallery_command(settings: GallerySettings) -> int:
    """Write a page of all rare events: a small position of each, and what goes wrong there (gallery.html)."""
    from .commands import gallery

    return gallery.main(settings)
