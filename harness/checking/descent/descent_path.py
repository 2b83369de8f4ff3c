"""The path down from an incorrect count: the counts at each position, and the finding at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ....generator.game import Game
from ....generator.position import Position, read_fen
from ....generator.position_setup import PositionSetup, format_setup, options_of
from ....generator.types.moves import Move
from ...engines.asking.session import EngineSession
from ...engines.base import Divide, EngineError, EngineRejection
from ...explaining import Rule, because, explain_state
from ...explaining.rules import UNREADABLE
from ...explaining.undo import misplays
from ...model.results.finding import Cause, Finding, WrongMove
from ..comparing import agree, correct_divide, explain_wrong_move, write_moves
from ..consistency import counts_as_before, first_unlisted, lists
from .draws import explain_by_draw
from .fen_reading import explain_by_fen
from .shared_mistakes import explain_by_short_list, explain_played_letters, with_swapped_wings


@dataclass(frozen=True)
class DescentStep:
    """A position on the path, and the counts of engine and reference there."""

    setup: Game
    """The position, and the moves that the engine plays to reach it."""
    depth: int
    got: Divide
    expected: Divide
    plays: bool
    """Whether the engine reaches the position by playing moves from an earlier one."""

    @property
    def position(self) -> Position:
        """The position of this step, after all moves."""
        return self.setup.position

    @property
    def surplus(self) -> int:
        """The engine's count minus the expected one."""
        return self.got.total - self.expected.total

    @property
    def agrees(self) -> bool:
        """Whether engine and reference agree at this position."""
        return agree(self.got, self.expected)


class PositionRefused(Exception):
    """Raised if the engine accepts the start position but rejects this one, which results from moves."""

    def __init__(self, setup: Game, why: EngineRejection) -> None:
        super().__init__(str(why))
        self.setup = setup


