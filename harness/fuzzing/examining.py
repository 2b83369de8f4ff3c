"""Run the checks on a game, and replay games for `perft-check fuzz --replay`."""

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
from ...generator.sampling.position_batch import PositionBatch
from ..checking.comparing import least_depth
from ..checking.descent.fen_reading import explain_crash
from ..checking.fen_fields import FieldRefusals
from ..engines.asking.histories import ENDING, MOST_REMEMBERED, format_game, load_history, parse_game, save_history
from ..engines.asking.misreading import MisreadingGuard
from ..engines.asking.runner import CallRunner
from ..engines.asking.session import EngineSession, TimeLimit
from ..engines.base import EngineContradiction, EngineError
from ..engines.command_lines import command_line, fuzz_depth, name_engines, repeat_option
from ..engines.engine import Engine
from ..engines.opening import open_session
from ..model.capabilities import Capability, CapabilityUse
from ..model.results.finding import Finding
from ..model.results.verdict import Verdict
from .checks.base import Check, Probe
from .checks.children import ChildFens
from .checks.divides import MOST_LEAVES, Consistency, Divides, Totals
from .checks.keys import Keys
from .checks.lists import EngineLists
from .checks.predicates import Predicates
from .checks.search import Searches
from .checks.setups import Setups
from .model import Discrepancy, Signature
from .plan import FuzzPlan

SLOW = (Keys.name, Searches.name, Predicates.name)
"""Checks that ask many questions about a position."""
REQUIRED = {
    ChildFens.name: Capability.FEN,
    EngineLists.name: Capability.GENTYPES,
    Keys.name: Capability.KEYS,
    Searches.name: Capability.SEARCH,
    Predicates.name: Capability.PREDICATES,
}
"""The capability without which a check compares nothing; the other checks compare counts."""
MOST_HISTORIES = 50
"""Number of discrepancies that keep their histories, which take a few megabytes each."""
LEAST_EXAMINATIONS = 500
"""A history counts as not reproducing a fault only after this many examinations, and at least two of each game."""


