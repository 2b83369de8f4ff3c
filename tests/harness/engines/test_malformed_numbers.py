"""Anything that an engine prints in place of a number is handled as data, and is accepted only if it is correct."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import written_engine
from helpers.program import Run
from perft_check.generator.position import Position
from perft_check.harness.engines.stdio.grammar import number
from perft_check.harness.engines.stdio.learned_patterns import ProbeAnswer, has_count
from perft_check.harness.engines.stdio.lines import root_move, totals
from perft_check.harness.engines.stdio.transcript import Survey, Transcript

pytestmark = pytest.mark.slow  # most tests start processes

ENGINE = """
def is_late():
    return mine.board.occupied.bit_count() == 2

write = {writes}[sys.argv[1]]

class Mine(UciEngine):
    def answer(self, depth):
        total = 0
        for move, count in self.counts(self.board, depth):
            total += count
            print(write(f"{{move.uci()}}: ", count, False))
        print(write("Nodes searched: ", total, True))

mine = Mine()
mine.serve()
"""
ARABIC, FULL_WIDTH = (str({ord(str(digit)): chr(zero + digit) for digit in range(10)}) for zero in (0x660, 0xFF10))
WRITES = f"""{{
    "right": lambda text, count, is_total: f"{{text}}{{count}}",
    "clears-lines": lambda text, count, is_total: f"{{text}}{{count}}\\x1b[K",
    "sets-a-title": lambda text, count, is_total: f"\\x1b]0;perft\\x07\\x1b[?25l{{text}}\\x1b[1;32m{{count}}\\x1b[0m",
    "wraps": lambda text, count, is_total: f"{{text}}{{count + 2**63}}",
    "wraps-the-total": lambda text, count, is_total: f"{{text}}{{count + 2**64 * is_total}}",
    "digits": lambda text, count, is_total: text + "9" * 30,
    "late-total": lambda text, count, is_total: f"{{text}}{{count + 2**64 * (is_total and is_late())}}",
    "late-move": lambda text, count, is_total: f"{{text}}{{count + 2**64 * (not is_total and is_late())}}",
    "late-commas": lambda text, count, is_total: f"{{text}}{{count + 2**64 * (is_total and is_late()):,}}",
    "late-digits": lambda text, count, is_total: text + ("9" * 40 if is_total and is_late() else str(count)),
    "negative": lambda text, count, is_total: f"{{text}}{{count if is_total else -count}}",
    "late-negative": lambda text, count, is_total: f"{{text}}{{-count if is_total and is_late() else count}}",
    "negative-total": lambda text, count, is_total: f"{{text}}{{-count if is_total else count}}",
    "float": lambda text, count, is_total: f"{{text}}1e30",
    "nan": lambda text, count, is_total: f"{{text}}NaN",
    "arabic": lambda text, count, is_total: text + str(count).translate({ARABIC}),
    "full-width": lambda text, count, is_total: text + str(count if is_total else count).translate({FULL_WIDTH}),
}}"""
IMPOSSIBLE = {
    "late-total": f"{2**64 + 5:,}",
    "late-move": f"{2**64 + 1:,}",
    "late-commas": f"{2**64 + 5:,}",
    "late-digits": "a number of 40 digits",
    "negative": "-1",
    "late-negative": "-5",
}
RIGHT = ("right", "clears-lines", "sets-a-title")
WRONG = ("wraps", "wraps-the-total", "digits", "negative", "float", "nan", "arabic", "full-width")


@pytest.fixture
def engine(tmp_path: Path) -> str:
    return written_engine(tmp_path / "engine.py", ENGINE.format(writes=WRITES))


@pytest.mark.parametrize("name", RIGHT)
def test_control_sequences_are_ignored(name: str, engine: str, run: Run) -> None:
    done = run("-e", f"{engine} {name}", "-s", "smoke", "--max-nodes", "3000")
    assert (done.returncode, "all 36 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize("name", WRONG)
def test_malformed_number_is_not_correct(name: str, engine: str, run: Run) -> None:
    done = run("-e", f"{engine} {name}", "-s", "smoke", "--max-nodes", "30", "--timeout", "2")
    assert done.returncode in (1, 3), done.stdout + done.stderr


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_count_above_64_bits_is_impossible(name: str, engine: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "ending.epd").write_text("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25\n")
    done = run("-e", f"{engine} {name}", "-s", "ending.epd", "--explain=none", COLUMNS="1000")
    assert done.returncode == 3, done.stdout + done.stderr
    assert f"answers {IMPOSSIBLE[name]}, which cannot be a count: it " in done.stdout


def test_only_ascii_digits_are_numbers() -> None:
    assert root_move("e2e4: 20") == ("e2e4", 20)
    for digits in ("\u0662\u0660", "\uff12\uff10", "-20", "1e3", "NaN", "9" * 28):
        assert root_move(f"e2e4: {digits}") is None or root_move(f"e2e4: {digits}") != ("e2e4", 20)
        assert [one for one in totals(f"Nodes searched: {digits}", None) if one[1] == 20] == []
    for text in ("\u0662\u0660", "\uff12\uff10", ""):
        with pytest.raises(ValueError, match=r"digits of another script|invalid literal"):
            number(text)


@pytest.mark.slow
@pytest.mark.parametrize("engine_type", ["uci", "cmd"])
def test_negative_total_of_starting_position_is_rejected(
    engine_type: str, engine: str, run: Run, tmp_path: Path
) -> None:
    program = f"{engine.removeprefix('uci:')} negative-total"
    lines = "'position fen {fen}' 'go perft {depth}' quit"
    spec = f"uci:{program}" if engine_type == "uci" else f"cmd:{program} <<< uci isready {lines}"
    done = run("run", "-s", "smoke", "--max-nodes", "50", "-e", spec, COLUMNS="1000")
    assert done.returncode == 3, done
    said = "it said 'Nodes searched: -8902'" if engine_type == "uci" else "which cannot be a count: it is negative"
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "count", "total"),
    [
        ("Nodes searched: -8902", False, -8902),
        ("Nodes=-8,902", False, -8902),
        ("-8902", False, -8902),
        ("Total -8902", False, -8902),
        ("nodes -8,902 nps 12345", False, -8902),
        ("perft(3) -8902", False, -8902),
        ("D3 -8902", False, None),
        ("3 -8902", False, None),
        ("Total - 8902", True, 8902),
        ("leaves by us: \N{MINUS SIGN}8902", False, None),
        ("leaves by us: -8 902", False, None),
        ("leaves-8902", True, 8902),
        ("leaves by us - 8902", True, None),
    ],
)
def test_negative_numbers_are_not_counts(line: str, count: bool, total: int | None) -> None:
    transcript = Transcript(3, None)
    assert (has_count(line, 8902), transcript.add(line), transcript.total) == (count, total is not None, total)
    start = ProbeAnswer((line,), 8902, 3, Position.start())
    assert start.is_correct == count
    survey = Survey(3, None, known=(20, 400, 8902))
    assert survey.add(line) == (total == 8902)
