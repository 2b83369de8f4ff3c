"""What each key does: bindings of textual, from which come the footer and the page of help."""

from __future__ import annotations

from textual.binding import Binding


def _key(names: str, action: str, shown: str, does: str, word: str = "", *, everywhere: bool = False) -> Binding:
    """Return a binding; its tooltip says what it does, and the footer shows it if it has a `word` for that.

    No other screen or widget takes a key that works `everywhere`.
    """
    return Binding(names, action, word or does, show=bool(word), key_display=shown, tooltip=does, priority=everywhere)


GROUPS: dict[str, tuple[Binding, ...]] = {
    "Tree": (
        _key("down", "move(1)", "Down", "go to the next row"),
        _key("up", "move(-1)", "Up", "go to the row above"),
        _key("pagedown", "page(1)", "PgDn", "go down by a page"),
        _key("pageup", "page(-1)", "PgUp", "go up by a page"),
        _key("home", "edge(-1)", "Home", "go to the root"),
        _key("end", "edge(1)", "End", "go to the last row"),
        _key("enter", "open", "Enter", "open the branch, or go into it; on the board take a piece, and put it", "open"),
        _key("right", "right", "Right", "the same; on the board go to the right"),
        _key("left,backspace", "close", "Left", "close the branch, or go up; on the board go to the left"),
        _key("n", "next(1)", "n", "go to the next difference", "next"),
        _key("N", "next(-1)", "N", "go to the difference before"),
        _key("f", "follow", "f", "follow the difference down to the wrong move", "follow"),
        _key("asterisk", "open_all", "*", "open everything below, 250,000 rows at most"),
        _key("plus,equals_sign", "deepen(1)", "+", "count one ply more"),
        _key("minus", "deepen(-1)", "-", "count one ply less"),
        _key("u", "ask_again", "u", "ask the engines again about this position"),
        _key("x", "stop", "x", "stop what is being counted"),
    ),
    "Board": (
        _key("tab", "switch", "Tab", "go from the tree to the board and back", "board", everywhere=True),
        _key("b", "before", "b", "show the position after the move, or before it"),
        _key("a", "attacks", "a", "mark the squares that the other side attacks"),
        _key("v", "flip", "v", "turn the board"),
    ),
    "Panel": (
        _key("1", "panel('rule')", "1", "show the rule"),
        _key("2", "panel('lists')", "2", "show the moves by GenType, the correct ones and the engine's"),
        _key("3", "panel('walk')", "3", "show how a technique finds the moves"),
        _key("g", "gentype(1)", "g", "take the next GenType"),
        _key("t", "technique(1)", "t", "take the next technique"),
        _key("full_stop", "step(1)", ".", "go one step of the walk on"),
        _key("comma", "step(-1)", ",", "go one step of the walk back"),
        _key("right_square_bracket", "scroll_panel(1)", "]", "scroll the panel down"),
        _key("left_square_bracket", "scroll_panel(-1)", "[", "scroll the panel up"),
    ),
    "Program": (
        _key("c", "copy('fen')", "c", "copy the FEN"),
        _key("y", "copy('path')", "y", "copy the moves that lead here"),
        _key("r", "copy('command')", "r", "copy the command that shows this again"),
        _key("o", "choose", "o", "choose another position of the report"),
        _key("d", "dark", "d", "change between dark and light"),
        _key("question_mark,f1", "help", "?", "show all keys", "help"),
        _key("q", "quit", "q", "end", "end"),
        _key("ctrl+c", "interrupt", "Ctrl-C", "end from any page, with exit status 130", everywhere=True),
        _key("ctrl+z", "suspend_process", "Ctrl-Z", "go back to the shell until fg", everywhere=True),
    ),
}
"""The keys of the main screen, by what they are about."""
MAIN = tuple(binding for group in GROUPS.values() for binding in group)