class DescentPath:
    """The moves from the start to a position below it, and the engine and reference that count there."""

    def __init__(self, start: Game, engine: EngineSession, reference: EngineSession) -> None:
        self.start, self.engine, self.reference = start, engine, reference
        self.moves: list[Move] = []
        self.asked = 0
        """Number of divides requested from the engine."""
        self.remark = ""
        """The engine's complaint in its last divide."""

    def render_moves(self) -> tuple[tuple[str, str | None], ...]:
        """Return the moves as UCI text and SAN."""
        return write_moves(Game(self.start.position, tuple(self.moves)))

    def fresh(self, game: Game, depth: int) -> DescentStep:
        """Return the counts of engine and reference at a position that is set up from its FEN."""
        setup = game.without_moves()
        return self._shallowest(
            DescentStep(setup, depth, self._divide(setup, depth), self._reference_divide(setup, depth), plays=False)
        )

    def below(self, step: DescentStep, move: Move) -> DescentStep:
        """Return the step after playing one more move."""
        self.moves.append(move)
        after, depth = step.setup.after(move), step.depth - 1
        if not step.plays:
            return self.fresh(after, depth)
        return self._with_children(
            DescentStep(after, depth, self._divide(after, depth), self._reference_divide(after, depth), plays=True)
        )

    def play_to(self, step: DescentStep) -> DescentStep | None:
        """Return `step` as reached by playing moves, or None if it already is or the engine cannot play them."""
        if step.plays:
            return None
        setup = self.start
        if self.moves:
            *above, last = self.moves
            setup = Game(Game(self.start.position, tuple(above)).position, (last,))
        if not setup.moves and not isinstance(setup, PositionSetup):
            return None
        try:
            got = self._divide(setup, step.depth)
        except (EngineError, PositionRefused):
            if first_unlisted(setup, self.engine) is None:
                raise
            return None
        return self._with_children(replace(step, setup=setup, got=got, plays=True))

    def descend_by_playing(self, step: DescentStep) -> DescentStep | None:
        """If only totals are known, return a step to which the engine plays a move, and at which it then miscounts."""
        children = step.got.counts.values()
        if step.plays or step.agrees or not children or sum(children) == step.got.total or not self.engine.plays_moves:
            return None
        for move in step.position.legal_moves:
            try:
                count = self.engine.perft(step.setup.after(move), step.depth - 1)
            except EngineError:  # the engine may not list this move
                continue
            if count != step.expected.counts.get(move.uci(chess960=True)):
                return self.below(replace(step, plays=True), move)
        return None

    def _shallowest(self, step: DescentStep) -> DescentStep:
        """If only totals are known, return a step at the lowest depth at which they differ."""
        if step.agrees or not (step.got.is_total_only or step.expected.is_total_only):
            return step
        for depth in range(max(1, self.engine.min_depth, self.reference.min_depth), step.depth):
            got, expected = self._divide(step.setup, depth), self._reference_divide(step.setup, depth)
            if got.total != expected.total:
                step = replace(step, depth=depth, got=got, expected=expected)
                break
        return self._with_children(step)

    def _with_children(self, step: DescentStep) -> DescentStep:
        """Add the counts after each move to a step if one side prints no root moves and the totals differ."""
        if step.agrees:
            return step
        got = self.engine.with_children(step.setup, step.depth, step.got, self._playable_moves(step), played=step.plays)
        expected = self.reference.with_children(step.setup, step.depth, step.expected)
        return replace(step, got=got, expected=expected)

    def _playable_moves(self, step: DescentStep) -> Sequence[Move]:
        """Return the legal moves except those that the engine is known not to list and therefore cannot play."""
        legal = step.position.legal_moves
        if not (step.plays and step.got.is_total_only):
            return legal
        return [move for move in legal if lists(step.setup, move, self.engine)]

    def _reference_divide(self, setup: Game, depth: int) -> Divide:
        return self.reference.divide(setup.without_moves(), depth)

    def _divide(self, setup: Game, depth: int) -> Divide:
        self.asked += 1
        try:
            got = self.engine.divide(setup, depth)
            self.remark = got.remark
            return got
        except EngineRejection as refusal:
            if not self.moves:
                raise
            raise PositionRefused(setup, refusal) from None


def finding_at(path: DescentPath, setup: Game, wrong: Sequence[WrongMove] = (), *, plays: bool) -> Finding:
    """Return the finding at the end of a path.

    `plays` means that the fault only appears if the engine plays the moves of `setup`.
    """
    printed = _note_printed_fen(setup, path.engine) if plays and isinstance(setup, PositionSetup) else ""
    wrong = explain_by_draw(setup, with_swapped_wings(setup.position, wrong), path.engine)
    wrong = explain_by_short_list(setup, wrong, path.engine)
    shows_state = plays and not printed and all(move.kind != "draw" for move in wrong)
    return Finding(
        cause=Cause.STATE if plays else Cause.MOVES,
        path=path.render_moves(),
        fen=setup.position.fen(),
        chess960=setup.position.chess960,
        wrong=wrong if plays else explain_by_fen(setup, wrong, path.engine),
        base_fen=setup.base.fen() if plays else None,
        base_moves=tuple(setup.uci_moves()) if plays else (),
        state=with_swapped_wings(setup.position, _find_wrong_state(setup, path.engine)) if shows_state else (),
        divides=path.asked,
        setup=format_setup(options_of(setup)) if plays else "",
        note=printed if plays else _note_ignored_move(setup, wrong, path.engine),
    )


def _note_printed_fen(setup: PositionSetup, engine: EngineSession) -> str:
    """Return a note if the engine's own FEN is incorrect before it plays any move of a setup, or "" otherwise."""
    base = setup.base
    printed = engine.fen(replace(setup, moves=()))
    if printed is None:
        return ""
    position = read_fen(printed, base.chess960)
    if not isinstance(position, Position):
        return f"the engine's own FEN is then {printed}"
    same = (position.pieces, position.turn, position.castling) == (base.pieces, base.turn, base.castling)
    passed = position.en_passant in (base.en_passant, base.legal_en_passant)
    return "" if same and passed else f"the engine's own FEN is then {printed}"


