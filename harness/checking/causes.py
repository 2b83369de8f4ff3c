"""Group failures by cause, because one bug often causes many failures. The cause with the most failures comes first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from ...generator.position import Position
from ...generator.types.squares import name_of, squares_in
from ..explaining import Rule, explain_move
from ..explaining.rules import FAMILIES, RuleFamily
from ..model.results.events import CaseResult, implausibility_of
from ..model.results.finding import KEPT_STATE, Cause, Finding, WrongMove
from ..model.results.verdict import Verdict

T = TypeVar("T")

EXAMPLE = ", as in "
"""The words that precede an example in a message."""

_PLACEMENT = re.compile(r"(?:[1-8pnbrqkPNBRQK]{1,8}/){2,}[1-8pnbrqkPNBRQK]*")
_FEN_WORD = re.compile(r"[wb-]|[KQkq]{1,4}|[pnbrqkPNBRQK]{8}")
"""A field of a FEN, or a rank without empty squares."""
_QUOTED_LETTERS = re.compile(r"""(["'`])(?:[pnbrqkPNBRQK]+|\S)\1""")
"""Quoted pieces, or any single quoted letter: a file, or the character at which a parser failed."""
_EDGES = "\"'`()[]{}<>,;:.!?"


class Symptom(NamedTuple):
    """A symptom of a failure. Failures that share a symptom may have the same cause."""

    is_of_engine: bool
    """Whether the engine under test is at fault, rather than a reference."""
    verdict: Verdict
    where: str
    """The origin of the incorrect count, a value of `Cause`; "" if it is unknown."""
    kind: str
    """What is wrong with a move (see `WrongMove.kind`), or "" if no move is named."""
    what: str
    """The broken rule, or a message without its details."""


@dataclass(frozen=True)
class ClassifiedFailure(Generic[T]):
    """A failure, with everything needed to determine its cause."""

    subject: T
    symptoms: dict[Symptom, str]
    """The symptoms, each with a title."""
    positions: int
    """Number of positions in which the failure occurs."""
    ordinary: int
    """Number of these positions that are standard chess and look reachable."""
    finding: Finding | None
    simplicity: tuple[object, ...]
    """Sort key within a group: simple failures in positions that look reachable come first."""


@dataclass(frozen=True)
class CauseGroup(Generic[T]):
    """Failures with the same cause. Positions that look reachable come first, then simpler ones."""

    title: str
    members: tuple[T, ...]
    positions: int
    """Number of positions in which the failures occur."""
    ordinary: int
    """Number of these positions that are standard chess and look reachable."""

    @property
    def simplest(self) -> T:
        """The failure to show: if possible in a position that looks reachable, with few pieces, at a low depth."""
        return self.members[0]


def causes_of_run(failures: Iterable[CaseResult]) -> list[CauseGroup[CaseResult]]:
    """Return the failures of a run, grouped by cause."""
    return group_by_cause(map(_failure, failures))


def group_by_cause(failures: Iterable[ClassifiedFailure[T]]) -> list[CauseGroup[T]]:
    """Return failures grouped by cause.

    Causes are sorted by the number of standard positions that look reachable and fail, then by the number of all
    positions that fail. A failure with several symptoms is assigned to the first cause that explains one of them.
    """
    left = _with_kept_state(_with_mistakes(_with_families(list(failures))))
    groups: list[CauseGroup[T]] = []
    while left:
        weights: Counter[Symptom] = Counter()
        ordinary: Counter[Symptom] = Counter()
        for failure in left:
            for symptom in failure.symptoms:
                weights[symptom] += failure.positions
                ordinary[symptom] += failure.ordinary
        first = min(weights, key=lambda one: (not one.is_of_engine, -ordinary[one], -weights[one], one.kind, one.what))
        members = sorted((one for one in left if first in one.symptoms), key=lambda one: one.simplicity)
        subjects = tuple(member.subject for member in members)
        groups.append(CauseGroup(members[0].symptoms[first], subjects, weights[first], ordinary[first]))
        left = [failure for failure in left if first not in failure.symptoms]
    return groups


def symptoms_of(verdict: Verdict, finding: Finding | None, message: str, is_of_engine: bool) -> dict[Symptom, str]:
    """Return the symptoms of a failure with their titles: wrong moves by kind and rule, or else the message."""
    if finding is None:
        text = without_particulars(message)
        return {Symptom(is_of_engine, verdict, "", "", text): f"{verdict.value}: {message}" if message else text}
    where, wrong = finding.cause.value, finding.state or finding.wrong
    if not wrong:
        return {Symptom(is_of_engine, verdict, where, "", count_key(finding)): finding.headline}
    if finding.cause is Cause.COUNT:  # the moves are guessed here but may be known in other positions
        where = Cause.MOVES.value
    return {Symptom(is_of_engine, verdict, where, move.kind, move.rule): finding.heading(move) for move in wrong}


def count_key(finding: Finding) -> str:
    """Return the grouping key of a finding that names no move, or only guessed moves."""
    return without_particulars(finding.note.partition(";")[0])


def is_ordinary(fen: str, chess960: bool) -> bool:
    """Return True if a position is standard chess and looks reachable."""
    return not chess960 and implausibility_of(fen, chess960) == 0


def _failure(result: CaseResult) -> ClassifiedFailure[CaseResult]:
    finding = result.finding
    is_of_engine = result.verdict is not Verdict.SPLIT and not (finding is not None and finding.engine_is_correct)
    symptoms = symptoms_of(result.verdict, finding, result.message, is_of_engine)
    if finding is None and result.difference is not None and not result.difference.differs:
        # The suite's count is incorrect, and each incorrect count of a suite is an error of its own.
        symptoms = {symptom._replace(what=result.source): title for symptom, title in symptoms.items()}
    return ClassifiedFailure(
        result,
        symptoms,
        positions=1,
        ordinary=int(is_ordinary(result.fen, result.chess960)),
        finding=finding,
        simplicity=_simplicity(result),
    )


def _simplicity(result: CaseResult) -> tuple[int, bool, int, int, int, str]:
    implausibility, options = implausibility_of(result.fen, result.chess960), len(result.options.split())
    first = implausibility, bool(result.like), options  # explained failures come before those that are only counted
    if result.finding is not None:
        return *first, result.finding.pieces, len(result.finding.path), result.name
    pieces = sum(letter.isalpha() for letter in result.fen.split()[0])
    return *first, pieces, result.depth, result.name


def _with_families(failures: Sequence[ClassifiedFailure[T]]) -> list[ClassifiedFailure[T]]:
    """Replace the rules of a family by a single symptom if enough of them are broken."""
    seen = {symptom for failure in failures for symptom in failure.symptoms}
    renamed: dict[Symptom, tuple[Symptom, str]] = {}
    for family in FAMILIES:
        for one in seen:
            broken = {one._replace(what=rule.value) for rule in family.basic} & seen
            if one not in renamed and _is_of(one, family) and len(broken) >= family.enough:
                title = f"{one.kind} move: {family.title}"
                renamed[one] = one._replace(what=family.title), title
    return [
        replace(
            failure,
            symptoms=dict(renamed.get(symptom, (symptom, title)) for symptom, title in failure.symptoms.items()),
        )
        for failure in failures
    ]


def _with_mistakes(failures: Sequence[ClassifiedFailure[T]]) -> list[ClassifiedFailure[T]]:
    """Replace symptoms that a common mistake explains by the symptom of that mistake."""
    for mistake in MISTAKES:
        known = {
            symptom: title
            for failure in failures
            for symptom, title in failure.symptoms.items()
            if symptom.what == mistake.rule.value and symptom.is_of_engine
        }
        if known:
            first = min(known, key=str)
            failures = [
                replace(failure, symptoms={first: known[first]})
                if failure.symptoms.keys() & known.keys() or _accounts_for(mistake, failure)
                else failure
                for failure in failures
            ]
    return list(failures)


def _with_kept_state(failures: list[ClassifiedFailure[T]]) -> list[ClassifiedFailure[T]]:
    """If the engine is known to keep state, attribute its other contradictions to that as well."""
    known = next(
        (
            {symptom: title}
            for one in failures
            for symptom, title in one.symptoms.items()
            if title.startswith(KEPT_STATE)
        ),
        None,
    )
    if known is None:
        return failures
    return [
        replace(one, symptoms=known)
        if one.finding is not None and one.finding.cause is Cause.VANISHED and not one.finding.wrong
        else one
        for one in failures
    ]


def _accounts_for(mistake: Mistake, failure: ClassifiedFailure[T]) -> bool:
    """Return True if a mistake can explain all wrong moves of a failure."""
    finding = failure.finding
    wrong = () if finding is None else (*finding.state, *finding.wrong)
    return finding is not None and bool(wrong) and all(mistake.accounts_for(finding, move) for move in wrong)


def _is_of(symptom: Symptom, family: RuleFamily) -> bool:
    return symptom.kind == family.kind and symptom.what in {rule.value for rule in family.rules}


@dataclass(frozen=True)
class Mistake:
    """A programming mistake that breaks several rules but is identified by one of them."""

    rule: Rule
    """The rule that identifies the mistake, regardless of the kind of wrong move."""
    accounts_for: Callable[[Finding, WrongMove], bool]
    """A function that returns True if the mistake can explain a wrong move."""


def _follows_promotion(finding: Finding, move: WrongMove) -> bool:
    """Return True if the move is a promotion, or one was played before it."""
    return len(move.uci) == 5 or any(len(text) == 5 for text in finding.base_moves)


def _is_about_castling(_finding: Finding, move: WrongMove) -> bool:
    rights = Rule.CASTLING_RIGHT_KEPT.value, Rule.CASTLING_RIGHT_LOST.value
    missing = move.kind == "missing" and move.rule.startswith("castling")
    return missing or move.rule == Rule.CASTLING_NO_RIGHT.value or move.rule in rights


def _is_attacked_across_the_edge(finding: Finding, move: WrongMove) -> bool:
    """Return True if a missing king move or castling would be illegal if pieces attacked across the edge."""
    position = Position.from_fen(finding.fen, finding.chess960)
    king = position.king(position.turn)
    if move.kind != "missing":
        return False
    targets = [move.uci[2:4]] if move.uci.startswith(name_of(king)) else [name_of(king)]
    if move.rule.startswith("castling"):
        targets = [name_of(square) for square in range(king // 8 * 8, king // 8 * 8 + 8)]
    turned = replace(position, turn=position.turn.other, en_passant=None)
    enemies = [name_of(square) for word in position.pieces[turned.turn] for square in squares_in(word)]
    return any(explain_move(turned, enemy + target).rule is Rule.WRAPS_EDGE for enemy in enemies for target in targets)


def _is_an_unknown_undo(_finding: Finding, move: WrongMove) -> bool:
    """Return True if nothing is known except that the position differs after a move was taken back."""
    return bool(move.rule == Rule.UNDO_POSITION.value)


def _is_castling_by_fen(finding: Finding, move: WrongMove) -> bool:
    """Return True if castling, or a right after the first move, is incorrect in a position set up from a FEN."""
    return (finding.base_fen is None or bool(finding.state)) and _is_about_castling(finding, move)


def _is_en_passant_by_fen(finding: Finding, move: WrongMove) -> bool:
    """Return True if en passant is incorrect in a position whose FEN has an en passant square."""
    return finding.base_fen is None and finding.fen.split()[3] != "-" and move.rule.startswith("en-passant")


def _is_after_played_moves(finding: Finding, _move: WrongMove) -> bool:
    """Return True if the engine counts the position correctly from its FEN, but not after playing moves."""
    return finding.cause is Cause.STATE and bool(finding.base_moves)


UNDOS = (Rule.UNDO_CASTLING_RIGHT, Rule.UNDO_CAPTURE, Rule.UNDO_PROMOTION, Rule.UNDO_CASTLING_ROOK)
MISTAKES = (
    Mistake(Rule.PROMOTION_LETTERS, _follows_promotion),
    Mistake(Rule.CASTLING_WINGS, _is_about_castling),
    Mistake(Rule.FEN_CASTLING, _is_castling_by_fen),
    Mistake(Rule.FEN_EN_PASSANT, _is_en_passant_by_fen),
    Mistake(Rule.SIDE_TO_MOVE, _is_after_played_moves),
    Mistake(Rule.WRAPS_EDGE, _is_attacked_across_the_edge),
    *(Mistake(rule, _is_an_unknown_undo) for rule in UNDOS),
)


def without_particulars(message: str) -> str:
    """Remove the example, FENs and their parts, quoted letters, and words with digits from a message.

    Words that contain digits include counts, squares, moves, addresses and line numbers.
    """
    text = _QUOTED_LETTERS.sub(" ", _PLACEMENT.sub(" ", message.partition(EXAMPLE)[0]))
    words = (word.strip(_EDGES) for word in text.split())
    return " ".join(word for word in words if word and not _is_particular(word))


def _is_particular(word: str) -> bool:
    return any(letter.isdigit() for letter in word) or _FEN_WORD.fullmatch(word) is not None
