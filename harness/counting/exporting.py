"""A ledger as JSON lines: what is counted, then each result with where it comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ... import __version__
from ...generator.counting.records import records_in
from .ledger import Ledger
from .model import CountedPiece, Piece, ResultOrigin
from .piece_counter import positions_in
from .piece_scheduler import moves_black

SCHEMA = 1


def export_lines(ledger: Ledger) -> Iterator[bytes]:
    """Yield the lines of a ledger: the count, its results in the order of the pieces, what was verified."""
    yield _line(_count(ledger))
    is_black, chess960 = moves_black(ledger), ledger.count.chess960
    for piece, counted, origin in ledger.results():
        yield _line(_result(piece, counted, origin, is_black, chess960))
    for verified, agrees in ledger.all_verified():
        yield _line({"verified": verified.number, "engine": verified.engine, "nodes": verified.nodes, "agrees": agrees})


def _count(ledger: Ledger) -> dict[str, Any]:
    count, cut = ledger.count, ledger.cut
    done, seconds = ledger.done()
    return {
        "schema": SCHEMA,
        "perft_check": __version__,
        "fen": count.fen,
        "chess960": count.chess960,
        "depth": count.depth,
        "split": count.split,
        "positions": cut.positions,
        "games": cut.games,
        "pieces": cut.pieces,
        "done": done,
        "nodes": ledger.nodes(),
        "seconds": seconds,
        "wrong_workers": ledger.wrong_workers(),
    }


def _result(
    piece: Piece, counted: CountedPiece, origin: ResultOrigin, is_black: bool, chess960: bool
) -> dict[str, Any]:
    records = records_in(piece.records)
    positions = positions_in(records, is_black, chess960)
    return {
        "piece": piece.number,
        "nodes": counted.nodes,
        "seconds": counted.seconds,
        "worker": origin.worker,
        "engine": origin.engine,
        "version": origin.version,
        "digest": origin.digest,
        "positions": [
            {"fen": position.fen(), "games": games}
            for position, games in zip(positions, records[:, 3].tolist(), strict=True)
        ],
    }


def _line(values: dict[str, Any]) -> bytes:
    return f"{json.dumps(values)}\n".encode()
