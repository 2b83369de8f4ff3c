"""Examine one line with every check that applies; and lines once more, as `perft-check fuzz --replay` does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ...errors import UsageError
from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import PositionSetup
from ..checking.comparing import least_depth
from ..checking.descent.fen_reading import explain_crash
from ..checking.fen_fields import FieldRefusals
from ..engines.asking.histories import ENDING, MOST_REMEMBERED, load_history, read_line, save_history, write_line
from ..engines.asking.misreading import MisreadingGuard
from ..engines.asking.runner import CallRunner
from ..engines.asking.session import EngineSession, TimeLimit
from ..engines.base import EngineContradiction, EngineError
from ..engines.command_lines import command_line, fuzz_depth, name_engines, repeat_option
from ..engines.engine import Engine
from ..engines.opening import open_session
from ..model.capabilities import CapabilityUse
from ..model.results.finding import Finding
from ..model.results.verdict import Verdict
from .checks.base import Check, Probe
from .checks.children import ChildFens
from .checks.divides import MOST_LEAVES, Consistency, Divides, Totals
from .checks.lists import EngineLists
from .checks.setups import Setups
from .model import Discrepancy, Signature
from .plan import FuzzPlan

MOST_HISTORIES = 50
"""Discrepancies that keep their histories, which are a few megabytes each."""

LEAST_EXAMINATIONS = 500
"""Examinations of the lines of a history, or each of them twice, before a fault that needs them is given up."""


class Examiner:
    """The checks of a run, and the engines that they ask."""

    def __init__(
        self,
        checks: Sequence[Check],
        engines: Sequence[EngineSession],
        caller: CallRunner,
        setups: Setups | None = None,
    ) -> None:
        """Take the checks, and the one that examines lines which are set up in another way than usual, if any does."""
        self._checks, self._engines, self.caller = tuple(checks), tuple(engines), caller
        self._setups = setups
        self._history: deque[str] = deque(maxlen=MOST_REMEMBERED)
        """The lines examined since the process of the engine was started."""
        self._reported: set[Signature] = set()
        """The signatures that have been returned once, with the history that had led to them."""
        self.notify: Callable[[str], None] = lambda _notice: None
        """Called with what the user should know of the engine under test, when it is found out."""
        self._refusals = FieldRefusals(engines[0], lambda notice: self.notify(notice)) if engines else None
        self._guard = MisreadingGuard(engines[0]) if engines else None

    @property
    def subject(self) -> Engine:
        """The engine under test."""
        return self._engines[0].engine

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self._engines[0].use

    def note_answers(self, game: Game, depth: int) -> None:
        """Note that the engine under test was asked ahead, and has answered, for one of many such positions."""
        self._engines[0].note_answer(game, depth)

    @property
    def counts_all_depths(self) -> bool:
        """Whether no limit to the depths of the engine under test is known."""
        return not self._engines or self._engines[0].counts_all_depths

    @property
    def checks(self) -> tuple[str, ...]:
        """The names under which discrepancies can be reported."""
        every = [*self._checks, *([self._setups] if self._setups else [])]
        return tuple(dict.fromkeys(check.name for check in every))

    def start(self) -> None:
        """Start the engines, and ask each one question to see that it answers. Raises EngineError, Interrupted."""
        for engine in self._engines:
            engine.start()
            try:
                _greet(engine)
            except EngineError:
                if engine.find_depth_limit(least_depth(engine)) is None:
                    raise

    def find_limits(self, deepest: int, *, chess960: bool) -> None:
        """Find out what the engines, once started, do not do, and notify of it.

        `deepest` is the greatest depth that the run asks for. Raises Interrupted, and UsageError if Chess960 is
        examined and a reference knows none.
        """
        subject, *references = self._engines
        for reference in references if chess960 else ():
            if (why := reference.no_chess960) is not None:
                refusal = f"the reference {reference.name} does not support Chess960: {why}"
                raise UsageError(f"{refusal}; name another one with -a, or add --standard", reference.spec)
        if chess960:
            self._notify_if(subject.insisting_notice)
        for session in self._engines:
            self._notify_if(session.remark())
        subject.try_depth(deepest)
        if not subject.counts_all_depths:
            self.notify(f"{subject.depth_limit}; it is not asked for other depths")
        if self._refusals is not None:
            self._refusals.try_all()

    def find_refused_setups(self) -> None:
        """Find out which setups the engine, once started, does not take, and notify of it. Raises Interrupted.

        The processes are new then: what was asked to find out belongs to no history.
        """
        if self._setups is not None:
            self._notify_if(self._setups.find_limits())
            self.renew()

    def _notify_if(self, notice: str | None) -> None:
        if notice is not None:
            self.notify(notice)

    def why_skipped(self, game: Game) -> str | None:
        """Return why the engine under test is not asked about a line, None if it is."""
        return None if self._refusals is None else self._refusals.known(game.base)

    @property
    def takes_all_fields(self) -> bool:
        """Whether no field of a FEN is known that the engine under test refuses."""
        return self._refusals is None or not self._refusals.are_known

    def notices(self) -> list[str]:
        """Return a notice for each engine whose start takes long, other than perft-check's."""
        others = [session.engine for session in self._engines if not session.engine.uses_kernels]
        return [line for engine in others if (line := engine.notice()) is not None]

    def examine(self, game: Game, depth: int, only: str | None = None, *, is_exact: bool = False) -> list[Discrepancy]:
        """Return one discrepancy of each signature. A failure of an engine is a discrepancy, too.

        The first of a signature has its history. `only` limits the checks to those of this name.
        `is_exact` keeps them from counting deeper than to this depth. A FEN with a field that the engine refuses shows
        none. Raises NotUnderstood if the correct count is printed and was not read, and Interrupted.
        """
        if self.why_skipped(game) is not None:
            return []
        found: dict[Signature, Discrepancy] = {}
        if isinstance(game, PositionSetup) and self._setups is None:
            game = game.afresh()
        checks: Sequence[Check] = self._checks
        if isinstance(game, PositionSetup) and self._setups is not None:
            checks = (self._setups,)
        probe = Probe(game, depth, is_exact)
        self._history.append(write_line(game))
        ends_process = False
        for check in checks:
            if only not in (None, check.name):
                continue
            self.caller.check()
            try:
                for discrepancy in check(probe):
                    found.setdefault(discrepancy.signature, discrepancy)
            except EngineError as failure:
                if self._refusals is not None and self._refusals.find(game, failure) is not None:
                    self._history.clear()
                    return []
                finding = failure.finding or self._fen_fault(game, failure)
                name = check.name if finding is failure.finding else Divides.name  # of a FEN that is read wrongly
                message = str(failure) if finding is not failure.finding or finding is None else finding.note
                failed = Discrepancy(name, failure.verdict, game, finding, message, failure.of_reference)
                found.setdefault(failed.signature, failed)
                ends_process = not failure.of_reference
                break  # the other checks would ask the same engine
        if self._guard is not None and not all(one.reference_failed for one in found.values()):
            self._guard.check(game, depth)
        discrepancies = [self._with_history(discrepancy) for discrepancy in found.values()]
        if ends_process:
            self._history.clear()
        return discrepancies

    def ask_alone(self, game: Game, depth: int) -> None:
        """Have the engine under test count a line; whatever it answers is compared elsewhere. Raises Interrupted."""
        with suppress(EngineError):
            self._engines[0].divide(game, max(depth, self._engines[0].min_depth))

    def _fen_fault(self, game: Game, failure: EngineError) -> Finding | None:
        """Return what is wrong if the engine under test has crashed because it misreads a FEN."""
        if failure.of_reference or not self._engines:
            return None
        return explain_crash(game, failure.verdict, self._engines[0])

    def _with_history(self, found: Discrepancy) -> Discrepancy:
        """Return a fault with its history, if it is the first of its signature and one of the first of all."""
        if found.reference_failed or found.signature in self._reported or len(self._reported) >= MOST_HISTORIES:
            return found
        self._reported.add(found.signature)
        return replace(found, history=tuple(self._history))

    def renew(self) -> None:
        """End the processes of the engines, and start new ones as a run does. Raises Interrupted."""
        self.caller.check()
        self._history.clear()
        self.close()
        for engine in self._engines:
            with suppress(EngineError):  # the next question will show it
                _greet(engine)

    def close(self) -> None:
        """Close the engines."""
        for session in self._engines:
            session.close()


