"""The commands on the pages work, and print what the pages show."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs.blocks import ROOT, all_blocks
from docs.pages import ENGINES, IN_SEQUENCE, commands, shown
from helpers.commands import commands as all_commands
from helpers.commands import parameters_read
from helpers.program import PROGRAM, called_in
from perft_check.harness.cli.program import run_command_line

TOY = ROOT / "tests" / "ci" / "toy"
TAKES_LONG = re.compile(
    r"^(zoo (score|serve)|suites make|fuzz|bench)|-s (standard|special|chess960)"
    r"|perft startpos 6|^count startpos 8|stockfish|own:linked-list$|zoo serve|^uci|^init"
    r"|^worker|--scheduler|my[-_]perft"
)
"""Commands that take more than a second, or need optional programs or files from earlier commands."""
MOST_SECONDS = 30
POSITION = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n"
GENERATOR = "import chess\n\n\ndef moves(fen):\n    return [move.uci() for move in chess.Board(fen).legal_moves]\n"
DIVIDE = "h8g8: 52\nh8h7: 59\nh8g7: 88\nc4c3: 57\n\nNodes searched: 256\n"
"""A divide with a wrong count, as a reader has copied it."""
PERFT = """import re, sys
import chess
text = " ".join(sys.argv[1:])
if "/" not in text.replace("/dev/stdin", ""):
    text += " " + sys.stdin.read()
fen = re.search(r"(?:[1-8a-zA-Z]+/){7}.*? [wb] \\S+ \\S+(?: \\d+ \\d+)?", text)
board = chess.Board(fen[0])
depth = int(re.search(r"(?:^| )(\\d)(?: |$)", text.replace(fen[0], ""))[1])


def count(depth):
    moves = list(board.legal_moves)
    return len(moves) if depth == 1 else sum(board.push(move) or (count(depth - 1), board.pop())[0] for move in moves)


print("nodes", count(depth))
"""
"""The reader's command-line program, which takes a FEN and a depth as arguments or from its standard input."""
FILES = {
    "my_generator.py": GENERATOR,
    "my_perft.py": PERFT,
    "my-perft": f"#!{sys.executable}\n{PERFT}",
    "benchmarks/notes.txt": "",
    "found.epd": POSITION,
    "mine.epd": POSITION,
    "divide.txt": DIVIDE,
    "counts.epd": POSITION,
    "out/report": "",
    "docs/page.md": "",
    "FOLDER/notes.txt": "",
}
"""Files of the reader and of earlier commands."""
OF_OTHER_PAGES = "score.jsonl", "perft-check.toml"
"""Files of some commands that would affect other pages."""
VERSIONS = "./old-engine", "./old", "./new"
"""Other versions of the reader's engine."""
MAKE_FILES = {"--save"}
"""Options of commands that write files for other commands."""
ALL = sorted(set(commands()))


def is_in_sequence(page: str) -> bool:
    """Return True if a page, given by its path, is tested as a whole."""
    return (ROOT / page).is_relative_to(IN_SEQUENCE)


CLANG = shutil.which("clang")
COUNTERS = ("-g", "-fsanitize-coverage=inline-8bit-counters,pc-table", "-include", "perft_check_coverage.h")
NOT_ALONE = ("explore",) if CLANG else ("explore", "cover", "--coverage")
ALONE = [words for page, words in ALL if not (is_in_sequence(page) or {*words}.intersection(NOT_ALONE))]
"""Commands that need no files from earlier ones, no terminal (see tests/harness/explorer) and no clang."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the reader's engine."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("engine")
    for name in (*ENGINES, *VERSIONS):
        subprocess.run(["cc", "-O2", "-o", folder / name, TOY / "engine.c"], check=True)
    shared = ("-O2", "-shared", "-fPIC", "-I", ROOT / "harness" / "engines" / "library", *(COUNTERS if CLANG else ()))
    subprocess.run(
        [CLANG or "cc", *shared, "-o", folder / "libmine.so", ROOT / "examples" / "c" / "library.c"], check=True
    )
    shown_files = {one.title: one.text for one in all_blocks() if one.title and not is_in_sequence(one.page)}
    for name, text in {**FILES, **shown_files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "my-perft").chmod(0o755)
    return folder


def test_every_command_is_valid(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    parsed = parameters_read(monkeypatch)
    for page, words in ALL:
        assert run_command_line(words) == 0, (page, words, capfd.readouterr().err)
    assert len(parsed) == len(ALL)


@pytest.mark.slow
def test_short_commands_work(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    short = [words for words in ALONE if not TAKES_LONG.search(" ".join(words))]
    assert len(short) > 15
    for words in short:
        done = called_in(folder, capfd, *words)
        is_wrong = ("zoo:" in " ".join(words) or "divide.txt" in words) and "--update-baseline" not in words
        assert done.returncode == int(is_wrong), (words, done.stderr)


def test_outputs_are_those_of_the_pages(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    compared = list(shown())
    assert len(compared) >= 2
    for one in compared:
        assert one.is_like(called_in(folder, capfd, *one.words, COLUMNS="").stdout), (one.page, one.command)


@pytest.mark.long
def test_long_commands_work(folder: Path) -> None:
    failed = []
    for words in sorted(ALONE, key=MAKE_FILES.isdisjoint):
        if not TAKES_LONG.search(" ".join(words)):
            continue
        for name in OF_OTHER_PAGES:
            (folder / name).unlink(missing_ok=True)
        program = subprocess.Popen([*PROGRAM, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        makes_files = not MAKE_FILES.isdisjoint(words)
        try:
            _, stderr = program.communicate(timeout=None if makes_files else MOST_SECONDS)
        except subprocess.TimeoutExpired:
            program.terminate()  # SIGINT is ignored if the tests run in the background
            _, stderr = program.communicate(timeout=MOST_SECONDS)
        if program.returncode not in (0, 1, 4, 130):
            failed.append(f"{' '.join(words)}: {program.returncode}, {stderr.decode()}")
    assert not failed, "\n".join(failed)


def test_the_page_of_commands_is_complete() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (`.*`) \|", page, re.MULTILINE)
    named = {word for cell in table for word in re.findall(r"[\w-]+", cell)}
    assert {path[-1] for path, _ in all_commands() if path} == named
