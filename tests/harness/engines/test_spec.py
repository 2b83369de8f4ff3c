"""SPECs: parsing, names that are unique in a run, and relocation of paths."""

from __future__ import annotations

import pickle

import pytest
from perft_check.harness.engines.spec import EngineSpec, short_name, short_names

NAMES = {
    "own": "own",
    "own:linked-list": "own:linked-list",
    "python-chess": "python-chess",
    "zoo:pins-forgotten": "zoo:pins-forgotten",
    "stockfish": "stockfish",
    "./build/my-engine": "my-engine",
    "uci:stockfish": "stockfish",
    "uci:/usr/games/stockfish --threads 4": "stockfish",
    "uci:'./my engine' --quiet": "my engine",
    "./build/my-engine [Hash=16 SyzygyPath=/tables/3]": "my-engine",
    "cmd:./engine perft {depth} {fen}": "engine",
    "cmd:node perft.mjs {fen} {depth}": "perft.mjs",
    "uci:/usr/bin/python3.11 -u ./engines/mine.py fast": "mine.py",
    "uci:java -jar build/mine.jar": "mine.jar",
    "uci:python3": "python3",
    "script:./count.sh": "count.sh",
    "lib:./build/libmine.so": "libmine.so",
    "python:mine.perft:divide": "python:mine.perft:divide",
    "python[/opt/venv/bin/python]:mine:moves": "python:mine:moves",
    "engines/mine.json": "mine",
    "python3 ./mine.py": "mine.py",
    "/usr/bin/python3 mine.py": "mine.py",
    "./build/engine --threads 4": "engine",
    "./build/engine {depth} <<< {fen}": "engine",
    "./my engine": "my engine",
    "stockfish bench": "stockfish",
    "LEVEL=1 ./engine": "engine",
    "nice -n 5 python3 ./mine.py perft": "mine.py",
    "wine64 build/Engine.EXE --quiet": "Engine.EXE",
    "docker run -i chess:1.2": "docker",
    "python3 -m mine.perft": "python3",
    "sh -c './engine perft \"$1\" | tail -n 1'": "sh",
    "my engines/mine.json": "mine",
    "uci:'an open quote": "uci:'an open quote",
    "uci:": "uci:",
    "": "",
}


@pytest.mark.parametrize("spec", NAMES)
def test_an_engine_has_the_name_of_its_program(spec: str) -> None:
    assert short_name(spec) == NAMES[spec]


@pytest.mark.parametrize(
    ("specs", "names"),
    [
        (("./new/engine", "own:turbo"), ["engine", "own:turbo"]),
        (("./new/engine", "./old/engine"), ["new/engine", "old/engine"]),
        (("a/bin/engine", "b/bin/engine", "c/engine"), ["a/bin/engine", "b/bin/engine", "c/engine"]),
        (("uci:./engine -a", "uci:./engine -b"), ["uci:./engine -a", "uci:./engine -b"]),
        (("./engine [Hash=1]", "./engine [Hash=2]"), ["./engine [Hash=1]", "./engine [Hash=2]"]),
        (("./engine", "./engine"), ["engine"]),
    ],
)
def test_engines_of_a_run_have_different_names(specs: tuple[str, ...], names: list[str]) -> None:
    assert list(short_names(specs).values()) == names


def test_a_spec_is_a_string_with_options_and_a_name() -> None:
    spec = EngineSpec("./build/mine").with_options(["Hash=16", "Clear Hash"]).named("new", has_given_name=True)
    assert spec == "./build/mine [Hash=16 'Clear Hash']"
    assert (spec.bare, spec.options) == ("./build/mine", ("Hash=16", "Clear Hash"))
    assert (spec.name, spec.has_given_name, spec.is_named) == ("new", True, True)
    assert spec.full_name == "new (./build/mine [Hash=16 'Clear Hash'])"


def test_a_spec_can_be_pickled() -> None:
    for spec in (EngineSpec("uci:./mine [Hash=16]", "new", has_given_name=True), EngineSpec("own:turbo")):
        again = pickle.loads(pickle.dumps(spec))
        assert (again, vars(again)) == (spec, vars(spec))
