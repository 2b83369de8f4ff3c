"""Compare the speed of an engine with that of an older one, which is timed in the same rounds or saved in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ....errors import UsageError
from ....generator.kernels.machine.folders import source_digest
from ....generator.position import Position
from ... import values
from ...engines.opening import check_spec
from ...engines.spec import EngineSpec, short_name
from ...machine import machine, readable
from ...model.results.bench import Comparison, Speed, SpeedRatio
from ...model.results.verdict import Verdict
from .figures import YARDSTICK, Figures, TimedPosition, load


@dataclass(frozen=True)
class Baseline:
    """What an engine is compared with."""

    name: str
    """The text that the user gave."""
    timed: str
    """The engine that is timed in the same rounds: the older engine, or the yardstick of the figures."""
    engine: str = ""
    """The older engine in the figures."""
    figures: Figures | None = None
    """None if the older engine itself is timed."""

    @property
    def title(self) -> str:
        """A description of the baseline."""
        if self.figures is None:
            return self.name
        saved = f"in {self.name}, saved {readable(self.figures.saved)} UTC"
        given = EngineSpec(self.name)
        name = given.name if given.has_given_name else self.figures.names.get(self.engine, short_name(self.engine))
        return EngineSpec(f"{self.engine} {saved}", f"{name} {saved}")

    @property
    def notes(self) -> tuple[str, ...]:
        """Reasons why the comparison is less reliable, one line each."""
        if self.figures is None or self.figures.machine == machine():
            return ()
        other = f"the figures are of another machine ({self.figures.machine})"
        return (f"{other}: engines that are equally fast on one may not be so on another",)

    def positions(self, given: Mapping[str, Position]) -> Mapping[str, Position]:
        """Return the positions to time: the given ones, or if there are none, those of the figures.

        Raises UsageError if the figures do not contain a given position.
        """
        if self.figures is None:
            return given
        timed = {one.key: one.name for one in self._timed}
        for name, position in given.items():
            if (position.fen(), position.chess960) not in timed:
                has = ", ".join(timed.values())
                raise UsageError(
                    f"--compare {self.name!r}: it has no figures of {name!r} with {self.engine}: it has {has}"
                )
        return given or {one.name: Position.from_fen(one.fen, one.chess960) for one in self._timed}

    def compare(
        self, engine: str, speeds: Sequence[Speed], positions: Mapping[str, Position], fail_below: float | None
    ) -> Comparison | None:
        """Return the comparison, or None if there is no position that both timed engines counted correctly."""
        mine, other = (
            {one.position: one for one in speeds if one.engine == name and one.verdict is Verdict.AGREE}
            for name in (engine, self.timed)
        )
        ratios = [
            _speed_ratio(mine[name], other[name], self, position)
            for name, position in positions.items()
            if name in mine and name in other
        ]
        return Comparison(engine, self.title, tuple(ratios), fail_below, self.notes) if ratios else None

    def depth(self, position: Position) -> int | None:
        """Return the depth at which a position was saved, or None if it was not saved."""
        return next((one.depth for one in self._timed if one.key == (position.fen(), position.chess960)), None)

    @property
    def _timed(self) -> Sequence[TimedPosition]:
        """The positions that both the engine and the yardstick counted."""
        wanted = {self.engine, YARDSTICK}
        return [one for one in self.figures.positions if wanted <= one.rounds.keys()] if self.figures else []

    def saved_ratios(self, position: Position) -> tuple[float, ...]:
        """Return the older engine's speed divided by the yardstick's, for each saved round."""
        (timed,) = [one for one in self._timed if one.key == (position.fen(), position.chess960)][:1]
        return _ratios(timed.rounds[self.engine], timed.rounds[YARDSTICK])


def baseline_of(text: str, engine: str) -> Baseline:
    """Return the baseline for `engine` from a file of figures or the SPEC of an engine. Raises UsageError."""
    figures = load(Path(text))
    if figures is not None:
        return _find_saved(text, engine, figures)
    if text == engine:
        raise UsageError(f"{engine} would be compared with itself: name another engine with --compare")
    try:
        check_spec(text)
    except UsageError as error:
        raise UsageError(f"--compare {text!r} is neither a file of bench --save nor an engine: {error}") from None
    return Baseline(text, text)


def _find_saved(text: str, engine: str, figures: Figures) -> Baseline:
    """Return the older engine in the figures: one with the same SPEC, else one with the same name, else the only one.

    Raises UsageError.
    """
    option = f"--compare {text!r}"
    if engine == YARDSTICK:
        raise UsageError(f"{option}: {YARDSTICK} is the yardstick of the figures: give another engine with -e")
    if figures.generator != source_digest():
        yardstick = f"its yardstick, {YARDSTICK} of perft-check {figures.perft_check},"
        raise UsageError(f"{option}: {yardstick} has changed: save the figures again")
    given = EngineSpec(engine)
    namesakes = [one for one in figures.engines if given.has_given_name and given.name == figures.names.get(one)]
    known = [one for one in (engine, *namesakes) if one in figures.engines][:1] or figures.engines
    if len(known) != 1:
        has = ", ".join(figures.engines) or "no other engine"
        raise UsageError(f"{option}: it has {has}, but not {engine}: save one engine, or one with this name")
    baseline = Baseline(text, YARDSTICK, known[0], figures)
    fewest = min((len(speeds) for one in baseline._timed for speeds in one.rounds.values()), default=0)
    if fewest < values.LEAST_GUARD_ROUNDS:
        raise UsageError(
            f"{option}: it has {fewest} rounds, but {values.LEAST_GUARD_ROUNDS} are needed: save the figures again"
        )
    return baseline


def _speed_ratio(mine: Speed, other: Speed, baseline: Baseline, position: Position) -> SpeedRatio:
    ratios = _ratios(mine.rounds, other.rounds)
    if baseline.figures is None:
        return SpeedRatio(mine.position, mine.depth, ratios)
    saved = baseline.saved_ratios(position)
    middle = median(saved)
    return SpeedRatio(mine.position, mine.depth, _divided_by(ratios, middle), _divided_by(saved, middle))


def _ratios(speeds: Sequence[float], others: Sequence[float]) -> tuple[float, ...]:
    return tuple(one / other for one, other in zip(speeds, others, strict=False))


def _divided_by(ratios: Sequence[float], middle: float) -> tuple[float, ...]:
    return tuple(one / middle for one in ratios)
