"""Reading of suites: variations of other tools are accepted, and no invalid line is ignored."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from helpers.budget import properties
from hypothesis import example, given
from hypothesis import strategies as st
from perft_check.generator import START_FEN, Position
from perft_check.suites import loader
from perft_check.suites.case import Case, Problem, Suite, SuiteError
from perft_check.suites.loader import load_suite

START = START_FEN.encode()
KIWIPETE = b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
CHESS960 = b"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def load(folder: Path, data: bytes, chess960: bool | None = None, name: str = "my.epd") -> Suite:
    (folder / name).write_bytes(data)
    return load_suite(folder / name, chess960)


def error_of(folder: Path, data: bytes, chess960: bool | None = None) -> SuiteError:
    """Return the error of a file, without the folder in its message."""
    with pytest.raises(SuiteError) as caught:
        load(folder, data, chess960)
    return SuiteError(str(caught.value).replace(f"{folder}{os.sep}", ""), caught.value.problems)


def counts_of(suite: Suite) -> list[tuple[tuple[int, int], ...]]:
    return [case.counts for case in suite]


def test_a_plain_suite(tmp_path: Path) -> None:
    suite = load(tmp_path, START + b" ;D1 20 ;D2 400\n" + KIWIPETE + b' ;D1 48 ;id "kiwipete"\n', name="two.epd")
    assert suite == Suite(
        "two",
        (
            Case("two:1", Position.start(), ((1, 20), (2, 400)), f"{tmp_path / 'two.epd'}:1"),
            Case("kiwipete", Position.from_fen(KIWIPETE.decode()), ((1, 48),), f"{tmp_path / 'two.epd'}:2"),
        ),
    )
    assert len(suite) == 2


@pytest.mark.parametrize(
    "operations",
    [
        b" ;D1 20 ;D3 8902",
        b"; D1 20; D3 8902",
        b";D1 20;D3 8902;",
        b" ;d1 20 ;d3 8902",
        b"\t;\tD1\t20\t;\tD3\t8902",
        b" ;D3 8902 ;D1 20",
        b" ;D01 020 ;D3 8,902",
        b" ;D1 20 ;D3 8_902 ;D3 8902",
        b" ;D0 1 ;D1 20 ;D3 8902",
        b" ;;D1 20 ;;D3 8902;;",
        b" D1 20; D3 8902;",
        b' ;hmvc 0; fmvn 1; bm Nf3; c0 "a; D9 9"; D1 20; D3 8902; v9 ""; acd 3; pv e4 e5; DM 3',
    ],
)
@pytest.mark.parametrize("fen", [START, START.removesuffix(b" 0 1")], ids=["six-fields", "four-fields"])
def test_counts_are_read_as_other_tools_write_them(tmp_path: Path, fen: bytes, operations: bytes) -> None:
    suite = load(tmp_path, fen + operations)
    assert counts_of(suite) == [((1, 20), (3, 8902))]
    assert suite.cases[0].position == Position.start()


@pytest.mark.parametrize(
    ("operations", "purpose"),
    [
        (b' ;D1 20 ;c0 "pins; and \\"more\\""', 'pins; and "more"'),
        (b" ;D1 20 ;C0 pins , too", "pins , too"),
        (b' ;D1 20 ;c0 ""', ""),
        (b' ;D1 20 ;c1 "else"', ""),
        (b" ;D1 20", ""),
    ],
)
def test_the_first_comment_is_the_purpose(tmp_path: Path, operations: bytes, purpose: str) -> None:
    assert [case.purpose for case in load(tmp_path, START + operations)] == [purpose]


def test_a_mate_has_no_nodes(tmp_path: Path) -> None:
    assert counts_of(load(tmp_path, b"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 ;D1 0 ;D2 0")) == [((1, 0), (2, 0))]


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        (b'id "kiwipete"', "kiwipete"),
        (b"id kiwipete", "kiwipete"),
        (b"ID  two words ", "two words"),
        (b'id " spaces kept "', " spaces kept "),
        (b'id "semi;colon ;D1 9"', "semi;colon ;D1 9"),
        (rb'id "a \"quote\" and a \\"', 'a "quote" and a \\'),
        (rb'id "C:\new\tests"', r"C:\new\tests"),
        (b'id "tab\there"', "tab here"),
        (b'id one "two"', 'one "two"'),
        ('id "Größe ♔"'.encode(), "Größe ♔"),
        (b'id ""', "my:3"),
        (b"id", "my:3"),
    ],
)
def test_names(tmp_path: Path, operation: bytes, name: str) -> None:
    data = b"# one\n\n" + KIWIPETE
    for line in (data + b" ;" + operation + b" ;D1 48", data + b" ;D1 48;" + operation, data + b" " + operation):
        if b"D1 48" not in line:
            line += b"; D1 48"
        suite = load(tmp_path, line)
        assert [case.name for case in suite] == [name]
        assert counts_of(suite) == [((1, 48),)]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"S;D1 20\r\nS;D1 20\r\n", [1, 2]),
        (b"S;D1 20\rS;D1 20\r", [1, 2]),
        (b"S;D1 20\n\r\nS;D1 20", [1, 3]),
        (b"S;D1 20\0\nS;D1 20\0\n", [1, 2]),
        (b"S;D1 20\0S;D1 20\0\0\0", [1, 2]),
        (b"\xef\xbb\xbfS;D1 20\n\xef\xbb\xbfS;D1 20\n", [1, 2]),
        (b"\xef\xbb\xbf# a comment\nS;D1 20\n", [2]),
        (b"# one\n% two\n// three\n  # four\n#\n\t \nS;D1 20\n\n", [7]),
        (b"# M\xfcller\n%\xff\xfe\nS;D1 20\n", [3]),
        (b"S;D1 20\n\x1a", [1]),
        (b"\x0cS;D1 20", [1]),
        ("S;D1 20\u2028".encode(), [1]),
    ],
)
def test_line_ends_byte_order_marks_and_comments(tmp_path: Path, data: bytes, lines: list[int]) -> None:
    suite = load(tmp_path, data.replace(b"S", START))
    assert [case.source for case in suite] == [f"{tmp_path / 'my.epd'}:{line}" for line in lines]
    assert counts_of(suite) == [((1, 20),)] * len(lines)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_as_powershell_writes_it(tmp_path: Path, encoding: str) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    suite = load(tmp_path, f'{mark}# 1\r\n{START_FEN} ;D1 20 ;id "ä"\r\n'.encode(encoding))
    assert [(case.name, case.counts) for case in suite] == [("ä", ((1, 20),))]


@pytest.mark.parametrize(("chess960", "expected"), [(None, [True, False, False]), (True, [True] * 3)])
def test_the_castling_field_decides_on_chess960(tmp_path: Path, chess960: bool | None, expected: list[bool]) -> None:
    data = CHESS960 + b";D1 21\n" + KIWIPETE + b";D1 48\n1nqr1rbb/8/k7/8/8/8/8/K7 w - - 1 9;D1 3\n"
    assert [case.position.chess960 for case in load(tmp_path, data, chess960)] == expected


def test_chess960_castling_in_a_standard_suite_is_a_bad_line(tmp_path: Path) -> None:
    assert str(error_of(tmp_path, KIWIPETE + b";D1 48\n" + CHESS960 + b";D1 21", chess960=False)) == (
        "my.epd:2: castling field 'HFhf' needs Chess960: "
        "in standard chess the king stands on e1 or e8 and the rooks in the corners"
    )


PERFT = b"""\
# A comment.

