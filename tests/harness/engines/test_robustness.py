"""Misbehaving engines: each gets its verdict in bounded time, and no process is left behind."""

from __future__ import annotations

import json
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest
from helpers.fakes import COUNTING, FAKES, dialect, fake, written_engine
from helpers.processes import PATIENCE, processes_called_with, until
from helpers.program import Run, run_in

pytestmark = pytest.mark.slow  # each test starts processes

SUITE = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;id first\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;id disliked\n"
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D3 8902 ;id last\n"
)
MISBEHAVING = Path(__file__).parents[3] / "benchmarks" / "robustness" / "misbehaving.py"
AGREE = ("agree", "")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "suite.epd").write_text(SUITE)
    return tmp_path


def verdicts(run: Run, *arguments: str, timeout: float = PATIENCE) -> tuple[int, list[tuple[str, str]]]:
    done = run("-s", "suite.epd", "--timeout", str(timeout), "--report", "json=-", "--explain=none", *arguments)
    assert "Traceback" not in done.stderr
    results = json.loads(done.stdout)["results"]
    return done.returncode, [(result["verdict"], result["message"]) for result in results]


@pytest.mark.parametrize(
    "name",
    [
        *("carriage-returns", "a-third-of-a-second-each", "invalid-utf-8-when-it-counts", "stderr-of-4-megabytes"),
        *("no-root-moves", "a-child-on-the-pipe"),
        pytest.param(
            "a-daemon-with-an-empty-environment",
            marks=pytest.mark.skipif(
                sys.platform != "linux", reason="elsewhere nobody adopts a process without a parent"
            ),
        ),
    ],
)
def test_odd_but_correct_engine_has_no_finding_and_leaves_no_process(files: Path, name: str) -> None:
    """The test runs perft-check in a process of its own, because that process adopts daemons."""
    engine = shlex.join([sys.executable, str(MISBEHAVING), name, str(files)])
    assert verdicts(partial(run_in, files, "run"), "-e", f"uci:{engine}") == (0, [AGREE, AGREE, AGREE])
    until(lambda: not processes_called_with(str(files)))
    until(lambda: not processes_called_with(f"misbehaving-daemon-of-{name}"))


def test_an_engine_that_ends_after_each_answer_without_a_newline_is_correct(run: Run, files: Path) -> None:
    assert verdicts(run, "-e", fake("no-last-newline")) == (0, [AGREE, AGREE, AGREE])


SILENTLY = "counts another position: it has refused this one without a word"


@pytest.mark.parametrize(
    ("name", "verdict", "message"),
    [
        ("segfault", "crash", "was killed by SIGSEGV"),
        ("exits-3", "crash", "exited with status 3: fatal: illegal board"),
        ("hangs", "timeout", "has not answered within "),
        ("counts-nothing", "timeout", "has not answered within "),
        ("lines-without-end", "unparseable output", "floods: more than 8 MiB and no total"),
        ("a-line-without-an-end", "unparseable output", "floods: a line of more than 1 MiB"),
        ("closes-its-output", "crash", "closed its output but did not end"),
        ("keeps-the-position-before", "rejected position", SILENTLY),
        ("exits-at-a-position", "crash", "exited with status 1: bad fen"),
    ],
)
def test_failure_in_one_position_does_not_affect_others(
    run: Run, files: Path, name: str, verdict: str, message: str
) -> None:
    """Afterwards no engine is running: the folder of this test, as an argument, identifies its engines."""
    engine = shlex.join([sys.executable, str(MISBEHAVING), name, str(files)])
    timeout = 0.5 if verdict == "timeout" else PATIENCE
    status, found = verdicts(run, "-e", f"uci:{engine}", "-j", "2", timeout=timeout)
    until(lambda: not processes_called_with(str(files)))
    assert (status, [kind for kind, _ in found]) == (3, ["agree", verdict, "agree"])
    assert found[1][1].startswith(f"misbehaving.py {message}")


def test_a_correct_number_in_another_line_is_not_the_count(run: Run, files: Path) -> None:
    program = """
class Mine(UciEngine):
    def answer(self, depth):
        total = self.count(self.board, depth)
        print(f"info string {total} nodes maybe", "", f"Nodes searched: {total + 1}", sep="\\n")
Mine().serve()
"""
    status, found = verdicts(run, "-e", written_engine(files / "mine.py", program))
    assert (status, found) == (1, [("mismatch", "+1 nodes")] * 3)


def test_a_crash_at_the_first_question_is_retried(run: Run, files: Path) -> None:
    program = """
class Mine(UciEngine):
    def answer(self, depth):
        if not os.path.exists("crashed"):
            open("crashed", "w").close()
            os.abort()
        super().answer(depth)
Mine().serve()
"""
    assert verdicts(run, "-e", written_engine(files / "mine.py", program)) == (0, [AGREE] * 3)