def _note_ignored_move(setup: Game, wrong: Sequence[WrongMove], engine: EngineSession) -> str:
    """Return a note if the engine ignores a move that it does not list but is asked to play, or "" otherwise."""
    missing = next((move for move in wrong if move.kind == "missing" and not move.engine_is_correct), None)
    if missing is None or not engine.plays_moves:
        return ""
    if not counts_as_before(setup, setup.after(setup.position.parse_uci(missing.uci)), engine):
        return ""
    return f"after {missing.uci}, which it does not list, it still counts the position before"


def _find_wrong_state(setup: Game, engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return the errors in the state after the first move that the engine misplays, from its FEN if it prints one."""
    for number, move in enumerate(setup.moves, 1):
        before, after = (replace(setup, moves=setup.moves[:end]) for end in (number - 1, number))
        try:
            printed = engine.fen(after)
        except EngineError:  # the incorrect count above is reported anyway
            return ()
        if printed is None:
            letters = explain_played_letters(before, after, engine)
            if letters is not None:
                return (letters,)
            misplayed = (_find_unplayed(before, after, engine) if number == 1 else ()) or _find_misplayed(
                before, after, engine
            )
            if misplayed:
                return misplayed
            continue
        if wrong := wrong_state(before.position, move, printed):
            return wrong
    return ()


def wrong_state(before: Position, move: Move, printed: str, ignored: Sequence[Rule] = ()) -> tuple[WrongMove, ...]:
    """Return the errors in the FEN that an engine prints after a move, except those of the `ignored` rules."""
    text = move.uci(chess960=True)
    found = explain_state(before, text, before.play_unchecked(move).fen(), printed)
    return tuple(
        explain_wrong_move(before, text, "state", why) for why in found if why.rule not in (*ignored, *UNREADABLE)
    )


def explain_misplay(before: Position, move: Move, fits: Callable[[Position], bool]) -> tuple[WrongMove, ...]:
    """Return how a move is misplayed if exactly one incorrect position fits the engine's counts, or none otherwise."""
    text, correct = move.uci(chess960=True), before.play_unchecked(move).fen()
    found = {explain_state(before, text, correct, wrong.fen()) for wrong in misplays(before, move) if fits(wrong)}
    found.discard(())
    if len(found) != 1:
        return ()
    return tuple(explain_wrong_move(before, text, "state", why) for why in found.pop())


def _find_unplayed(before: Game, after: Game, engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return the last move of a game as unplayed if the engine's counts are those of the position before it."""
    if not counts_as_before(before, after, engine):
        return ()
    text = f"After {after.uci_moves()[-1]}, which it lists, it still counts the position before."
    why = because(Rule.MOVE_NOT_PLAYED, text)
    return (explain_wrong_move(before.position, after.moves[-1].uci(chess960=True), "state", why),)


def _find_misplayed(before: Game, after: Game, engine: EngineSession) -> tuple[WrongMove, ...]:
    """Return how the engine misplays the last move of a game if its counts match exactly one incorrect position.

    A single total may match by coincidence, so that totals are compared at depth 1 as well.
    """
    depth = max(2, engine.min_depth)
    try:
        got = {depth: engine.divide(after, depth)}
        if agree(got[depth], correct_divide(after.position, depth)):
            return ()
        if got[depth].is_total_only and engine.min_depth == 1:
            got[1] = engine.divide(after, 1)
    except EngineError:
        return ()

    def fits(wrong: Position) -> bool:
        return all(agree(answer, correct_divide(wrong, depth)) for depth, answer in got.items())

    return explain_misplay(before.position, after.moves[-1], fits)
