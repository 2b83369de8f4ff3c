"""Engines that list moves by GenType: libraries, Python callables and descriptors, from doctor to fuzz."""

from __future__ import annotations

import json
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
from fakes import lists as fakes
from helpers.libraries import EXAMPLES, ROOT, built, needs_cc
from helpers.processes import PATIENCE
from helpers.program import Run, wrong
from perft_check.errors import UsageError
from perft_check.generator import GenType, Position
from perft_check.generator.game import Game
from perft_check.harness.engines.base import EngineCrash, EngineRejection, UnparseableOutput
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.stdio.descriptor import load_descriptor, save_descriptor

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
BLOCKS = "4k3/8/8/4r3/8/8/3B4/4K3 w - - 0 1"
LIST_C = ROOT / "tests" / "fakes" / "lists.c"
MINE = """
import lists
from lists import by_capture, quiet_en_passant

def moves(fen, gentype="legal"):
    return lists.by_capture(fen, gentype)

def divide(fen, depth):
    return {move: 1 for move in lists.by_capture(fen, "legal")}
divide.by_gentype = lists.by_capture

class Board:
    def __init__(self, fen):
        self.fen = fen
    @property
    def legal_moves(self):
        return lists.by_capture(self.fen, "legal")
    def push(self, move):
        raise SystemError("it is not asked")
    def by_gentype(self, gentype):
        return lists.by_capture(self.fen, gentype)

def captures_only(fen, gentype):
    return lists.by_capture(fen, gentype) if gentype in ("legal", "captures") else None

def wrong(fen, gentype):
    return 7

def crashes(fen, gentype):
    raise KeyError(gentype)

def refuses(fen, gentype):
    raise ValueError("bad FEN")
"""
TELLS = """
import sys
sys.path.insert(0, {folder!r})
import lists
fen = ""
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "uci":
        print("uciok")
    elif word == "isready":
        print("readyok")
    elif word == "position":
        fen = rest.removeprefix("fen ")
    elif word == "list":
        name = {{"loud": "captures", "all": "legal"}}[rest]
        print("info string", rest, "moves:", *lists.by_capture(fen, name))
    elif word == "refuse":
        print("illegal position")
    elif word == "die":
        sys.exit(1)
    sys.stdout.flush()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which contains modules that list moves."""
    shutil.copy(str(fakes.__file__), tmp_path / "lists.py")
    (tmp_path / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listed(spec: str, fen: str, gentype: GenType) -> list[str] | None:
    engine = open_engine(spec)
    with closing(engine):
        if not spec.endswith(".json"):
            engine.start(EngineCall(PATIENCE))
        assert engine.gentypes is not None
        return engine.moves(Game(Position.from_fen(fen)), gentype, EngineCall(PATIENCE))


def right(fen: str, gentype: GenType) -> set[str]:
    return set(fakes.by_capture(fen, gentype.name.lower()) or ())


def test_python_callables_list_moves_in_three_forms(folder: Path) -> None:
    for form in ("moves", "divide", "Board"):
        for gentype in (GenType.CAPTURES, GenType.LEGAL):
            assert set(listed(f"python:mine:{form}", KIWIPETE, gentype) or ()) == right(KIWIPETE, gentype)
    assert listed("python:mine:captures_only", KIWIPETE, GenType.QUIETS) is None


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("wrong", UnparseableOutput, "fails in every position: returned 7; expected a list of UCI moves"),
        ("crashes", EngineCrash, "fails in every position: KeyError (mine.py:"),
        ("refuses", EngineRejection, "refuses the position: ValueError (mine.py:"),
    ],
)
def test_a_callable_with_an_invalid_list_is_reported(
    folder: Path, name: str, error: type[Exception], message: str
) -> None:
    with pytest.raises((error, EngineCrash)) as caught:
        listed(f"python:mine:{name}", KIWIPETE, GenType.CAPTURES)
    assert message in str(caught.value)


def described(folder: Path, **more: object) -> str:
    (folder / "tells.py").write_text(TELLS.format(folder=str(folder)))
    fields = {
        "launch": f"{sys.executable} tells.py",
        "case": "position fen {fen}\nperft {depth}",
        "uci": True,
        "moves": "position fen {fen}\nlist {gentype}",
        "gentypes": {"legal": "all", "captures": "loud"},
        "convention": {"legality": "legal"},
    }
    path = folder / "engine.json"
    path.write_text(json.dumps({key: value for key, value in {**fields, **more}.items() if value is not None}))
    return "engine.json"


def test_a_descriptor_contains_the_commands_for_lists(folder: Path) -> None:
    spec = described(folder)
    assert set(listed(spec, KIWIPETE, GenType.CAPTURES) or ()) == right(KIWIPETE, GenType.CAPTURES)
    assert set(listed(spec, KIWIPETE, GenType.LEGAL) or ()) == right(KIWIPETE, GenType.LEGAL)
    assert listed(spec, KIWIPETE, GenType.QUIETS) is None
    ends = described(folder, moves_end_re="^info string", uci=None)
    assert listed(ends, KIWIPETE, GenType.LEGAL) == []  # the last line is not part of the list


