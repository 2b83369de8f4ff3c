"""An engine held against an older one: a program timed in the same rounds, or figures that were saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ....errors import UsageError
from ....generator.kernels.machine.folders import source_digest
from ....generator.position import Position
from ...engines.opening import check_spec
from ...engines.spec import EngineSpec, short_name
from ...model import values
from ...model.machine import machine, readable
from ...model.results.bench import Comparison, Speed, SpeedRatio
from ...model.results.verdict import Verdict
from .figures import YARDSTICK, Figures, TimedPosition, load


@dataclass(frozen=True)
class Baseline:
    """What an engine is held against."""

    name: str
    """As the user wrote it."""
    beside: str
    """The engine that is timed in the same rounds: the older one, or the yardstick of the figures."""
    engine: str = ""
    """The engine in the figures."""
    figures: Figures | None = None
    """None if the older engine itself is timed."""

    @property
    def title(self) -> str:
        """The baseline in words."""
        if self.figures is None:
            return self.name
        saved = f"in {self.name}, saved {readable(self.figures.saved)} UTC"
        given = EngineSpec(self.name)
        name = given.name if given.is_given else self.figures.names.get(self.engine, short_name(self.engine))
        return EngineSpec(f"{self.engine} {saved}", f"{name} {saved}")

    @property
    def notes(self) -> tuple[str, ...]:
        """What makes the comparison less sure, a line each."""
        if self.figures is None or self.figures.machine == machine():
            return ()
        other = f"the figures are of another machine ({self.figures.machine})"
        return (f"{other}: engines that are equally fast on one may not be so on another",)

    def positions(self, given: Mapping[str, Position]) -> Mapping[str, Position]:
        """Return the positions to time: those given, else those of the figures. Raises UsageError if it has none."""
        if self.figures is None:
            return given
        timed = {one.place: one.name for one in self._timed}
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
        """Return how fast an engine is, or None if no position was counted right by both that were timed."""
        mine, beside = (
            {one.position: one for one in speeds if one.engine == name and one.verdict is Verdict.AGREE}
            for name in (engine, self.beside)
        )
        ratios = [
            _speed_ratio(mine[name], beside[name], self, position)
            for name, position in positions.items()
            if name in mine and name in beside
        ]
        return Comparison(engine, self.title, tuple(ratios), fail_below, self.notes) if ratios else None

    def depth(self, position: Position) -> int | None:
        """Return how deep the figures count a position; None if there are none."""
        return next((one.depth for one in self._timed if one.place == (position.fen(), position.chess960)), None)

    @property
    def _timed(self) -> Sequence[TimedPosition]:
        """The positions that both the engine and the yardstick counted."""
        wanted = {self.engine, YARDSTICK}
        return [one for one in self.figures.positions if wanted <= one.rounds.keys()] if self.figures else []

    def saved_ratios(self, position: Position) -> tuple[float, ...]:
        """Return the older engine's speed as a multiple of the yardstick's, in each round that was saved."""
        (timed,) = [one for one in self._timed if one.place == (position.fen(), position.chess960)][:1]
        return _ratios(timed.rounds[self.engine], timed.rounds[YARDSTICK])


def baseline_of(text: str, engine: str) -> Baseline:
    """Return what `engine` is held against: a file of figures, else an engine. Raises UsageError."""
    figures = load(Path(text))
    if figures is not None:
        return _find_saved(text, engine, figures)
    if text == engine:
        raise UsageError(f"{engine} would be compared with itself: name another engine with --compare")
    try:
        check_spec(text)
    except UsageError as error:
        raise UsageError(f"--compare {text!r} is no file of bench --save, and no engine: {error}") from None
    return Baseline(text, text)


def _find_saved(text: str, engine: str, figures: Figures) -> Baseline:
    """Return the engine of these figures: the same one, else the one of the same name, else the only one."""
    option = f"--compare {text!r}"
    if engine == YARDSTICK:
        raise UsageError(f"{option}: {YARDSTICK} is the yardstick of the figures: give another engine with -e")
    if figures.generator != source_digest():
        raise UsageError(
            f"{option}: its yardstick, {YARDSTICK} of perft-check {figures.perft_check}, is another: save anew"
        )
    given = EngineSpec(engine)
    namesakes = [one for one in figures.engines if given.is_given and given.name == figures.names.get(one)]
    known = [one for one in (engine, *namesakes) if one in figures.engines][:1] or figures.engines
    if len(known) != 1:
        has = ", ".join(figures.engines) or "no other engine"
        raise UsageError(f"{option}: it has {has}, and not {engine}: save one engine, or the one of this name")
    baseline = Baseline(text, YARDSTICK, known[0], figures)
    fewest = min((len(speeds) for one in baseline._timed for speeds in one.rounds.values()), default=0)
    if fewest < values.LEAST_GUARD_ROUNDS:
        raise UsageError(f"{option}: it has {fewest} rounds, and {values.LEAST_GUARD_ROUNDS} are needed: save anew")
    return baseline


def _speed_ratio(mine: Speed, beside: Speed, baseline: Baseline, position: Position) -> SpeedRatio:
    ratios = _ratios(mine.rounds, beside.rounds)
    if baseline.figures is None:
        return SpeedRatio(mine.position, mine.depth, ratios)
    saved = baseline.saved_ratios(position)
    usual = median(saved)
    return SpeedRatio(mine.position, mine.depth, _over(ratios, usual), _over(saved, usual))


def _ratios(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, ...]:
    """Return the ratio of the speeds in each round."""
    return tuple(one / other for one, other in zip(ours, theirs, strict=False))


def _over(ratios: Sequence[float], usual: float) -> tuple[float, ...]:
    return tuple(one / usual for one in ratios)
