"""How much of a fuzzing run against python-chess is spent inside python-chess: `python benchmarks/fuzz_share.py`.

The stack is sampled every two milliseconds of processor time; a sample counts for python-chess if any frame is its own.
"""

from __future__ import annotations

import signal
import sys
import time
from collections import Counter
from types import FrameType

import chess
from perft_check.harness.fuzzing.batch import BatchContext
from perft_check.harness.fuzzing.examining import build_examiner
from perft_check.harness.fuzzing.hypothesis_batch import HypothesisBatch
from perft_check.harness.fuzzing.plan import FuzzPlan

SAMPLE_SECONDS = 0.002
BATCHES = 28


class Sampler:
    """Counts where the processor is, for each strategy."""

    def __init__(self) -> None:
        self.strategy = ""
        self.samples: Counter[tuple[str, str]] = Counter()

    def sample(self, _signal: int, frame: FrameType | None) -> None:
        """Count one sample, of the stack that a signal has interrupted."""
        files = set()
        while frame is not None:
            files.add(frame.f_code.co_filename)
            frame = frame.f_back
        if chess.__file__ in files:
            place = "python-chess"
        elif any("/fuzzing/checks/" in file for file in files):
            place = "checks"
        else:
            place = "drawing"
        self.samples[self.strategy, place] += 1


def main() -> None:
    batches = int(sys.argv[1]) if len(sys.argv) > 1 else BATCHES
    plan = FuzzPlan(
        engine="own",
        references=("python-chess",),
        seed=5,
        examples=None,
        seconds=None,
        strategies=(),
        variants=(False, True),
        depth=2,
        remember=False,
    )
    examiner = build_examiner(plan)
    examiner.start()
    HypothesisBatch(BatchContext(plan, plan.assignment(0), examiner, lambda _: None)).run()  # loads the kernels
    sampler = Sampler()
    signal.signal(signal.SIGPROF, sampler.sample)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)
    began, examples = time.process_time(), 0
    for number in range(1, batches + 1):
        batch = HypothesisBatch(BatchContext(plan, plan.assignment(number), examiner, lambda _: None))
        sampler.strategy = plan.variant(number).name
        batch.run()
        examples += batch.result.examples
    signal.setitimer(signal.ITIMER_PROF, 0)
    spent = time.process_time() - began
    print(f"{'strategy':24} python-chess  checks  drawing")
    for strategy in sorted({strategy for strategy, _ in sampler.samples}):
        print(f"{strategy:24} {_shares([(strategy, sampler)])}")
    print(f"{'all':24} {_shares([(name, sampler) for name in {name for name, _ in sampler.samples}])}")
    print(f"{examples} positions, {spent / examples * 1e3:.2f} ms each")


def _shares(rows: list[tuple[str, Sampler]]) -> str:
    counts = {place: sum(s.samples[name, place] for name, s in rows) for place in ("python-chess", "checks", "drawing")}
    total = sum(counts.values())
    return "  ".join(f"{counts[place] / total:{width}.2f}" for place, width in zip(counts, (12, 6, 7), strict=True))


if __name__ == "__main__":
    main()
