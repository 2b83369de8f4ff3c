"""Chess960 is asked of engines that declare it or pass a trial, and of any engine with --chess960."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from helpers.fakes import FAKES, castling
from helpers.headlines import without_moves
from helpers.libraries import built, needs_cc
from helpers.program import Run, wrong
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.asking.trials import try_chess960
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.zoo.catalogue import ZOO

pytestmark = pytest.mark.slow  # most tests start processes

SUITE = """\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;id start
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 26 ;id corners
4k3/8/8/8/8/8/8/1K1R3R w D - 0 1 ;D1 27 ;id inner
4k3/8/8/8/8/8/8/R4K2 w A - 0 1 ;D1 17 ;id long
4k3/8/8/8/8/8/8/6KR w H - 0 1 ;D1 12 ;id stays
"""
STANDARD, CHESS960 = ("start", "corners"), ("inner", "long", "stays")
PROGRAM = shlex.join([sys.executable, str(FAKES / "castling.py")])
LISTS_NONE = "it does not list castling d1h1 in 8/8/8/8/8/5k2/8/3K3R w H - 0 1"
REMEDY = "Chess960 positions are skipped; to check them anyway, add --chess960"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "suite.epd").write_text(SUITE)
    shutil.copy(FAKES / "castling.py", tmp_path)
    return tmp_path


def spec_of(folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str, mode: str, **fields: object) -> str:
    """Return the SPEC of an engine in some mode, of some type; `fields` are further keys of a descriptor."""
    if kind == "descriptor":
        described = {"launch": f"{PROGRAM} plain {mode}", "case": "setboard {fen}\nperft {depth}"}
        (folder / "mine.json").write_text(json.dumps(described | fields))
        return "mine.json"
    monkeypatch.setenv("CASTLING", mode)
    return {
        "cmd": f"cmd:{PROGRAM} argv {mode} {{fen}} {{depth}}",
        "totals": f"cmd:{PROGRAM} argv {mode} {{fen}} {{depth}} count",
        "script": f"script:{PROGRAM} script {mode}",
        "moves": "python:castling:moves_of",
        "counts": "python:castling:count_of",
        "divides": "python:castling:divide_of",
    }[kind]


def verdicts_of(run: Run, engine: str, *words: str) -> tuple[int, dict[str, str], list[str]]:
    """Return the exit status of a run, the verdicts by case, and the notices about Chess960."""
    done = run("-e", engine, "-s", "suite.epd", "--report", "json=-", *words)
    results = {one["name"]: one["verdict"] for one in json.loads(done.stdout)["results"]}
    notices = [line for line in done.stderr.splitlines() if "support Chess960" in line or "about Chess960" in line]
    return done.returncode, results, notices


Spec = Callable[..., str]
Verdicts = Callable[..., tuple[int, dict[str, str], list[str]]]


@pytest.fixture
def spec(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Spec:
    return partial(spec_of, folder, monkeypatch)


@pytest.fixture
def verdicts(run: Run, folder: Path) -> Verdicts:
    return partial(verdicts_of, run)


NAMES = {"descriptor": "mine", **dict.fromkeys(("cmd", "totals", "script"), "castling.py")}
"""Names of the engines that are not functions."""


@pytest.mark.parametrize(
    ("kind", "mode", "why"),
    [
        ("cmd", "standard", LISTS_NONE),
        ("cmd", "crashes", "it was killed by SIGABRT"),
        ("cmd", "garbage", "it prints no count; it said '????????????????????'"),
        ("totals", "standard", "it counts 84 instead of 89 at depth 2 in 8/8/8/8/8/5k2/8/3K3R w H - 0 1"),
        ("script", "refuses", "it exited with status 1: ValueError: invalid FEN: 8/8/8/8/8/5k2/8/3K3R w H - 0 1"),
        ("descriptor", "standard", LISTS_NONE),
        ("descriptor", "refuses", "it refuses the position: info string invalid fen or move: invalid FEN: "),
        ("counts", "refuses", "it refuses the position: ValueError (castling.py:"),
        ("divides", "garbage", "it exited with status 0"),
    ],
)
def test_an_engine_without_chess960_is_not_asked_about_it(
    spec: Spec, verdicts: Verdicts, kind: str, mode: str, why: str
) -> None:
    engine = spec(kind, mode)
    status, results, notices = verdicts(engine)
    assert (status, results) == (0, dict.fromkeys(STANDARD, "agree") | dict.fromkeys(CHESS960, "not compared"))
    (notice,) = notices
    assert notice.startswith(f"{NAMES.get(kind, engine)} does not support Chess960: {why}")
    assert notice.endswith(REMEDY)


def test_no_fault_in_chess960_looks_like_an_engine_without_chess960() -> None:
    """Two faults are excluded: one that never lists castling, and one that does not answer."""
    sessions = {name: EngineSession(open_engine(f"zoo:{name}"), CallRunner()) for name in ZOO}
    failed = {
        name
        for name, session in sessions.items()
        if try_chess960(name, session.divide, session.perft, session.min_depth) is not None
    }
    assert failed == {"counter-restarted", "tables-never-ready"}


def test_an_engine_that_hangs_in_chess960_is_asked_once(spec: Spec, verdicts: Verdicts) -> None:
    status, results, (notice,) = verdicts(spec("script", "hangs"), "--timeout", "3")
    assert (status, set(results.values())) == (0, {"agree", "not compared"})
    assert "does not support Chess960: it has not answered within 3 seconds; Chess960" in notice


@pytest.mark.parametrize("kind", ["cmd", "totals", "script", "descriptor", "moves", "counts", "divides"])
def test_an_engine_with_chess960_is_asked_about_it(spec: Spec, verdicts: Verdicts, kind: str) -> None:
    status, results, notices = verdicts(spec(kind, "right"))
    assert (status, set(results.values()), notices) == (0, {"agree"}, [])


@pytest.mark.parametrize(
    ("kind", "mode", "case"),
    [
        ("totals", "outer-rook", "inner"),
        ("descriptor", "no-long-castling", "long"),
        ("moves", "king-stays", "stays"),
        ("totals", "king-stays", "stays"),
    ],
)
def test_a_fault_in_chess960_is_reported(spec: Spec, verdicts: Verdicts, kind: str, mode: str, case: str) -> None:
    status, results, notices = verdicts(spec(kind, mode), "--explain=none")
    right = dict.fromkeys((*STANDARD, *CHESS960), "agree")
    assert (status, results, notices) == (1, right | {case: "mismatch"}, [])


@pytest.mark.parametrize("kind", ["cmd", "descriptor", "counts"])
def test_failures_are_reported_with_chess960(spec: Spec, verdicts: Verdicts, kind: str) -> None:
    status, results, notices = verdicts(spec(kind, "standard"), "--chess960")
    assert (status, results, notices) == (1, dict.fromkeys(CHESS960, "mismatch"), [])


TOLD = """
import chess, sys

