"""The state of the explorer: the cursor, how the board is shown, what has been found out."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...generator.position import Position
from ...generator.techniques.registry import ENTRIES
from ...generator.techniques.tracing import Trace
from ...generator.types.moves import GenType, Move
from ..checking.descent.wrong_moves import wrong_moves
from ..engines.command_lines import command_line, divide_command, name_engines
from ..model.results.finding import Finding, WrongMove
from ..trees.controller import TreeController, divides
from ..trees.engine_pane import Followed
from ..trees.jobs import ComparedList
from ..trees.node import Node, NodeFailure

TECHNIQUES = tuple(name for name, entry in ENTRIES.items() if entry.technique.traced)
"""The techniques whose walk can be followed."""
LONGEST_NAME = 30
PANELS = {"rule": "1 Rule", "lists": "2 Moves", "walk": "3 Walk"}


@dataclass
class View:
    """The state of the main screen."""

    controller: TreeController
    cursor: Node
    is_after: bool = False
    """Whether the board shows the position after the move under the cursor."""
    is_flipped: bool = False
    shows_attacks: bool = False
    is_on_board: bool = False
    """Whether the keys move the square of the board in place of the row of the tree."""
    square: int = 12
    """The square under the cursor of the board, from 0 for a1."""
    picked: int | None = None
    """The square of the piece that is to move."""
    panel: str = "rule"
    gentype: GenType = GenType.LEGAL
    technique: int = 0
    step: int = 0
    """How many steps of the walk have been taken."""
    findings: dict[int, Finding] = field(default_factory=dict)
    """What following differences has found, by the identity of the node to which it leads."""
    expected: tuple[Node, str, Finding] | None = None
    """The node at which a finding's wrong move is to come, the move, and the finding."""
    followed: str = ""
    """What following said last if it found no cause."""
    traces: dict[tuple[str, str], Trace | str] = field(default_factory=dict)
    """The walks by technique and FEN; a sentence if a technique cannot walk there."""
    lists: dict[tuple[str, GenType], ComparedList | NodeFailure | None] = field(default_factory=dict)
    """The engine's lists by FEN and GenType; None if it offers none."""
    asked_lists: set[tuple[str, GenType]] = field(default_factory=set)
    """The lists that the engine has been asked for."""

    @property
    def names(self) -> list[str]:
        """The names of engine and reference, or their roles if a name is a whole command."""
        roles = ("the engine", "the reference")
        return [
            pane.session.name if len(pane.session.name) <= LONGEST_NAME else role
            for pane, role in zip(self.controller.panes, roles, strict=False)
        ]

    def in_short(self, message: str) -> str:
        """Return a message with roles in place of names that are whole commands."""
        for pane, name in zip(self.controller.panes, self.names, strict=True):
            message = message.replace(pane.session.name, name)
        return message

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.cursor.position if self.is_after or self.cursor.parent is None else self.cursor.before

    @property
    def shows_move(self) -> bool:
        """Whether the move under the cursor is drawn on the board."""
        return self.cursor.parent is not None and not self.is_after

    @property
    def gentypes(self) -> list[GenType]:
        """The GenTypes that the position on the board allows."""
        if self.position.in_check:
            return [GenType.EVASIONS, GenType.LEGAL]
        return [one for one in GenType if one is not GenType.EVASIONS]

    @property
    def technique_name(self) -> str:
        """The technique whose walk is shown."""
        return TECHNIQUES[self.technique % len(TECHNIQUES)]

    @property
    def trace(self) -> Trace | str | None:
        """The walk through the position on the board, why there is none, or None as long as it is not there."""
        return self.traces.get((self.technique_name, fen_of(self.position)))

    @property
    def node_on_board(self) -> Node:
        """The node of the position on the board."""
        return self.cursor if self.is_after or self.cursor.parent is None else self.cursor.parent

    def move_square(self, files: int, ranks: int) -> None:
        """Move the cursor of the board, as it is seen, unless it would leave the board."""
        turn = -1 if self.is_flipped else 1
        file, rank = self.square % 8 + files * turn, self.square // 8 + ranks * turn
        if 0 <= file < 8 and 0 <= rank < 8:
            self.square = rank * 8 + file

    def touch(self, square: int) -> list[Move]:
        """Return the moves to a square of the piece that is picked up; if there are none, pick up what stands there."""
        moves = [] if self.picked is None else moves_from(self.position, self.picked).get(square, [])
        self.picked = square if not moves and moves_from(self.position, square) else None
        return moves

    def arrive(self, event: Followed) -> Node | None:
        """Take in the cause of a difference, and return its node; None if no cause was found."""
        found = event.found
        if isinstance(found, NodeFailure):
            self.followed = f"Following ended with {found.verdict.value}: {self.in_short(found.message)}"
        elif found is None:
            self.followed = "Following was stopped." if event.is_stopped else "Below this position the two agree."
        if not isinstance(found, Finding):
            return None
        node = event.node
        for uci, _ in found.path:
            self.controller.open(node)
            below = child_after(node, uci)
            if below is None:
                break
            node = below
        self.controller.open(node)
        self.panel, self.findings[id(node)] = "rule", found
        self.expected = (node, found.wrong[0].uci, found) if found.wrong else None
        return node

    def arrive_at_the_move(self) -> Node | None:
        """Return the node of the wrong move that is expected, if it is there and the user has not gone on."""
        if self.expected is None:
            return None
        node, uci, finding = self.expected
        below = child_after(node, uci)
        if self.cursor is not node:
            self.expected = None
        elif below is not None:
            self.expected, self.findings[id(below)] = None, finding
            return below
        return None

    def wrong_here(self) -> WrongMove | None:
        """Return what is wrong with the move under the cursor, if it is missing, extra, or listed more than once."""
        parent = self.cursor.parent
        if parent is None or self.cursor.kind in ("", "count") or (both := divides(parent)) is None:
            return None
        wrong = wrong_moves(parent.position, *both)
        return next((move for move in wrong if move.uci == self.cursor.uci), None)

    def finding_here(self) -> Finding | None:
        """Return what following has found at the cursor."""
        return self.findings.get(id(self.cursor))


def moves_from(position: Position, square: int) -> dict[int, list[Move]]:
    """Return the legal moves of the piece on a square, by the square on which it lands; castling also by the rook's."""
    found: dict[int, list[Move]] = {}
    for move in position.legal_moves:
        if move.origin == square:
            for place in {move.landing, move.target}:
                found.setdefault(place, []).append(move)
    return found


def fen_of(position: Position) -> str:
    """Return a FEN that names one position, also of Chess960."""
    return position.fen(castling="shredder")


def child_after(node: Node, uci: str) -> Node | None:
    """Return the node after a move, in either notation of castling."""
    return next((child for child in node.children or () if uci in (child.uci, child.text)), None)


def text_of(view: View, what: str) -> str:
    """Return the "fen", the "path" or the "command" of what is under the cursor."""
    if what == "fen":
        return view.position.fen()
    if what == "path":
        return " ".join(node.uci for node in view.cursor.path)
    node = view.cursor if view.cursor.can_open or view.cursor.parent is None else view.cursor.parent
    position, depth = node.position, max(1, node.depth)
    engine, *others = (pane.session.spec for pane in view.controller.panes)
    if others:
        return divide_command(position.fen(), depth, engine, others[0], position.chess960)
    return command_line(
        "divide", position.fen(), str(depth), *name_engines(engine), *["--chess960"] * position.chess960
    )
