"""Measure how often `diagnose` names the cause of incorrect counts, for each fault of the zoo.

    python benchmarks/diagnosing.py [--only NAME] [--pairs N]

For each fault, an engine with it counts the position that was made to show the fault, to depth 3, or 4 if the fault
does not show at depth 3. Its answer is written as text in five dialects, and once more as totals only. `diagnose` reads
each text as it reads a file. Prints a line for each fault whose family is not the first candidate, or that takes more
than 5 seconds. The exit status is 1 if, in any dialect, fewer than 110 faults are among the first three candidates,
fewer than 90 come first, or a diagnosis takes more than 20 seconds of CPU time.

With `--pairs N`, N random pairs of faults are diagnosed instead. The divides of a pair are mixed, root move by root
move, in a position that shows both. The exit status is 1 if a single fault is named as the cause.

`diagnose` does not filter faults by the rare events of the tree. At best, a filter saves the time of the faults that
change no count: in November 2026, 92 % in the starting position (depth 3), 76 % in position 3 (depth 4) and 71 % in
position 4 (depth 3) of the Chess Programming Wiki. It would need the events of each fault, and a fault with an event
too few would never be named. Sharing the legal moves among all faults needs no such table, and saves 85 % of the time
of a fault that changes no count.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from perft_check.errors import UsageError
from perft_check.generator import Position
from perft_check.generator.counting.perft import divide, perft
from perft_check.generator.game import Game
from perft_check.generator.types.squares import square_of
from perft_check.harness.cli.actions.diagnose import Answer, observations_of
from perft_check.harness.engines.root_moves import as_king_steps
from perft_check.harness.model.results.diagnosis import Diagnosis
from perft_check.harness.zoo.diagnosing import FaultyEngine, NoAnswer, Observation, diagnose, faults_to_try
from perft_check.harness.zoo.fault import Fault
from perft_check.strategies.common import tricky_positions

PAIR_DEPTH, MOST_NODES = 2, 2_000
LEAST_AMONG_THREE, LEAST_FIRST, MOST_SECONDS, SLOW_SECONDS = 110, 90, 20.0, 5.0
Rows = Sequence[tuple[str, int]]
"""The root moves that an engine prints, with their counts."""


def san(position: Position, text: str) -> str:
    """Return a root move in algebraic notation, even if it is illegal."""
    legal = {move.uci(position.chess960): move for move in position.legal_moves}
    if text in legal:
        return position.san(legal[text])
    piece = position.piece_at(square_of(text[:2]))
    letter = "P" if piece is None else piece[1].letter.upper()
    rivals = 0 if piece is None else position.pieces[piece[0]][piece[1]].bit_count() - 1
    origin = text[:2] if rivals else text[0] if letter == "P" and text[0] != text[2] else ""
    return f"{letter.replace('P', '')}{origin}{text[2:4]}{text[4:].upper()}"


def like_stockfish(_position: Position, rows: Rows) -> Iterator[str]:
    yield from (f"{move}: {count}" for move, count in rows)
    yield f"\nNodes searched: {sum(count for _, count in rows)}"


def bare(_position: Position, rows: Rows) -> Iterator[str]:
    yield from (f"{move} {count}" for move, count in rows)


def algebraic(position: Position, rows: Rows) -> Iterator[str]:
    yield from (f"{san(position, move)} {count}" for move, count in rows)
    yield f"Total: {sum(count for _, count in rows)}"


def quoted(position: Position, rows: Rows) -> Iterator[str]:
    yield "> This is what my engine prints:"
    yield from (f"> {line}" for text in like_stockfish(position, rows) for line in text.split("\n"))


def table(_position: Position, rows: Rows) -> Iterator[str]:
    total = sum(count for _, count in rows)
    yield from ("| # | move | nodes | share |", "|---|---|---|---|")
    for number, (move, count) in enumerate(rows, 1):
        yield f"| {number} | {move} | {count:,} | {100 * count / max(1, total):.1f} % |"
    yield f"| total | {total:,} |"


DIALECTS: dict[str, Callable[[Position, Rows], Iterator[str]]] = {
    "like Stockfish": like_stockfish,
    "bare": bare,
    "algebraic": algebraic,
    "quoted": quoted,
    "table": table,
}


def engine_with(fault: Fault) -> FaultyEngine:
    """Return an engine with a fault, set up in the way that shows the fault."""
    return FaultyEngine(fault, setup=fault.demonstration.setup)


def is_wrong(fault: Fault, game: Game, depth: int) -> bool:
    """Return True if an engine with a fault gives an incorrect count, or none."""
    try:
        counts = engine_with(fault).listed(Observation(game, depth, 0, {}))
    except NoAnswer:
        return True
    return sum(count for _, count in counts) != perft(game.position, depth)


@dataclass(frozen=True)
class Shown:
    """A fault, and the position and depth in which it is to be named."""

    fault: Fault
    game: Game
    depth: int

    @classmethod
    def of(cls, fault: Fault) -> Shown:
        """Return the position that was made to show a fault, or one below it that shows it at depth 3 or 4."""
        game, deepest = Game(fault.demonstration.game.base, fault.demonstration.game.moves), fault.demonstration.depth
        for depth in (3, 4, *range(deepest, 4, -1)):
            if is_wrong(fault, game, depth):
                break
        while depth > 4:
            below = (Game(game.position.play(move)) for move in game.position.legal_moves)
            shown = next((one for one in below if is_wrong(fault, one, depth - 1)), None)
            if shown is None:
                break
            game, depth = shown, depth - 1
        return cls(fault, game, depth)

    def rows(self, depth: int) -> list[tuple[str, int]]:
        """Return the root moves that the faulty engine prints. Raises NoAnswer."""
        position = self.game.position
        listed = engine_with(self.fault).listed(Observation(self.game, depth, 0, {}))
        return [(move if position.chess960 else as_king_steps(position, move), count) for move, count in listed]

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each dialect with the text. Raises NoAnswer."""
        rows = self.rows(self.depth)
        for name, write in DIALECTS.items():
            yield name, "\n".join(write(self.game.position, rows)) + "\n"
        totals = [sum(count for _, count in self.rows(depth)) for depth in range(1, self.depth)]
        yield "totals only", ", ".join(map(str, [*totals, sum(count for _, count in rows)]))