def test_mismatch_is_reported_although_the_next_position_is_rejected(run: Run) -> None:
    """The mismatch is reported although the engine rejects the position to which perft-check has to descend."""
    engine, above = fake("no-en-passant"), "k7/8/8/8/2p5/8/1P6/K7 w - - 0 1"
    for command in (["divide", above, "2", "-e", engine, "-a", "own"], ["fuzz", "--replay", above, "-e", engine]):
        done = run(*command)
        assert done.returncode == 1
        assert "wrong count above a position that is refused" in done.stdout
        assert SILENTLY in done.stdout
        assert " b3 0 " in next(line for line in done.stdout.splitlines() if line.startswith("in "))
    done = run("divide", "k7/8/8/8/1Pp5/8/8/K7 b - b3 0 1", "1", "-e", engine, "-a", "own")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[-1] == f"perft-check: engine.py {SILENTLY}"


def test_depth_0_is_never_asked(run: Run, files: Path) -> None:
    program = "class Mine(UciEngine):\n    def answer(self, depth): super().answer(depth) if depth else os.abort()\n"
    done = run("perft", "startpos", "0", "-e", written_engine(files / "mine.py", f"{program}Mine().serve()\n"))
    assert (done.returncode, done.stdout) == (0, "1\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("silent", "does not answer 'uci' with 'uciok' within "),
        ("no-uciok", "does not answer 'uci' with 'uciok' within "),
        ("exits-7-at-once", "exited with status 7: cannot find network file nn-0000.nnue"),
        ("real-time-signal-at-once", "was killed by signal 40; try: perft-check doctor -e "),
    ],
)
def test_engine_that_does_not_start_ends_the_run(run: Run, files: Path, name: str, message: str) -> None:
    engine = shlex.join([sys.executable, str(MISBEHAVING), name])
    done = run("-s", "suite.epd", "-e", f"uci:{engine}", "--timeout", "0.5")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith(f"perft-check: misbehaving.py {message}")


@pytest.mark.parametrize("command", [["divide", "startpos", "2"], ["-s", "suite.epd"]])
def test_engine_without_isready_ends_the_run(run: Run, files: Path, command: list[str]) -> None:
    (files / "no_isready.py").write_text(
        "import sys\nfor line in sys.stdin:\n    if line.strip() == 'uci': print('uciok', flush=True)\n"
    )
    done = run(*command, "-e", f"uci:{sys.executable} no_isready.py", "--timeout", "3")
    assert (done.returncode, done.stdout) == (3, "")
    message = "does not answer 'isready' with 'readyok' within 3 seconds; it said 'uciok'"
    assert done.stderr.endswith(f"{message}; try: perft-check doctor -e '{sys.executable} no_isready.py'\n")


def test_engine_that_starts_only_once_ends_the_run(run: Run, files: Path) -> None:
    """Only the first process becomes ready, which is not enough to find out how it counts."""
    (files / "once.py").write_text(
        "import os, sys\n"
        "if os.path.exists('lock'): sys.exit('only one of me')\n"
        "open('lock', 'w').close()\n"
        "for line in sys.stdin:\n"
        "    if line == 'uci\\n': print('uciok', flush=True)\n"
        "    if line == 'isready\\n': print('readyok', flush=True)\n"
        "    if line.startswith('go'): print('hm', flush=True)\n"
    )
    done = run("divide", "startpos", "2", "-e", f"uci:{sys.executable} once.py")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("perft-check: once.py exited with status 1: only one of me; try: perft-check doctor")


DIALECTS = {
    "stockfish": "go perft", "ethereal": "perft", "berserk": "go perft", "koivisto": "go perft",
    "viridithas": "go perft", "reckless": "perft", "obsidian": "go perft", "rubichess": "perft", "monty": "perft",
    "stockdory": "go perft", "plentychess": "go perft", "stash": "go perft", "horsie": "perft",
    "goob": "perft", "aramis": "go perft", "bitboards": "perft", "pygmalion": "perft", "console": "go perft",
}  # fmt: skip


