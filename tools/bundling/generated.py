"""Generate from a seed the positions from which the bundled suites are chosen, and count them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from perft_check.generator.chess960 import chess960_start
from perft_check.generator.counting.perft import perft
from perft_check.generator.position import Position
from perft_check.generator.types.moves import Move, MoveKind
from perft_check.suites.bundled import KNOWN, RARE, SWEEPS, bundled_path
from perft_check.suites.case import Case, Suite
from perft_check.suites.loader import load_suite
from perft_check.suites.making import distinct

CHOSEN = ("smoke", "special", "chess960-special", *SWEEPS.values())
"""The suites whose positions and depths are chosen by the faults that they show; this module only counts them."""

STANDARD_GAMES, CHESS960_GAMES, DOUBLE_GAMES, SPECIAL_WALKS = 120, 90, 30, 120
KNOWN_NODES = 5_000_000
CHOSEN_NODES = 400_000
WALK_NODES = 1_000
"""Counts of more nodes are left out, so that slow generators can verify every suite."""
MAX_DEPTH = 6


@dataclass(frozen=True)
class GeneratedCases:
    """The positions to choose from; only the known positions have counts."""

    known: list[Case]
    rare: list[Case]
    games: list[Case]
    chess960: list[Case]
    walks: list[Case]

    def all(self) -> list[Case]:
        """Return all cases, each position once."""
        return distinct([*self.rare, *self.known, *self.games, *self.chess960, *self.walks])


def generate(seed: int) -> GeneratedCases:
    """Return known positions, and random ones that depend only on the seed."""
    known, rare = list(load_suite(KNOWN)), distinct(load_suite(RARE))
    chooser = PositionChooser(seed, [case.position for case in (*known, *load_suite(RARE))])
    games = _name("game", chooser.standard(STANDARD_GAMES))
    single = _name("game960", chooser.chess960(CHESS960_GAMES, double=False))
    double = _name("double960", chooser.chess960(DOUBLE_GAMES, double=True))
    seeds = [case.position for case in (*known, *rare) if not case.position.chess960]
    walks = _name("walk", chooser.special(SPECIAL_WALKS, seeds))
    return GeneratedCases(known, rare, games, [*single, *double], walks)


def make_suites(seed: int, chosen: Mapping[str, Suite] | None = None) -> Iterator[Suite]:
    """Yield the bundled suites in the order of `bundled.BUNDLED`, then the walks.

    The same seed gives the same suites. The positions and depths of suites in `CHOSEN` come from `chosen`, or from the
    existing suite.
    """
    chosen = {name: load_suite(bundled_path(name)) for name in CHOSEN} | dict(chosen or {})
    generated = generate(seed)
    yield count_suite(chosen["smoke"])
    standard = [case for case in generated.known if not case.position.chess960]
    yield _suite("standard", [*extend_counts(standard, KNOWN_NODES), *extend_counts(generated.games, CHOSEN_NODES)])
    other = [case for case in (*generated.known, *generated.rare) if case.position.chess960]
    yield _suite("chess960", [*extend_counts(other, KNOWN_NODES), *extend_counts(generated.chess960, CHOSEN_NODES)])
    yield count_suite(chosen["special"])
    yield count_suite(chosen["chess960-special"])
    for name in SWEEPS.values():
        yield count_suite(chosen[name])
    yield _suite("walks", extend_counts(generated.walks, WALK_NODES))


def _suite(name: str, cases: Iterable[Case]) -> Suite:
    return Suite(name, tuple(cases))


def count_suite(suite: Suite) -> Suite:
    """Return a suite with all its counts computed again."""

    def counts(case: Case) -> tuple[tuple[int, int], ...]:
        return tuple((depth, perft(case.position, depth)) for depth, _ in case.counts)

    return replace(suite, cases=tuple(replace(case, counts=counts(case)) for case in suite))


def _name(prefix: str, positions: Iterable[Position]) -> list[Case]:
    return [Case(f"{prefix}-{number:03d}", position, (), "made") for number, position in enumerate(positions, 1)]


def extend_counts(cases: Iterable[Case], max_nodes: int, max_depth: int = MAX_DEPTH) -> Iterator[Case]:
    """Yield the cases with the counts of all depths within the limits; depth 1 is always counted.

    Existing counts of a case are kept.
    """
    for case in cases:
        given = dict(case.counts)
        counts: list[tuple[int, int]] = []
        for depth in range(1, max_depth + 1):
            nodes = given.get(depth)
            if nodes is None:
                nodes = perft(case.position, depth)
            if counts and nodes > max_nodes:
                break
            counts.append((depth, nodes))
            if nodes == 0:
                break
        yield replace(case, counts=tuple(counts))


GAME_PLIES = 140
WALK_PLIES = 12


class PositionChooser:
    """Chooses random positions that depend only on a seed, none of them twice."""

    def __init__(self, seed: int, known: list[Position]) -> None:
        # Only `random()` is guaranteed to be the same in all versions of Python.
        self._random = random.Random(seed).random
        self._seen = {_key(position) for position in known}

    def below(self, number: int) -> int:
        """Return a random integer from 0 to `number` - 1."""
        return int(self._random() * number)

    def game(self, start: Position, plies: int) -> Position:
        """Return the position after `plies` random moves, or the end of the game."""
        position = start
        for _ in range(plies):
            moves = sorted(position.legal_moves, key=Move.uci)
            if not moves:
                break
            position = position.play_unchecked(moves[self.below(len(moves))])
        return position

    def take(
        self, number: int, candidate: Callable[[], Position], wanted: Callable[[Position], bool]
    ) -> Iterator[Position]:
        """Yield `number` new positions from `candidate` that are `wanted`."""
        taken = 0
        while taken < number:
            position = candidate()
            if _key(position) in self._seen or not wanted(position):
                continue
            self._seen.add(_key(position))
            taken += 1
            yield position

    def standard(self, number: int) -> Iterator[Position]:
        """Yield positions from random games of standard chess of any length."""
        yield from self.take(
            number, lambda: self.game(Position.start(), 4 + self.below(GAME_PLIES)), lambda p: bool(p.legal_moves)
        )

    def chess960(self, number: int, double: bool) -> Iterator[Position]:
        """Yield positions from random games of Chess960, most of them early enough to castle."""

        def candidate() -> Position:
            start = chess960_start(self.below(960), self.below(960) if double else None)
            return self.game(start, self.below(24 if self.below(3) else GAME_PLIES // 2))

        yield from self.take(number, candidate, lambda p: bool(p.legal_moves) and bool(p.castling))

    def special(self, number: int, seeds: list[Position]) -> Iterator[Position]:
        """Yield positions after short random walks from tricky ones, in which a special rule applies."""
        yield from self.take(
            number, lambda: self.game(seeds[self.below(len(seeds))], 1 + self.below(WALK_PLIES)), is_special
        )


def _key(position: Position) -> str:
    return " ".join(position.fen().split()[:4])


def is_special(position: Position) -> bool:
    """Return True if a position has legal moves, and a special rule applies.

    Special rules are a check that not only king moves answer, a double check, castling, a promotion, and en passant,
    whether legal or not.
    """
    if not position.legal_moves:
        return False
    kinds = {move.kind for move in position.legal_moves}
    king, board = position.king(position.turn), position.board
    answered = position.in_check and any(move.origin != king for move in position.legal_moves)
    return (
        answered
        or position.checkers.bit_count() > 1
        or bool(kinds & {MoveKind.EN_PASSANT, MoveKind.CASTLING, MoveKind.PROMOTION})
        or (board.en_passant != 0 and position.legal_en_passant is None)
    )