id pos-2
epd r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -
perft 1 48
perft 3 97862
perft 2 2,039

% Names may have spaces, or be missing.
id Position 3: "pins"
EPD 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
Perft 4 43238
epd bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - hmvc 2; fmvn 9;
perft 1 21
id "quoted"
epd 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 ;D1 0
perft 0 1
"""


@pytest.mark.parametrize("name", ["tricky.perft", "tricky.epd", "tricky"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\0\n"])
def test_perft_files_are_known_by_their_content(tmp_path: Path, name: str, newline: bytes) -> None:
    suite = load(tmp_path, PERFT.replace(b"\n", newline), name=name)
    assert [(case.name, case.counts, case.source.rpartition(":")[2]) for case in suite] == [
        ("pos-2", ((1, 48), (2, 2039), (3, 97862)), "4"),
        ('Position 3: "pins"', ((4, 43238),), "11"),
        ("tricky:13", ((1, 21),), "13"),
        ("quoted", ((1, 0),), "16"),
    ]
    assert suite.cases[0].position == Position.from_fen(KIWIPETE.decode())
    assert suite.cases[2].position.chess960


def test_epd_lines_in_a_file_called_perft(tmp_path: Path) -> None:
    assert counts_of(load(tmp_path, START + b";D1 20", name="x.perft")) == [((1, 20),)]


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (b";D 3 400", "'D 3 400' is not a count: write it as 'D3 400'"),
        (b";D 1 20", "'D 1 20' is not a count: write it as 'D1 20'"),
        (b";D3", "depth 3 has no count: give its number of nodes"),
        (b";D3 abc", "depth 3 has 'abc' instead of a number of nodes"),
        (b";D3 -5", "depth 3 has '-5' instead of a number of nodes"),
        (b";D3 89,02", "depth 3 has '89,02' instead of a number of nodes"),
        (b";D3 8,902_000", "depth 3 has '8,902_000' instead of a number of nodes"),
        (b";D3 8 902", "depth 3 has '8 902' instead of a number of nodes"),
        (b";D3 8902 D4 197281", "depth 3 has '8902 D4 197281' instead of a number of nodes: is a ';' missing?"),
        (";D3 \u0663".encode(), "depth 3 has '\u0663' instead of a number of nodes"),
        (b";D3 " + b"9" * 31, f"depth 3 has '{'9' * 31}' instead of a number of nodes"),
        (b";D3: 8902", "'D3: 8902' is not a count: write it as 'D3 8902'"),
        (b";depth 3 8902", "'depth 3 8902' is not a count: write it as 'D3 8902'"),
        (b";D100 5", "depth 100 is too large: the limit is 99"),
        (b";D0 20", "depth 0 has 1 node, the position itself, not 20"),
        (b";D3 8902 ;D3 8903", "depth 3 is given twice, with 8902 nodes and with 8903"),
        (b";3 8902", "unknown operation '3': write it as 'D3 8902', names as 'id \"name\"'"),
        (b" kiwipete", "unknown operation 'kiwipete': counts are written as 'D3 400', names as 'id \"name\"'"),
        (b';id "one" ;id "two"', "two ids: 'one' and 'two'"),
        (b';id "one', "a quote is not closed"),
        (b';id "C:\\"', "a quote is not closed"),
        (b"", "a position without counts: add those that are known, such as ;D1 20"),
        (b";D0 1", "a position without counts: add those that are known, such as ;D1 20"),
        (b" moves e2e4 ;D1 20", "trailing text after the six fields: 'moves e2e4'"),
        (b' ;id "\x9f";D1 20', "byte 0x9f is not UTF-8: save the file in that encoding"),
    ],
)
def test_a_bad_operation_is_named(tmp_path: Path, operation: bytes, message: str) -> None:
    error = error_of(tmp_path, b"\n" + START + operation)
    assert str(error) == f"my.epd:2: {message}"
    assert error.problems == (Problem(2, message),)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"8/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3", "Black has no king"),
        (b"k7/8/8/8/8/8/K7 w - - ;D1 3", "the board has 7 ranks instead of 8"),
        (b"k7/8/8/8/8/8/8/K7 w - - 0 ;D1 3", "a FEN has six fields, or four without the counters, not 5"),
        (b"k7/8/8/8/8/8/8/K7 w - ;D1 3", "a FEN has six fields, or four without the counters, not 3"),
        (b";D1 20", "no position before the first ';'"),
        (b"<!DOCTYPE html>", "'<!DOCTYPE html>' is not a position: a line looks like FEN ;D1 20 ;D2 400"),
    ],
)
def test_a_bad_position_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    assert str(error_of(tmp_path, line)) == f"my.epd:1: {message}"


def test_a_counter_of_thousands_of_digits_is_a_bad_line(tmp_path: Path) -> None:
    error = error_of(tmp_path, START.removesuffix(b"1") + b"9" * 5000 + b";D1 20")
    assert [problem.line for problem in error.problems] == [1]


def test_messages_are_cut_to_one_readable_line(tmp_path: Path) -> None:
    error = error_of(tmp_path, START + b" 7" * 9_000 + b";D1 20\n" + START + b";D1 " + b"x\t" * 9_000)
    assert all(len(problem.message) == 200 and " ... " in problem.message for problem in error.problems)
    assert [problem.line for problem in error.problems] == [1, 2]
    assert "\n" not in str(error)


def test_all_bad_lines_are_found(tmp_path: Path) -> None:
    good = START + b";D1 20\n"
    bad = START + b";D1 ;D 2\n"
    error = error_of(tmp_path, good + bad + good + b"\xff\n" + good + START + b"\n")
    assert str(error) == "my.epd:2: depth 1 has no count: give its number of nodes (and 2 more bad lines: 4, 6)"
    assert error.problems == (
        Problem(2, "depth 1 has no count: give its number of nodes"),
        Problem(2, "'D 2' is not a count: counts are written as 'D3 400'"),
        Problem(4, "byte 0xff is not UTF-8: save the file in that encoding"),
        Problem(6, "a position without counts: add those that are known, such as ;D1 20"),
    )


def test_two_bad_lines_and_many_bad_lines(tmp_path: Path) -> None:
    line = START + b"\n"
    message = "my.epd:1: a position without counts: add those that are known, such as ;D1 20"
    assert str(error_of(tmp_path, line * 2)) == f"{message} (and 1 more bad line: 2)"
    assert str(error_of(tmp_path, line * 9)) == f"{message} (and 8 more bad lines: 2, 3, 4, 5, 6, 7, 8, 9)"
    assert str(error_of(tmp_path, line * 10)) == f"{message} (and 9 more bad lines: 2, 3, 4, 5, 6, 7, 8, 9, ...)"


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        (b"id a\nperft 1 20\n", [(2, "'perft' without an 'epd' line before it")]),
        (b"id a\nid b\nepd S\nperft 1 20\n", [(1, "id 'a' without an 'epd' line")]),
        (b"id a\nepd S\n", [(2, "a position without counts: add those that are known, such as ;D1 20")]),
        (b"id a\nepd S\nperft\n", [(3, "'perft' is not a count: write it as 'perft 3 8902'")]),
        ("epd S\nperft \u200b3 5\n".encode(), [(2, "'perft \\u200b3 5' is not a count: write it as 'perft 3 8902'")]),
        (b"epd S\nperft x 5\n", [(2, "'perft x 5' is not a count: write it as 'perft 3 8902'")]),
        (b"epd S\nperft 3\n", [(2, "depth 3 has no count: give its number of nodes")]),
        (b"epd S\npertf 3 5\nperft 1 20\n", [(2, "'pertf' is not 'id', 'epd' or 'perft'")]),
        (
            b"epd 8 w - -\nperft 1 20\nepd S\nperft 1 20\n",
            [(1, "'8 w - -' is not a position: a line looks like FEN ;D1 20 ;D2 400")],
        ),
        (b"epd\nperft 1 20\n", [(1, "no position before the first ';'")]),
        (b"id\nepd S\nS;D1 20\nperft 1 20\n", [(3, f"'{START_FEN.split()[0]}' is not 'id', 'epd' or 'perft'")]),
    ],
)
def test_bad_perft_files(tmp_path: Path, data: bytes, problems: list[tuple[int, str]]) -> None:
    assert list(error_of(tmp_path, data.replace(b"S", START)).problems) == problems


@pytest.mark.parametrize("data", [b"", b"\n\n", b"# only a comment\n", b"\0\0\0\0", b"\xef\xbb\xbf"])
def test_an_empty_suite(tmp_path: Path, data: bytes) -> None:
    assert str(error_of(tmp_path, data)) == "my.epd has no cases: write one per line, as FEN ;D1 20 ;D2 400"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x01", "control character 0x1a on line 2"),
        (START + b';D1 20;id "\x1b[31mred"', "control character 0x1b on line 1"),
        (b"\xff\xfea", "truncated data"),
        (b"\xff\xfe\x00\xdc", "illegal encoding"),
    ],
)
def test_a_binary_file(tmp_path: Path, data: bytes, message: str) -> None:
    error = error_of(tmp_path, data)
    assert str(error) == f"my.epd is not a text file: {message}"
    assert error.problems == ()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SuiteError) as caught:
        load_suite(tmp_path / "missing.epd")
    assert str(caught.value) == f"no such file: {tmp_path / 'missing.epd'}"
    with pytest.raises(SuiteError) as caught:
        load_suite(tmp_path)
    assert str(caught.value) == f"{tmp_path} is a directory: give a suite file"
    with pytest.raises(SuiteError) as caught:
        load_suite(Path("a\0b"))
    assert str(caught.value) == "cannot read 'a\\x00b': embedded null byte"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(SuiteError) as caught:
        load_suite(tmp_path / "loop")
    assert str(caught.value) == f"cannot read {tmp_path / 'loop'}: Too many levels of symbolic links"


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, _mode: str) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)  # root may read everything, whatever the mode says
    with pytest.raises(SuiteError) as caught:
        load_suite(Path("secret.epd"))
    assert str(caught.value) == "cannot read secret.epd: Permission denied"


def test_a_pipe_can_be_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, START + b";D1 20\n")
    os.close(writing)
    try:
        assert counts_of(load_suite(Path(f"/dev/fd/{reading}"))) == [((1, 20),)]
    finally:
        os.close(reading)


_PIECES = [START, KIWIPETE, b" ", b";", b'"', b"\\", b"\n", b"\0", b"#", b"\xff", b"D1", b" 20", b"id", b"perft"]


@properties(100)
@given(st.binary(max_size=60) | st.lists(st.sampled_from(_PIECES), max_size=12).map(b"".join))
@example(b"perft")
@example(b"epd;id")
@example(b'epd "')
def test_any_bytes_give_a_suite_or_a_suite_error(tmp_path: Path, data: bytes) -> None:
    try:
        suite = load(tmp_path, data)
    except SuiteError as error:
        message = str(error)
        assert message.isprintable()
    else:
        assert all(case.counts for case in suite)


def test_limits_keep_the_counts_below_them() -> None:
    case = Case("start", Position.start(), ((1, 20), (2, 400), (4, 197281)), "x:1")
    assert case.max_depth == 4
    assert case.counts == ((1, 20), (2, 400), (4, 197281))
    assert case.to_depth() == case
    assert case.to_depth(3).counts == ((1, 20), (2, 400))
    assert case.to_depth(max_nodes=400).counts == ((1, 20), (2, 400))
    assert case.to_depth(1, 400).counts == ((1, 20),)
    nothing = case.to_depth(max_nodes=0)
    assert (nothing.counts, nothing.max_depth, nothing.name) == ((), 0, "start")


def test_a_long_line_is_not_read(tmp_path: Path) -> None:
    error = error_of(tmp_path, START + b" ;D1 20\n" + b'"' * 130_000 + b"\n# " + b"x" * 130_000)
    assert str(error) == "my.epd:2: a line of 130,000 characters: the limit is 100,000"


def test_an_endless_file_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "MAX_BYTES", 2**20)
    with pytest.raises(SuiteError) as caught:
        load_suite(Path("/dev/zero"))
    assert str(caught.value) == "/dev/zero has more than 1 MiB: split it into smaller suites"
