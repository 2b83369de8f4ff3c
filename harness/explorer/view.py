"""The state of the main screen: the cursor, the options of the board and panels, and the findings."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...generator.position import Position
from ...generator.types.moves import GenType
from ..checking.descent.wrong_moves import wrong_moves
from ..engines.command_lines import command_line, divide_command, name_engines
from ..model.results.finding import Finding, WrongMove
from ..trees.controller import TreeController, divides
from ..trees.engine_pane import ComparedList, Followed
from ..trees.tree import Node, NodeFailure

LONGEST_NAME = 30
PANELS = {"rule": "1 Rule", "lists": "2 Moves"}


@dataclass
class View:
    """The state of the main screen."""

    controller: TreeController
    cursor: Node
    is_after: bool = False
    """Whether the board shows the position after the move under the cursor."""
    is_flipped: bool = False
    shows_attacks: bool = False
    panel: str = "rule"
    gentype: GenType = GenType.LEGAL
    findings: dict[int, Finding] = field(default_factory=dict)
    """The causes of followed differences, by the `id` of their node."""
    awaited_move: tuple[Node, str, Finding] | None = None
    """A finding whose wrong move has no node yet: the parent, the move, and the finding."""
    followed: str = ""
    """A sentence about the last followed difference if no cause was found."""
    lists: dict[tuple[str, GenType], ComparedList | NodeFailure | None] = field(default_factory=dict)
    """The engine's move lists by FEN and GenType. None means that the engine does not offer the list."""
    asked_lists: set[tuple[str, GenType]] = field(default_factory=set)
    """The requested lists."""

    @property
    def names(self) -> list[str]:
        """The names of the engine and the reference, or their roles if a name is too long."""
        roles = ("the engine", "the reference")
        return [
            pane.session.name if len(pane.session.name) <= LONGEST_NAME else role
            for pane, role in zip(self.controller.panes, roles, strict=False)
        ]

    def with_short_names(self, message: str) -> str:
        """Return a message in which long names are replaced by roles."""
        for pane, name in zip(self.controller.panes, self.names, strict=True):
            message = message.replace(pane.session.name, name)
        return message

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.cursor.position if self.is_after or self.cursor.parent is None else self.cursor.before

    @property
    def shows_move(self) -> bool:
        """Whether the move under the cursor is marked on the board."""
        return self.cursor.parent is not None and not self.is_after

    @property
    def gentypes(self) -> list[GenType]:
        """The GenTypes that apply to the position on the board."""
        if self.position.in_check:
            return [GenType.EVASIONS, GenType.LEGAL]
        return [one for one in GenType if one is not GenType.EVASIONS]

    @property
    def node_on_board(self) -> Node:
        """The node of the position on the board."""
        return self.cursor if self.is_after or self.cursor.parent is None else self.cursor.parent

    def take_cause(self, event: Followed) -> Node | None:
        """Record the cause of a followed difference and return its node, or None if no cause was found."""
        found = event.found
        if isinstance(found, NodeFailure):
            self.followed = f"Following ended with {found.verdict.value}: {self.with_short_names(found.message)}"
        elif found is None:
            self.followed = "Following was stopped." if event.is_stopped else "Below this position the engines agree."
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
        self.awaited_move = (node, found.wrong[0].uci, found) if found.wrong else None
        return node

    def take_wrong_move(self) -> Node | None:
        """Return the node of the awaited wrong move if it exists and the user is still at its parent."""
        if self.awaited_move is None:
            return None
        node, uci, finding = self.awaited_move
        below = child_after(node, uci)
        if self.cursor is not node:
            self.awaited_move = None
        elif below is not None:
            self.awaited_move, self.findings[id(below)] = None, finding
            return below
        return None

    def wrong_here(self) -> WrongMove | None:
        """Return the explanation of the move under the cursor if it is missing, extra or a duplicate."""
        parent = self.cursor.parent
        if parent is None or self.cursor.kind in ("", "count") or (both := divides(parent)) is None:
            return None
        wrong = wrong_moves(parent.position, *both)
        return next((move for move in wrong if move.uci == self.cursor.uci), None)

    def finding_here(self) -> Finding | None:
        """Return the finding for the node under the cursor, if any."""
        return self.findings.get(id(self.cursor))


def fen_of(position: Position) -> str:
    """Return a FEN that is unambiguous in Chess960."""
    return position.fen(castling="shredder")


def child_after(node: Node, uci: str) -> Node | None:
    """Return the child after a move. Both notations of castling are accepted."""
    return next((child for child in node.children or () if uci in (child.uci, child.text)), None)


def text_of(view: View, what: str) -> str:
    """Return the "fen", "path" or "command" for the node under the cursor."""
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
