"""Commands as words: the command line that a message names can be pasted, and has the words of the user."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from helpers.program import Run
from perft_check.harness.engines.capabilities import program_of
from perft_check.harness.engines.registry import open_engine
from perft_check.harness.model import command_words
from perft_check.harness.model.command_lines import doctor_command
from perft_check.harness.model.command_words import as_typed, join_words, program_in, program_words, split_words

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
"""SPECs, and what is named behind `perft-check doctor -e`; None where the program is inside a script."""


@pytest.mark.parametrize("spec", ADVICE)
def test_the_advice_keeps_the_words_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("engine", "my engine"):
        Path(name).write_text("#!/bin/sh\n")
        Path(name).chmod(0o755)
    engine, wanted = open_engine(spec), ADVICE[spec]
    launch = program_of(engine)
    assert launch is not None
    advice = doctor_command(spec, launch)
    assert shlex.split(advice) == ([] if wanted is None else ["perft-check", "doctor", "-e", *wanted])
    if wanted is not None:
        again = program_of(open_engine(wanted[0]))
        assert again is not None
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
def test_the_advice_about_programs_that_are_not_here(spec: str, launch: list[str], named: str) -> None:
    assert shlex.split(doctor_command(spec, launch)) == ["perft-check", "doctor", "-e", named]


def test_a_failure_names_a_line_that_can_be_pasted(run: Run) -> None:
    done = run("perft", "startpos", "1", "-e", "uci:sh -c 'echo not an engine; exit 1'", "--alone")
    assert done.returncode == 3
    advice = done.stderr.splitlines()[-1].rpartition("; try: ")[2]
    assert shlex.split(advice) == ["perft-check", "doctor", "-e", "sh -c 'echo not an engine; exit 1'"]


def test_words_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    command = r"'C:\my engines\e.exe' perft {depth}"
    words = [r"C:\my engines\e.exe", "perft", "{depth}"]
    assert split_words(command) == words
    assert join_words(words) == command
    monkeypatch.setattr(command_words, "ESCAPE", "")
    assert split_words(r"C:\engines\e.exe perft") == [r"C:\engines\e.exe", "perft"]
    assert split_words(r"C:\engines\e.exe 'C:\my nets\a.nnue'") == [r"C:\engines\e.exe", r"C:\my nets\a.nnue"]
    assert split_words(join_words(words)) == words


PROGRAMS = {
    "./engine": "./engine",
    "stockfish bench": "stockfish",
    "'./my engine' --quiet": "./my engine",
    "LEVEL=1 ./engine": "./engine",
    "env A=b prog": "prog",
    "env -u HOME -i A=b ./prog": "./prog",
    "env -S 'A=b ./prog --fast'": "./prog",
    "nice prog": "prog",
    "nice -n 5 prog": "prog",
    "nice -19 prog": "prog",
    "stdbuf -oL prog": "prog",
    "stdbuf -o L prog --option": "prog",
    "timeout 60 prog": "prog",
    "timeout -k 5 60 prog": "prog",
    "taskset -c 0-3 prog": "prog",
    "sudo -u chess ./prog": "./prog",
    "env A=b nice -n 5 stdbuf -oL python3 -u ./mine.py perft": "./mine.py",
    "wine prog.exe": "prog.exe",
    "wine64 build/prog.exe --quiet": "build/prog.exe",
    "wine": "wine",
    "qemu-aarch64 -L /usr/aarch64-linux-gnu ./prog": "./prog",
    "valgrind --leak-check=full ./prog": "./prog",
    "ssh -p 2222 chess@host ./prog": "./prog",
    "sh -c ./engine": "./engine",
    "sh -c 'cd build && exec ./engine --quiet'": "./engine",
    "bash -lc 'ulimit -v 4000000; ./engine'": "./engine",
    "bash run.sh": "run.sh",
    "sh -c './engine perft {depth} \"{fen}\" | grep Nodes'": "./engine",
    'sh -c \'printf "%s\\\\n" "$1" | ./count 2>/dev/null\'': "./count",
    "sh -c 'set -e\ncd build\nLEVEL=2 python3 -u mine.py'": "mine.py",
    "sh -c 'while read line; do ./answer $line; done'": "./answer",
    "sh -c 'if true; then exec engine; fi'": "engine",
    "sh -c 'read line; echo hello'": "sh -c",
    "sh -c 'exec \"$0\"'": "sh -c",
    "sh": "sh",
    "cmd /c engine.bat": "engine.bat",
    "cmd.exe /d /c 'engine.bat --fast'": "engine.bat",
    "powershell -NoProfile -File run.ps1": "run.ps1",
    "pwsh -c './engine --fast'": "./engine",
    "python3 ./mine.py": "./mine.py",
    "python3.13 -X dev -u mine.py": "mine.py",
    "python3 -m mine.perft": "mine.perft",
    "python -c 'import mine; mine.loop()'": "python -c",
    "python3 -uc 'print(20)'": "python3 -uc",
    "python3": "python3",
    "node perft.mjs {fen} {depth}": "perft.mjs",
    "node -e 'console.log(20)'": "node -e",
    "deno run --allow-read perft.ts": "perft.ts",
    "bun perft.ts": "perft.ts",
    "ruby -Ilib perft.rb": "perft.rb",
    "perl -e 'print 20'": "perl -e",
    "php perft.php": "perft.php",
    "lua5.4 perft.lua": "perft.lua",
    "java -jar x.jar": "x.jar",
    "java -Xmx2g -jar build/x.jar uci": "build/x.jar",
    "java -cp build:lib org.example.Engine": "org.example.Engine",
    "mono engine.exe": "engine.exe",
    "dotnet build/Engine.dll": "build/Engine.dll",
    "dotnet run -c Release --project src/Engine": "src/Engine",
    "go run ./cmd/perft": "./cmd/perft",
    "cargo run -q --release --bin perft -- {depth} {fen}": "perft",
    "cargo run --release": "cargo",
    "uv run mine.py": "mine.py",
    "conda run -n chess python mine.py": "mine.py",
    "docker run --rm -i my-engine": "my-engine",
    "docker run -i -e THREADS=1 -v /data:/data ghcr.io/me/engine:1.2 --uci": "ghcr.io/me/engine:1.2",
    "docker run -i chess python mine.py": "chess",
    "podman run -i engine:latest": "engine:latest",
    "docker exec -i box ./engine": "./engine",
    "'an open quote": "",
    "": "",
}


@pytest.mark.parametrize("command", PROGRAMS)
def test_a_command_is_about_the_program_that_it_starts(command: str) -> None:
    assert program_in(command) == PROGRAMS[command]