def read(text: str, game: Game, depth: int) -> list[Observation]:
    """Return the counts in a text."""
    return observations_of(Answer(text, "text"), game, depth)[0]


def numbers(observations: Sequence[Observation]) -> list[tuple[int, int, object]]:
    """Return the counts of observations in a form that can be compared."""
    return [(one.depth, one.total, one.root_moves) for one in observations]


class Diagnoses:
    """Diagnoses the texts of one fault. Texts with the same counts are diagnosed once."""

    def __init__(self) -> None:
        self._known: list[tuple[list[tuple[int, int, object]], Diagnosis]] = []
        self.slowest = 0.0

    def of(self, observations: Sequence[Observation]) -> Diagnosis:
        """Return the diagnosis of counts, and measure its CPU time."""
        given = numbers(observations)
        for known, diagnosis in self._known:
            if known == given:
                return diagnosis
        began = time.process_time()
        diagnosis = diagnose(observations, inf)
        self.slowest = max(self.slowest, time.process_time() - began)
        self._known.append((given, diagnosis))
        return diagnosis


def measure(faults: Sequence[Fault]) -> bool:
    """Diagnose each fault in each dialect and print the results; return True if they suffice."""
    among_three, first, number, slowest = Counter[str](), Counter[str](), 0, 0.0
    for fault in faults:
        shown, diagnoses = Shown.of(fault), Diagnoses()
        try:
            texts = dict(shown.texts())
        except NoAnswer as error:
            print(f"{fault.name}: gives no count ({error})")
            continue
        number += 1
        later: dict[str, list[str]] = {}
        for dialect, text in texts.items():
            try:
                found = [one.family for one in diagnoses.of(read(text, shown.game, shown.depth)).candidates]
            except UsageError as error:
                found = [str(error)]
            among_three[dialect] += fault.family in found[:3]
            first[dialect] += found[:1] == [fault.family]
            if found[:1] != [fault.family]:
                later.setdefault(", ".join(found[:5]) or "none", []).append(dialect)
        slowest = max(slowest, diagnoses.slowest)
        if later or diagnoses.slowest > SLOW_SECONDS:
            named = "; ".join(f"{found} ({', '.join(dialects)})" for found, dialects in later.items())
            print(f"{fault.name} ({fault.family}), {diagnoses.slowest:.1f} s; {named or 'first'}", flush=True)
    for dialect in (*DIALECTS, "totals only"):
        print(f"{dialect}: {among_three[dialect]} of {number} among three, {first[dialect]} first")
    print(f"slowest {slowest:.1f} s")
    enough = all(among_three[one] >= LEAST_AMONG_THREE and first[one] >= LEAST_FIRST for one in DIALECTS)
    return enough and slowest <= MOST_SECONDS


