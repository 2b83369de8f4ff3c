"""Update the table of the gallery: `cd tools && python -m gallery` (half an hour).

The column `elsewhere` is edited by hand and is not changed.
"""

from __future__ import annotations

import csv
import io

from gallery.exhaustive import least_pieces
from gallery.faults import faults_of
from gallery.smallest import smallest
from pages.exhibits import EXHAUSTED, TABLE, rows
from perft_check.atomic import write_atomically
from perft_check.generator.events import Event


def main() -> None:
    """Search for positions, choose faults, and write the table."""
    elsewhere = {row.event: row.elsewhere for row in rows()}
    positions = {event: smallest(event) for event in Event}
    faults, least = faults_of(positions), least_pieces(EXHAUSTED)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["event", "fen", "least", "faults", "elsewhere"])
    for event, position in positions.items():
        names = " ".join(faults[event]), " ".join(elsewhere.get(event, ()))
        table.writerow([event.label, position.fen(), least.get(event, ""), *names])
    write_atomically(TABLE, [text.getvalue().encode()])


if __name__ == "__main__":
    main()