class Examiner:
    """The checks of a run, and the engines that they use."""

    def __init__(
        self,
        checks: Sequence[Check],
        engines: Sequence[EngineSession],
        caller: CallRunner,
        setups: Setups | None = None,
    ) -> None:
        """Create an examiner; games with setup options are examined by `setups` instead of `checks`."""
        self._checks, self._engines, self.caller = tuple(checks), tuple(engines), caller
        self._setups = setups
        self._history: deque[str] = deque(maxlen=MOST_REMEMBERED)
        """The games examined since the engine's process started."""
        self._run_checks: set[str] = set()
        """The names of the checks that have examined a game."""
        self._reported: set[Signature] = set()
        """The signatures already returned with a history."""
        self.notify: Callable[[str], None] = lambda _notice: None
        """Called with notices for the user about the engine under test."""
        self._refusals = FieldRefusals(engines[0], lambda notice: self.notify(notice)) if engines else None
        self._guard = MisreadingGuard(engines[0]) if engines else None

    @property
    def subject(self) -> Engine:
        """The engine under test."""
        return self._engines[0].engine

    @property
    def use(self) -> CapabilityUse:
        """The capabilities of the engine under test that were used."""
        return self._engines[0].use

    def note_answers(self, game: Game, depth: int) -> None:
        """Record that the engine answered a block, given one of its games and its greatest depth."""
        self._engines[0].note_answer(game, depth)

    @property
    def counts_all_depths(self) -> bool:
        """Whether the engine under test has no known depth limit."""
        return not self._engines or self._engines[0].counts_all_depths

    @property
    def checks(self) -> tuple[str, ...]:
        """The names of the checks that can report discrepancies."""
        every = [*self._checks, *([self._setups] if self._setups else [])]
        return tuple(dict.fromkeys(check.name for check in every))

    @property
    def checks_used(self) -> tuple[str, ...]:
        """The names of the checks that have compared an answer of the engine under test."""
        return tuple(
            name
            for name in self.checks
            if name in self._run_checks and (name not in REQUIRED or REQUIRED[name] in self.use.asked)
        )

    def start(self) -> None:
        """Start the engines, and verify that each answers a question. Raises EngineError, Interrupted."""
        for engine in self._engines:
            engine.start()
            try:
                _ask_start_position(engine)
            except EngineError:
                if engine.find_depth_limit(least_depth(engine)) is None:
                    raise

    def find_limits(self, deepest: int, *, chess960: bool) -> None:
        """Determine what the running engines do not support, and notify the user.

        `deepest` is the greatest depth that the run asks for. Raises Interrupted, or UsageError if Chess960 is
        requested and a reference does not support it.
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
        """Determine which setups the running engine refuses, notify the user, and restart the engines.

        Because of the restart, these questions are not part of any history. Raises Interrupted.
        """
        if self._setups is not None:
            self._notify_if(self._setups.find_limits())
            self.restart_engines()

    def _notify_if(self, notice: str | None) -> None:
        if notice is not None:
            self.notify(notice)

    def skip_reason(self, game: Game) -> str | None:
        """Return why a game is skipped for the engine under test; None if it is not skipped."""
        return None if self._refusals is None else self._refusals.known(game.base)

    @property
    def accepts_all_fen_fields(self) -> bool:
        """False if the engine under test is known to refuse a FEN field."""
        return self._refusals is None or not self._refusals.are_known

    def notices(self) -> list[str]:
        """Return a notice for each engine that is slow to start, not counting perft-check's kernels."""
        others = [session.engine for session in self._engines if not session.engine.uses_kernels]
        return [line for engine in others if (line := engine.notice()) is not None]

    def examine(
        self, game: Game, depth: int, only: str | None = None, *, is_exact: bool = False, is_quick: bool = False
    ) -> list[Discrepancy]:
        """Return one discrepancy per signature; an engine failure is also a discrepancy.

        The first discrepancy with a signature has a history. `only` selects the checks with one name, `is_exact`
        prevents checks from counting deeper than `depth`, and `is_quick` skips the checks that ask many questions. A
        FEN with a field that the engine refuses gives no discrepancy. Raises Interrupted, or NotUnderstood if the
        engine prints the correct count in an unknown format.
        """
        if self.skip_reason(game) is not None:
            return []
        found: dict[Signature, Discrepancy] = {}
        if isinstance(game, PositionSetup) and self._setups is None:
            game = game.without_moves()
        checks: Sequence[Check] = self._checks
        if isinstance(game, PositionSetup) and self._setups is not None:
            checks = (self._setups,)
        probe = Probe(game, depth, is_exact)
        self._history.append(format_game(game))
        ends_process = False
        for check in checks:
            if only not in (None, check.name) or (is_quick and check.name in SLOW):
                continue
            self.caller.check()
            self._run_checks.add(check.name)
            try:
                for discrepancy in check(probe):
                    found.setdefault(discrepancy.signature, discrepancy)
            except EngineError as failure:
                if self._refusals is not None and self._refusals.find(game, failure) is not None:
                    self._history.clear()
                    return []
                finding = failure.finding or self._fen_fault(game, failure)
                name = check.name if finding is failure.finding else Divides.name  # the engine misreads the FEN
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

    def compare_keys(self, block: PositionBatch, answered: int) -> list[Discrepancy]:
        """Return discrepancies if positions have the same hash key as different positions before. Raises Interrupted.

        Of the `answered` first positions of a block, only one in `key_interval` is compared. If the engine fails, these
        positions are examined one at a time until it fails again.
        """
        check = next((one for one in self._checks if isinstance(one, Keys)), None)
        if check is None or not check.compares_more:
            return []
        fens = [block.fen(index) for index in range(0, answered, self._engines[0].key_interval)]
        try:
            return list(check.compare_many(fens, chess960=block.chess960))
        except EngineError:
            games = (Game(Position.from_fen(fen, block.chess960)) for fen in fens)
            return next(filter(None, (self.examine(game, 1, check.name) for game in games)), [])

    def count_alone(self, game: Game, depth: int) -> None:
        """Make the engine under test count a game, and ignore the answer. Raises Interrupted."""
        with suppress(EngineError):
            self._engines[0].divide(game, max(depth, self._engines[0].min_depth))

    def _fen_fault(self, game: Game, failure: EngineError) -> Finding | None:
        """Return a finding if the engine under test failed because it misreads the FEN."""
        if failure.of_reference or not self._engines:
            return None
        return explain_crash(game, failure.verdict, self._engines[0])

    def _with_history(self, found: Discrepancy) -> Discrepancy:
        """Return a discrepancy, with its history if it is the first with its signature and `MOST_HISTORIES` permits."""
        if (
            found.history
            or found.reference_failed
            or found.signature in self._reported
            or len(self._reported) >= MOST_HISTORIES
        ):
            return found
        self._reported.add(found.signature)
        return replace(found, history=tuple(self._history))

    def restart_engines(self) -> None:
        """Terminate the engine processes, and start new ones as at the beginning of a run. Raises Interrupted."""
        self.caller.check()
        self._history.clear()
        for check in self._checks:
            if isinstance(check, Keys):
                check.forget()
        self.close()
        for engine in self._engines:
            with suppress(EngineError):  # the next question also fails
                _ask_start_position(engine)

    def close(self) -> None:
        """Close the engines."""
        for session in self._engines:
            session.close()


