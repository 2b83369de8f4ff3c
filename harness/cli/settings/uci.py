"""The setting of `perft-check uci`. It is no dataclass: `takes` would load numpy before the engine greets."""

from __future__ import annotations

from typing import Annotated

import typer


def _own(text: str) -> str:
    """Return the name of one of our kernels. Raises typer.BadParameter."""
    from ...engines.kinds.own import KERNELS

    if text not in KERNELS:
        raise typer.BadParameter(f"{text!r} is no kernel of ours: {', '.join(KERNELS)}")
    return text


KernelOption = Annotated[
    str,
    typer.Option(
        "--engine", "-e", metavar="SPEC", parser=_own, help="Our kernel that counts: own, own:turbo or own:two-plies."
    ),
]