def differing_moves(fault: Fault, position: Position) -> dict[str, int | None]:
    """Return the root moves for which an engine with a fault gives an incorrect count at `PAIR_DEPTH`."""
    given = {move.uci(chess960=True): nodes for move, nodes in divide(position, PAIR_DEPTH).items()}
    try:
        counts = FaultyEngine(fault).divide(Observation(Game(position), PAIR_DEPTH, 0, {}))
    except NoAnswer:
        return {}
    return {move: counts.get(move) for move in given.keys() | counts.keys() if counts.get(move) != given.get(move)}


def measure_pairs(faults: Sequence[Fault], number: int) -> bool:
    """Diagnose mixed divides and print the results; return True if none is ascribed to a single fault."""
    source, seen, verdicts = random.Random(1), 0, Counter[str]()
    positions = [one for one in tricky_positions() if not one.chess960 and perft(one, PAIR_DEPTH) < MOST_NODES]
    while seen < number:
        pair = source.sample(faults, 2)
        for position in source.sample(positions, len(positions)):
            first, second = (differing_moves(fault, position) for fault in pair)
            if first.keys() - second.keys() and second.keys() - first.keys():
                break
        else:
            continue  # no position shows both
        seen += 1
        given = {move.uci(chess960=True): nodes for move, nodes in divide(position, PAIR_DEPTH).items()}
        mixed = {move: nodes for move, nodes in (given | second | first).items() if nodes is not None}
        found = diagnose([Observation(Game(position), PAIR_DEPTH, sum(mixed.values()), mixed)], inf)
        names = {one.family for one in found.together}
        if found.candidates:
            verdict = f"only {found.candidates[0].name}"
        elif names == {one.family for one in pair}:
            verdict = "both"
        else:
            verdict = f"{' and '.join(sorted(names)) or 'none'} instead of both"
        verdicts["one" if found.candidates else "both" if verdict == "both" else "none alone"] += 1
        print(f"{pair[0].name} and {pair[1].name} in {position.fen()}: {verdict}", flush=True)
    print(dict(verdicts))
    return not verdicts["one"]


def main() -> int:
    """Measure single faults or pairs; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="the name of one fault")
    parser.add_argument("--pairs", type=int, default=0, help="number of random pairs of faults")
    arguments = parser.parse_args()
    faults = [one for one in faults_to_try() if arguments.only in (None, one.name)]
    enough = measure_pairs(faults, arguments.pairs) if arguments.pairs else measure(faults)
    return int(arguments.only is None and not enough)


if __name__ == "__main__":
    sys.exit(main())
