"""Files of positions and counts in common formats are read correctly, or rejected with the line and field."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from helpers.program import WIDE, Run
from perft_check.generator import START_FEN
from perft_check.suites.bundled import bundled_path
from perft_check.suites.case import SuiteError
from perft_check.suites.loader import has_counts, load_suite
from perft_check.suites.tables import HEADERLESS

S, P = START_FEN, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
CORNER = "k7/8/8/8/8/8/1P6/K7 w - - 0 1"
"""A position with 4 moves."""
ONLY = "k7/8/8/8/8/8/7r/K7 w - - 0 1"
"""A position with a single legal move."""
Counts = tuple[tuple[int, int], ...]
S1, P1 = ((1, 20),), ((1, 6),)
S2, S3, P2 = ((1, 20), (2, 400)), ((1, 20), (2, 400), (3, 8902)), ((1, 6), (2, 30))


WORDS = {
    "$4": S.removesuffix(" 0 1"),
    "$S": S,
    "$P": P,
    "$CORNER": CORNER,
    "$ONLY": ONLY,
    "$ESCAPED": P.replace("/", "\\/"),
    "$HEADERLESS": HEADERLESS,
    "$NAMED": 'name the depths, as in {"fen": ..., "d1": 20, "d2": 400}',
    "$KNOWN": "known are fen, depth, nodes, d1, d2 ... for the count at a depth, name, comment",
    "$EPD": "write it as EPD lines, FEN ;D1 20",
    "$TWICE": "both look like the number of nodes: remove or rename all but one",
    "$ONE": "remove or rename all but one",
    "$RENAME": "rename or remove it",
    "$BESIDE": "next to a FEN is not understood",
    "$AMONG": "next to positions is not understood",
}
"""Abbreviations in the tables below."""


def fill(text: str) -> str:
    return re.sub(r"\$(?:4|[A-Z]+)", lambda match: WORDS[match[0]], text)


def read(folder: Path, text: str, name: str = "mine.txt") -> list[tuple[str, Counts]]:
    (folder / name).write_text(fill(text))
    return [(case.position.fen(), case.counts) for case in load_suite(folder / name)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fen,n1,n2,n3\n$S,20,400,8902\n", [(S, S3)]),
        ("fen,1,2\n$S,20,400\n", [(S, S2)]),
        ("fen,nodes_1,nodes_d2,depth 3\n$S,20,400,8902\n", [(S, S3)]),
        ("position,fen,depth,nodes\nstart,$S,2,400\n", [(S, ((2, 400),))]),
        ('depth,nodes,fen\n1,20,$S\n,,\n2,400,"$S"\n', [(S, S2)]),
        ("id,name,fen,depth,nodes,captures,ep,comment\n1,a,$S,2,400,0,0,x\n", [(S, ((2, 400),))]),
        ("| fen | depth | nodes |\n|---|--:|---|\n| $S | 1 | 20 |\n| $S | 2 | 400 |\n", [(S, S2)]),
        ("sep=;\nfen;d1\n$S;20\n", [(S, S1)]),
        ("\ufefffen;d1\r\n$S;20\r\n", [(S, S1)]),
        ("# by another tool\nFEN;Depth;Nodes\n$S;1;20\n$S; 2; 400\n$P;1;6\n", [(S, S2), (P, P1)]),
        ("fen\tperft_1\tperft_2\n$S\t20\t400\n$P\t6\t\n", [(S, S2), (P, P1)]),
        ('epd,depth 2,depth 1\n$S,"400",20\n$P,,6\n', [(S, S2), (P, P1)]),
        ('fen;depth;nodes\n$S;5;4,865,609\n$S;4;"197_281"\n', [(S, ((4, 197281), (5, 4865609)))]),
    ],
)
def test_tables_are_read(tmp_path: Path, text: str, expected: list[tuple[str, Counts]]) -> None:
    assert read(tmp_path, text) == expected
    assert has_counts(tmp_path / "mine.txt")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fen,depth,nodes\n$S,1,20,31\n", "2: field 4, '31', is in a column without a name"),
        ('fen,d1\n"$S,20\n', "2: a cell has a quote that is not closed, or text after it"),
        (
            "fen,m1,m2\n$S,20,400\n",
            "1: the columns of the table: 'm1', 'm2' are unknown; $KNOWN: rename or remove them",
        ),
        ("fen,d1,speed\n$S,20,9\n", "1: the columns of the table: 'speed' is unknown; $KNOWN: $RENAME"),
        ("fen,depth,result,expected\n$S,2,400,401\n", "1: the columns of the table: 'result' and 'expected' $TWICE"),
        (
            "fen,depth1,nodes1\n$S,1,20\n",
            "1: the columns of the table: 'depth1' and 'nodes1' both look like depth 1: $ONE",
        ),
        (
            "fen,nodes\n$S,20\n",
            "1: the columns of the table: there is a nodes column but no depth column; $KNOWN",
        ),
        ("fen;d1;d2\n$S ;D1 20 ;D2 400\n", "2: depth 1 has 'D1 20' instead of a number of nodes"),
        ("hello world\n", "1: 'hello world' is not a position: a line looks like FEN ;D1 20 ;D2 400"),
        ("fen,depth,nodes\n$P,one,6\n", "2: 'depth one 6' is not a count: counts are written as 'D3 400'"),
        ("fen,depth,nodes\n$P,1,6\n$P,1,7\n", "2: depth 1 is given twice, with 6 nodes and with 7"),
        ("$S\n", "1: a position without counts: add those that are known, such as ;D1 20"),
        ("fen,remark\n$S,nice\n", "2: a position without counts: add those that are known, such as ;D1 20"),
        ("sep=;\n$S;1;20\n", "2: $HEADERLESS"),
    ],
)
def test_unclear_tables_are_rejected(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SuiteError) as raised:
        read(tmp_path, text)
    assert str(raised.value) == f"{tmp_path / 'mine.txt'}:{fill(message)}"


@pytest.mark.parametrize(
    "row",
    [
        *("$S,1,20", "$S;1;20;2;400", "$S,20,400,8902", "$S | 20 | 400", "$S\t20\t400\t8902\t", "$4,1,20"),
        *('"$S",1,"20"', "'$S', 5, 4,865,609", "start,$S,20,400", "$S ; 1 ; 20", "$S 20 400 8902", "$4 1 20 2 400"),
    ],
)
def test_tables_without_a_header_are_rejected(run: Run, tmp_path: Path, row: str) -> None:
    (tmp_path / "mine.txt").write_text(fill(f"# counts\n{row}\n"))
    done = run("-s", "mine.txt", "-e", "own", **WIDE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == fill("perft-check: mine.txt:2: $HEADERLESS\n")
    assert has_counts(tmp_path / "mine.txt")


@pytest.mark.parametrize("line", ["$S;D1 20;D2 400", "$4 ;D1 20 ;D2 400", '$S; D1 20; D2 400; c0 "as $P, 6, 30"'])
def test_counts_with_their_depths_are_no_table(tmp_path: Path, line: str) -> None:
    assert read(tmp_path, line) == [(S, S2)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"fen": "$S", "depth": 2, "nodes": 400}, {"fen": "$P", "d1": 6, "id": 5}]', [(S, ((2, 400),)), (P, P1)]),
        ('{"fen": "$S", "depth": 1, "nodes": 20}\n{"fen": "$S", "depth": 2, "nodes": "400"}\n', [(S, S2)]),
        ('{"version": 1, "positions": [{"fen": "$P", "counts": [6, 30]}]}', [(P, P2)]),
        ('[{"fen": "$P", "depth": 2, "nodes": [6, 30]}]', [(P, P2)]),
        ('[{"fen": "$P", "nodes": [1, 6, 30]}]', [(P, P2)]),
        ('[{"fen": "$ONLY", "nodes": [1, 17]}]', [(ONLY, ((1, 1), (2, 17)))]),
        ('[{"fen": "$P", "perft": {"1": 6, "2": 30}, "comment": null}]', [(P, P2)]),
        ('[{"fen": "$P", "results": [{"depth": 1, "nodes": 6}, {"depth": 2, "nodes": 30}]}]', [(P, P2)]),
        ('{"$P": [6, 30], "$S": {"1": 20}, "$CORNER": 4}', [(P, P2), (S, S1), (CORNER, ((1, 4),))]),
        ('["$S ;D1 20 ;D2 400", "$P ;D1 6"]', [(S, S2), (P, P1)]),
        ('[{"fen": "$ESCAPED", "d1": 6}]', [(P, P1)]),
    ],
)
def test_json_is_read(tmp_path: Path, text: str, expected: list[tuple[str, Counts]]) -> None:
    assert read(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[\n{"fen": "$P", "counts": [7, 105]}]',
            "2: [7, 105] are not counts from depth 1, which has 6 nodes: $NAMED",
        ),
        ('[{"fen": "$ONLY", "counts": [1, 1, 3]}]', "1: [1, 1, 3] may begin at depth 0 or 1: $NAMED"),
        ('[{"fen": "$P", "d1": 6.0}]', "1: '{\"d1\": 6.0}' $BESIDE: $EPD"),
        ('[{"fen": "$P", "counts": [6, "x"]}]', "1: '\"x\"' among counts is not understood: $EPD"),
        ('[{"fen": "$S", "depth": 2, "nodes": [20]}]', "1: depth 2 does not match 1 counts: $EPD"),
        ('[{"fen": "$S", "d1": 20, "moves": "e2e4"}]', "1: the keys of a record: 'moves' is unknown; $KNOWN: $RENAME"),
        (
            '[{"fen": "$S", "depth": 2, "expected": 400, "result": 401}]',
            "1: the keys of a record: 'expected' and 'result' $TWICE",
        ),
        ('{"depth": 2, "all": [{"fen": "$S", "nodes": 400}]}', "1: a record has no 'depth'; $KNOWN"),
        (
            '[{"fen": "$S", "d1": 20},\n {"fen": "startpos", "d2": 400}]',
            '1: \'{"fen": "startpos"}\' $BESIDE: $EPD',
        ),
        ('{"x": "$P"}', '1: \'{"x": "$P"}\' with a FEN is not understood: $EPD'),
        ('["$S ;D1 20",\n {"a": 1}]', "1: '{\"a\": 1}' $AMONG: $EPD"),
        ('["$S"]', "1: a position without counts: add those that are known, such as ;D1 20"),
        ('[{"fen": "$S", "d1": 20, "d1": 21}]', "1: the key 'd1' occurs twice in the same object"),
        ('[{"fen": "$S", "d1": 20}\n', "2: invalid JSON: Expecting ',' delimiter"),
    ],
)
def test_unclear_json_is_rejected(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SuiteError) as raised:
        read(tmp_path, text)
    assert str(raised.value) == f"{tmp_path / 'mine.txt'}:{fill(message)}"


def test_names_and_lines_are_those_of_the_rows(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(fill('id,fen,D1\n"a ""pawn""",$P,6\n,$S,20\n'))
    cases = load_suite(tmp_path / "table.csv").cases
    assert [(case.name, case.source.rpartition(":")[2]) for case in cases] == [('a "pawn"', "2"), ("table:3", "3")]


