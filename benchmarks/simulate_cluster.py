"""What large counts by pieces take on many machines: a simulation of client, ledger, scheduler and workers.

    python benchmarks/simulate_cluster.py                        # utilisation over workers; docs/scale.svg
    python benchmarks/simulate_cluster.py --plan                 # perft(12) to perft(15) of start
    python benchmarks/simulate_cluster.py --limits               # where it breaks, and what helps
    python benchmarks/simulate_cluster.py --mishaps              # workers that die, are slow, hang
    PYTHONPATH=tests python benchmarks/simulate_cluster.py --measure

The first and the third take a minute. The figures of this machine are in `cluster/measured.json`, which `--measure`
makes. The same seed gives the same tables and the same picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from cluster.cases import CREWS, DEPTH, Found, curves, limits, mishaps, plan
from cluster.measured import MachineFigures, keep, kept
from cluster.picture import picture
from rich.console import Console
from rich.table import Table

PICTURE = Path(__file__).parents[1] / "docs" / "scale.svg"
PRICES = 0.01, 0.04
"""US dollars a core-hour."""
WIDTH = 180
HOUR, DAY = 3_600.0, 86_400.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    modes = parser.add_mutually_exclusive_group()
    for mode in ("plan", "limits", "mishaps"):
        modes.add_argument(f"--{mode}", action="store_true")
    modes.add_argument("--measure", nargs="*", metavar="PART", help="pieces, orders, ledger, looks, out; or all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path, default=PICTURE)
    options = parser.parse_args()
    console = Console(width=WIDTH)
    if options.measure is not None:
        from cluster.measuring import measured  # it starts a cluster, with helpers of the tests

        keep(measured(options.measure, kept()))
    elif options.plan:
        console.print(of_plan(kept(), options.seed))
    elif options.limits:
        console.print(of_found(limits(kept(), options.seed)))
    elif options.mishaps:
        console.print(of_found(mishaps(kept(), options.seed)))
    else:
        console.print(of_curves(kept(), options.seed, options.svg))


def of_curves(measured: MachineFigures, seed: int, svg: Path) -> Table:
    """Return utilisation over workers as a table, and draw it."""
    lines = curves(measured, seed)
    heading = f"perft({DEPTH}) of start: share of the workers' time that is used"
    shares = {name: [(one.outcome.workers, one.utilisation) for one in line] for name, line in lines.items()}
    svg.write_text(picture(heading, shares), encoding="utf-8")
    table = Table("workers", *lines, title=heading)
    for row in zip(*lines.values(), strict=True):
        table.add_row(f"{row[0].outcome.workers:,}", *map(share, row))
    return table


def of_plan(measured: MachineFigures, seed: int) -> Table:
    """Return what the large counts take."""
    table = Table("depth", "split", "positions", "pieces", "s each", "ledger GB", "client GB", "core-hours")
    for workers in CREWS:
        table.add_column(f"days on {workers:,}")
    for price in PRICES:
        table.add_column(f"US $ at {price}")
    for cut, founds in plan(measured, seed):
        hours = [one.seconds * one.outcome.workers / HOUR for one in founds]
        table.add_row(
            *(f"{number:,}" for number in (cut.depth, cut.split, cut.size, cut.pieces)),
            f"{cut.piece_seconds:,.0f}",
            *(f"{size / 1e9:,.2f}" for size in (cut.ledger_bytes, cut.client_bytes)),
            f"{cut.seconds / HOUR:,.0f}",
            *(f"{one.seconds / DAY:,.2f} ({share(one)})" for one in founds),
            *(f"{price * hours[-1]:,.0f}" for price in PRICES),
        )
    return table


def of_found(founds: Iterable[Found]) -> Table:
    """Return a line for each case."""
    table = Table("case", "workers", "s a piece", "used", "orders/s", "client busy", "scheduler busy")
    for one in founds:
        outcome, middle = one.outcome, one.outcome.middle
        table.add_row(
            one.case.name,
            f"{outcome.workers:,}",
            f"{outcome.piece_seconds:,.0f}",
            share(one),
            f"{one.orders_a_second:,.1f}",
            f"{middle.client / middle.seconds:.0%}",
            f"{min(1.0, middle.scheduler / middle.seconds):.0%}",
        )
    return table


def share(one: Found) -> str:
    return f"{100 * one.utilisation:.1f} %"


if __name__ == "__main__":
    main()
