"""All thousands separators are read, from engines of all types, one question at a time and ahead."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.blocks import correct_block
from helpers.fakes import quirky, quirky_descriptor, quirky_program, quirky_script
from helpers.program import WIDE, Run
from helpers.streams import doubtful_positions, open_stream
from perft_check.generator import Position
from perft_check.harness.engines.stdio.lines import AnswerPatterns, LinePattern, root_move, totals

SUITE = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D3 8902\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039\n"
    "8/8/8/1Q5Q/4k3/8/Q7/7K b - - 0 1 ;D1 3 ;D2 192 ;D3 430\n"
)
SEPARATORS = {
    "point": ["separator=."],
    "space": ["separator= "],
    "no-break": ["separator=\u00a0"],
    "narrow": ["separator=\u202f"],
    "thin": ["separator=\u2009"],
    "quotation": ["separator=\u2019"],
    "no-break-latin-1": ["separator=\u00a0", "encoding=latin-1"],
    "quotation-windows": ["separator=\u2019", "encoding=cp1252"],
    "comma": ["separator=,"],
    "middle-dot": ["separator=\u00b7"],
    "middle-dot-latin-1": ["separator=\u00b7", "encoding=latin-1"],
    "figure-space": ["separator=\u2007"],
    "backtick": ["separator=`"],
}
LARGE = [
    Position.from_fen(fen)
    for fen in (
        "4k3/8/8/8/8/Q7/1Q6/4K3 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    )
]
"""Some of their root moves have counts in the thousands."""
ENGINE_TYPES: dict[str, Callable[..., str]] = {
    "uci": lambda _, *quirks: quirky(*quirks),
    "cmd": lambda _, *quirks: quirky_program(*quirks),
    "script": lambda _, *quirks: quirky_script(*quirks),
    "descriptor": lambda folder, *quirks: quirky_descriptor(folder / "mine.json", "plain", *quirks),
    "expressions": lambda folder, *quirks: quirky_descriptor(
        folder / "mine.json",
        "uci",
        *quirks,
        total_re=r"^Nodes searched: (?P<nodes>.*)",
        move_re=r"^(?P<move>\w{4,5}): (?P<count>.*)",
    ),
}


WAYS = [*((engine_type, []) for engine_type in ENGINE_TYPES), ("uci", ["counts"]), ("cmd", ["counts"])]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("separator", "engine_type", "prints"),
    [(separator, *WAYS[(number + step) % len(WAYS)]) for number, separator in enumerate(SEPARATORS) for step in (0, 3)],
)
def test_correct_engine_agrees_with_any_separator(
    run: Run, tmp_path: Path, engine_type: str, separator: str, prints: list[str]
) -> None:
    (tmp_path / "mine.epd").write_text(SUITE)
    engine = ENGINE_TYPES[engine_type](tmp_path, *SEPARATORS[separator], *prints)
    done = run("run", "-e", engine, "-s", "mine.epd", "--timeout", "5")
    assert (done.returncode, "all 3 positions agree" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize(
    ("separator", "prints"),
    [(separator, ["counts"] * (number % 2)) for number, separator in enumerate(SEPARATORS)],
)
def test_separator_is_read_when_asked_ahead(separator: str, prints: list[str]) -> None:
    block, wrong = correct_block(LARGE, 3), correct_block(LARGE, 3)
    assert block.counts.max() > 1_000 < block.totals.min()
    wrong.counts[wrong.ends[1] - 1] += 1_000
    wrong.totals[2] += 1_000
    with open_stream(quirky(*SEPARATORS[separator], *prints)) as one:
        assert doubtful_positions(one, block, wrong) == [[], [2] if prints else [1, 2]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine_type", "separator", "message"),
    [
        ("uci", "point", "."),
        ("descriptor", "point", "."),
        ("uci", "space", " "),
        ("descriptor", "no-break", ""),
        ("uci", "comma", ""),
    ],
)
def test_doctor_saves_the_separator(run: Run, tmp_path: Path, engine_type: str, separator: str, message: str) -> None:
    engine = ENGINE_TYPES[engine_type](tmp_path, *SEPARATORS[separator])
    done = run("doctor", "-e", engine, "--save", "saved.json", **WIDE)
    lines = [line for line in done.stdout.splitlines() if line.startswith("total ")]
    assert [f"with {message!r} between thousands" in line for line in lines] == [bool(message)]
    assert json.loads((tmp_path / "saved.json").read_text()).get("separator", "") == message
    (tmp_path / "mine.epd").write_text(SUITE)
    assert run("run", "-e", "saved.json", "-s", "mine.epd").returncode == 0


@pytest.mark.parametrize(
    "text",
    ["8.902", "8 902", "8,902", "8_902", "8'902", "8\u2019902", "8\u00a0902", " 8\u202f902", "8\u00b7902", "8`902"],
)
def test_patterns_may_capture_separators(text: str) -> None:
    patterns = AnswerPatterns(LinePattern("m", "(?P<move>[a-h1-8]+) (?P<count>.*)"), LinePattern("t", "=(?P<nodes>.*)"))
    assert (patterns.root_move(f"e2e4 {text}"), patterns.totals(f"={text}")) == (
        ("e2e4", 8902),
        [("total_re", 8902, None)],
    )


TABLE = """
import sys
sys.path.insert(0, {tests!r})
import chess
from fakes.counting import perft