def _ask_start_position(engine: EngineSession) -> None:
    with suppress(EngineContradiction):  # the engine answers, and the checks report incorrect answers
        engine.divide(Game(Position.start()), least_depth(engine))


ARBITER = "python-chess"
"""The engine that verifies the references."""


def build_examiner(plan: FuzzPlan, caller: CallRunner | None = None) -> Examiner:
    """Return an examiner with the checks of a plan. Raises UsageError if an engine cannot be opened.

    The engines are called through `caller`, which can stop the checks.
    """
    caller, limit = caller or CallRunner(), TimeLimit(plan.timeout)
    insists = True in plan.variants
    engine = open_session(plan.engine, caller, limit, limits=plan.limits, insists_on_chess960=insists)
    if plan.self_consistency:
        return Examiner([Consistency(engine)], [engine], caller, Setups(engine, None, (), plan.variants))
    references = [
        open_session(name, caller, limit, limits=plan.limits, is_reference=True) for name in (*plan.references, ARBITER)
    ]
    arbiter = references.pop()
    checks: list[Check] = []
    for reference in references:
        checks.append(Divides(engine, reference, None if reference.spec == ARBITER else arbiter))
        if engine.engine.counts_totals_apart:
            checks.append(Totals(engine, reference))
    checks.append(ChildFens(engine, plan.ignore_clocks))
    if engine.gentypes is not None:
        checks.append(EngineLists(engine, plan.convention))
    if engine.engine.may_have_keys:
        checks.append(Keys(engine))
    if engine.engine.has_search:
        checks.append(Searches(engine))
    if engine.engine.may_have_predicates:
        checks.append(Predicates(engine))
    reference = (references or [arbiter])[0]
    divides = tuple(check for check in checks if isinstance(check, Divides))
    return Examiner(checks, [engine, *references], caller, Setups(engine, reference, divides, plan.variants))


def deepest_depth(plan: FuzzPlan) -> int:
    """Return the greatest depth that a run asks for."""
    deepest = plan.depth + len(MOST_LEAVES) if plan.depth > 1 else plan.depth
    return max([deepest, *(case.depth for case in plan.sweep)])


def replay_command(plan: FuzzPlan, discrepancy: Discrepancy, depth: int) -> str:
    """Return the command that examines the game or the history of a discrepancy again."""
    words = ["fuzz", "--replay", _replay_value(discrepancy), *name_engines(plan.engine, *plan.references)]
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


def _replay_value(discrepancy: Discrepancy) -> str:
    """Return the game of a discrepancy, or the path of its history file if it has a history that can be written."""
    if discrepancy.history:
        with suppress(UsageError):
            return str(save_history(discrepancy.history))
    return str(discrepancy.game)


def games_to_replay(text: str, chess960: bool | None) -> list[Game]:
    """Return the game described by a text, or the games of a history file. Raises UsageError."""
    return load_history(Path(text)) if text.endswith(ENDING) else [parse_game(text, chess960)]


def replay(games: Sequence[Game], depth: int, examiner: Examiner) -> list[Discrepancy]:
    """Examine games in order, repeat them if the last one shows nothing, and close the engines.

    Raises EngineError, Interrupted.
    """
    try:
        examiner.start()
        found, correct = examine_in_order(games, depth, examiner)
        return found or reexamine(correct, depth, examiner)
    finally:
        examiner.close()


def examine_in_order(
    games: Sequence[Game], depth: int, examiner: Examiner
) -> tuple[list[Discrepancy], tuple[Game, ...]]:
    """Examine games in order until one crashes the engine.

    Return the discrepancies of the last game examined, and the games without any. Raises Interrupted.
    """
    found: list[Discrepancy] = []
    correct: list[Game] = []
    for game in games:
        found = examiner.examine(game, depth)
        if any(discrepancy.verdict is Verdict.CRASH for discrepancy in found):
            break
        if not found:
            correct.append(game)
    return found, tuple(correct)


def reexamine(
    games: Sequence[Game], depth: int, examiner: Examiner, is_sought: Callable[[Discrepancy], bool] = lambda _: True
) -> list[Discrepancy]:
    """Examine correctly answered games again in the same processes; return the first discrepancies that are sought.

    A fault that depends on the number of questions, or on the contents of a table, may show in a different game. The
    games are repeated for at least `LEAST_EXAMINATIONS` examinations. Raises Interrupted.
    """
    if len(games) < 2:
        return []
    for game in [*games] * max(1, LEAST_EXAMINATIONS // len(games) - 1):
        found = examiner.examine(game, depth)
        if any(map(is_sought, found)):
            return found
    return []
