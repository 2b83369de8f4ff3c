"""Settings of the commands about one engine, `doctor`, `init` and `uci`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ....errors import UsageError
from ..options import OWN, option
from ..value_types import SPEC, File, KernelName
from .shared import SPECS, NameOption, UciOptionsOption, check_options


@dataclass(frozen=True)
class DoctorSettings:
    """Show what this machine offers and which engines are here, or how one engine is understood."""

    engine: Annotated[str | None, option("--engine", "-e", type=SPEC, help="Show how this engine is understood.")] = (
        None
    )
    options: UciOptionsOption = ()
    names: NameOption = ()
    save: Annotated[
        str | None,
        option("--save", type=File("FILE.json"), help="Save that as a descriptor, to be used as -e FILE.json."),
        OWN,
    ] = None

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        check_options(self.options, self.engine)
        if self.save is not None and self.engine is None:
            raise UsageError("--save needs --engine: it saves how that engine is understood")
        if self.save is not None and not self.save.endswith(".json"):
            raise UsageError(f"--save {self.save!r}: name a file that ends in .json, as -e wants it")


@dataclass(frozen=True)
class InitSettings:
    """Look at an engine and write a perft-check.toml for it, with limits for a run of ten seconds."""

    engine: Annotated[
        str | None,
        option("--engine", "-e", type=SPEC, help=f"Engine under test: {SPECS}. Default: a terminal asks."),
    ] = None
    options: UciOptionsOption = ()
    names: NameOption = ()
    force: Annotated[bool, option("--force", help="Replace a perft-check.toml also where somebody has changed it.")] = (
        False
    )

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        check_options(self.options, self.engine)


@dataclass(frozen=True)
class UciSettings:
    """Be a UCI engine that counts, over stdin and stdout, where a tool expects Stockfish."""

    engine: Annotated[
        str,
        option(
            "--engine", "-e", type=KernelName("SPEC"), help="Our kernel that counts: own, own:turbo or own:two-plies."
        ),
    ] = "own:two-plies"
    names: NameOption = ()
