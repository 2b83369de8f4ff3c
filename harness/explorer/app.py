"""The explorer: tree, board and words, and what each key does."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from ...generator.position import Position
from ...generator.techniques.registry import NoChess960
from ...generator.techniques.tracing import trace
from ...generator.types.moves import GenType
from ..model.results.verdict import ExitCode
from ..model.shutdown import Interrupt
from ..trees.desk import Desk
from ..trees.following import Followed
from ..trees.jobs import Divided, MovesListed
from ..trees.node import Node
from ..trees.places import Place
from .board_view import BoardView
from .clearing import Clearing
from .copying import text_of
from .drawn import Drawn
from .editing import EditScreen
from .help import HelpScreen
from .keys import EVERYWHERE, MAIN
from .opening import MOST_ROWS, Opening
from .panels import steps_of
from .picking import PickScreen
from .stopping import go_on_after_a_stop
from .tree_view import TreeView
from .view import TECHNIQUES, View, fen_of

_SLICE = 0.008
"""Seconds that a look at what has come, or opening a part of the tree, may keep a key waiting."""
_TICK = 1 / 30
_LEAST_BETWEEN = 0.2
"""Seconds between two drawings of what comes by itself."""


class Explorer(Drawn):
    """Two engines' trees below a position, side by side: what the keys do, and what comes from the engines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key.names, key.action, key.does, show=False, priority=key.names in EVERYWHERE) for key in MAIN
    ]

    def __init__(
        self, desk: Desk, places: Sequence[Place], is_light: bool = False, interrupt: Interrupt | None = None
    ) -> None:
        """Look at the first of the places; the others can be chosen. The caller closes the desk.

        The explorer ends, with the status of an interrupted run, as soon as the interrupt is requested.
        """
        super().__init__(desk)
        self.theme = "textual-light" if is_light else "textual-dark"
        self._places = tuple(places)
        self._interrupt = interrupt or Interrupt()
        self._opening = Opening(desk)
        self._clearing = Clearing()
        self.copied: list[str] = []
        """What was copied, for terminals that have no clipboard for it."""
        self._drawn_at = 0.0
        self._is_stale = True
        """Whether something has come that is not drawn yet."""
        self.view = self._planted(places[0])

    def on_mount(self) -> None:
        """Begin to look at what comes."""
        self.query_one(TreeView).focus()
        if self._driver is not None:
            go_on_after_a_stop(self._driver)
        self.set_interval(_TICK, self._tick)
        self.call_after_refresh(self.draw)
        self.call_after_refresh(gc.freeze)  # what is loaded stays: to look through it for garbage takes 70 ms
        if len(self._places) > 1:
            self.action_choose()

    # What comes from the engines.

    def _tick(self) -> None:
        """Take what has come, for a moment."""
        if self._interrupt.requested:
            self.action_interrupt()
        is_stale = self._desk.is_busy or self._is_stale
        for event in self._desk.events(_SLICE):
            is_stale = True
            match event:
                case Followed():
                    self._arrive(event)
                case MovesListed():
                    self.view.lists[fen_of(event.position), event.gentype] = event.answer
                case Divided():
                    self._go_to_the_wrong_move()
                    self._look_at_the_lists()
        if self._clearing.is_under_way:
            self._clearing.go_on(_SLICE)
        if self._opening.is_under_way:
            is_stale = True
            if self._opening.go_on(_SLICE):
                self.notify(f"Opened up to {MOST_ROWS:,} rows.")
        self._is_stale = is_stale
        if is_stale and monotonic() > self._drawn_at + _LEAST_BETWEEN:
            self._drawn_at, self._is_stale = monotonic(), False
            self.draw()

    def _arrive(self, event: Followed) -> None:
        """Go where a difference has led to, or say why it has led nowhere."""
        node = self.view.arrive(event)
        if node is not None:
            self._go(node, is_after=True)
            self._go_to_the_wrong_move()

    def _go_to_the_wrong_move(self) -> None:
        """Go to the wrong move of a finding, as soon as the engine's list has come."""
        node = self.view.arrive_at_the_move()
        if node is not None:
            self._go(node)

    # Keys: the tree.

    def action_move(self, step: int) -> None:
        """Go up or down by rows, on the board by ranks."""
        if self.view.is_on_board:
            self._move_square(0, -step)
        else:
            self._go_to_row(self._desk.tree.place(self.view.cursor) + step)

    def action_page(self, step: int) -> None:
        """Go up or down by pages."""
        self.action_move(step * max(1, self.query_one(TreeView).size.height - 1))

    def action_edge(self, step: int) -> None:
        """Go to the first or the last row."""
        self._go_to_row(0 if step < 0 else self._desk.tree.rows - 1)

    def action_open(self) -> None:
        """Open the branch under the cursor, and go into one that is open; on the board, pick up or play."""
        if self.view.is_on_board:
            self._touch(self.view.square)
            return
        node = self.view.cursor
        if node.is_open and node.children:
            self._go(node.children[0])
        else:
            self._desk.open(node)
            self.draw()

    def action_right(self) -> None:
        """Open the branch, or go to the right on the board."""
        if self.view.is_on_board:
            self._move_square(1, 0)
        else:
            self.action_open()

    def action_close(self) -> None:
        """Close the branch, or go up."""
        node = self.view.cursor
        if self.view.is_on_board:
            self._move_square(-1, 0)
        elif node.is_open:
            self._desk.tree.close(node)
            self.draw()
        elif node.parent is not None:
            self._go(node.parent)

    def action_next(self, step: int) -> None:
        """Go to the next known difference, or the one before."""
        node = self._desk.tree.differing(self.view.cursor, step)
        if node is None:
            self.notify("No difference is known yet." if self._desk.is_busy else "No difference is known.")
        else:
            self._go(node)

    def action_follow(self) -> None:
        """Follow the difference below the cursor to its cause."""
        node = self.view.cursor
        if len(self._desk.sides) < 2:
            self.notify("There is nothing to compare with: give another engine with -a.")
            return
        if not node.can_open and node.parent is not None:
            node = node.parent
        self.view.followed = ""
        if not self._desk.follow(node):
            self.notify("A difference is being followed already; x stops that.")
        self.draw()

    def action_open_all(self) -> None:
        """Open everything below the cursor, a part at a time."""
        self._opening.begin(self.view.cursor)

    def action_deepen(self, step: int) -> None:
        """Count more plies, or fewer."""
        depth = self._place.depth + step
        if 1 <= depth <= 99:
            path = tuple(node.text for node in self.view.cursor.path)
            self.look_at(replace(self._place, depth=depth, path=path))

    def action_ask_again(self) -> None:
        """Ask the engines once more about the position under the cursor, or about the one above a leaf."""
        node = self.view.cursor
        self._desk.ask_again(node if node.can_open or node.parent is None else node.parent)
        self.draw()

    def action_stop(self) -> None:
        """Stop what is being counted."""
        self._opening.stop()
        self._desk.stop()

    # Keys: the board.

    def action_switch(self) -> None:
        """Let the keys move on the board, or in the tree again."""
        self.view.is_on_board = not self.view.is_on_board
        self.view.picked = None
        self.draw()

    def action_before(self) -> None:
        """Show the position after the move under the cursor, or before it."""
        self.view.is_after = not self.view.is_after
        self._position_changed()

    def action_attacks(self) -> None:
        """Mark what the other side attacks."""
        self.view.shows_attacks = not self.view.shows_attacks
        self.draw()

    def action_flip(self) -> None:
        """Turn the board."""
        self.view.is_flipped = not self.view.is_flipped
        self.draw()

    def _move_square(self, files: int, ranks: int) -> None:
        self.view.move_square(files, ranks)
        self.draw_beside()

    def _touch(self, square: int) -> None:
        """Pick up the piece on a square, or play the one that is picked up there."""
        moves = self.view.touch(square)
        if not moves:
            self.draw_beside()
            return
        text = max(moves, key=lambda move: move.promotion or 0).uci(chess960=True)
        node = self.view.node_on_board
        if self._desk.open(node):
            self._go(next(child for child in node.children or () if child.text == text), is_after=True)
        else:
            self.notify("The tree is not as deep as that; + counts one ply more.")

    def on_board_view_clicked(self, message: BoardView.Clicked) -> None:
        """Pick up or play, as Enter does."""
        self.view.is_on_board, self.view.square = True, message.square
        self._touch(message.square)

    def on_tree_view_clicked(self, message: TreeView.Clicked) -> None:
        """Go to a row; with a second click open it."""
        self.view.is_on_board = False
        self._go(message.node)
        if message.is_twice:
            self.action_open()

    # Keys: the panels.

    def action_panel(self, name: str) -> None:
        """Show a panel."""
        self.view.panel = name
        self.query_one("#panel").scroll_home(animate=False)
        self._position_changed()

    def action_scroll_panel(self, step: int) -> None:
        """Scroll the words."""
        self.query_one("#panel").scroll_relative(y=step * 5, animate=False)

    def action_gentype(self, step: int) -> None:
        """Show the moves of the next GenType."""
        possible = self.view.gentypes
        here = possible.index(self.view.gentype) if self.view.gentype in possible else -1
        self.view.gentype, self.view.panel = possible[(here + step) % len(possible)], "lists"
        self._position_changed()

    def action_technique(self, step: int) -> None:
        """Show the walk of the next technique."""
        if self.view.panel == "walk":
            self.view.technique = (self.view.technique + step) % len(TECHNIQUES)
        self.view.panel, self.view.step = "walk", 0
        self._position_changed()

    def action_step(self, step: int) -> None:
        """Go on with the walk, or back."""
        if self.view.panel != "walk":
            self.action_panel("walk")
        self.view.step = min(max(0, self.view.step + step), steps_of(self.view.trace))
        self.draw()

    # Keys: the program.

    def action_copy(self, what: str) -> None:
        """Copy something to the clipboard, and keep it for the end."""
        text = text_of(self.view, what)
        self.copied.append(text)
        self.copy_to_clipboard(text)
        self.notify(text, title=f"{what} copied", markup=False)

    def action_choose(self) -> None:
        """Choose another position of the report or suite."""
        if len(self._places) < 2:
            self.notify("There is no other position: open a report or a suite.")
            return
        self.push_screen(PickScreen(self._places), self._chosen)

    def _chosen(self, number: int | None) -> None:
        if number is not None:
            self.look_at(self._places[number])
        else:
            self.draw()

    def action_edit(self) -> None:
        """Edit the position on the board."""
        self.push_screen(EditScreen(self.view.position, self.view.is_flipped), self._edited)

    def _edited(self, position: Position | None) -> None:
        if position is not None:
            depth = self._place.depth
            self.look_at(Place("edited", position, depth))
        else:
            self.draw()

    def action_dark(self) -> None:
        """Change between dark and light."""
        self.theme = "textual-dark" if self.theme == "textual-light" else "textual-light"

    def action_help(self) -> None:
        """Show all keys."""
        self.push_screen(HelpScreen(), lambda _nothing: self.draw())

    def action_interrupt(self) -> None:
        """End, with the status of what was interrupted."""
        self.exit(return_code=ExitCode.INTERRUPTED)

    # Where we are.

    def look_at(self, place: Place) -> None:
        """Begin at another position."""
        self.view = self._planted(place, self.view)
        self.query_one(TreeView).refresh_rows(self.view.cursor)
        self._go(self.view.cursor)

    def _planted(self, place: Place, before: View | None = None) -> View:
        """Return the view of a place whose tree begins to be counted."""
        self._place, self.place_name = place, place.name
        if before is not None:
            self._clearing.begin(self._desk.tree.root)
        tree = self._desk.plant(place.position, place.depth)
        self._opening.stop()
        node = tree.at(place.path)
        tree.show(node)
        for step in node.path:
            self._desk.open(step)
        if before is None:
            return View(self._desk, node)
        return replace(
            before,
            cursor=node,
            findings={},
            expected=None,
            followed="",
            is_after=False,
            is_on_board=False,
            picked=None,
            step=0,
        )

    def _go_to_row(self, number: int) -> None:
        tree = self._desk.tree
        self._go(tree.row(min(max(0, number), tree.rows - 1)))

    def _go(self, node: Node, is_after: bool = False) -> None:
        """Put the cursor on a node."""
        rows = self._desk.tree.rows
        self._desk.tree.show(node)
        self.view.cursor, self.view.is_after, self.view.followed = node, is_after, ""
        tree = self.query_one(TreeView)
        if rows != self._desk.tree.rows:
            tree.refresh_rows(node)
        tree.go_to(node)
        self.query_one("#panel").scroll_home(animate=False)
        self._position_changed()

    def _position_changed(self) -> None:
        """Draw, and ask for what the panel needs of the position."""
        view = self.view
        view.picked, view.step = None, 0
        if view.gentype not in view.gentypes:
            view.gentype = GenType.LEGAL
        self._look_at_the_lists()
        if view.panel == "walk" and view.trace is None:
            self._walk(view.technique_name, view.position)
        self.draw_beside()

    def _look_at_the_lists(self) -> None:
        """Ask the engine for its list, where the panel shows one that was not asked for."""
        view = self.view
        key = (fen_of(view.position), view.gentype)
        if view.panel == "lists" and key not in view.asked_lists and view.gentype in self._desk.listed:
            view.asked_lists.add(key)
            self._desk.list_moves(view.position, view.gentype)

    @work(thread=True, exclusive=True, group="walk")
    def _walk(self, name: str, position: Position) -> None:
        """Follow a technique, which takes a process of its own."""
        try:
            walk: object = trace(name, position)
        except NoChess960 as refusal:
            walk = f"{refusal}."
        self.call_from_thread(self._walked, (name, fen_of(position)), walk)

    def _walked(self, key: tuple[str, str], walk: object) -> None:
        self.view.traces[key] = walk  # type: ignore[assignment]  # a Trace, or a sentence
        self.draw()
