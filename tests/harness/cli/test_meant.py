"""A command line that cannot be read says what was probably meant, in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers.program import Run, wrong
from perft_check.suites.bundled import ALL_BUNDLED

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
QUOTED = f"'{START}'"
FIELDS = "a FEN must be quoted as one argument: 'rnbqkbnr/.../RNBQKBNR w KQkq - 0 1'"
NO_CONFIG = "another value, or ignore the configuration file with --no-config"
POSITION = "to check one position, use perft or divide"
COMMAND = "the command of an engine must be quoted as one argument: -e 'PROGRAM {fen} {depth}'"
SAID = {
    ("./engine",): "No such command './engine'; try: perft-check -e ./engine",
    ("./gone",): "No such command './gone'; try: perft-check -e ./gone",
    ("engine.json",): "No such command 'engine.json'; try: perft-check -e engine.json",
    (
        "./engine {fen} {depth}",
    ): "No such command './engine {fen} {depth}'; try: perft-check -e './engine {fen} {depth}'",
    ("smoke",): "No such command 'smoke'; try: perft-check run -s smoke",
    ("mine.epd",): "No such command 'mine.epd'; try: perft-check run -s mine.epd",
    (START,): f"No such command {QUOTED}; try: perft-check divide {QUOTED} 3",
    (START, "4"): f"No such command {QUOTED}; try: perft-check divide {QUOTED} 3",
    (*START.split(), "4"): FIELDS,
    ("startpos", "5"): "No such command 'startpos'; try: perft-check divide startpos 3",
    ("6",): "No such command '6'; try: perft-check perft startpos 6",
    ("fuz", "-e", "own"): "No such command 'fuz'; did you mean 'fuzz'?",
    ("help",): "No such command 'help'; try: perft-check --help",
    ("frobnicate",): "No such command 'frobnicate'; try: perft-check --help",
    ("suites", "smoke"): "No such command 'smoke'; try: perft-check suites --help",
    ("run", "./engine"): "unexpected argument './engine'; to name an engine, write -e ./engine",
    ("doctor", "./engine"): "unexpected argument './engine'; to name an engine, write -e ./engine",
    ("./engine", "{fen}", "{depth}", "-s", "smoke"): COMMAND,
    ("run", "mine.epd"): "unexpected argument 'mine.epd'; to name a suite, write --suite mine.epd",
    ("run", "smoke"): "unexpected argument 'smoke'; to name a suite, write --suite smoke",
    ("fuzz", START): f"unexpected argument {QUOTED}; to check one position, use --replay",
    ("run", "-e", "own", "kiwipete"): f"unexpected argument 'kiwipete'; {POSITION}",
    ("run", "4"): "unexpected argument '4'; to set a depth, write --max-depth 4",
    ("run", "what"): "unexpected argument 'what'; try: perft-check run --help",
    ("perft", "startpos", "3", "4"): "unexpected argument '4'; try: perft-check perft --help",
    ("perft", *START.split(), "3"): FIELDS,
    ("divide", "-e", "own", *START.split()): FIELDS,
    ("moves", *START.split()[:4], "--all"): FIELDS,
    ("fuzz", "3"): "unexpected argument '3'; to set a depth, write --depth 3",
    ("perft", "6"): "Missing argument 'DEPTH'; try: perft-check perft startpos 6",
    ("divide", "kiwipete"): "Missing argument 'DEPTH'; try: perft-check divide kiwipete 3",
    ("divide", f"{START} 5"): f"Missing argument 'DEPTH'; try: perft-check divide {QUOTED} 5",
    ("divide", "kiwipete", "two", "-e", "own"): "Invalid value for 'DEPTH': 'two' is not a whole number from 0 to 99; "
    "try: perft-check divide kiwipete 3",
    ("divide", "kiwipete", "2.5"): "Invalid value for 'DEPTH': '2.5' is not a whole number from 0 to 99; "
    "try: perft-check divide kiwipete 3",
    ("perft", "6", "startpos"): "Invalid value for 'DEPTH': 'startpos' is not a whole number from 0 to 99; "
    "try: perft-check perft startpos 6",
    ("moves",): "Missing argument 'POSITION'; try: perft-check moves startpos",
    ("perft", "./engine", "6"): "'./engine' is an engine, not a position; to name an engine, write -e ./engine",
    ("perft", "/88/8/8 w\n 4", "1"): r"'/88/8/8 w\n 4' is an engine, not a position; "
    r"to name an engine, write -e $'/88/8/8 w\n 4'",
    ("run", "8/8/8/8/8/8/8/8\nw"): rf"unexpected argument '8/8/8/8/8/8/8/8\nw'; {POSITION}",
    ("--bogus",): "No such option: --bogus; try: perft-check run --help",
    ("--seed", "1"): "No such option: --seed; it is an option of fuzz",
    ("run", "--depth", "3"): "No such option: --depth; did you mean '--max-depth'?",
    (
        "suites",
        "show",
        "--depth",
        "3",
    ): "No such option: --depth; it is an option of explore, bench, fuzz, suites make",
    ("fuzz", "-e", "own", "-s", "smoke"): "No such option: -s; it is an option of run, cover",
    ("fuzz", "--seed"): "Option '--seed' requires an argument: N",
    ("run", "--explain"): "Option '--explain' requires an argument: none|three|all",
    ("run", "--explain", "-x"): "Invalid value for '--explain': '-x' is not one of none, three, all",
    ("run", "--no-explain"): f"No such option: --no-explain; give --explain {NO_CONFIG}",
    ("run", "--no-fail-fast"): f"No such option: --no-fail-fast; give --fail-fast {NO_CONFIG}",
    ("-e", "cmd:x", "-d", "{depth}", "-f", "{fen}"): COMMAND,
    ("perft", "startpos", "3", "-e", "./a b", "{fen}", "{depth}", "--json"): COMMAND,
    ("-e", r"uci:C:\engines\sf.exe"): r"engine 'uci:C:\\engines\\sf.exe': a backslash quotes the character after it, "
    r"as in a shell: write / in 'C:\\engines\\sf.exe'",
    ("--a\x1b[31mb",): r"No such option: --a\x1b[31mb; try: perft-check run --help",
    ("fuzz", "-\x1b]0;x\x07"): r"No such option: -\x1b; try: perft-check fuzz --help",
    ("-s", "smoke", "--json"): "No such option: --json; write --report json=-",
    ("fuzz", "--html"): "No such option: --html; write --report html",
    ("fuzz", "-jobs", "3"): "No such option: -jobs; did you mean '--jobs'?",
    ("fuzz", "--job", "3"): "No such option: --job; did you mean '--jobs'?",
    (
        "-s",
        "./engine",
    ): "Invalid value for '--suite' / '-s': './engine' is a program; to name an engine, write -e ./engine",
}
"""Command lines, and what is said."""


@pytest.mark.parametrize("arguments", SAID, ids=lambda value: " ".join(value)[:40])
def test_suggestions(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    engine = tmp_path / "engine"
    engine.write_text(f"#!{sys.executable}\n")
    engine.chmod(0o755)
    (tmp_path / "engine.json").write_text('{"launch": "./engine {fen} {depth}"}')
    assert wrong(run, *arguments) == SAID[arguments]


def test_a_suite_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.epd").write_text(f"{START} ;D1 20\n")
    bundled = f"name a file or one of {', '.join(ALL_BUNDLED)}"
    assert wrong(run, "-s", "nowhere.epd") == f"no suite named 'nowhere.epd': there is no such file; {bundled}"
    assert wrong(run, "-s", "min.epd") == (
        f"no suite named 'min.epd' (did you mean 'mine.epd'?): there is no such file; {bundled}"
    )
