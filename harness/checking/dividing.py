"""Divide a position with several engines, compare the first one with the others, and explain a difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...generator.game import Game
from ...generator.position import Position
from ..engines.asking.session import EngineSession
from ..engines.base import Divide
from ..model.results.finding import Finding
from ..model.results.positions import (
    DifferenceExplained,
    DivideEvent,
    DivideFinished,
    DividesCompared,
    EngineDivide,
    EnginesCounted,
    ReferenceVote,
)
from .comparing import agree, compare_divides
from .descent.descending import descend
from .systematic.search import SystematicErrorSearch


def run_divide(
    game: Game,
    depth: int,
    engines: Sequence[EngineSession],
    explain: bool,
    suspect: Callable[[Finding], Finding] = lambda finding: finding,
) -> Iterator[DivideEvent]:
    """Divide a position with the engine under test and its references; yield events.

    The first event is `EnginesCounted`, the last one `DivideFinished`. The engine under test plays the moves of the
    game; references are given the resulting FEN. If `explain` is set, the first difference is traced to its cause, to
    which `suspect` may add suspicious lines. Raises EngineError, Interrupted.
    """
    engine, references, position = engines[0], engines[1:], game.position
    divides = _divides(game, depth, engines)
    differences = [
        replace(
            compare_divides(position, depth, engine.spec, divides[0], reference.spec, expected),
            played=str(game) if game.moves else "",
        )
        for reference, expected in zip(references, divides[1:], strict=True)
    ]
    divided = tuple(
        EngineDivide(one.spec, root_moves(position, divide), divide.total)
        for one, divide in zip(engines, divides, strict=True)
    )
    yield EnginesCounted(divided, differ=any(one.differs for one in differences))
    followed = next((one for one in differences if explain and one.differs), None)
    finding = None
    for difference, reference, its_divide in zip(differences, references, divided[1:], strict=True):
        totals_only = tuple(one.engine for one in (divided[0], its_divide) if one.is_total_only)
        yield DividesCompared(difference, difference is followed, totals_only)
        if difference is followed:
            systematic = SystematicErrorSearch(engine).explain_total(game, depth, divides[0].total)
            finding = systematic or descend(game, depth, engine, reference)
            if finding is not None:
                finding = suspect(finding)
                yield DifferenceExplained(difference, finding)
    yield DivideFinished(
        fen=position.fen(),
        chess960=position.chess960,
        depth=depth,
        divides=divided,
        differences=tuple(differences),
        finding=finding,
        vote=vote([one.spec for one in engines], divides) if len(engines) > 2 else None,
    )


def _divides(game: Game, depth: int, engines: Sequence[EngineSession]) -> list[Divide]:
    """Return a divide from each engine.

    If the engine under test prints only a total, it counts after each move. If the engines differ, references that
    print only a total do the same.
    """
    from_fen = game.without_moves()
    divides = [engines[0].divide(game, depth), *(one.divide(from_fen, depth) for one in engines[1:])]
    divides[0] = engines[0].with_children(game, depth, divides[0])
    if all(agree(divides[0], other) for other in divides[1:]):
        return divides
    return [
        divides[0],
        *(one.with_children(from_fen, depth, own) for one, own in zip(engines[1:], divides[1:], strict=True)),
    ]


def root_moves(position: Position, divide: Divide) -> tuple[tuple[str, int], ...]:
    """Return the sorted moves of a divide, in the notation of the position, and the leaf nodes below each."""
    notation = {move.uci(chess960=True): move.uci(position.chess960) for move in position.legal_moves}
    return tuple(sorted((notation.get(text, text), count) for text, count in divide.counts.items()))


def vote(engines: Sequence[str], divides: Sequence[Divide]) -> ReferenceVote:
    """Return the engines that disagree with the majority, and whether there is a majority.

    A majority is more than half of the engines with the same divide, or with the same total if one of them prints only
    totals. If there is no majority, all engines are returned.
    """
    groups: list[tuple[Divide, list[str]]] = []
    for name, answer in zip(engines, divides, strict=True):
        for known, names in groups:
            if agree(known, answer):
                names.append(name)
                break
        else:
            groups.append((answer, [name]))
    largest = max(groups, key=lambda group: len(group[1]))[1]
    has_majority = 2 * len(largest) > len(engines)
    return ReferenceVote(tuple(one for one in engines if not (has_majority and one in largest)), has_majority)
