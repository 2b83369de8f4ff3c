"""What can be copied: the FEN, the way to it, the command that shows it again."""

from __future__ import annotations

from ..model.command_lines import command_line, divide_command
from .view import View


def text_of(view: View, what: str) -> str:
    """Return the "fen", the "path" or the "command" of what is under the cursor."""
    if what == "fen":
        return view.position.fen()
    if what == "path":
        return " ".join(node.uci for node in view.cursor.path)
    node = view.cursor if view.cursor.can_open or view.cursor.parent is None else view.cursor.parent
    position, depth = node.position, max(1, node.depth)
    engine, *others = (side.name for side in view.desk.sides)
    if others:
        return divide_command(position.fen(), depth, engine, others[0], position.chess960)
    return command_line("divide", position.fen(), str(depth), "-e", engine, *["--chess960"] * position.chess960)
