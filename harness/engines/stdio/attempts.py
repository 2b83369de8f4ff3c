"""Tables of the commands and arguments that perft-check tries with programs, the most usual first.

Each row is one attempt. `command_search` tries the commands of UCI engines, `console_search` those of other programs
that read their stdin, and `usual_commands` the arguments of programs that are started for each question.
"""

from __future__ import annotations

PROBE_DEPTH, SHALLOW_DEPTH = 3, 2
"""Depths to which the starting position is counted; an engine that is too slow for the first is asked the second."""
QUICK_SECONDS = 2.0
"""Time limit in seconds for a question about the format of answers, which a slow engine need not answer."""

# UCI engines, to which positions are sent by `position fen`.

UCI_COMMANDS = ("go perft {depth}", "perft {depth}", "divide {depth}")
"""Commands that count. The first one that works is kept."""
RARE_UCI_COMMANDS = ("perftsplit {depth}", "perftdiv {depth}")
"""Tried if the engine knows none of the usual ones, after the commands that its help names."""
NEW_GAME = "ucinewgame"
"""Sent at the start to an engine that mentions it. Most engines do not need it."""

# Other programs that read their stdin.

MODES = ((), ("xboard", "force"))
"""Lines that may have to be sent at the start."""
SETUPS = (
    "position fen {fen}{moves}", "setboard {fen}", "position {fen}", "fen {fen}", "setfen {fen}",
    "load {fen}", "loadfen {fen}", "load fen {fen}", "setpos {fen}", "setposition {fen}", "pos {fen}", "board {fen}",
    "setup {fen}", "set {fen}",
)  # fmt: skip
"""Commands that set up a position."""
COMMANDS = (
    "perft {depth}",
    "go perft {depth}",
    "divide {depth}",
    "perftdiv {depth}",
    "perftsplit {depth}",
    "d {depth}",
)
"""Commands that count the position that has been set up."""
WHOLE_CASES = (
    "perft {depth} {fen}", "perft {fen} {depth}", "perft {depth} fen {fen}", "go perft {depth} {fen}",
    "divide {depth} {fen}", "{depth} {fen}", "{fen} {depth}", "{fen};{depth}",
)  # fmt: skip
"""Commands with both position and depth on one line."""
ANSWERS = ("{fen}\n{depth}", "{depth}\n{fen}")
"""Position and depth as answers to two prompts."""

# Programs that are started for each question.

SCRIPT_CALL = "{depth} {fen}"
"""The arguments of a perftree script without moves."""
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
"""What follows the program. Options begin with the FEN, because some programs count as soon as they read a depth."""
COUNTING_WORDS = ("perft", "divide", "count")
"""Names of commands that count. If the help of the program names one, the help of that command is read too."""