board, total = chess.Board(sys.argv[2]), 0
bar = sys.argv[3]
for move in list(board.legal_moves):
    board.push(move)
    below = perft(board, int(sys.argv[1]) - 1)
    board.pop()
    total += below
    print(f"{{bar}} {{move.uci():5}} {{bar}} {{below:>12,}} {{bar}}".replace(",", "\\u00b7"))
print("\\u2560\\u2550\\u2550\\u2563")
print(f"{{bar}} Total {{bar}} {{total:>12,}} {{bar}}".replace(",", "\\u00b7"))
"""


@pytest.mark.slow
@pytest.mark.parametrize("bar", ["\u2551", "\u2502", "\u2503", "|"])
def test_box_drawing_table_is_read(run: Run, tmp_path: Path, bar: str) -> None:
    (tmp_path / "mine.py").write_text(TABLE.format(tests=str(Path(__file__).parents[2])))
    (tmp_path / "mine.epd").write_text(SUITE)
    spec = f"cmd:{shlex.quote(sys.executable)} mine.py {{depth}} {{fen}} {shlex.quote(bar)}"
    done = run("run", "-e", spec, "-s", "mine.epd", PYTHONIOENCODING="utf-8")
    assert (done.returncode, "all 3 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr
    done = run("divide", "startpos", "3", "-e", spec, "-a", "own", PYTHONIOENCODING="utf-8")
    assert (done.returncode, "agree on every root move" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("e2e4: 20 600", (20, 20, 20600)),
        ("e2e4: 20 600 8", (20, 20, 20600)),
        ("e2e4: 20 6000", (20, 20, 20)),
        ("e2e4: 1.234", (None, 1234, None)),
        ("e2e4: 1.2345", (None, None, None)),
        ("e2e4: 1 234 567", (1, 1, 1234567)),
        ("e2e4: 1\u00a0234 567", (1234, 1234, 1234567)),
    ],
)
def test_points_and_spaces_separate_only_if_known(line: str, counts: tuple[int | None, ...]) -> None:
    read = [root_move(line, separator) for separator in ("", ".", " ")]
    assert tuple(None if pair is None else pair[1] for pair in read) == counts
    total = line.replace("e2e4:", "Nodes:")
    found = [[nodes for _, nodes, _ in totals(total, None, separator)] for separator in ("", ".", " ")]
    assert found == [[] if count is None else [count] for count in counts]
