"""Words of commands: command lines in messages can be pasted and keep the words of the user."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from perft_check.harness.engines import command_words
from perft_check.harness.engines.command_lines import doctor_command
from perft_check.harness.engines.command_words import as_typed, join_words, program_words, split_words
from perft_check.harness.engines.opening import open_engine

ADVICE = {
    "uci:sh -c 'read line; echo hello'": ["sh -c 'read line; echo hello'"],
    "sh -c 'exit 1'": ["sh -c 'exit 1'"],
    "uci:env LEVEL=1 ./engine": ["env LEVEL=1 ./engine"],
    "env LEVEL='1 2' ./engine --fast": ["env 'LEVEL=1 2' ./engine --fast"],
    "uci:./engine": ["./engine"],
    "./my engine": ["./my engine"],
    "uci:'./my engine' --quiet": ["'./my engine' --quiet"],
    "uci:'./my engine'": ["./my engine"],
    "cmd:./engine perft {depth} {fen}": ["./engine perft"],
    "./engine -f {fen} -d {depth}": ["./engine"],
    "cmd:./engine --fen={fen} --depth={depth}": ["./engine"],
    "cmd:env LEVEL=1 ./engine count --plies {depth} --position {fen}": ["env LEVEL=1 ./engine count"],
    "cmd:./engine -q {depth} <<< 'fen {fen}'": ["./engine"],
    "cmd:./engine -q <<< 'fen {fen}' 'perft {depth}'": ["./engine -q"],
    "script:'./my engine' counts": ["'./my engine' counts"],
    "cmd:sh -c './engine {depth} \"{fen}\"'": None,
    "cmd:sh -ec './engine {depth} {fen}'": None,
}
"""SPECs with the argument after `perft-check doctor -e`; None if the program is inside a script."""


@pytest.mark.parametrize("spec", ADVICE)
def test_advice_keeps_the_words_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("engine", "my engine"):
        Path(name).write_text("#!/bin/sh\n")
        Path(name).chmod(0o755)
    engine, wanted = open_engine(spec), ADVICE[spec]
    launch = engine.launch
    assert launch
    advice = doctor_command(spec, launch)
    assert shlex.split(advice) == ([] if wanted is None else ["perft-check", "doctor", "-e", *wanted])
    if wanted is not None:
        again = open_engine(wanted[0]).launch
        assert again
        assert as_typed(wanted[0], again) == program_words(as_typed(spec, launch))


@pytest.mark.parametrize(
    ("spec", "launch", "named"),
    [
        ("uci:python3 -m mychess uci", ["/usr/bin/python3", "-m", "mychess", "uci"], "python3 -m mychess uci"),
        ("python3 -m mychess {fen} {depth}", ["/bin/python3", "-m", "mychess", "{fen}"], "python3 -m mychess"),
        ("uci:java -jar x.jar arg", ["/opt/jdk/bin/java", "-jar", "x.jar", "arg"], "java -jar x.jar arg"),
        ("cmd:java -jar x.jar perft {fen}", ["/bin/java", "-jar", "x.jar", "perft", "{fen}"], "java -jar x.jar perft"),
        (r"uci:'C:\my engines\e.exe' -q", [r"C:\my engines\e.exe", "-q"], r"'C:\my engines\e.exe' -q"),
        ("engine.json", ["/opt/engine", "a b"], "/opt/engine 'a b'"),
        ("uci:stockfish [Hash=16]", ["/usr/games/stockfish"], "stockfish"),
    ],
)
def test_advice_about_programs_that_do_not_exist(spec: str, launch: list[str], named: str) -> None:
    assert shlex.split(doctor_command(spec, launch)) == ["perft-check", "doctor", "-e", named]


def test_words_of_commands_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    command = r"'C:\my engines\e.exe' perft {depth}"
    words = [r"C:\my engines\e.exe", "perft", "{depth}"]
    assert split_words(command) == words
    assert join_words(words) == command
    monkeypatch.setattr(command_words, "ESCAPE", "")
    assert split_words(r"C:\engines\e.exe perft") == [r"C:\engines\e.exe", "perft"]
    assert split_words(r"C:\engines\e.exe 'C:\my nets\a.nnue'") == [r"C:\engines\e.exe", r"C:\my nets\a.nnue"]
    assert split_words(join_words(words)) == words
