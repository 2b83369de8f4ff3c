"""`perft-check count`: the right number, whoever counts, and however often it was stopped."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import perft_check
import pytest
from helpers.fakes import COUNTING_PROGRAM
from helpers.ledgers import head, is_complete, lines, result_count
from helpers.processes import processes_with, until
from helpers.program import IN_A_PIPE, PROGRAM, Run, needs_stockfish, run_in, wrong

KIWIPETE_4 = 4_085_603
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def ledger_in(folder: Path) -> Path:
    [ledger] = folder.glob("*.ledger")
    return ledger


@pytest.mark.parametrize("split", [1, 2, 3])
def test_the_number_is_alone_on_stdout(run: Run, tmp_path: Path, split: int) -> None:
    done = run("count", "kiwipete", "4", "--split", str(split))
    assert (done.returncode, done.stdout) == (0, f"{KIWIPETE_4}\n")
    assert is_complete(ledger_in(tmp_path))
    again = run("count", "kiwipete", "4")
    assert (again.returncode, again.stdout) == (0, f"{KIWIPETE_4}\n")


@pytest.mark.parametrize(
    "engine",
    [
        "own",
        "own:turbo",
        "own:two-plies",
        "own:magic",
        "python-chess",
        pytest.param("uci:stockfish", marks=needs_stockfish),
    ],
)
def test_every_type_of_engine_counts(run: Run, engine: str) -> None:
    done = run("count", "kiwipete", "3", "--split", "1", "-e", engine)
    assert (done.returncode, done.stdout) == (0, "97862\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "position",
    [
        CHESS960,
        "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",  # en passant at the root
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",  # mates and stalemates above the split
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # no move at all
    ],
)
def test_any_position(run: Run, position: str) -> None:
    variant = ["--chess960"] if position == CHESS960 else []
    expected = run("perft", position, "4", "-e", "python-chess", *variant).stdout
    for engine in ("own:two-plies", "python-chess"):
        ledger = f"{engine.replace(':', '-')}.ledger"
        done = run("count", position, "4", "--split", "2", "-e", engine, "--ledger", ledger, *variant)
        assert (done.returncode, done.stdout) == (0, expected)


def test_with_a_table(run: Run, tmp_path: Path) -> None:
    done = run("count", "startpos", "5", "--split", "2", "--ledger", "a.ledger", "--hash", "1M")
    assert (done.returncode, done.stdout) == (0, "4865609\n")
    assert is_complete(tmp_path / "a.ledger")


def test_pieces_of_one_position(run: Run, tmp_path: Path) -> None:
    done = run("count", "startpos", "4", "--split", "2", "--positions", "1")
    assert done.stdout == "197281\n"
    assert [head(ledger_in(tmp_path))[name] for name in ("pieces", "positions", "games")] == [400, 400, 400]


@pytest.mark.slow
def test_a_client_that_is_killed_ten_times_goes_on(tmp_path: Path) -> None:
    """At random moments: during the cut, too."""
    words, chance, seen = ["count", "startpos", "6", "--split", "3", "-e", "own"], random.Random(1), []
    for _ in range(10):
        with subprocess.Popen([*PROGRAM, *words], cwd=tmp_path, env=os.environ | IN_A_PIPE) as process:
            time.sleep(chance.uniform(0.5, 1.3))
            process.send_signal(signal.SIGKILL)
        seen.append(sum(result_count(ledger) for ledger in tmp_path.glob("*.ledger")))
    assert seen == sorted(seen)
    done = run_in(tmp_path, *words)
    assert (done.returncode, done.stdout) == (0, "119060324\n")
    assert is_complete(ledger_in(tmp_path))


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_counted(tmp_path: Path) -> None:
    words = [*PROGRAM, "count", "startpos", "7", "--split", "3", "-e", "own", "--positions", "4"]
    process = subprocess.Popen(
        words, cwd=tmp_path, env=os.environ | IN_A_PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not any(map(result_count, tmp_path.glob("*.ledger"))):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (130, "")
    assert stderr.endswith("run the same command to continue\n")
    assert result_count(ledger_in(tmp_path)) > 0


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only here is the size of a file limited so")
def test_a_disk_that_is_full_ends_the_count_in_one_line_and_it_goes_on(run: Run, tmp_path: Path) -> None:
    words = ["count", "startpos", "4", "--split", "2", "--positions", "2", "--ledger", "a.ledger", "--quiet"]
    assert run(*words[:-2], "other.ledger", "--quiet").returncode == 0  # what is compiled is written now
    limited = ["sh", "-c", f"ulimit -f 4; exec {shlex.join([*PROGRAM, *words])}"]
    done = subprocess.run(
        limited, capture_output=True, text=True, cwd=tmp_path, env=os.environ | IN_A_PIPE, check=False
    )
    said = "perft-check: ledger 'a.ledger': it cannot be written: File too large; its results are kept, and the same "
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{said}command continues\n")
    before = result_count(tmp_path / "a.ledger")
    assert before > 0
    again = run(*words)
    assert (again.returncode, again.stdout) == (0, "197281\n")
    assert is_complete(tmp_path / "a.ledger")


def test_an_engine_that_cannot_count_is_reported_before_anything_is_counted(run: Run, tmp_path: Path) -> None:
    words = "count", "startpos", "4", "--split", "2", "--ledger", "a.ledger", "-e"
    for engine, status in (("nothing", 2), (f"uci:{sys.executable} -c pass", 3)):
        done = run(*words, engine)
        assert (done.returncode, done.stdout) == (status, "")
        assert result_count(tmp_path / "a.ledger") == 0


def test_each_engine_has_a_ledger_of_its_own(run: Run) -> None:
    run("count", "kiwipete", "3", "--split", "1", "-e", "zoo:castling-through-pieces", "--ledger", "a.ledger")
    assert wrong(run, "count", "kiwipete", "3", "--ledger", "a.ledger") == (
        "ledger 'a.ledger': it is for a count by zoo:castling-through-pieces, not by own:two-plies: "
        "name another file with --ledger"
    )
    assert run("count", "kiwipete", "3", "--split", "1").stdout == "97862\n"


def test_each_build_of_an_engine_has_a_ledger_of_its_own(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(COUNTING_PROGRAM)
    engine = f"cmd:{sys.executable} engine.py {{fen}} {{depth}}"
    words = "count", "8/8/8/8/8/k7/p7/K7 b - - 0 1", "3", "--split", "1", "-e", engine
    done = run(*words, "--ledger", "a.ledger")
    assert (done.returncode, done.stdout) == (0, run("perft", words[1], "3").stdout)
    program.write_text(f"{COUNTING_PROGRAM}# mended\n")
    refused = run(*words, "--ledger", "a.ledger")
    assert (refused.returncode, refused.stdout) == (2, "")
    said = "perft-check: ledger 'a.ledger': it is for a count by another build of cmd:"
    assert refused.stderr.splitlines()[-1].startswith(said)
    assert run(*words, "--ledger", "b.ledger").returncode == 0


def test_a_ledger_keeps_its_pieces(run: Run, tmp_path: Path) -> None:
    words = "count", "startpos", "4", "--split", "2", "--ledger", "a.ledger"
    assert run(*words, "--positions", "100").stdout == "197281\n"
    again = run(*words, "--positions", "50")
    assert (again.returncode, again.stdout) == (0, "197281\n")
    assert "--positions is ignored: the pieces in a.ledger are already cut\n" in again.stderr
    assert head(tmp_path / "a.ledger")["pieces"] == 4


def test_a_dangling_link_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.ledger").symlink_to("gone")
    said = wrong(run, "count", "startpos", "3", "--ledger", "a.ledger")
    assert said == "ledger 'a.ledger': it is a link to 'gone', which does not exist"
    assert (tmp_path / "a.ledger").is_symlink()


@pytest.mark.slow
def test_no_process_outlives_a_client_that_is_killed(tmp_path: Path) -> None:
    mark = f"PERFT_CHECK_MARK={tmp_path.name}"
    (tmp_path / "engine.py").write_text(COUNTING_PROGRAM)
    engine = f"cmd:{sys.executable} engine.py {{fen}} {{depth}}"
    words = [*PROGRAM, "count", "startpos", "5", "-e", engine]
    environment = os.environ | IN_A_PIPE | dict([mark.split("=")])
    with subprocess.Popen(words, cwd=tmp_path, env=environment) as process:
        until(lambda: any(map(result_count, tmp_path.glob("*.ledger"))))
        process.kill()
    until(lambda: not processes_with(mark))


def test_the_ledger_says_who_has_counted_what(run: Run, tmp_path: Path) -> None:
    run("count", "startpos", "4", "--split", "2")
    first, *others = lines(ledger_in(tmp_path))
    assert [first[name] for name in ("fen", "depth", "split", "engine", "positions", "games")] == [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        4,
        2,
        "own:two-plies",
        400,
        400,
    ]
    pieces = [one for one in others if "worker" in one]
    assert sum(one["nodes"] for one in pieces) == 197_281
    assert {(one["version"], len(one["digest"])) for one in pieces} == {(perft_check.__version__, 16)}


def test_the_result_as_json(run: Run) -> None:
    done = run("count", "startpos", "4", "--split", "2", "--json")
    told = json.loads(done.stdout)
    assert (told["nodes"], told["complete"], told["counted"]) == (197_281, True, told["pieces"])


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only here is the memory of a process limited so")
def test_a_cut_without_memory_is_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    run("count", "startpos", "3", "--split", "1", "--ledger", "compiled.ledger")
    count = shlex.join([*PROGRAM, "count", "startpos", "9", "--split", "8", "--ledger", "large.ledger", "--quiet"])
    environment = os.environ | IN_A_PIPE | {"OPENBLAS_NUM_THREADS": "1"}
    limited = ["sh", "-c", f"ulimit -v 1000000; exec {count}"]
    done = subprocess.run(limited, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        r"perft-check: not enough memory for the positions after ply [4-7]: .*: use a smaller --split\n", done.stderr
    )
    assert [path.name for path in tmp_path.iterdir()] == ["compiled.ledger"]


def test_wrong_input(run: Run, tmp_path: Path) -> None:
    assert wrong(run, "count", "startpos", "1") == ("count needs a depth of 2 or more, not 1: use perft-check perft")
    assert wrong(run, "count", "startpos", "4", "--split", "4") == ("--split 4 must be less than the depth, 4")
    assert wrong(run, "count", "startpos", "4", "--ledger", "nowhere/a.ledger") == (
        "ledger 'nowhere/a.ledger': there is no folder 'nowhere'"
    )
    assert list(tmp_path.iterdir()) == []
    run("count", "startpos", "3", "--split", "1", "--ledger", "a.ledger")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert wrong(run, "count", "kiwipete", "3", "--ledger", "a.ledger") == (
        f"ledger 'a.ledger': it is for a count of {start}: name another file with --ledger"
    )
    assert wrong(run, "count", "startpos", "4", "--ledger", "a.ledger") == (
        "ledger 'a.ledger': it is for a count to depth 3: name another file with --ledger"
    )
    assert wrong(run, "count", "startpos", "3", "--split", "2", "--ledger", "a.ledger") == (
        "ledger 'a.ledger': it is for a count split at ply 1: name another file with --ledger"
    )
    assert wrong(run, "count", "startpos", "4", "-e", "nonsense").startswith("no engine named 'nonsense'")
    crowd = "qqqqkqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/4K3 w - - 0 1"
    assert (
        wrong(run, "count", crowd, "3")
        == f"{crowd}: a board has 33 pieces, and a record has room for 32: use perft-check perft"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["a.ledger"]
