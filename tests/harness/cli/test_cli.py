"""The program as a process: what it prints, where, and how it exits."""

from __future__ import annotations

import json
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path

import perft_check
import pytest
from helpers.program import STOCKFISH, Run, check_mistakes, run_in
from perft_check.generator.kernels.machine.target import target_has_pext
from perft_check.suites.bundled import ALL_BUNDLED, BUNDLED, DEFAULT, QUICK

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
WRONG_SUITE = f'{KIWIPETE} ;D1 48 ;D2 2040 ;id "off by one"\n'


def test_version(run: Run) -> None:
    """The first line is for scripts, the others are for reports of bugs."""
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    first, *lines = done.stdout.splitlines()
    assert first == f"perft-check {perft_check.__version__}"
    told = dict(line.split(": ", 1) for line in lines)
    assert list(told) == ["python", "libraries", "system", "cpu", "sliders"]
    assert told["python"] == platform.python_version()
    for library in ("numba", "llvmlite", "chess"):
        assert f"{library} {version(library)}" in told["libraries"].split(", ")
    assert told["system"].startswith(f"{platform.system()} {platform.release()} {platform.machine()}")
    assert re.fullmatch(r".+, \d+ threads?", told["cpu"])
    assert told["sliders"] == ("pext (also here: magic)" if target_has_pext() else "magic")


def test_version_says_where_kernels_use_no_pext(tmp_path: Path) -> None:
    assert "\nsliders: magic\n" in run_in(tmp_path, "--version", NUMBA_CPU_NAME="generic").stdout


def test_version_fits_a_narrow_terminal_and_names_no_folder(run: Run) -> None:
    lines = run("--version", COLUMNS="60", FORCE_COLOR="1").stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert not [line for line in lines if str(Path.home()) in line or sys.prefix in line]


@pytest.mark.parametrize("arguments", [[], ["run"], ["-e", "own"]])
def test_without_a_command_the_default_suites_run(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[4 : 4 + len(DEFAULT)]] == [*DEFAULT]
    assert re.search(r"^all [\d,]+ positions agree  \S+ k nodes in ", done.stdout, re.MULTILINE)
    assert "compil" not in done.stdout


