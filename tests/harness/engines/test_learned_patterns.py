"""Learned patterns: tables with a column for each depth, and totals in other unknown formats."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from helpers.asking import asking
from helpers.fakes import FAKES
from helpers.program import WIDE, Run
from perft_check.generator.counting.perft import divide, perft
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.engines.base import NotUnderstood
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.stdio.learned_patterns import (
    ProbeAnswer,
    ask_probes,
    has_count,
    is_usual,
    patterns_for,
    raise_unread,
)
from perft_check.harness.engines.stdio.lines import totals
from perft_check.harness.engines.stdio.transcript import Transcript

KIWIPETE = Game(Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"))
STALEMATE = Game(Position.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))
START = Position.start()


def tables(engine_type: str, layout: str, fault: str = "right") -> str:
    command = shlex.join([sys.executable, str(FAKES / "tables.py"), engine_type, layout, fault])
    return f"{engine_type}:{command}" + (" {depth} {fen}" if engine_type == "cmd" else "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine_type", "layout", "listed"),
    [
        ("cmd", "bars", 48),
        ("cmd", "alone", 48),
        ("cmd", "unnamed", 48),
        ("cmd", "points", 48),
        ("cmd", "time", 48),
        ("cmd", "move", 48),
        ("script", "blanks", 48),
        ("script", "first", 0),
        ("script", "backwards", 48),
        ("uci", "bars", 48),
        ("uci", "commas", 48),
    ],
)
def test_column_of_requested_depth_is_read(engine_type: str, layout: str, listed: int) -> None:
    with closing(open_engine(tables(engine_type, layout))) as engine:
        asker = asking(engine)
        asker.start()
        assert asker.perft(KIWIPETE, 2) == 2039
        divide = asker.divide(KIWIPETE, 2)
        assert (divide.total, len(divide.counts)) == (2039, listed)
        if layout != "alone":  # it prints nothing
            assert asker.perft(STALEMATE, 1) == 0
        remark = asker.remark()
        assert ("which was correct in three positions" in (remark or "")) == (layout != "backwards")


@pytest.mark.slow
@pytest.mark.parametrize(("engine_type", "layout"), [("cmd", "bars"), ("script", "commas"), ("uci", "blanks")])
def test_fault_is_found_in_tabular_answers(engine_type: str, layout: str, run: Run, tmp_path: Path) -> None:
    """The fault occurs in the starting position, so that the answer there contains no correct count."""
    (tmp_path / "mine.epd").write_text(f"{START.fen()} ;D1 20 ;D2 400\n")
    done = run("run", "-s", "mine.epd", "-e", tables(engine_type, layout, "short"), **WIDE)
    assert done.returncode == 1, done
    assert "a2a4" in done.stdout


@pytest.mark.slow
def test_inconsistent_layout_is_rejected(run: Run) -> None:
    """The count is the first number at even depths, and the last one at odd depths."""
    done = run("run", "-s", "smoke", "-e", tables("cmd", "split"), **WIDE)
    assert (done.returncode, done.stdout) == (2, "")
    last = done.stderr.splitlines()[-1]
    assert "in the starting position at depth 3 the correct count, 8,902, is in its answer, but not where" in last
    assert "; try: perft-check doctor -e " in last


def answers(form: str, wrong: int = 0) -> list[ProbeAnswer]:
    """Return the answers about the probes, with `wrong` added to the counts of the last one."""
    found = ask_probes(lambda _position, _depth: (), 1)
    return [
        ProbeAnswer((form.format(one.count + wrong * (place > 3)),), one.count, one.depth, one.position)
        for place, one in enumerate(found)
    ]


def start(form: str) -> ProbeAnswer:
    return ProbeAnswer((form.format(8902),), 8902, 3, START)


def test_pattern_must_read_all_three_positions() -> None:
    form = "leaves below 7: {}"
    found = patterns_for(start(form), answers(form))
    assert found is not None
    assert found.total is not None
    assert [*found.total.matches("leaves below 9: 123")] == [{"nodes": "123"}]
    assert patterns_for(start(form), answers(form, wrong=1)) is None


def epd(position: Position, depth: int) -> list[str]:
    counts = (f" ;D{one} {perft(position, one)}" for one in range(1, depth + 1))
    return [position.fen() + "".join(counts)]


def sql(position: Position, depth: int) -> list[str]:
    moves = [f"INSERT INTO divide (move, nodes) VALUES ('{move}', {n});" for move, n in divide(position, depth).items()]
    total = perft(position, depth)
    return [*moves, f"INSERT INTO perft (fen, depth, nodes) VALUES ('{position.fen()}', {depth}, {total});", "COMMIT;"]


def chain(position: Position, depth: int) -> list[str]:
    moves = (f"{move},{count};" for move, count in divide(position, depth).items())
    return [f"{''.join(moves)}={perft(position, depth)}"]


@pytest.mark.parametrize("form", [epd, sql, chain])
def test_total_after_text_of_the_position_is_read(form: Callable[[Position, int], list[str]]) -> None:
    """The text may be the FEN, or all root moves."""
    known = ProbeAnswer(tuple(form(START, 3)), 8902, 3, START)
    found = patterns_for(known, ask_probes(form, 1))
    assert found is not None
    transcript = Transcript(2, None, patterns=found)
    assert any(transcript.add(line) for line in form(KIWIPETE.position, 2))
    assert (transcript.total, transcript.pairs) == (2039, [])


def test_number_correct_only_once_is_not_adopted() -> None:
    """The engine is faulty, and prints the correct count of the starting position as the expected one."""
    probes = answers("Nodes: {}")
    odd = ProbeAnswer(("Nodes: 8901", "expected 8902"), 8902, 3, START)
    assert is_usual(probes)
    assert patterns_for(odd, answers("things: {}", wrong=2)) is None
    with pytest.raises(NotUnderstood, match=r"the correct count, 8,902, is in its answer"):
        raise_unread("mine", odd, answers("things: {}", wrong=2), 8901)
    raise_unread("mine", ProbeAnswer(("Nodes: 8901",), 8902, 3, START), answers("Nodes: {}", wrong=1)[4:], 8901)


@pytest.mark.parametrize("between", ["*", "\u2009", "\u202f", "\u00b7", "'", "_", ".", ",", "\u2e31", "~ "])
def test_any_thousands_separator_is_learned(between: str) -> None:
    written = f"8{between}902"
    form = "my nodes are {}"
    found = patterns_for(ProbeAnswer((form.format(written),), 8902, 3, START), answers(form))
    assert found is not None
    [(_, nodes, _)] = found.totals(f"my nodes are 197{between}281")
    assert (has_count(form.format(written), 8902), nodes) == (True, 197281)


@pytest.mark.parametrize(
    ("line", "counts"),
    [("20 400 8902", {20, 400, 8902}), ("3.902 s", {3902}), ("D2: 400, 0.020 s", {2, 400}), ("|20|400|", {20, 400})],
)
def test_has_count_matches_complete_numbers(line: str, counts: set[int]) -> None:
    assert {count for count in (2, 20, 400, 902, 3902, 8902) if has_count(line, count)} == counts


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("Searched {} things in 7 ms", "Searched (?P<nodes>[0-9]+)"),
        ("{} ends below", "^(?P<nodes>[0-9]+) ends below"),
        ("engine-2> Searched {} things", "Searched (?P<nodes>[0-9]+)"),
        ("(chess) (chess) {} leaf nodes", "chess[)] (?P<nodes>[0-9]+)"),
        ("Searched on x86/{} things", "on x[0-9]+/(?P<nodes>[0-9]+)"),
    ],
)
def test_pattern_begins_at_the_words_next_to_the_count(form: str, expected: str) -> None:
    found = patterns_for(start(form), answers(form))
    assert found is not None
    assert found.total is not None
    assert found.total.text == expected


@pytest.mark.parametrize(
    "row", ["| | **Total** | **8902** | |", "| | Total | 8902 | |", "| **Total** | 8,902 |", "**Total: 8902**"]
)
def test_total_in_a_markdown_table_is_read(row: str) -> None:
    assert [nodes for _, nodes, _ in totals(row, None)] == [8902]