@pytest.mark.parametrize(
    ("command", "error", "message"),
    [
        ("refuse", EngineRejection, "refuses the position: illegal position"),
        ("die", EngineCrash, "engine exited with status 1"),
    ],
)
def test_an_engine_with_an_invalid_list_is_reported(
    folder: Path, command: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        listed(described(folder, moves=f"position fen {{fen}}\n{command} {{gentype}}"), KIWIPETE, GenType.LEGAL)


def test_the_part_of_a_descriptor_about_lists_is_saved(folder: Path) -> None:
    descriptor = load_descriptor(Path(described(folder, moves_end_re="^end")))
    save_descriptor(Path("saved.json"), descriptor)
    saved = load_descriptor(Path("saved.json"))
    assert saved.lists is not None
    assert descriptor.lists is not None
    assert saved.lists.end is not None
    assert (saved.lists.case, saved.lists.names, saved.lists.convention) == (
        "position fen {fen}\nlist {gentype}",
        {GenType.CAPTURES: "loud", GenType.LEGAL: "all"},
        {"legality": "legal"},
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"moves": "list {gentype}"}, "'moves' has no {fen}"),
        ({"moves": "list {fen}"}, "'moves' has no {gentype}"),
        ({"moves": None}, "'gentypes' is of no use without 'moves'"),
        ({"uci": False}, "'moves' needs 'moves_end_re', the last line of a list, or an engine with 'uci' true"),
        ({"gentypes": {"quiet": "q"}}, "'gentypes' 'quiet': did you mean 'quiets'?"),
        ({"gentypes": {"quiets": "a\nb"}}, "'gentypes' quiets: 'a\\nb' is no name on one line"),
        ({"convention": {"legality": "maybe"}}, "'convention' legality=maybe: choose from pseudo-legal, legal, either"),
        ({"convention": {"legalty": "legal"}}, "'convention' 'legalty': did you mean 'legality'?"),
    ],
)
def test_a_descriptor_with_invalid_lists_is_rejected(folder: Path, more: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_descriptor(Path(described(folder, **more)))
    assert str(caught.value).startswith(f"engine.json: {message}")
    assert "\n" not in str(caught.value)


def test_doctor_reports_lists_and_convention(run: Run, folder: Path) -> None:
    done = run("doctor", "-e", "python:mine:quiet_en_passant", COLUMNS="200")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    for line in (
        "lists captures, quiets, quiet_checks, evasions, non_evasions, legal",
        "legality legal: no list has a move that leaves the king in check",
        "underpromotion-push captures: underpromotions by push are among the captures",
        f"captures incorrect: missing e5d6 in {EN_PASSANT}",
        f"quiets incorrect: extra e5d6 in {EN_PASSANT}",
        "lists if this is intended: fuzz --convention en-passant=quiets",
    ):
        assert line in lines, done.stdout


def test_fuzz_compares_lists(run: Run, folder: Path) -> None:
    replay = ("fuzz", "--replay", EN_PASSANT, "-e", "python:mine:quiet_en_passant", "--depth", "1")
    done = run(*replay, COLUMNS="200")
    assert done.returncode == 1
    assert "1. missing move e5d6: En passant in CAPTURES" in done.stdout
    assert "2. extra move e5d6: En passant in QUIETS" in done.stdout
    meant = run(*replay, "--convention", "en-passant=quiets", COLUMNS="200")
    last = "no fault of python:mine:quiet_en_passant found here; checks: moves, lists"
    assert (meant.returncode, meant.stdout.splitlines()[-1]) == (0, last)
    message = wrong(run, *replay, "--convention", "en-passant=no")
    assert message == "--convention en-passant=no: choose from captures, quiets, neither"


@pytest.mark.slow
@needs_cc
def test_a_library_lists_moves(run: Run, folder: Path) -> None:
    flags = ("-I", str(EXAMPLES / "c"), "-Dperft_check_moves=perft_check_legal_moves_only")
    source = LIST_C.read_text().replace('#include "library.c"', '#include "library.c"\n#undef perft_check_moves')
    spec = f"lib:{built(folder, source, *flags)}"
    for gentype in (GenType.CAPTURES, GenType.QUIETS, GenType.QUIET_CHECKS):
        assert set(listed(spec, KIWIPETE, gentype) or ()) == {
            move.replace("e1c1", "e1a1") for move in right(KIWIPETE, gentype)
        }
    assert run("fuzz", "-e", spec, "-n", "20", "-j", "1", "--careful", "--seed", "1").returncode == 0
    spec = f"lib:{built(folder, source, *flags, '-DQUIET_EN_PASSANT')}"
    done = run("fuzz", "--replay", EN_PASSANT, "-e", spec, "--depth", "1", COLUMNS="200")
    assert "1. missing move e5d6: En passant in CAPTURES" in done.stdout
    spec = f"lib:{built(folder, source, *flags, '-DCRASHES')}"
    done = run("fuzz", "--replay", BLOCKS, "-e", spec, "--depth", "1", COLUMNS="200")
    assert (done.returncode, "1. crash" in done.stdout, "check: lists" in done.stdout) == (3, True, True), done.stdout