def _greet(engine: EngineSession) -> None:
    with suppress(EngineContradiction):  # it answers; the checks report what is wrong
        engine.divide(Game(Position.start()), least_depth(engine))


TRUTH = "python-chess"
"""The engine that confirms the answers of references."""


def build_examiner(plan: FuzzPlan, caller: CallRunner | None = None) -> Examiner:
    """Return the examiner with the checks of a plan. Raises UsageError if an engine cannot be opened.

    python-chess confirms the answers of other references. `caller` carries out the calls of the engines, so that its
    holder can stop the checks.
    """
    caller, limit = caller or CallRunner(), TimeLimit(plan.timeout)
    insists = True in plan.variants
    engine = open_session(plan.engine, caller, limit, limits=plan.limits, insists_on_chess960=insists)
    if plan.self_consistency:
        return Examiner([Consistency(engine)], [engine], caller, Setups(engine, None, (), plan.variants))
    references = [
        open_session(name, caller, limit, limits=plan.limits, is_reference=True) for name in (*plan.references, TRUTH)
    ]
    truth = references.pop()
    checks: list[Check] = []
    for reference in references:
        checks.append(Divides(engine, reference, None if reference.spec == TRUTH else truth))
        if engine.engine.counts_totals_apart:
            checks.append(Totals(engine, reference))
    checks.append(ChildFens(engine, plan.ignore_clocks))
    if engine.listed is not None:
        checks.append(EngineLists(engine, plan.convention))
    reference = (references or [truth])[0]
    divides = tuple(check for check in checks if isinstance(check, Divides))
    return Examiner(checks, [engine, *references], caller, Setups(engine, reference, divides, plan.variants))


