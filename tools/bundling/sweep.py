"""Choose the sweep: a few questions that together show every fault of the zoo, in order of value for their cost.

A question is a case with one count, or a case with moves, which the engine plays before it lists its root moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import chess
from hypothesis.strategies import SearchStrategy
from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.base import EngineError
from perft_check.harness.shutdown import Interrupt
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.fault import PLAYED_MOVES, Fault
from perft_check.strategies.common import generate_examples
from perft_check.strategies.sequences import sequences
from perft_check.strategies.sequences.building import CHESS960_SEQUENCES, SEQUENCES
from perft_check.suites.bundled import PLAYED, SWEEPS
from perft_check.suites.case import Case, Suite
from perft_check.suites.loader import load_suite
from perft_check.suites.making import distinct

from bundling.cover import Choice, CountedPosition, cover
from bundling.generated import extend_counts, generate
from bundling.narrow import narrow_faults, small_trees
from bundling.suites import as_written, is_counted_alike, is_wrong, purposes_of, try_each

TIMES = 3
"""Number of questions in which each fault should show."""
QUESTION_COST = 100
"""The cost of a question in addition to its nodes: the number of nodes that a slow program counts in the same time."""
MOST_NODES, MOST_NODES_BY_DESIGN = 2_000, 15_000
"""Maximum nodes of a count, and of a count in a position that was made to show a fault.

A program that counts 2,000 nodes per second answers the largest questions within the time limit.
"""
SMALL_TREES = (
    "7k/6p1/6P1/8/8/p2p4/P2P1nPP/4K1RR b K - 0 1",
    "7k/6p1/6P1/8/8/p2p1pn1/P2P1P2/4K1RR b K - 0 1",
    "7k/6p1/6P1/8/8/p2p3p/P2P3P/N3K2R w K - 0 1",
    "7k/6p1/6P1/8/p7/Pp1p3p/1P1P3P/N3K2R w K - 0 1",
    "7k/6p1/6P1/8/8/p2p3p/P2P3P/4K2R w K - 0 1",
    "7k/6p1/6P1/8/8/p2p3p/P2P3P/R3K2R w KQ - 0 1",
    "r3k3/rP1p2p1/p2P2P1/P7/8/7p/7P/7K w q - 0 1",
    "r3k2r/p2p3p/P2P3P/8/8/6p1/6P1/7K b kq - 0 1",
    "7k/6p1/6P1/8/5p2/p2p3p/P2P1P1P/4K2R w K - 0 1",
    "7k/6p1/6P1/8/7p/p2p3R/P2P3P/4K2R w K - 0 1",
    "7k/6p1/6P1/8/8/p6p/P3p2P/4K2R w K - 0 1",
    "4k2r/p3P2p/P6P/8/8/6p1/6P1/7K b k - 0 1",
    "7k/6p1/6P1/8/8/p2p4/P2P3p/4K2R w K - 0 1",
    "4k2r/p2p3P/P2P4/8/8/6p1/6P1/7K b k - 0 1",
)
"""Positions with blocked pawns, in which counts of four or five plies are small."""
EVERYWHERE_COST = 250
"""Every fault is tried with all questions up to this cost."""
ENOUGH = 4
"""A fault is tried with more expensive questions until this many have shown it, with and without moves."""
FURTHER_NODES = 400_000
"""Maximum nodes of more expensive questions for a fault."""
BY_DESIGN = "zoo"
"""The source of questions that were made to show a fault."""
GENERATED = 8
"""Number of games generated for each sequence."""
FROM_FEN = " from a FEN"
"""Suffix of a fault's name for questions without moves, because not every program can play moves."""


@cache
def _faults() -> dict[str, Fault]:
    """Return the faults that determine the sweep: those of the zoo, and narrow variants."""
    return ZOO | narrow_faults()


def questions(seed: int) -> list[Case]:
    """Return all questions to choose from."""
    generated = generate(seed).all()
    small = [
        *small_trees(),
        *(Case(f"small-tree-{n}", Position.from_fen(fen), (), BY_DESIGN) for n, fen in enumerate(SMALL_TREES, 1)),
    ]
    bases = distinct([*generated, *_demonstration_cases(), *small, *_starts(seed)])
    counted = list(_count_each(filter(is_counted_alike, bases)))
    played = [as_written(case) for case in [*_cases_with_moves(), *_sequences(seed)] if is_counted_alike(case)]
    unique = {str(line_of(one)): replace(one, counts=((1, perft(one.position, 1)),)) for one in reversed(played)}
    return [*counted, *reversed(unique.values())]


