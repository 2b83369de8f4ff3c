"""Writing of suites: written suites are read back, and a file is always a complete version."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.budget import properties
from hypothesis import example, given
from hypothesis import strategies as st
from perft_check.generator import START_FEN, Position
from perft_check.suites.case import Case, Suite, SuiteError
from perft_check.suites.epd import format_case, write_suite
from perft_check.suites.loader import load_suite

FENS = [
    START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 17",
    "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "8/8/8/8/k1pP4/8/8/K7 b - d3 99 500",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 1",
    "1r1k1r1r/8/8/8/8/8/8/1R1K1R1R w FBfb - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
]
POSITIONS = [Position.from_fen(fen, chess960=None) for fen in FENS]
START_CASE = Case("start", Position.start(), ((1, 20), (2, 400)), "somewhere:1")

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1).filter(str.strip)
counts = st.dictionaries(st.integers(1, 99), st.integers(0, 10**29), min_size=1, max_size=6).map(
    lambda found: tuple(sorted(found.items()))
)
cases = st.builds(Case, names, st.sampled_from(POSITIONS), counts, st.just("here:1"), st.just("") | names)


def contents(suite: Suite) -> list[tuple[str, str, Position, tuple[tuple[int, int], ...]]]:
    return [(case.name, case.purpose, case.position, case.counts) for case in suite]


def test_the_line_of_a_case() -> None:
    assert format_case(START_CASE) == f'{START_FEN} ;D1 20 ;D2 400 ;id "start"'
    odd = Case('"a" \\ b; ♔', POSITIONS[3], ((3, 711),), "x:1")
    assert format_case(odd) == '8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1 ;D3 711 ;id "\\"a\\" \\\\ b; ♔"'
    case = replace(START_CASE, purpose='pins; "more"')
    assert format_case(case) == f'{START_FEN} ;D1 20 ;D2 400 ;id "start" ;c0 "pins; \\"more\\""'
    with pytest.raises(ValueError, match="a purpose is printable and on one line"):
        replace(START_CASE, purpose="two\nlines")


def test_castling_is_written_as_x_fen() -> None:
    lines = [format_case(Case("x", position, ((1, 1),), "x:1")) for position in POSITIONS[5:8]]
    assert [line.split()[2] for line in lines] == ["KQkq", "KQq", "FQfq"]


def test_the_file(tmp_path: Path) -> None:
    path = tmp_path / "my.epd"
    write_suite(path, Suite("x", (START_CASE, START_CASE)), ["Two lines", "", "of\r\nheader \x1b[1m\0 "])
    line = f'{START_FEN} ;D1 20 ;D2 400 ;id "start"\n'
    assert path.read_bytes() == f"# Two lines\n#\n# of\n# header  [1m\n{line}{line}".encode()
    assert os.listdir(tmp_path) == ["my.epd"]
    assert contents(load_suite(path)) == contents(Suite("x", (START_CASE, START_CASE)))


@properties(30)
@given(st.lists(cases, min_size=1, max_size=5), st.lists(st.text(), max_size=3))
@example([Case("a\u2028b\xa0", Position.start(), ((1, 20),), "x:1")], ["\ud800\x85\u2028D1 20"])
def test_written_suites_are_read_back(tmp_path: Path, found: list[Case], header: list[str]) -> None:
    suite = Suite("x", tuple(found))
    write_suite(tmp_path / "my.epd", suite, header)
    assert contents(load_suite(tmp_path / "my.epd")) == contents(suite)


def test_nothing_to_write(tmp_path: Path) -> None:
    path = tmp_path / "my.epd"
    path.write_text("kept")
    with pytest.raises(SuiteError) as caught:
        write_suite(path, Suite("mine", ()))
    assert str(caught.value) == "suite 'mine' has no cases to write"
    with pytest.raises(SuiteError) as caught:
        write_suite(path, Suite("mine", (START_CASE, START_CASE.to_depth(0))))
    assert str(caught.value) == "case 'start' has no counts to write"
    assert path.read_text() == "kept"


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    suite = Suite("x", (START_CASE,))
    with pytest.raises(SuiteError) as caught:
        write_suite(tmp_path / "none" / "my.epd", suite)
    assert str(caught.value) == f"cannot write {tmp_path / 'none' / 'my.epd'}: No such file or directory"
    with pytest.raises(SuiteError) as caught:
        write_suite(tmp_path, suite)
    assert str(caught.value) == f"cannot write {tmp_path}: it is not a regular file"
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with pytest.raises(SuiteError) as caught:
        write_suite(fifo, suite)
    assert str(caught.value) == f"cannot write {fifo}: it is not a regular file"
    assert os.listdir(tmp_path) == ["fifo"]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_keeps_the_original(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, error: BaseException
) -> None:
    path = tmp_path / "my.epd"
    path.write_text("kept")

    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, failing, fail)
        if isinstance(error, OSError):
            with pytest.raises(SuiteError) as caught:
                write_suite(path, Suite("x", (START_CASE,)))
            assert str(caught.value) == f"cannot write {path}: No space left on device"
        else:
            with pytest.raises(KeyboardInterrupt):
                write_suite(path, Suite("x", (START_CASE,)))
    assert path.read_text() == "kept"
    assert os.listdir(tmp_path) == ["my.epd"]


def test_modes_and_links_are_kept(tmp_path: Path) -> None:
    suite = Suite("x", (START_CASE,))
    write_suite(tmp_path / "new.epd", suite)
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.epd").stat().st_mode) == 0o666 & ~mask
    (tmp_path / "new.epd").chmod(0o640)
    (tmp_path / "link.epd").symlink_to("new.epd")
    write_suite(tmp_path / "link.epd", suite, ["again"])
    assert (tmp_path / "link.epd").is_symlink()
    assert (tmp_path / "new.epd").read_text().startswith("# again\n")
    assert stat.S_IMODE((tmp_path / "new.epd").stat().st_mode) == 0o640


_WRITER = """
import resource, signal, sys
from pathlib import Path
from perft_check.generator import Position
from perft_check.suites.case import Case, Suite
from perft_check.suites.epd import write_suite

def write(number):
    # Long names make the writing take longer than the preparing of it.
    cases = (Case(f"{i} " + "x" * 50_000, Position.start(), ((1, 20), (2 + number, 400)), "x:1") for i in range(40))
    write_suite(Path(sys.argv[1]), Suite("x", tuple(cases)), [f"version {number}"])

write(0)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
write(1)
"""


def version_of(path: Path) -> int:
    """Return the version of a file after checking that it is complete."""
    version = int(path.read_text().partition("\n")[0].removeprefix("# version "))
    suite = load_suite(path)
    assert [case.name.split()[0] for case in suite] == [str(i) for i in range(40)]
    assert {(len(case.name.split()[1]), case.counts) for case in suite} == {(50_000, ((1, 20), (version + 2, 400)))}
    return version


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are POSIX")
def test_a_writer_killed_halfway_leaves_the_old_version(tmp_path: Path) -> None:
    """The kernel kills the writer after the first of two megabytes of the second version."""
    path = tmp_path / "my.epd"
    done = subprocess.run([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE)
    assert done.returncode == -signal.SIGXFSZ
    assert version_of(path) == 0
    sizes = sorted(file.stat().st_size for file in tmp_path.iterdir())
    assert sizes == [1_000_000, path.stat().st_size]
