"""The key bindings, from which the footer and the help page are generated."""

from __future__ import annotations

from textual.binding import Binding


def _key(keys: str, action: str, shown: str, text: str, footer: str = "", *, everywhere: bool = False) -> Binding:
    """Return a binding with its help text and footer label. Dialogs cannot override it if it works `everywhere`."""
    word = footer or text
    return Binding(keys, action, word, show=bool(footer), key_display=shown, tooltip=text, priority=everywhere)


GROUPS: dict[str, tuple[Binding, ...]] = {
    "Tree": (
        _key("down", "move(1)", "Down", "go to the next row"),
        _key("up", "move(-1)", "Up", "go to the previous row"),
        _key("pagedown", "page(1)", "PgDn", "go down by a page"),
        _key("pageup", "page(-1)", "PgUp", "go up by a page"),
        _key("home", "edge(-1)", "Home", "go to the root"),
        _key("end", "edge(1)", "End", "go to the last row"),
        _key("enter,right", "open", "Enter", "open the branch, or enter it", "open"),
        _key("left,backspace", "close", "Left", "close the branch, or go to its parent"),
        _key("n", "next(1)", "n", "go to the next difference", "next"),
        _key("N", "next(-1)", "N", "go to the previous difference"),
        _key("f", "follow", "f", "follow the difference down to the wrong move", "follow"),
        _key("asterisk", "open_all", "*", "open everything below, up to 250,000 rows"),
        _key("plus,equals_sign", "deepen(1)", "+", "increase the depth by one ply"),
        _key("minus", "deepen(-1)", "-", "decrease the depth by one ply"),
        _key("u", "ask_again", "u", "ask the engines again about this position"),
        _key("x", "stop", "x", "stop counting"),
    ),
    "Board": (
        _key("b", "before", "b", "show the position before or after the move"),
        _key("a", "attacks", "a", "mark the squares that the opponent attacks"),
        _key("v", "flip", "v", "flip the board"),
    ),
    "Panel": (
        _key("1", "panel('rule')", "1", "show the rule"),
        _key("2", "panel('lists')", "2", "show the moves by GenType: the correct ones and the engine's"),
        _key("g", "gentype(1)", "g", "show the next GenType"),
        _key("right_square_bracket", "scroll_panel(1)", "]", "scroll the panel down"),
        _key("left_square_bracket", "scroll_panel(-1)", "[", "scroll the panel up"),
    ),
    "Program": (
        _key("c", "copy('fen')", "c", "copy the FEN"),
        _key("y", "copy('path')", "y", "copy the moves that lead here"),
        _key("r", "copy('command')", "r", "copy the command that reproduces this"),
        _key("d", "dark", "d", "switch between dark and light"),
        _key("question_mark,f1", "help", "?", "show all keys", "help"),
        _key("q", "quit", "q", "quit", "quit"),
        _key("ctrl+c", "interrupt", "Ctrl-C", "quit from any page, with exit status 130", everywhere=True),
        _key("ctrl+z", "suspend_process", "Ctrl-Z", "suspend until fg", everywhere=True),
    ),
}
"""The keys of the main screen, in groups."""
MAIN = tuple(binding for group in GROUPS.values() for binding in group)
