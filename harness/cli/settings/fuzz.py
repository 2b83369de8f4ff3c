"""Settings of `perft-check fuzz`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ....errors import UsageError
from ...engines.spec import EngineSpec
from ...model import values
from ..options import option
from ..value_types import FILE, SPEC, ValueType, count, whole
from . import shared

CLOCKS = "clocks"


@dataclass(frozen=True)
class FuzzSettings:
    """Draw positions until something is wrong; reduce it, explain it, keep it."""

    engines: Annotated[
        tuple[str, ...],
        option(
            "--engine",
            "-e",
            type=SPEC,
            help=f"Engine under test; may be repeated, to fuzz several side by side: {shared.SPECS}. Default: own.",
        ),
    ] = ()
    options: shared.UciOptionsOption = ()
    names: shared.NamesOption = ()
    against: shared.AgainstOption = ()
    examples: Annotated[
        int | None,
        option(
            "--examples",
            "-n",
            type=count(1),
            help="Positions to examine: 5000, 1M. Default: a minute, or 10k with --careful.",
        ),
    ] = None
    seconds: shared.TimeOption = None
    seed: Annotated[
        int | None,
        option(
            "--seed",
            type=whole(0),
            help="Same seed and number of examples, same report; with --time, the same positions.",
        ),
    ] = None
    strategies: Annotated[
        tuple[str, ...],
        option(
            "--strategy",
            type=ValueType("NAME"),
            help="templates, placements, mutations, walks, games, locked, sequences or castlings; may be repeated.",
        ),
    ] = ()
    chess960: shared.VariantOption = None
    impossible: Annotated[
        bool, option("--impossible", help="Draw positions and clocks, too, to which no game can lead.")
    ] = False
    ignored: Annotated[
        tuple[str, ...],
        option("--ignore", type=ValueType("clocks"), help="Compare FENs without halfmove clock and move number."),
    ] = ()
    convention: Annotated[
        tuple[str, ...],
        option("--convention", type=ValueType("NAME=VALUE"), help="How the engine lists moves by GenType; see doctor."),
    ] = ()
    depth: Annotated[
        int,
        option(
            "--depth",
            type=whole(1, values.DEEPEST_FUZZ, metavar="PLIES"),
            help=f"How deep an engine is asked to count, 1 to {values.DEEPEST_FUZZ}.",
        ),
    ] = values.FUZZ_DEPTH
    corpus: Annotated[str | None, option("--corpus", type=FILE, help="Suite file to which every find is added.")] = None
    coverage: Annotated[
        bool,
        option("--coverage", help="Let the engine's own code guide what is drawn: which of its branches were reached."),
    ] = False
    keep_cover: shared.KeepCoverOption = None
    reports: shared.ReportOption = ()
    replay: Annotated[
        str | None,
        option("--replay", type=ValueType("POSITION"), help="Examine this one: a FEN, with 'moves ...' if any."),
    ] = None
    self_consistency: shared.SelfConsistencyOption = False
    careful: shared.CarefulOption = False
    fail_fast: shared.FailFastOption = False
    fail_not_reproduced: shared.FailNotReproducedOption = False
    require_all: shared.RequireAllOption = False
    jobs: shared.JobsOption = None
    timeout: shared.TimeoutOption = 10
    memory: shared.MemoryOption = None
    verbose: Annotated[bool, option("--verbose", "-v", help="All figures, and every rare event that was met.")] = False
    quiet: Annotated[bool, option("--quiet", "-q", help="Only the line that sums up, and the finds.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        shared.check_options(self.options, *self.engines)
        if self.examples is not None and self.seconds is not None:
            raise shared.Conflict("--examples and --time: give one of them", "--examples", "--time")
        for name in self.ignored:
            if name != CLOCKS:
                raise UsageError(f"--ignore {name!r}: only {CLOCKS} can be ignored", name)
        if self.convention and any(spec.is_own for spec in self.tested):
            why = "--convention is about the lists of another engine: give it with -e, or leave it out"
            raise shared.Conflict(why, "--convention", "--engine")
        if self.keep_cover is not None and not self.coverage:
            why = "--keep-cover keeps lines by what they reach in the engine's code: add --coverage"
            raise shared.Conflict(why, "--keep-cover", "--coverage")
        if len(self.tested) > 1:
            self._reject_what_needs_one_engine()
        if self.replay is not None:
            self._reject_what_replay_ignores()
        shared.check_self_consistency(self.self_consistency, self.against)

    @property
    def tested(self) -> tuple[EngineSpec, ...]:
        """The SPECs of the engines under test, each once."""
        return tuple(map(EngineSpec, dict.fromkeys(self.engines or ("own",))))

    @property
    def lacks_engine(self) -> bool:
        """Whether no engine is named."""
        return not self.engines

    def variants(self, engine: EngineSpec) -> tuple[bool, ...]:
        """Return whether to draw Chess960: for our own generator by default both, for others only if asked to."""
        if self.chess960 is None:
            return (False, True) if engine.is_own else (False,)
        return (self.chess960,)

    def _reject_what_needs_one_engine(self) -> None:
        for name, is_given in (
            ("--replay", self.replay is not None),
            ("--keep-cover", self.keep_cover is not None),
        ):
            if is_given:
                raise shared.Conflict(f"{name} is for one engine: name one with -e", name, "--engine")

    def _reject_what_replay_ignores(self) -> None:
        given = {
            "--examples": self.examples is not None,
            "--time": self.seconds is not None,
            "--strategy": self.strategies,
            "--impossible": self.impossible,
            "--corpus": self.corpus is not None,
            "--coverage": self.coverage,
            "--keep-cover": self.keep_cover is not None,
            "--report": self.reports,
            "--fail-fast": self.fail_fast,
            "--fail-not-reproduced": self.fail_not_reproduced,
            "--require-all": self.require_all,
        }
        shared.reject("examines one position and draws none", "--replay", given)