def _count_each(bases: Iterable[Case]) -> Iterator[Case]:
    """Yield one case per count of the base positions."""
    for base in map(as_written, bases):
        most = MOST_NODES_BY_DESIGN if base.source == BY_DESIGN else MOST_NODES
        for case in extend_counts([replace(base, counts=())], most):
            for depth, nodes in case.counts:
                if nodes <= most:
                    yield replace(case, name=f"{case.name}-at-{depth}", counts=((depth, nodes),))


def _demonstration_cases() -> list[Case]:
    """Return the positions that were made to show faults."""
    return [Case(f"zoo-{fault.name}", game.base, (), BY_DESIGN) for fault, game in _demonstrations() if not game.moves]


def _cases_with_moves() -> Iterator[Case]:
    """Yield the demonstrations with moves, and one case per move for faults that show only in the engine's FENs."""
    for fault, game in _demonstrations():
        if game.moves:
            yield Case(f"zoo-{fault.name}", game.base, (), BY_DESIGN, moves=game.moves)
        elif fault.effect == "fen":
            for move in game.base.legal_moves:
                yield Case(f"zoo-{fault.name}-{move.uci()}", game.base, (), BY_DESIGN, moves=(move,))


def _demonstrations() -> Iterator[tuple[Fault, Game]]:
    for fault in ZOO.values():
        if not fault.is_control and fault.fault_class != PLAYED_MOVES:
            base = Position.from_fen(fault.demonstration.fen, fault.demonstration.chess960)
            yield fault, Game.from_uci(base, " ".join(fault.demonstration.moves))


def _starts(seed: int) -> list[Case]:
    """Return the positions at which sequences start and end."""
    return [
        replace(case, name=f"{case.name}-{where}", position=position, moves=())
        for case in _sequences(seed)
        for where, position in (("start", case.position), ("end", line_of(case).position))
    ]


def _sequences(seed: int) -> list[Case]:
    """Return games of each kind of sequence."""
    cases: list[Case] = []
    for chess960, names in ((False, SEQUENCES), (True, SEQUENCES | CHESS960_SEQUENCES)):
        for name in names:
            strategy: SearchStrategy[Game] = sequences(name, chess960=chess960)
            for number, game in enumerate(generate_examples(strategy, GENERATED, seed), 1):
                case = f"{name}{'-960' * chess960}-{number}"
                cases.append(Case(case, game.base, (), "drawn", moves=game.moves))
    return cases


def spellings(board: chess.Board) -> set[str]:
    """Return all accepted FENs of a position: castling rights as KQkq or files, and three en passant conventions."""
    fens = [
        board.fen(shredder=shredder, en_passant=custom)
        for shredder in (False, True)
        for custom in ("fen", "xfen", "legal")
    ]
    return {*fens, *(fen.rsplit(" ", 2)[0] for fen in fens)}


def is_shown(fault: Fault, case: Case) -> bool:
    """Return True if a new generator with the fault answers a question incorrectly or fails."""
    if fault.demonstration.chess960 and not case.position.chess960:
        case = replace(case, position=Position.from_fen(case.position.fen(), chess960=True))
    if is_plain(case):
        ((depth, nodes),) = case.counts
        return is_wrong(fault, case, depth, nodes)
    game, depth, engine = line_of(case), depth_of(case), EngineSession(ZooEngine(fault), CallRunner())
    try:
        total, text = engine.divide(game, depth).total, engine.fen(game) or ""
    except EngineError:
        return True
    board = chess.Board(game.position.fen(), chess960=game.base.chess960)
    return total != perft(game.position, depth) or (fault.effect == "fen" and text not in spellings(board))


def is_plain(case: Case) -> bool:
    """Return True if a question has no moves."""
    return not case.moves


def line_of(case: Case) -> Game:
    """Return the game that is set up before the engine is asked the question."""
    return Game(case.position, case.moves)


def depth_of(case: Case) -> int:
    """Return the depth of the count that the engine is asked for."""
    return 1 if case.moves else case.max_depth


def find_shown(name: str, cases: Sequence[Case]) -> frozenset[str]:
    """Return the questions that show a fault, within the limits. Chess960 is tried only for faults of Chess960."""
    fault = _faults()[name]
    suitable = [case for case in cases if case.position.chess960 <= fault.demonstration.chess960]

    def place(case: Case) -> tuple[bool, bool, int]:
        cost = _cost(case)
        return case.position.fen() != fault.demonstration.fen, cost > EVERYWHERE_COST and case.source != BY_DESIGN, cost

    return frozenset(_find_shown(fault, sorted(suitable, key=place)))


