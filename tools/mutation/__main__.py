"""Test the tests with mutants of the move generator: `cd tools && python -m mutation --help`."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import gettempdir

from mutation import compiled, ledger, markdown, report
from mutation.killing import MutantOutcome, outcomes
from mutation.mutants import Mutant, mutants_of_module
from mutation.questions import compiled_questions, first_questions, long_questions
from mutation.targets import TARGETS
from mutation.verdicts import verdicts
from rich.console import Console
from rich.progress import track

RESULTS = Path(gettempdir(), "perft-check-mutants.jsonl")
STAGES = ("first", "long", "compiled")


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("--module", action="append", choices=TARGETS, help="only this module (repeatable)")
    parser.add_argument("--id", action="append", help="only this mutant (repeatable)")
    parser.add_argument("--sample", type=int, help="only a random sample of this size")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample and the order")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--stage", choices=STAGES, default="long", help="the last stage for survivors")
    parser.add_argument("--boards", type=int, default=250, help="random boards of the long questions")
    parser.add_argument("--compiled-boards", type=int, default=1_000, help="random boards for compiled mutants")
    parser.add_argument("--resume", type=Path, default=RESULTS, help=f"results file ({RESULTS})")
    parser.add_argument("--markdown", action="store_true", help="print the tables for the documentation and stop")
    return parser.parse_args()


def chosen(wanted: argparse.Namespace) -> list[Mutant]:
    """Return the mutants to try, in the order of the sources. Raises ValueError if an id is unknown."""
    mutants = [mutant for module in wanted.module or TARGETS for mutant in mutants_of_module(module)]
    if wanted.id:
        unknown = set(wanted.id) - {mutant.id for mutant in mutants}
        if unknown:
            raise ValueError(f"no mutant has the id {min(unknown)}")
        return [mutant for mutant in mutants if mutant.id in wanted.id]
    if wanted.sample is None or wanted.sample >= len(mutants):
        return mutants
    drawn = set(random.Random(wanted.seed).sample(range(len(mutants)), wanted.sample))
    return [mutant for place, mutant in enumerate(mutants) if place in drawn]


def main() -> None:
    """Run all stages, and print the outcomes."""
    wanted, console = options(), Console(width=None if sys.stdout.isatty() else 140)
    try:
        mutants, results = chosen(wanted), ledger.read(wanted.resume)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None
    known = verdicts()
    if wanted.markdown:
        print(*markdown.tables(mutants, ledger.fates(results), known), sep="\n")
        return

    def in_plain_python(left: Sequence[Mutant]) -> Iterator[MutantOutcome]:
        questions = first_questions() if stage == "first" else long_questions(wanted.boards)
        return outcomes(left, questions, wanted.jobs)

    def as_machine_code(left: Sequence[Mutant]) -> Iterator[MutantOutcome]:
        return compiled.outcomes(left, compiled_questions(wanted.compiled_boards))

    left = mutants
    for stage in STAGES[: STAGES.index(wanted.stage) + 1]:
        done = results.setdefault(stage, {})
        waiting = [mutant for mutant in left if mutant.id not in done]
        random.Random(wanted.seed).shuffle(waiting)  # so that intermediate results are a fair sample
        tried: Callable[[Sequence[Mutant]], Iterator[MutantOutcome]]
        tried = as_machine_code if stage == "compiled" else in_plain_python
        if waiting:
            found = ledger.record(wanted.resume, stage, tried(waiting))
            for outcome in track(found, stage, len(waiting), console=Console(stderr=True)):
                done[outcome.id] = outcome
        left = [mutant for mutant in left if done[mutant.id].survived]
    report.show(console, mutants, ledger.fates(results), known)


if __name__ == "__main__":
    main()