def test_positions_in_one_line_have_different_names(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(fill('["$S ;D1 20", "$P ;D1 6", {"fen": "$CORNER", "d1": 4, "id": "corner"}]'))
    assert [case.name for case in load_suite(tmp_path / "mine.json")] == ["mine:1", "mine:1.2", "corner"]


@pytest.mark.parametrize(
    ("lines", "notice"),
    [
        ([S, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"], ""),
        (["bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"], ""),
        (
            ["rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1"],
            "1: castling field 'Qkq' with the kings on e1 and d8",
        ),
        (
            [S, "4k3/8/8/8/8/8/8/1R1K4 w Q - 0 1", "4k3/8/8/8/8/8/8/1R3K2 w Q - 0 1"],
            "2: castling field 'Q' with the king on d1",
        ),
        (["4k3/8/8/8/8/8/8/4K1R1 w K - 0 1"], "1: castling field 'K' with the king on e1"),
    ],
)
def test_chess960_that_looks_standard_is_reported(tmp_path: Path, lines: list[str], notice: str) -> None:
    (tmp_path / "mine.epd").write_text("".join(f"{line} ;D1 1\n" for line in lines))
    expected = load_suite(tmp_path / "mine.epd").notice
    more = ", and 1 more position" if len(lines) == 3 else ""
    rest = f" is read as Chess960{more}: correct it if this is standard chess"
    assert expected == (f"{tmp_path / 'mine.epd'}:{notice}{rest}" if notice else "")
    assert load_suite(tmp_path / "mine.epd", chess960=True).notice == ""


def test_bundled_suites_need_no_notice() -> None:
    assert [load_suite(bundled_path(name)).notice for name in ("chess960", "setups")] == ["", ""]


def test_run_reports_such_a_file_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.epd").write_text(
        "4k3/8/8/8/8/8/8/1R1K4 w Q - 0 1 ;D1 17\n4k3/8/8/8/8/8/8/1R3K2 w Q - 0 1 ;D1 1\n"
    )
    done = run("-s", "mine.epd", "-e", "own", "--max-depth", "1", **WIDE)
    notice = "mine.epd:1: castling field 'Q' with the king on d1 is read as Chess960, and 1 more position"
    assert done.stderr.count(notice) == 1
    assert done.stderr.count("is read as Chess960") == 1


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine.epd.gz").write_bytes(gzip.compress(f"{S} ;D1 20\n".encode()))
    suite = load_suite(tmp_path / "mine.epd.gz")
    assert [(case.name, case.counts) for case in suite] == [("mine:1", ((1, 20),))]


@pytest.mark.parametrize("damage", [slice(0, -9), slice(0, 12), slice(0, 2)])
def test_a_damaged_compressed_file_is_rejected(tmp_path: Path, damage: slice) -> None:
    path = tmp_path / "mine.gz"
    path.write_bytes(gzip.compress(f"{S} ;D1 20\n".encode())[damage])
    with pytest.raises(SuiteError, match=r"cannot decompress .*mine\.gz: "):
        load_suite(path)