@pytest.mark.parametrize("arguments", [["--quick"], [word for name in QUICK for word in ("-s", name)]])
def test_the_quick_suites_with_all_their_counts(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[4 : 4 + len(QUICK)]] == [*QUICK]
    assert re.search(r"^chess960-special +16 +16 +0 +3  53,895 ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("engine", ["own", "own:turbo"])
@pytest.mark.parametrize("suite", BUNDLED)
def test_kernels_pass_every_bundled_suite(run: Run, engine: str, suite: str) -> None:
    done = run("-e", engine, "-s", suite)
    assert done.returncode == 0, done.stdout


def test_a_row_for_every_position_when_asked(run: Run) -> None:
    done = run("-s", "smoke", "-v", "--filter", "^cpw-[12]")
    rows = [line.split() for line in done.stdout.splitlines() if line.strip().startswith("smoke:")]
    assert [(row[0], row[1], row[2], row[-1]) for row in rows] == [
        ("smoke:cpw-1-start", "3", "8,902", "agree"),
        ("smoke:cpw-2-kiwipete", "2", "2,039", "agree"),
    ]


def test_quiet_prints_one_line_and_what_of_a_generator_was_not_tried(run: Run) -> None:
    done = run("-q", "--quick", "-e", "own")
    (last,) = done.stdout.splitlines()
    assert (last.startswith("all "), "positions agree" in last) == (True, True)
    done = run("-q", "--quick", "--max-depth", "1", "-e", "own")
    above, last = done.stdout.splitlines()
    assert above == "not tried: counts deeper than 1, taking moves back and 1 more (-v explains how)"
    assert (last.startswith("all "), "positions agree" in last) == (True, True)
    assert done.stderr == ""


@pytest.mark.parametrize(
    "arguments", [["--filter", "no such name"], ["--max-depth", "0"], ["--quick", "--max-nodes", "0"]]
)
def test_nothing_to_run_is_status_4(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 4
    assert done.stdout.splitlines()[-1].startswith("nothing to run: the options exclude every count")


def test_a_wrong_count_is_explained(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.epd").write_text(WRONG_SUITE)
    done = run("-s", "wrong.epd")
    assert done.returncode == 1
    assert "MISMATCH  wrong:off by one  (wrong.epd:1)" in done.stdout
    assert "depth 2: 2,039 nodes, the suite says 2,040" in done.stdout
    message = "-1 nodes; python-chess agrees with own: the count in the suite looks wrong"
    assert message in done.stdout
    assert done.stdout.splitlines()[-1].startswith("0 of 1 positions agree, 1 mismatch")


def test_references_share_the_blame(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.epd").write_text(WRONG_SUITE)
    done = run("-s", "wrong.epd", "-a", "python-chess")
    assert done.returncode == 1
    assert "depth 2: 2,039 nodes, the suite says 2,040, python-chess says 2,039" in done.stdout
    assert "own and python-chess agree: the count in the suite looks wrong" in done.stdout


def test_fail_fast_stops_at_the_first_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.epd").write_text(WRONG_SUITE * 3)
    assert len(json.loads(run("-s", "wrong.epd", "--report", "json=-").stdout)["results"]) == 3
    done = run("-s", "wrong.epd", "--report", "json=-", "--fail-fast")
    assert len(json.loads(done.stdout)["results"]) == 1


def test_time_ends_a_run_with_what_there_is(run: Run) -> None:
    done = run("-s", "standard", "-e", "python-chess", "--time", "2")
    assert done.returncode in (0, 4)
    assert done.stdout.splitlines()[-1].startswith("out of time: ")


def test_json_report(run: Run, tmp_path: Path) -> None:
    done = run(
        "-s",
        "standard",
        "--max-nodes",
        "100k",
        "--filter",
        "cpw-2",
        "-a",
        "python-chess",
        "--report",
        "json=report.json",
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("the one position agrees")
    document = json.loads((tmp_path / "report.json").read_text())
    assert document["format"] == 1
    assert document["exit_code"] == 0
    assert document["verdicts"] == {"agree": 1}
    (result,) = document["results"]
    assert result["fen"] == KIWIPETE
    assert (result["depth"], result["expected"], result["got"]) == (3, 97862, 97862)
    assert result["references"] == {"python-chess": 97862}
    assert result["nodes"] == 48 + 2039 + 97862


@pytest.mark.parametrize("engine", ["own", "own:turbo", "python-chess"])
@pytest.mark.parametrize(("depth", "count"), [("0", 1), ("1", 20), ("3", 8902)])
def test_perft_of_every_engine(run: Run, engine: str, depth: str, count: int) -> None:
    done = run("perft", "startpos", depth, "-e", engine)
    assert (done.returncode, done.stdout) == (0, f"{count}\n")


def test_divide_prints_each_root_move_and_the_total(run: Run) -> None:
    done = run("divide", "8/8/8/8/8/8/5k2/4K2R w K - 0 1", "1", "-e", "own")
    assert done.returncode == 2
    assert done.stderr == (
        "perft-check: bad FEN '8/8/8/8/8/8/5k2/4K2R w K - 0 1': Black is in check from e1, but White is to move\n"
    )
    done = run("divide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "2")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[-2:] == ["", "66"]
    assert "e1g1: 3" in lines
    assert len(lines) == 15 + 2


def test_divide_writes_castling_as_the_position_does(run: Run) -> None:
    done = run("divide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1", "--chess960")
    assert "e1h1: 1" in done.stdout.splitlines()


def test_moves_on_a_board(run: Run) -> None:
    done = run("moves", "8/P7/8/8/8/8/8/k1K5 w - - 0 1", "--type", "captures", "--type", "quiets")
    assert done.returncode == 0
    assert "CAPTURES: 1 move\n" in done.stdout
    assert "QUIETS: 8 moves\n" in done.stdout
    assert re.search(r"^a7a8q +a8=Q# +80000", done.stdout, re.MULTILINE)
    assert "8 [.] .  ." in done.stdout


def test_moves_shows_pseudo_legal_moves_as_such(run: Run) -> None:
    done = run("moves", "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "-t", "NON-EVASIONS")
    assert re.search(r"^e2d3 +leaves the king in check", done.stdout, re.MULTILINE)


def test_moves_of_every_gentype(run: Run) -> None:
    quiet = run("moves", "startpos", "--all").stdout
    assert re.findall(r"^([A-Z_]+): (\d+) moves?$", quiet, re.MULTILINE) == [
        ("CAPTURES", "0"),
        ("QUIETS", "20"),
        ("QUIET_CHECKS", "0"),
        ("NON_EVASIONS", "20"),
        ("LEGAL", "20"),
    ]
    check = run("moves", "4k3/8/8/8/8/8/8/K3R3 b - - 0 1", "--all").stdout
    assert re.findall(r"^([A-Z_]+): (\d+) moves?$", check, re.MULTILINE) == [("EVASIONS", "4"), ("LEGAL", "4")]


def test_moves_says_what_no_game_can_reach(run: Run) -> None:
    done = run("moves", "5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1")
    assert "no game leads to this position: White is in check from two sides of one line" in done.stdout


def test_moves_says_that_a_check_contradicts_the_en_passant_square(run: Run) -> None:
    done = run("moves", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", COLUMNS="400")
    assert done.stdout.splitlines()[1] == (
        "no game leads to this position: the en passant square says that d2d4 was the last move, "
        "but the queen on f1 gives check, which it cannot open"
    )
    opened = run("moves", "8/8/8/8/1k2Pp2/8/8/4K2B b - e3 0 1")
    assert "no game leads here" not in opened.stdout


def test_suites_list(run: Run) -> None:
    rows = [line.split() for line in run("suites", "list").stdout.splitlines()]
    assert [row[0] for row in rows] == ["suite", *ALL_BUNDLED]
    assert rows[1][1:] == ["36", "93", "48,424", "5", "0"]


def test_suites_show_prints_epd(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.epd").write_text("4k3/8/8/8/8/8/8/4K2R w K - ; D1 15; d3 1,198\r\n")
    done = run("suites", "show", "mine.epd")
    assert done.stdout == '4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;D3 1198 ;id "mine:1"\n'


def test_doctor_prints_facts_about_the_machine(run: Run) -> None:
    done = run("doctor")
    assert done.returncode == 0
    rows = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines() if line[:1].strip())
    assert rows["perft-check"] == perft_check.__version__
    assert rows["kernels"] == "compiled once, and kept"
    assert rows["sliders"].split()[0] in ("pext", "magic")
    assert (rows["stockfish"] == "not here") == (STOCKFISH is None)


MISTAKES = {
    "perft kiwipet 3": "no position named 'kiwipet': did you mean 'kiwipete'?",
    "perft '8/8/8/8/8/8/8/8 w - - 0 1' 3": "bad FEN '8/8/8/8/8/8/8/8 w - - 0 1': White has no king",
    "perft startpos 100": "Invalid value for 'DEPTH': ",
    "divide startpos 1 --self-consistency": "No such option: --self-consistency; it is an option of fuzz",
    "doctor --save x.json": "--save needs an engine: add -e SPEC",
    "divide startpos 0": "divide needs a depth of 1 or more, not 0",
    "perft startpos 2 --stats -e python-chess": (
        "--stats works with perft-check's generator, not with python-chess: leave out -e"
    ),
    "moves startpos -t evasions": "--type EVASIONS: the side to move is not in check; ask for CAPTURES",
    "moves startpos -t checks": "--type 'checks': did you mean 'QUIET_CHECKS'?",
    "-e stokfish": "no engine named 'stokfish': use own, own:turbo, own:two-plies, own:TECHNIQUE, python-chess",
    "-e own:turb": "no engine named 'own:turb': did you mean 'own:turbo'?",
    "-e uci:no-such-engine": "engine 'uci:no-such-engine': no program 'no-such-engine' is on the PATH",
    "-e 'uci:'\"'\"'open quote'": 'engine "uci:\'open quote": No closing quotation in the command',
    "-s smok": "no suite named 'smok' (did you mean 'smoke'?)",
    "--report report": (
        "--report 'report': give a file name that ends in .md, .json, .html, .jsonl, .xml, .sarif, or a kind (alone "
        "or as KIND=PATH): md, json, html, jsonl, junit, sarif, github"
    ),
    "--report lcov": "--report 'lcov': this command supports only md, json, html, jsonl",
    "--report github --report json=-": "--report: two reports go to stdout; give each its own file",
    "--report junit --report perft-check.xml": "--report: two reports go to 'perft-check.xml'; give each",
    "doctor -e uci:cat --save none/x.json": "--save 'none/x.json': there is no folder 'none'",
    "doctor -e uci:cat --save x": "--save 'x': the file name must end in .json",
    "--report pdf=x": "--report 'pdf=x': unknown kind 'pdf': choose from md, json, html, jsonl",
    "--report json=no/such/folder/x": "--report 'json=no/such/folder/x': there is no folder 'no/such/folder'",
    "--filter '('": "--filter '(' is not a valid regular expression: missing ), unterminated subpattern",
    "--max-depth -1": "Invalid value for '--max-depth': ",
    "history list": "'history' was removed: save JSON reports instead: perft-check run --report json=FILE",
    "run --history x": "--history was removed: save JSON reports instead: --report json=FILE",
    "run --watch": "--watch was removed: start perft-check with a program that waits for changes instead",
    "fuzz --resume": "--resume was removed: run fuzz again with another --seed and the same --corpus instead",
    "warm": "'warm' was removed: kernels are compiled when they are first used",
    "fuzz --soak": "--soak was removed: run fuzz without --engine instead",
    "run --scheduler tcp://127.0.0.1:9": "No such option: --scheduler; it is an option of count",
}
"""Command lines with mistakes, and what is said about them."""


def test_bad_input_is_one_line_and_status_2(run: Run) -> None:
    check_mistakes(run, MISTAKES)


def test_bad_lines_of_a_suite_are_reported_with_their_place(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.epd").write_text(f"{KIWIPETE} ;D1 48\n{KIWIPETE} ;D 2 48\n8/8 w - - ;D1 1\n")
    done = run("-s", "bad.epd")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("perft-check: bad.epd:2: ")
    assert done.stderr.endswith("(and 1 more bad line: 3)\n")