def deepest_depth(plan: FuzzPlan) -> int:
    """Return the greatest depth that a run asks for."""
    deepest = plan.depth + len(MOST_LEAVES) if plan.depth > 1 else plan.depth
    return max([deepest, *(question.depth for question in plan.sweep)])


def replay_command(plan: FuzzPlan, discrepancy: Discrepancy, depth: int) -> str:
    """Return the command that examines the line of a discrepancy again, or the history that led to it."""
    words = ["fuzz", "--replay", _place(discrepancy), *name_engines(plan.engine, *plan.references)]
    words += repeat_option("--convention", [f"{name}={value}" for name, value in plan.convention.items()])
    if plan.self_consistency:
        words.append("--self-consistency")
    if plan.ignore_clocks:
        words += ["--ignore", "clocks"]
    if discrepancy.game.base.chess960:
        words.append("--chess960")
    words += fuzz_depth(depth)
    if discrepancy.verdict is Verdict.TIMEOUT:
        words += ["--timeout", f"{plan.timeout:g}"]
    if plan.limits.memory_bytes is not None:
        words += ["--memory", str(plan.limits.memory_bytes >> 20)]
    return command_line(*words)


def _place(discrepancy: Discrepancy) -> str:
    """Return the line of a discrepancy, or the file of its history if it has one that can be written."""
    if discrepancy.history:
        with suppress(UsageError):
            return str(save_history(discrepancy.history))
    return str(discrepancy.game)


def lines_to_replay(text: str, chess960: bool | None) -> list[Game]:
    """Return the line of a position with moves, or the lines of a history by its path. Raises UsageError."""
    return load_history(Path(text)) if text.endswith(ENDING) else [read_line(text, chess960)]


def replay(games: Sequence[Game], depth: int, examiner: Examiner) -> list[Discrepancy]:
    """Examine lines one after the other, and again if the last one shows nothing; close the engines.

    Raises EngineError, Interrupted.
    """
    try:
        examiner.start()
        found, right = examine_in_turn(games, depth, examiner)
        return found or examine_again(right, depth, examiner)
    finally:
        examiner.close()


def examine_in_turn(
    games: Sequence[Game], depth: int, examiner: Examiner
) -> tuple[list[Discrepancy], tuple[Game, ...]]:
    """Examine lines one after the other, up to a crash.

    Return what the last of them shows, and those that have shown nothing. Raises Interrupted.
    """
    found: list[Discrepancy] = []
    right: list[Game] = []
    for line in games:
        found = examiner.examine(line, depth)
        if any(discrepancy.verdict is Verdict.CRASH for discrepancy in found):
            break
        if not found:
            right.append(line)
    return found, tuple(right)


def examine_again(
    games: Sequence[Game], depth: int, examiner: Examiner, is_sought: Callable[[Discrepancy], bool] = lambda _: True
) -> list[Discrepancy]:
    """Ask the same processes again about lines that have shown nothing, once or until there were some hundred.

    A fault that depends on how many questions there were, or on what fills a table, shows at another line than at
    first. Return what the first line shows at which something is sought. Raises Interrupted.
    """
    if len(games) < 2:
        return []
    for line in [*games] * max(1, LEAST_EXAMINATIONS // len(games) - 1):
        found = examiner.examine(line, depth)
        if any(map(is_sought, found)):
            return found
    return []
