"""The checks of `doctor` and `init`: whether an engine's counts, setups and move lists are correct."""

from __future__ import annotations

from collections.abc import Iterator

from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import describe_setup, format_setup
from ...suites.bundled import SETUPS, bundled_path
from ...suites.case import Case
from ...suites.loader import load_suite
from ...suites.positions import resolve_position
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError
from ..engines.predicates import ASKED_ABOUT_ALL_MOVES, HOW_TO_OFFER, PREDICATES
from ..model.conventions import CONVENTION_SETTINGS
from ..model.results.verdict import Verdict
from .lists.guessing import ConventionGuess
from .setups import is_correct_by_name, setup_limits
from .systematic.search import SystematicErrorSearch

FINAL_LEFT_OUT = (
    "may be left out if no nodes are counted below them; this is not a fault, and they are compared at depth 1"
)
MOST_CONTRADICTIONS = 5
"""Maximum number of lists to show if they contradict the convention."""
CheckedAnswer = tuple[str, str, Verdict]
"""The title of a check, the result in words, and the verdict."""


def describe_engine(session: EngineSession, lists: ConventionGuess | None) -> Iterator[tuple[str, str]]:
    """Yield facts about an engine as pairs of name and value.

    `lists` is the guessed convention of its move lists, if it has any. Raises Interrupted.
    """
    engine = session.engine
    yield from engine.facts()
    yield from ((f"option {name}", text) for name, text in engine.options())
    yield describe_chess960(session)
    if session.leaves_out_final_moves:
        yield "moves that end the game", FINAL_LEFT_OUT
    if lists is not None:
        yield from _list_facts(lists)
    if engine.may_have_predicates:
        yield from _predicate_facts(session)


def _predicate_facts(session: EngineSession) -> Iterator[tuple[str, str]]:
    """Yield facts about the predicates and the hash key of an engine, and what cannot be compared."""
    found = dict(session.find_predicates())
    for one in PREDICATES:
        if one.name in found:
            limits = one.leaves_out
            if one.name in ASKED_ABOUT_ALL_MOVES and not session.engine.takes_any_move:
                limits = "moves that it does not list, because its moves cannot be made from UCI text"
            yield one.name, f"{found[one.name]}" + (f"; not compared: {limits}" if limits else "")
    missing = [one.name for one in PREDICATES if one.name not in found]
    if missing:
        yield "predicates not found", f"{', '.join(missing)}; {HOW_TO_OFFER}"


def describe_chess960(session: EngineSession) -> tuple[str, str]:
    """Return a fact, as name and value, that says whether the engine is checked with Chess960. Raises Interrupted."""
    why = session.no_chess960
    return "Chess960", "supported" if why is None else f"not supported: {why}"


def examine(session: EngineSession, lists: ConventionGuess | None) -> Iterator[CheckedAnswer]:
    """Yield the verdicts on counts, setups and move lists of an engine.

    Setups are only checked if all counts are correct. Raises Interrupted.
    """
    counts = list(check_counts(session))
    yield from counts
    if all(verdict is Verdict.AGREE for _, _, verdict in counts):
        yield from check_setups(session)
    if lists is not None:
        yield from _contradictions(lists)


CASTLING = "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1"
"""Kings on the c-file that may castle to both sides: engines that only support standard castling count fewer nodes."""
CHECKS = (
    ("startpos 3", "startpos", 3, 8902, False),
    ("kiwipete 2", "kiwipete", 2, 2039, False),
    ("castling 2 (Chess960)", CASTLING, 2, 522, True),
)
"""Positions, depths and counts that show whether answers are read correctly; the last entry is for Chess960."""


def check_counts(engine: EngineSession) -> Iterator[CheckedAnswer]:
    """Yield the result of each of `CHECKS`. Raises Interrupted."""
    systematic = SystematicErrorSearch(engine)
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
                why = " if given as a FEN; correct with `position startpos`"
            elif count == perft(Position.start(), depth):
                why = ": it counts the starting position"
            yield title, f"incorrect: {count:,} instead of {expected:,}{why}", Verdict.MISMATCH


def check_setups(engine: EngineSession) -> Iterator[CheckedAnswer]:
    """Check each setup option: whether the engine accepts it, and whether it then counts correctly.

    Raises Interrupted.
    """
    limits = setup_limits(engine)
    for option, why in limits.items():
        yield f"setup {option.value}", f"refused: {why}", Verdict.SKIPPED
    cases: dict[str, list[Case]] = {}
    for case in load_suite(bundled_path(SETUPS)):
        if engine.can_take(case.game_after_moves, limits.keys()):
            cases.setdefault(format_setup(case.setup), []).append(case)
    for words, asked in cases.items():
        wrong = next(filter(None, (_wrong_setup(engine, case) for case in asked)), None)
        yield f"setup {words or 'moves'}", *(wrong or ("accepted", Verdict.AGREE))


def _wrong_setup(engine: EngineSession, case: Case) -> tuple[str, Verdict] | None:
    """Return the reason and the verdict if the answer to a case is incorrect, or None if it is correct."""
    game, depth = case.game_after_moves, max(2, engine.min_depth)
    expected = perft(game.position, depth)
    where = f"{case.name}, {describe_setup(case.setup, game.uci_moves())}"
    try:
        count = engine.perft(game, depth)
    except EngineError as error:
        return f"{error.verdict.value}: {error} ({where})", error.verdict
    return None if count == expected else (f"incorrect: {count:,} instead of {expected:,} ({where})", Verdict.MISMATCH)


def _list_facts(lists: ConventionGuess) -> Iterator[tuple[str, str]]:
    """Yield facts about the move lists that an engine provides, and their convention."""
    yield "lists", ", ".join(gentype.name.lower() for gentype in lists.offered) or "none"
    for setting in CONVENTION_SETTINGS:
        if setting.about & set(lists.offered):
            value = lists.convention.value(setting)
            yield setting.name, f"{value}: {setting.values[value]}"


def _contradictions(lists: ConventionGuess) -> Iterator[CheckedAnswer]:
    for one in lists.contradictions[:MOST_CONTRADICTIONS]:
        wrong = ", ".join(f"{move.kind} {move.uci}" for move in one.wrong)
        yield f"{one.gentype.name.lower()}", f"incorrect: {wrong} in {one.fen}", Verdict.MISMATCH
    more = len(lists.contradictions) - MOST_CONTRADICTIONS
    if more > 0:
        yield "lists", f"incorrect: {more} more", Verdict.MISMATCH
    for text in lists.would_fit:
        yield "lists", f"if this is intended: fuzz --convention {text}", Verdict.MISMATCH