def _find_shown(fault: Fault, cases: Sequence[Case]) -> Iterator[str]:
    times, left = {True: 0, False: 0}, FURTHER_NODES
    seen: set[str] = set()
    for case in cases:
        kind, cost = is_plain(case), _cost(case)
        place = str(line_of(case))
        if cost > EVERYWHERE_COST and (times[kind] >= ENOUGH or cost > left or place in seen):
            continue
        left -= cost * (cost > EVERYWHERE_COST)
        if is_shown(fault, case):
            times[kind] += 1
            seen.add(place)
            yield case.name


def show_all(cases: Sequence[Case], jobs: int, interrupt: Interrupt) -> Iterator[tuple[str, frozenset[str]]]:
    """Call `find_shown` for every fault with `try_each`."""
    names = [name for name, fault in _faults().items() if not fault.is_control and fault.fault_class != PLAYED_MOVES]
    return try_each(partial(find_shown, cases=cases), names, jobs, interrupt)


def nodes_of(case: Case) -> int:
    """Return the number of leaf nodes in the answer to a question."""
    return case.counts[-1][1] if is_plain(case) else perft(line_of(case).position, depth_of(case))


def _cost(case: Case) -> int:
    return QUESTION_COST + nodes_of(case)


def choose_sweeps(cases: Sequence[Case], matrix: Mapping[str, frozenset[str]]) -> dict[str, Suite]:
    """Return the sweeps of standard chess and of Chess960, given the questions that show each fault.

    The sweep of standard chess ends with games in which each special move is played with each of its effects.
    """
    return {
        name: _sweep(name, [case for case in cases if case.position.chess960 is chess960], matrix, chess960)
        for chess960, name in SWEEPS.items()
    }


def _sweep(name: str, cases: Sequence[Case], matrix: Mapping[str, frozenset[str]], chess960: bool) -> Suite:
    faults = [fault for name, fault in _faults().items() if name in matrix and fault.demonstration.chess960 is chess960]
    options = [_option(case, faults, matrix) for case in cases]
    choice = cover(options, _values([fault for fault in faults if fault.name in ZOO]), TIMES, {})
    by_place = {option.place: option for option in options}
    fixed = {place: by_place[place] for place in choice}
    complete = cover(options, _values([fault for fault in faults if fault.name not in ZOO]), 1, fixed)
    choice = {place: by_place[place] for place in complete}
    by_name, purposes = {case.name: case for case in cases}, purposes_of(_without_ways(choice))
    cases = tuple(replace(by_name[place], purpose=purposes[place]) for place in choice)
    return Suite(name, cases if chess960 else (*cases, *load_suite(PLAYED)))


def _option(case: Case, faults: Iterable[Fault], matrix: Mapping[str, frozenset[str]]) -> CountedPosition:
    here = [fault.name for fault in faults if case.name in matrix[fault.name]]
    names = [*here, *(f"{name}{FROM_FEN}" for name in here)] if is_plain(case) else here
    return CountedPosition(case.name, case.counts[-1][0], nodes_of(case), frozenset(names), QUESTION_COST)


def _values(faults: Sequence[Fault]) -> dict[str, float]:
    """Return the value of each fault, plus half of it for showing the fault without moves; a family is worth 1.5."""
    sizes: dict[str, int] = {}
    for fault in faults:
        sizes[fault.family] = sizes.get(fault.family, 0) + 1
    values = {fault.name: 1 / sizes[fault.family] for fault in faults}
    return values | {f"{name}{FROM_FEN}": value / 2 for name, value in values.items()}


def _without_ways(choice: Choice) -> Choice:
    return {
        place: replace(option, kills=frozenset(name.removesuffix(FROM_FEN) for name in option.kills) & ZOO.keys())
        for place, option in choice.items()
    }


def find_missed(suites: Mapping[str, Suite], matrix: Mapping[str, frozenset[str]]) -> tuple[list[str], list[str]]:
    """Return the faults that no question shows, and those that only questions with moves show."""
    chosen = {case.name: not is_plain(case) for suite in suites.values() for case in suite}
    some = {name: [chosen[place] for place in places if place in chosen] for name, places in matrix.items()}
    unseen = [name for name, ways in some.items() if not ways]
    return unseen, [name for name, ways in some.items() if ways and all(ways)]
