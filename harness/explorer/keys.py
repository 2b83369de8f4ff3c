"""What each key does: one table, from which come the bindings, the line at the bottom and the page of help."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A key, or several that do the same."""

    names: str
    """As textual calls them, with commas between."""
    action: str
    """The action of the app, with arguments if it has any."""
    shown: str
    """How the key is written on the screen."""
    does: str
    """What it does, as a clause."""
    short: str = ""
    """A word for the line at the bottom; "" where it is not there."""
    group: str = "Tree"


MAIN = (
    Key("down", "move(1)", "Down", "go to the next row"),
    Key("up", "move(-1)", "Up", "go to the row above"),
    Key("pagedown", "page(1)", "PgDn", "go down by a page"),
    Key("pageup", "page(-1)", "PgUp", "go up by a page"),
    Key("home", "edge(-1)", "Home", "go to the root"),
    Key("end", "edge(1)", "End", "go to the last row"),
    Key("enter", "open", "Enter", "open the branch, or go into it; on the board take a piece, and put it", "open"),
    Key("right", "right", "Right", "the same; on the board go to the right"),
    Key("left,backspace", "close", "Left", "close the branch, or go up; on the board go to the left"),
    Key("n", "next(1)", "n", "go to the next difference", "next"),
    Key("N", "next(-1)", "N", "go to the difference before"),
    Key("f", "follow", "f", "follow the difference down to the wrong move", "follow"),
    Key("asterisk", "open_all", "*", "open everything below, 250,000 rows at most"),
    Key("plus,equals_sign", "deepen(1)", "+", "count one ply more"),
    Key("minus", "deepen(-1)", "-", "count one ply less"),
    Key("u", "ask_again", "u", "ask the engines again about this position"),
    Key("x", "stop", "x", "stop what is being counted"),
    Key("tab", "switch", "Tab", "go from the tree to the board and back", "board", group="Board"),
    Key("b", "before", "b", "show the position after the move, or before it", group="Board"),
    Key("a", "attacks", "a", "mark the squares that the other side attacks", group="Board"),
    Key("v", "flip", "v", "turn the board", group="Board"),
    Key("1", "panel('rule')", "1", "show the rule", group="Panel"),
    Key("2", "panel('lists')", "2", "show the moves by GenType, ours and theirs", group="Panel"),
    Key("3", "panel('walk')", "3", "show how a technique finds the moves", group="Panel"),
    Key("g", "gentype(1)", "g", "take the next GenType", group="Panel"),
    Key("t", "technique(1)", "t", "take the next technique", group="Panel"),
    Key("full_stop", "step(1)", ".", "go one step of the walk on", group="Panel"),
    Key("comma", "step(-1)", ",", "go one step of the walk back", group="Panel"),
    Key("right_square_bracket", "scroll_panel(1)", "]", "scroll the panel down", group="Panel"),
    Key("left_square_bracket", "scroll_panel(-1)", "[", "scroll the panel up", group="Panel"),
    Key("c", "copy('fen')", "c", "copy the FEN", group="Program"),
    Key("y", "copy('path')", "y", "copy the moves that lead here", group="Program"),
    Key("r", "copy('command')", "r", "copy the command that shows this again", group="Program"),
    Key("o", "choose", "o", "choose another position of the report", group="Program"),
    Key("d", "dark", "d", "change between dark and light", group="Program"),
    Key("question_mark,f1", "help", "?", "show all keys", "help", group="Program"),
    Key("q", "quit", "q", "end", "end", group="Program"),
    Key("ctrl+c", "interrupt", "Ctrl-C", "end from any page, with exit status 130", group="Program"),
    Key("ctrl+z", "suspend_process", "Ctrl-Z", "go back to the shell until fg", group="Program"),
)
"""The keys of the main screen."""
EVERYWHERE = ("tab", "ctrl+c", "ctrl+z")
"""The keys that no other screen or widget takes."""


def hints(keys: tuple[Key, ...]) -> list[tuple[str, str]]:
    """Return the keys of the line at the bottom, each with its word."""
    return [(key.shown, key.short) for key in keys if key.short]
