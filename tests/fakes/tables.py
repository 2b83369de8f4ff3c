"""An engine that prints a table with a column for each depth, or its total in another unusual format.

    python tables.py cmd LAYOUT FAULT DEPTH FEN     python tables.py script LAYOUT FAULT DEPTH FEN [MOVES]
    python tables.py uci LAYOUT FAULT

FAULT is `right` or `short`: the pawn of the a-file makes no double step.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))

from fakes.counting import board_after
from fakes.uci_engine import UciEngine

LAYOUT, FAULT = sys.argv[2:4]
LAYOUTS = {
    "bars": ("| Move |", "| {move} | {columns} |", "| Total | {totals} |", " | "),
    "blanks": ("", "{move} {columns}", "Sum {totals}", " "),
    "commas": ("move,d1,d2,d3", "{move},{columns}", "total,{totals}", ","),
    "first": ("Leaves {totals}", "{move} {columns}", "", " "),
    "alone": ("", "{move}\t{columns}", "", "\t"),
    "unnamed": ("", "{move} / {columns}", "{totals}", " / "),
    "backwards": ("", "{move} {backwards}", "Total {totals_backwards}", " "),
    "points": ("", "| {move} | {points} |", "| Total | {totals_points} |", " | "),
    "time": ("", "{move} {columns} 0.25 ms", "Total: {totals} 1.25 ms", " : "),
    "move": ("", "{move}: {last}", "a1h8 {total}", " "),
    "split": ("", "{move}: {last}", "Nodes: {either}", " "),
}


def moves_of(board: chess.Board) -> list[chess.Move]:
    wrong = {"a2a4", "a7a5"} if FAULT == "short" else set[str]()
    return [
        move
        for move in board.legal_moves
        if move.uci() not in wrong or board.piece_type_at(move.from_square) != chess.PAWN
    ]


def perft(board: chess.Board, depth: int) -> int:
    moves = moves_of(board) if depth else []
    if depth < 2:
        return len(moves) if depth else 1
    count = 0
    for move in moves:
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def answer(board: chess.Board, depth: int) -> None:
    head, row, end, between = LAYOUTS[LAYOUT]
    rows = []
    for move in moves_of(board):
        board.push(move)
        rows.append((move.uci(), [perft(board, below) for below in range(depth)]))
        board.pop()
    totals = [sum(counts[place] for _, counts in rows) for place in range(depth)]
    either = (f"7 / {totals[-1]}", f"{totals[-1]} / 7")[depth % 2 == 0]
    values = {"total": totals[-1], "either": either, **written("totals", totals, between)}
    lines = [
        head.format(**values),
        *(row.format(move=move, last=counts[-1], **written("columns", counts, between)) for move, counts in rows),
        end.format(**values),
    ]
    print("\n".join(filter(None, lines)), flush=True)


def written(name: str, counts: list[int], between: str) -> dict[str, str]:
    prefix = "totals_" if name == "totals" else ""
    return {
        name: between.join(map(str, counts)),
        f"{prefix}backwards": between.join(map(str, reversed(counts))),
        f"{prefix}points": between.join(f"{count:,}".replace(",", ".") for count in counts),
    }


class Table(UciEngine):
    """Speaks UCI."""

    def answer(self, depth: int) -> None:
        assert self.board is not None
        answer(self.board, depth)


if sys.argv[1] == "uci":
    Table().serve()
else:
    played = " ".join(sys.argv[6:]).split()
    answer(board_after(sys.argv[5], played), int(sys.argv[4]))
