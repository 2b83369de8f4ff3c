"""Settings of `perft-check bench`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...model import values
from .. import value_types
from ..options import option
from ..value_types import FILE, SPEC, Spec, factor, whole
from .shared import (
    POSITION,
    Conflict,
    NamesOption,
    ReportOption,
    TimeoutOption,
    UciOptionsOption,
    check_options,
    reject,
)


@dataclass(frozen=True)
class BenchSettings:
    """Time how fast engines count, side by side."""

    engines: Annotated[
        tuple[str, ...],
        option("--engine", "-e", type=SPEC, help="Engine to time; may be repeated. Default: own, own:turbo."),
    ] = ()
    options: UciOptionsOption = ()
    names: NamesOption = ()
    techniques: Annotated[
        bool, option("--techniques", help="Compare all our techniques: speed, table bytes, squares visited.")
    ] = False
    positions: Annotated[
        tuple[str, ...],
        option(
            "--position",
            "-p",
            type=POSITION,
            help="A FEN in quotes or a name; may be repeated. Default: start, Kiwipete and CPW 3 to 6.",
        ),
    ] = ()
    seconds: Annotated[
        float,
        option(
            "--seconds",
            type=value_types.seconds(0.1, endless=False),
            help="What the bench takes in all; with --compare it ends as soon as it is clear which engine is faster.",
        ),
    ] = values.BENCH_SECONDS
    depth: Annotated[
        int | None,
        option(
            "--depth",
            type=whole(1, 99),
            help="Count every position so deep. Default: as deep as the slowest engine can in the time that it has.",
        ),
    ] = None
    rounds: Annotated[
        int | None,
        option(
            "--rounds",
            type=whole(1, 99),
            help="How often each count is repeated. "
            f"Default: {values.BENCH_ROUNDS}; with --save or --compare until the time is over.",
        ),
    ] = None
    save: Annotated[
        str | None,
        option("--save", type=FILE, help="Write the figures to this file, with own:turbo's beside them."),
    ] = None
    compare: Annotated[
        str | None,
        option(
            "--compare", type=Spec("FILE|SPEC"), help="Compare with saved figures, or with another engine: uci:./old."
        ),
    ] = None
    fail_below: Annotated[
        float | None,
        option(
            "--fail-below",
            type=factor(0.01, 100, metavar="RATIO"),
            help="With --compare: exit with 1 where the engine is slower than this: 0.95.",
        ),
    ] = None
    timeout: TimeoutOption = 60
    reports: ReportOption = ()

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        check_options(self.options, *self.engines)
        if self.compare is None and self.fail_below is not None:
            raise Conflict("--fail-below says how fast against another: give --compare", "--fail-below", "--compare")
        if self.compare is not None and len(self.engines) != 1:
            raise Conflict("--compare holds one engine against another: name one with -e", "--compare", "--engine")
        if self.is_guard:
            mode, least = "--compare" if self.save is None else "--save", values.LEAST_GUARD_ROUNDS
            reject("is for engines", mode, {"--techniques": self.techniques})
            if self.rounds is not None and self.rounds < least:
                why = f"--rounds {self.rounds}: to tell a difference from noise, give {least} or more"
                raise Conflict(why, "--rounds", mode)

    @property
    def is_guard(self) -> bool:
        """Whether figures are saved or compared."""
        return self.save is not None or self.compare is not None

    @property
    def planned_rounds(self) -> int | None:
        """How often each count is repeated; None until the time is over."""
        return self.rounds or (None if self.is_guard else values.BENCH_ROUNDS)
