"""Tables of positions and counts as suites: CSV, TSV, and lines of words."""

from __future__ import annotations

from pathlib import Path

import pytest
from perft_check.generator import START_FEN
from perft_check.suites.case import SuiteError
from perft_check.suites.loader import has_counts, load_suite

PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - -"
START = ((1, 20), (2, 400))


@pytest.mark.parametrize(
    "text",
    [
        f"fen,depth,nodes\n{START_FEN},1,20\n{START_FEN},2,400\n{PAWN},1,6\n",
        f"{START_FEN},1,20\n{START_FEN},2,400\n{PAWN},1,6\n",
        f'"{START_FEN}",1,20\n"{START_FEN}","2","400"\n"{PAWN}",1,6\n',
        f"# by another tool\nFEN;Depth;Nodes\n{START_FEN};1;20\n{START_FEN}; 2; 400\n{PAWN};1;6\n",
        f"{START_FEN}\t1\t20\n{START_FEN}\t2\t400\n{PAWN}\t1\t6\n",
        f"{START_FEN} | 1 | 20\n{START_FEN} | 2 | 400\n{PAWN} | 1 | 6\n",
        f"{START_FEN} 1 20\r\n{START_FEN} 2 400\r\n{PAWN} 0 1 1 6\r\n",
        f"FEN,D1,D2\n{START_FEN},20,400\n{PAWN},6,\n",
        f"fen\tperft_1\tperft_2\n{START_FEN}\t20\t400\n{PAWN}\t6\t\n",
        f"name,nodes,depth,fen\n,20,1,{START_FEN}\n,400,2,{START_FEN}\n,6,1,{PAWN}\n",
        f'epd,depth 2,depth 1\n{START_FEN},"400",20\n{PAWN},,6\n',
    ],
)
def test_tables_are_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / "table.csv"
    file.write_text(text)
    suite = load_suite(file)
    assert [(case.position.fen(), case.counts) for case in suite] == [
        (START_FEN, START),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ((1, 6),)),
    ]
    assert has_counts(file)


def test_names_and_places_are_those_of_the_rows(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(f'id,fen,D1\n"a ""pawn""",{PAWN},6\n,{START_FEN},20\n')
    assert [(case.name, case.source.rpartition(":")[2]) for case in load_suite(file)] == [
        ('a "pawn"', "2"),
        ("table:3", "3"),
    ]


def test_large_counts_may_have_separators(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(f'fen;depth;nodes\n{START_FEN};5;4,865,609\n{START_FEN};4;"197_281"\n')
    assert load_suite(file).cases[0].counts == ((4, 197281), (5, 4865609))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello world\n", "1: 'hello world' is no position: a line looks like FEN ;D1 20 ;D2 400"),
        (f"{PAWN},1,6\nhello\n", "2: 'hello' is no position: a line looks like FEN ;D1 20 ;D2 400"),
        (f"fen,depth,nodes\n{PAWN},1,six\n", "2: depth 1 has 'six' where a number of nodes should be"),
        (f"fen,depth,nodes\n{PAWN},one,6\n", "2: 'depth one 6' is no count: write it as 'D3 400'"),
        (f"fen,depth,nodes\n{PAWN},1,6\n{PAWN},1,7\n", "2: depth 1 is given twice, with 6 nodes and with 7"),
        (f"{START_FEN}\n", "1: a position without counts: add what is known, such as ;D1 20"),
        (f"fen,remark\n{START_FEN},nice\n", "2: a position without counts: add what is known, such as ;D1 20"),
    ],
)
def test_bad_rows_are_told_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "table.csv"
    file.write_text(text)
    with pytest.raises(SuiteError) as raised:
        load_suite(file)
    assert str(raised.value) == f"{file}:{message}"
