"""How an engine is understood, and whether what it answers is correct: a few positions and setups, and its lists."""

from __future__ import annotations

from collections.abc import Iterator

from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import describe_setup, words_of
from ...suites.bundled import SETUPS, bundled_path
from ...suites.case import Case
from ...suites.loader import load_suite
from ...suites.positions import resolve_position
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError
from ..model.conventions import SETTINGS
from ..model.results.verdict import Verdict
from .lists.guessing import Guess
from .setups import is_correct_by_name, setup_limits
from .systematic.looking import SystematicErrors

FINAL_LEFT_OUT = "left out where it has counted no nodes, which is no fault: they are compared at depth 1"
MOST_CONTRADICTIONS = 5
"""Lists that contradict the convention are shown up to this number."""
Answer = tuple[str, str, Verdict]
"""What was asked, what came, and the verdict."""


def describe_engine(session: EngineSession, lists: Guess | None) -> Iterator[tuple[str, str]]:
    """Yield facts about an engine, as name and value; `lists` are those that it makes. Raises Interrupted."""
    engine = session.engine
    yield from engine.facts()
    yield from ((f"option {name}", text) for name, text in engine.options())
    yield from variants(session)
    if session.leaves_out_final_moves:
        yield "moves that end the game", FINAL_LEFT_OUT
    if lists is not None:
        yield from _list_facts(lists)


def examine(session: EngineSession, lists: Guess | None) -> Iterator[Answer]:
    """Yield what an engine answers; setups are asked for once all counts are correct. Raises Interrupted."""
    counts = list(check_counts(session))
    yield from counts
    if all(verdict is Verdict.AGREE for _, _, verdict in counts):
        yield from check_setups(session)
    if lists is not None:
        yield from _contradictions(lists)


def variants(session: EngineSession) -> Iterator[tuple[str, str]]:
    """Yield whether an engine is asked about Chess960. Raises Interrupted."""
    yield "Chess960", "supported" if session.no_chess960 is None else f"not supported: {session.no_chess960}"


CASTLING = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1"
"""Kings on the c-file may castle to both sides: an engine that knows castling of standard chess only counts less."""
CHECKS = (
    ("startpos 3", "startpos", 3, 8902, False),
    ("kiwipete 2", "kiwipete", 2, 2039, False),
    ("castling 2 (Chess960)", CASTLING, 2, 522, True),
)
"""Positions, depths and counts that show whether the answers of an engine are understood, and whether of Chess960."""


def check_counts(engine: EngineSession) -> Iterator[Answer]:
    """Yield whether answers are right: a title, a sentence and the verdict for each position. Raises Interrupted."""
    systematic = SystematicErrors(engine)
    for title, position, depth, expected, chess960 in CHECKS:
        if chess960 and engine.no_chess960 is not None:
            continue
        setup = Game(resolve_position(position, chess960))
        try:
            count = engine.perft(setup, depth)
        except EngineError as error:
            yield title, f"{error.verdict.value}: {error}", error.verdict
            continue
        if count == expected:
            yield title, f"correct: {count:,}", Verdict.AGREE
        else:
            finding = systematic.explain_total(setup, depth, count)
            why = "" if finding is None else f": {finding.note.partition(';')[0]}"
            if position == "startpos" and is_correct_by_name(engine, setup.base, depth, expected):
                why = ", by its FEN; correct by `position startpos`"
            elif count == perft(Position.start(), depth):
                why = ": it counts the starting position"
            yield title, f"incorrect: {count:,} instead of {expected:,}{why}", Verdict.MISMATCH


def check_setups(engine: EngineSession) -> Iterator[Answer]:
    """Yield, for each way in which an engine may be brought to a position, whether it takes it and is then right.

    Raises Interrupted.
    """
    limits = setup_limits(engine)
    for option, why in limits.items():
        yield f"setup {option.value}", f"refused: {why}", Verdict.SKIPPED
    cases: dict[str, list[Case]] = {}
    for case in load_suite(bundled_path(SETUPS)):
        if engine.can_take(case.played_line, limits.keys()):
            cases.setdefault(words_of(case.setup), []).append(case)
    for words, asked in cases.items():
        wrong = next(filter(None, (_wrong_setup(engine, case) for case in asked)), None)
        yield f"setup {words or 'moves'}", *(wrong or ("accepted", Verdict.AGREE))


def _wrong_setup(engine: EngineSession, case: Case) -> tuple[str, Verdict] | None:
    """Return what is wrong about the answer to a case, None if nothing is."""
    game, depth = case.played_line, max(2, engine.min_depth)
    expected = perft(game.position, depth)
    where = f"{case.name}, {describe_setup(case.setup, game.uci_moves())}"
    try:
        count = engine.perft(game, depth)
    except EngineError as error:
        return f"{error.verdict.value}: {error} ({where})", error.verdict
    return None if count == expected else (f"incorrect: {count:,} instead of {expected:,} ({where})", Verdict.MISMATCH)


def _list_facts(lists: Guess) -> Iterator[tuple[str, str]]:
    """Yield which lists of moves an engine makes, and by which convention."""
    yield "lists", ", ".join(gentype.name.lower() for gentype in lists.offered) or "none"
    for setting in SETTINGS:
        if setting.about & set(lists.offered):
            value = lists.convention.value(setting)
            yield setting.name, f"{value}: {setting.values[value]}"


def _contradictions(lists: Guess) -> Iterator[Answer]:
    for one in lists.contradictions[:MOST_CONTRADICTIONS]:
        wrong = ", ".join(f"{move.kind} {move.uci}" for move in one.wrong)
        yield f"{one.gentype.name.lower()}", f"incorrect: {wrong} in {one.fen}", Verdict.MISMATCH
    more = len(lists.contradictions) - MOST_CONTRADICTIONS
    if more > 0:
        yield "lists", f"incorrect: {more} more", Verdict.MISMATCH
    for text in lists.would_fit:
        yield "lists", f"if that is meant: fuzz --convention {text}", Verdict.MISMATCH