print(12 if sys.argv[3] == "true" else chess.Board(sys.argv[1]).legal_moves.count())
"""
"""Counts at depth 1, in Chess960 only for one position."""


def test_a_placeholder_for_the_variant_declares_chess960(spec: Spec, verdicts: Verdicts, folder: Path) -> None:
    place = spec("cmd", "standard") + " {chess960}"
    assert verdicts(place) == (
        1,
        dict.fromkeys(STANDARD, "agree") | dict.fromkeys(CHESS960, "mismatch"),
        [],
    )
    (folder / "declares.py").write_text(TOLD)
    (folder / "suite.epd").write_text("".join(SUITE.splitlines(keepends=True)[::4]))
    engine = f"cmd:{sys.executable} declares.py {{fen}} {{depth}} {{chess960}}"
    assert verdicts(engine) == (0, {"start": "agree", "stays": "agree"}, [])


@pytest.mark.parametrize("place", ["moves_of.chess960", "divide_of.chess960", "chess960"])
def test_an_attribute_of_a_callable_or_its_module_declares_chess960(
    spec: Spec, verdicts: Verdicts, folder: Path, place: str
) -> None:
    kind = "divides" if place.startswith("divide") else "moves"
    skipped = dict.fromkeys(STANDARD, "agree") | dict.fromkeys(CHESS960, "not compared")
    source = (folder / "castling.py").read_text().replace('if __name__ == "__main__"', f"{place} = False\nif False")
    (folder / "castling.py").write_text(source)
    status, results, (notice,) = verdicts(spec(kind, "right"))
    assert (status, results) == (0, skipped)
    assert f"does not support Chess960: its attribute chess960 is False; {REMEDY}" in notice
    (folder / "castling.py").write_text(source.replace(f"{place} = False", f"{place} = True"))
    status, results, notices = verdicts(spec(kind, "standard"))
    assert (status, {results[name] for name in CHESS960}, notices) == (1, {"mismatch"}, [])


def test_a_descriptor_declares_chess960(spec: Spec, verdicts: Verdicts) -> None:
    """It takes precedence over a trial and over the options of the engine."""
    refuses = 'its descriptor has "chess960": false'
    plain = spec("descriptor", "right", chess960=False)
    status, results, (notice,) = verdicts(plain)
    assert (status, results["inner"]) == (0, "not compared")
    assert f"does not support Chess960: {refuses}; {REMEDY}" in notice
    uci = {"launch": f"{PROGRAM} uci right", "case": "position fen {fen}\ngo perft {depth}", "uci": True}
    status, results, (notice,) = verdicts(spec("descriptor", "right", chess960=False, **uci))
    assert (status, results["inner"], refuses in notice) == (0, "not compared", True)
    claims = spec("descriptor", "standard", chess960=True)
    status, results, notices = verdicts(claims)
    assert (status, {results[name] for name in CHESS960}, notices) == (1, {"mismatch"}, [])


def test_an_engine_without_the_option_is_asked_only_on_request(verdicts: Verdicts) -> None:
    status, results, (notice,) = verdicts(castling("right", "no-option"), "--chess960")
    assert (status, results) == (0, dict.fromkeys(CHESS960, "agree"))
    assert notice == "castling.py is asked about Chess960 because of --chess960: it has no option UCI_Chess960"


LIBRARY = """
#include "perft_check.h"
#include <string.h>
int64_t perft_check_perft(const char *fen, int depth) { return strstr(fen, "pppp") ? 20 : 26; }
"""


@pytest.mark.parametrize(
    ("engine", "library", "name", "why"),
    [
        (castling("right", "no-option"), None, "castling.py", "it has no option UCI_Chess960"),
        ("own:ray-cast", None, "own:ray-cast", "it knows castling of standard chess only"),
        pytest.param("lib:./libmade.so", "", "libmade.so", "it exports no perft_check_chess960", marks=needs_cc),
        pytest.param(
            "lib:./libmade.so",
            "int perft_check_chess960(void) { return 0; }",
            *("libmade.so", "perft_check_chess960 returns 0"),
            marks=needs_cc,
        ),
    ],
)
def test_the_reason_why_an_engine_is_not_asked(
    verdicts: Verdicts, folder: Path, engine: str, library: str | None, name: str, why: str
) -> None:
    if library is not None:
        built(folder, LIBRARY + library)
    status, results, (notice,) = verdicts(engine)
    assert (status, results) == (0, dict.fromkeys(STANDARD, "agree") | dict.fromkeys(CHESS960, "not compared"))
    assert notice == f"{name} does not support Chess960: {why}; {REMEDY}"


@pytest.mark.parametrize(("kind", "mode"), [("script", "standard"), ("descriptor", "crashes"), ("counts", "refuses")])
def test_doctor_and_init_find_no_fault_in_an_engine_without_chess960(
    run: Run, spec: Spec, folder: Path, kind: str, mode: str
) -> None:
    engine = spec(kind, mode)
    done = run("doctor", "-e", engine, COLUMNS="1000")
    assert (done.returncode, "wrong" in done.stdout, "(Chess960)" in done.stdout) == (0, False, False), done.stdout
    assert "Chess960" in done.stdout
    assert "not supported: it " in done.stdout
    assert run("init", "-e", engine).returncode == 0
    assert "chess960" not in tomllib.loads((folder / "perft-check.toml").read_text())


@pytest.mark.parametrize(("kind", "mode"), [("moves", "hangs"), ("descriptor", "refuses"), ("divides", "any-letter")])
def test_fuzzing_standard_chess_asks_nothing_of_chess960(run: Run, spec: Spec, kind: str, mode: str) -> None:
    """The engine is asked in a pipeline after the sweep and the careful batches."""
    engine = spec(kind, mode)
    words = "-n", "500", "--seed", "1", "--jobs", "1", "--depth", "1", "--timeout", "5", "-v"
    done = run("fuzz", "-e", engine, *words)
    assert (done.returncode, "many at once " in done.stdout) == (0, True), done.stdout + done.stderr
    assert "one question at a time" not in done.stderr


def test_fuzzing_chess960_asks_any_engine(run: Run, spec: Spec) -> None:
    words = "-n", "20", "--seed", "1", "--jobs", "1", "--chess960", "--strategy", "castlings", "--depth", "1"
    described = spec("descriptor", "standard", chess960=False)
    done = run("fuzz", "-e", described, *words)
    assert (done.returncode, "missing move: Castling" in without_moves(done.stdout)) == (1, True), (
        done.stdout + done.stderr
    )
    message = 'mine is asked about Chess960 because of --chess960: its descriptor has "chess960": false\n'
    assert message in done.stderr


def test_a_reference_without_chess960_is_not_asked_about_it(spec: Spec, verdicts: Verdicts) -> None:
    reference = spec("cmd", "refuses")
    status, results, (notice,) = verdicts("own", "-a", reference)
    assert (status, set(results.values())) == (0, {"agree"})
    assert notice.startswith("castling.py does not support Chess960: it exited with status 1: ValueError: invalid")
    assert notice.endswith("; it is not used as a reference for such positions")


def test_a_fuzzing_reference_without_chess960_is_refused(run: Run, spec: Spec) -> None:
    reference = spec("script", "standard")
    message = wrong(run, "fuzz", "-e", "python-chess", "-a", reference, "--chess960", "-n", "20", "--jobs", "1")
    why = f"does not support Chess960: {LISTS_NONE}"
    assert message == f"the reference castling.py {why}; name another one with -a, or add --standard"
