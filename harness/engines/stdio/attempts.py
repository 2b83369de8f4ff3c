"""Tables of commands and arguments that perft-check tries on programs, most common first.

Each row is one attempt. `command_search` tries commands of UCI engines, `console_search` commands of other programs
that read stdin, and `usual_commands` arguments of programs that are started for each question.
"""

from __future__ import annotations

PROBE_DEPTH, SHALLOW_DEPTH = 3, 2
"""Depths for the starting position. The second is used if an engine is too slow for the first."""
QUICK_SECONDS = 2.0
"""Time limit in seconds for questions about the format of answers, which slow engines need not answer."""

# UCI engines, which receive positions by `position fen`.

UCI_COMMANDS = ("go perft {depth}", "perft {depth}", "divide {depth}")
"""Counting commands. The first one that works is used."""

NEW_GAME = "ucinewgame"
"""Sent at startup to engines that mention it. Most do not need it."""

# Other programs that read commands from stdin.

MODES = ((), ("xboard", "force"))
"""Lines that may have to be sent at startup."""
SETUPS = (
    "position fen {fen}{moves}", "setboard {fen}", "position {fen}", "fen {fen}", "setfen {fen}",
    "load {fen}", "loadfen {fen}", "load fen {fen}", "setpos {fen}", "setposition {fen}", "pos {fen}", "board {fen}",
    "setup {fen}", "set {fen}",
)  # fmt: skip
"""Commands to set up a position."""
COMMANDS = (
    "perft {depth}",
    "go perft {depth}",
    "divide {depth}",
    "perftdiv {depth}",
    "perftsplit {depth}",
    "d {depth}",
)
"""Commands to count the current position."""
WHOLE_CASES = (
    "perft {depth} {fen}", "perft {fen} {depth}", "perft {depth} fen {fen}", "go perft {depth} {fen}",
    "divide {depth} {fen}", "{depth} {fen}", "{fen} {depth}", "{fen};{depth}",
)  # fmt: skip
"""Commands with position and depth on one line."""
ANSWERS = ("{fen}\n{depth}", "{depth}\n{fen}")
"""Position and depth as responses to two prompts."""

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
"""Arguments of the program. The FEN option is first, because some programs count as soon as they parse the depth."""
COUNTING_WORDS = ("perft", "divide", "count")
"""Names of counting commands. If the program's help text names one of them, the help text of that command is read,
too."""
