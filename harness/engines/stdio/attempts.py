"""How programs are asked: the tables of what perft-check tries, the most usual first.

Each row is one attempt. `command_search` tries the commands of UCI engines, `console_search` those of other programs
that read their stdin, and `usual_commands` the calls of programs that are started for each question.
"""

from __future__ import annotations

PROBE_DEPTH, SHALLOW_DEPTH = 3, 2
"""The starting position is counted to the first depth, and by an engine that is too slow for that to the second."""
QUICK_SECONDS = 2.0
"""Time for a question about how the engine writes something, which a slow engine need not answer."""

# UCI engines, to which positions are sent by `position fen`.

UCI_COMMANDS = ("go perft {depth}", "perft {depth}", "divide {depth}")
"""How they are asked to count; the first command that works is kept."""
RARE_UCI_COMMANDS = ("perftsplit {depth}", "perftdiv {depth}")
"""Tried for an engine that knows none of them, beside the commands that its help names."""
NEW_GAME = "ucinewgame"
"""Sent to an engine that asks for it; most do not need it."""

# Other programs that read commands from their stdin.

MODES = ((), ("xboard", "force"))
"""What may have to be sent at the start."""
SETUPS = (
    "position fen {fen}{moves}", "setboard {fen}", "position {fen}", "fen {fen}", "setfen {fen}",
    "load {fen}", "loadfen {fen}", "load fen {fen}", "setpos {fen}", "setposition {fen}", "pos {fen}", "board {fen}",
    "setup {fen}", "set {fen}",
)  # fmt: skip
"""Commands that set a position up."""
COMMANDS = (
    "perft {depth}",
    "go perft {depth}",
    "divide {depth}",
    "perftdiv {depth}",
    "perftsplit {depth}",
    "d {depth}",
)
"""Commands that count the position that is set up."""
WHOLE_CASES = (
    "perft {depth} {fen}", "perft {fen} {depth}", "perft {depth} fen {fen}", "go perft {depth} {fen}",
    "divide {depth} {fen}", "{depth} {fen}", "{fen} {depth}", "{fen};{depth}",
)  # fmt: skip
"""Both on one line."""
ANSWERS = ("{fen}\n{depth}", "{depth}\n{fen}")
"""Both as answers to two questions."""

# Programs that are started for each question.

SCRIPT_CALL = "{depth} {fen}"
"""How a script is called if no moves are to be played."""
CALLS = (
    "perft {depth} {fen}",
    "perft {fen} {depth}",
    SCRIPT_CALL,
    "{fen} {depth}",
    "divide {depth} {fen}",
    "divide {fen} {depth}",
    "--fen {fen} --depth {depth}",
    "-f {fen} -d {depth}",
    "--fen {fen} --perft {depth}",
    "perft --fen {fen} --depth {depth}",
    "perft {depth} {fields}",
    "perft {fields} {depth}",
    "{depth} {fields}",
    "{fields} {depth}",
    "{depth} <<< {fen}",
    "<<< {fen} {depth}",
    "perft {depth} <<< {fen}",
    "perft -f {fen} -d {depth}",
    "perft {depth} --fen {fen}",
    "--perft {depth} {fen}",
    "-fen {fen} -depth {depth}",
    "-fen {fen} -perft {depth}",
    "-f {fen} -p {depth}",
    "--fen={fen} --depth={depth}",
    "--fen={fen} --perft={depth}",
    "--perft --fen {fen} --depth {depth}",
    "--depth {depth} {fen}",
    "-d {depth} {fen}",
    "fen {fen} perft {depth}",
    "d {depth} {fen}",
    "'position fen {fen}' 'go perft {depth}'",
    "--depth {depth} <<< {fen}",
    "-d {depth} <<< {fen}",
    "<<< {depth} {fen}",
    "<<< '{fen} {depth}'",
    "<<< '{depth} {fen}'",
    "<<< 'perft {depth} {fen}'",
    "<<< 'position fen {fen}' 'go perft {depth}' quit",
    "<<< 'position fen {fen}' 'perft {depth}' quit",
    "<<< 'setboard {fen}' 'perft {depth}' quit",
    "<<< '{fen} ;D{depth}'",
    "/dev/stdin {depth} <<< {fen}",
    "<<< 'fen {fen}' 'perft {depth}' quit",
    "<<< 'setpos {fen}' 'perft {depth}' quit",
)
"""What follows the program. Options have the FEN first, because some programs count as soon as they read a depth."""
COUNTING_WORDS = ("perft", "divide", "count")
"""The names of a program's commands that count; each is asked for its help."""
