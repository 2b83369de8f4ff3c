"""A command line that cannot be read says what was probably meant, in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers.program import Run, wrong
from perft_check.suites.bundled import EVERY

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
QUOTED = f"'{START}'"
SAID = {
    ("./engine",): "No such command './engine'; try: perft-check -e ./engine",
    ("./engine", "-s", "smoke"): "No such command './engine'; try: perft-check -e ./engine -s smoke",
    ("./gone",): "No such command './gone'; try: perft-check -e ./gone",
    ("engine.json",): "No such command 'engine.json'; try: perft-check -e engine.json",
    (
        "./engine {fen} {depth}",
    ): "No such command './engine {fen} {depth}'; try: perft-check -e './engine {fen} {depth}'",
    ("smoke",): "No such command 'smoke'; try: perft-check run -s smoke",
    ("mine.epd",): "No such command 'mine.epd'; try: perft-check run -s mine.epd",
    (START,): f"No such command {QUOTED}; try: perft-check divide {QUOTED} 3",
    (START, "4"): f"No such command {QUOTED}; try: perft-check divide {QUOTED} 4",
    (*START.split(), "4"): f"No such command '{START.split()[0]}'; try: perft-check divide {QUOTED} 4",
    ("startpos", "5"): "No such command 'startpos'; try: perft-check perft startpos 5",
    ("6",): "No such command '6'; try: perft-check perft startpos 6",
    ("verify",): "No such command 'verify'; try: perft-check suites verify",
    ("fuz", "-e", "own"): "No such command 'fuz'; try: perft-check fuzz -e own",
    ("help",): "No such command 'help'; try: perft-check --help",
    ("frobnicate",): "No such command 'frobnicate'; try: perft-check --help",
    ("suites", "smoke"): "No such command 'smoke'; try: perft-check suites show smoke",
    ("suites", "frobnicate"): "No such command 'frobnicate'; try: perft-check suites --help",
    ("run", "./engine"): "'./engine' is an argument too many: an engine is named with -e ./engine",
    ("doctor", "./engine"): "'./engine' is an argument too many: an engine is named with -e ./engine",
    ("run", "smoke"): "'smoke' is an argument too many: a suite is named with --suite smoke",
    ("fuzz", START): f"{QUOTED} is an argument too many: a FEN is asked about with --replay {QUOTED}",
    ("fuzz", "3"): "'3' is an argument too many: a depth is given with --depth 3",
    ("doctor", "kiwipete"): "'kiwipete' is an argument too many; try: perft-check doctor --help",
    ("perft", "6"): "Missing argument 'DEPTH'; try: perft-check perft startpos 6",
    ("divide", "kiwipete"): "Missing argument 'DEPTH'; try: perft-check divide kiwipete 6",
    ("perft", "6", "startpos"): "Invalid value for 'DEPTH': 'startpos' is no whole number from 0 to 99; "
    "try: perft-check perft startpos 6",
    ("moves",): "Missing argument 'POSITION'; try: perft-check moves startpos",
    ("perft", "./engine", "6"): "'./engine' is no position: an engine is named with -e; "
    "try: perft-check perft startpos 6 -e ./engine",
    ("perft", "/88/8/8 w\n 4", "1"): r"'/88/8/8 w\n 4' is no position: an engine is named with -e; "
    r"try: perft-check perft startpos 6 -e $'/88/8/8 w\n 4'",
    ("run", "8/8/8/8/8/8/8/8\nw"): r"'8/8/8/8/8/8/8/8\nw' is an argument too many: a suite is named with --suite "
    r"$'8/8/8/8/8/8/8/8\nw'",
    ("--bogus",): "No such option: --bogus; try: perft-check run --help",
    ("--seed", "1"): "No such option: --seed; try: perft-check fuzz --seed",
    ("-s", "smoke", "--json"): "No such option: --json; try: perft-check run --report json=-",
    ("fuzz", "--html"): "No such option: --html; try: perft-check fuzz --report html",
    ("fuzz", "--job", "3"): "No such option: --job; did you mean '--jobs'?",
    (
        "-s",
        "./engine",
    ): "Invalid value for '--suite' / '-s': './engine' is a program: an engine is named with -e ./engine",
}
"""Command lines, and what is said."""


@pytest.mark.parametrize("arguments", SAID, ids=lambda value: " ".join(value)[:40])
def test_what_was_meant(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    engine = tmp_path / "engine"
    engine.write_text(f"#!{sys.executable}\n")
    engine.chmod(0o755)
    (tmp_path / "engine.json").write_text('{"launch": "./engine {fen} {depth}"}')
    assert wrong(run, *arguments) == SAID[arguments]


def test_a_suite_file_that_is_not_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.epd").write_text(f"{START} ;D1 20\n")
    bundled = f"bundled are {', '.join(EVERY)}, or give a file"
    assert wrong(run, "-s", "nowhere.epd") == f"no suite named 'nowhere.epd': there is no such file; {bundled}"
    assert wrong(run, "-s", "min.epd") == (
        f"no suite named 'min.epd' (did you mean 'mine.epd'?): there is no such file; {bundled}"
    )