DAILY = ("stockfish", "ethereal", "koivisto", "monty", "stash", "goob", "console")
"""Engines that count and list root moves in different ways; the others run with `pytest -m long`."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name not in DAILY)) for name in DIALECTS]
)
def test_uci_dialects_are_found_out(run: Run, name: str) -> None:
    done = run("doctor", "-e", dialect(name), "--save", "told.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"/ {DIALECTS[name]} {{depth}}" in done.stdout
    done = run("divide", "kiwipete", "2", "-e", "told.json", "-a", "own")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("crafty", "setboard {fen}\nperft {depth}"),
        ("juddperft", "setboard {fen}\ndividefast {depth}"),
        ("octopus", "setboard {fen}\nd {depth}"),
        ("pychess", "setboard {fen}\nperft {depth}"),
        ("motors", "position fen {fen}{moves}\nsplitperft {depth}"),
    ],
)
def test_other_dialects_need_a_descriptor(run: Run, tmp_path: Path, name: str, case: str) -> None:
    launch = shlex.join([sys.executable, str(FAKES / "dialect.py"), name])
    fields = {"launch": launch, "case": case, "uci": case.startswith("position")}
    (tmp_path / f"{name}.json").write_text(json.dumps(fields))
    done = run("-e", f"{name}.json", "-s", "standard", "--filter", "^cpw-[1234]", "--max-depth", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    done = run("divide", "kiwipete", "2", "-e", f"{name}.json", "-a", "own")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return True", "returned True; expected a count, or a dict or list of pairs"),
        ("return -5", "returned -5; expected a count"),
        ("return None", "returned None; expected a count"),
        ("return 'x'", "returned 'x'; expected a count"),
        ("return {'zz99': 20}", "returned ('zz99', 20) for a root move; expected"),
        ("return {'e2e4': 1, None: 3}", "returned (None, 3) for a root move; expected"),
        ("return [('zz99', 20)]", "returned ('zz99', 20) for a root move; expected"),
        ("return {'e2e4': 1, 'nodes': 3}", "returned the total 3, and moves with 1 nodes together"),
        ("return int(input())", "EOFError (mine.py:1): EOF when reading a line"),
        ("raise ValueError('boo\\nline2')", "ValueError (mine.py:1): boo line2"),
        ("raise RuntimeError('out of ideas')", "RuntimeError (mine.py:1): out of ideas"),
    ],
)
def test_faults_of_a_python_callable_are_reported(run: Run, tmp_path: Path, body: str, complaint: str) -> None:
    (tmp_path / "mine.py").write_text(f"def divide(fen, depth): {body}\n")
    done = run("-e", "python:mine:divide", "-s", "standard", "--filter", "cpw-3", "-q", COLUMNS="300")
    assert done.returncode == (2 if complaint.startswith("returned") else 3)
    assert complaint in done.stderr, done.stdout + done.stderr


COUNTERS = f"""{COUNTING}
from fakes.counting import divide

def figures(fen, depth): return {{"nodes": perft(chess.Board(fen), depth), "captures": 7}}
def entries(fen, depth):
    found = {{move.uci: move.nodes for move in divide(chess.Board(fen), depth)}}
    return {{**found, "total": sum(found.values()), "seconds": 0, "checks": 0}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["figures", "entries"])
def test_total_in_a_dict_is_not_a_move(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.py").write_text(COUNTERS)
    done = run("fuzz", "-e", f"python:mine:{name}", "-n", "30", "--seed", "1", "--jobs", "1", "--timeout", "20")
    assert done.stdout.splitlines()[-1].startswith(f"no fault of python:mine:{name} found in "), done.stdout


@pytest.mark.parametrize("line", ["info depth 3 nodes 118 time 1", "info nodes 64 nps 1000"])
def test_searching_engine_is_reported(run: Run, tmp_path: Path, line: str) -> None:
    (tmp_path / "searches.py").write_text(
        "import sys\n"
        "for command in sys.stdin:\n"
        "    answers = {'uci': 'uciok', 'isready': 'readyok', 'go': 'info depth 1\\nLINE\\nbestmove e2e4'}\n"
        "    print(answers.get(command.split()[0], ''), flush=True)\n".replace("LINE", line)
    )
    done = run("-s", "smoke", "-e", f"uci:{sys.executable} searches.py", "--timeout", "4")
    assert done.returncode == 3
    advice = f"try: perft-check doctor -e '{sys.executable} searches.py'"
    assert done.stderr.endswith(f" searches instead of counting: it printed 'bestmove e2e4'; {advice}\n")


def test_echo_is_not_a_count(run: Run, tmp_path: Path) -> None:
    (tmp_path / "echoes.py").write_text(
        "import sys\n"
        "for command in sys.stdin:\n"
        "    words = command.split()\n"
        "    known = {'uci': 'uciok', 'isready': 'readyok', 'position': ''}\n"
        "    print(known.get(words[0], 'Unknown command: ' + command + words[-1]), flush=True)\n"
    )
    done = run("doctor", "-e", f"uci:{sys.executable} echoes.py")
    assert (done.returncode, "correct count" in done.stdout) == (3, False)
    assert " when sent go perft 3; it said '3'; try: perft-check doctor -e '" in done.stderr.splitlines()[-1]


def test_saved_descriptor_can_be_used(run: Run, tmp_path: Path) -> None:
    done = run("doctor", "-e", dialect("horsie"), "--save", "horsie.json")
    assert done.returncode == 0, done.stdout
    saved = json.loads((tmp_path / "horsie.json").read_text())
    assert (saved["min_depth"], saved["total"]) == (2, "Total: N")
    done = run("-e", "horsie.json", "-s", "standard", "--filter", "^cpw-[23]", "--max-depth", "2")
    assert done.returncode == 0, done.stdout
    done = run("-e", "horsie.json", "-s", "standard", "--filter", "^cpw-[23]", "--max-depth", "1")
    assert (done.returncode, done.stdout.splitlines()[-1][:41]) == (4, "0 of 2 positions agree, 2 not compared  0")
