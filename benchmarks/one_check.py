"""Run a single check of `fuzz` on many positions of a correct engine, and count its false alarms.

    python benchmarks/one_check.py CHECK SPEC [--positions 100000] [--time SECONDS] [--seed 1] [--chess960]

CHECK is `search`, `keys`, `predicates`, or `distinct`, which only compares the keys of all positions with each other.
The positions are those of pipelined batches of `fuzz`; every second one is set up by a FEN and moves. An engine that
cannot count is named by a descriptor and `--without-perft`, so that searches are checked without the counts before and
after them. Prints the first findings and their number. The exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from math import inf

from perft_check.generator.counting.perft import perft
from perft_check.generator.game import Game
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.generator.sampling.sampler import PositionSampler
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession, TimeLimit
from perft_check.harness.engines.base import EngineError
from perft_check.harness.engines.opening import open_session
from perft_check.harness.fuzzing.checks.base import Check, Probe
from perft_check.harness.fuzzing.checks.keys import Keys
from perft_check.harness.fuzzing.checks.predicates import Predicates
from perft_check.harness.fuzzing.checks.search import Searches
from perft_check.harness.fuzzing.model import Discrepancy
from perft_check.harness.fuzzing.pipelined_batch import generate_bases, known_bases_of
from perft_check.harness.fuzzing.plan import FuzzPlan, make_fuzz_plan

DISTINCT = "distinct"
CHECKS: dict[str, Callable[[EngineSession], Check]] = {
    "search": Searches,
    "keys": Keys,
    "predicates": Predicates,
    DISTINCT: Keys,
}
BLOCK, BLOCKS_PER_POOL = 2_048, 64
TIMEOUT = 10.0
PROGRESS_SECONDS = 60.0
SHOWN = 20
"""Number of findings to print."""


class WithoutPerft(EngineSession):
    """A session with an engine that searches but cannot count; the counts are the correct ones."""

    def perft(self, game: Game, depth: int) -> int:
        """Return the correct count."""
        return perft(game.position, depth)

    def recount(self, depth: int) -> int | None:
        """Return None, because the engine cannot count."""
        return None


def blocks(plan: FuzzPlan, *, chess960: bool) -> Iterator[tuple[PositionSampler, PositionBatch]]:
    """Yield blocks of positions without end, each with the sampler that knows the moves to them."""
    for seed in count(1000 * plan.seed):
        bases = [*generate_bases(plan, chess960, seed), *known_bases_of(plan, chess960)]
        sampler = PositionSampler(bases, seed, chess960=chess960, castles_to_rook=chess960)
        for _ in range(BLOCKS_PER_POOL):
            yield sampler, sampler.sample(BLOCK)


def findings(check: Check, sampler: PositionSampler, block: PositionBatch, *, distinct: bool) -> Iterator[list[str]]:
    """Yield the findings of a check for each position of a block."""
    if distinct:
        assert isinstance(check, Keys), "only keys are compared between positions"
        fens = [block.fen(index) for index in range(len(block))]
        found = [described(one) for one in check.compare_many(fens, chess960=block.chess960)]
        if not check.compares_more:
            raise SystemExit("it has no keys, or as many positions were compared as one process remembers")
        yield from [found, *([] for _ in fens[1:])]
        return
    for index in range(len(block)):
        game = sampler.game(block, index)
        try:
            found = [described(one) for one in check(Probe(game if index % 2 else Game(game.position), 1))]
        except EngineError as error:
            found = [f"{game}: {error}"]
        yield found


def described(found: Discrepancy) -> str:
    """Return the position and the description of a discrepancy in one line."""
    return f"{found.game}: {found.message or (found.finding and found.finding.note)}"


def main() -> int:
    """Run the check; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("engine", metavar="SPEC")
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--time", type=float, default=inf)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chess960", action="store_true")
    parser.add_argument("--without-perft", action="store_true")
    options = parser.parse_args()
    plan = make_fuzz_plan(options.engine, seed=options.seed, chess960=options.chess960, depth=1)
    session = open_session(plan.engine, limit=TimeLimit(TIMEOUT), insists_on_chess960=options.chess960)
    if options.without_perft:
        session = WithoutPerft(session.engine, CallRunner(), TimeLimit(TIMEOUT))
    check = CHECKS[options.check](session)
    began = shown = time.monotonic()
    done, alarms = 0, 0

    def summary() -> str:
        return (
            f"{options.check} {options.engine}: {done:,} positions, {alarms} findings, {time.monotonic() - began:.0f} s"
        )

    with session:
        if not options.without_perft:
            session.start()
        if (options.check == "search" and not session.search_limits) or (
            options.check == "predicates" and not session.find_predicates()
        ):
            raise SystemExit(f"{options.engine} has no {options.check}")
        for sampler, block in blocks(plan, chess960=options.chess960):
            for found in findings(check, sampler, block, distinct=options.check == DISTINCT):
                done, alarms = done + 1, alarms + len(found)
                for line in found[: max(0, SHOWN - alarms + len(found))]:
                    print(line, flush=True)
                if time.monotonic() - shown > PROGRESS_SECONDS:
                    shown = time.monotonic()
                    print(summary(), flush=True)
                if done >= options.positions or time.monotonic() - began > options.time:
                    print(summary())
                    return int(alarms > 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
