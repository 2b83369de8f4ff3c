"""Options: what they are called, how their values are written, and that one name has one meaning."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from helpers.commands import commands, options
from helpers.program import Run, wrong
from perft_check.generator.counting import counter
from perft_check.generator.counting import perft as perft_module
from perft_check.harness.cli.configuration.layers import RESOLVERS

SEVERAL_MEANINGS = {
    "--depth": "how deep is fuzzed, the plies of a tree",
    "--engine": "an engine under test, engines to time, an engine to be shown, a technique, whose runs",
    "--verbose": "what there is more to tell",
    "--name": "of an engine, of each of several, of a worker",
    "--max-nodes": "the counts of a suite, those that are made for one",
    "--report": "the kinds of reports that a command writes",
    "--quiet": "what is left when the rest is left out",
}
"""Options that several commands have with texts of their own, and why."""
HELPS = [path for path, _ in commands()]


def test_one_name_has_one_meaning() -> None:
    meanings = defaultdict(set)
    for _, name, option in options():
        meanings[name].add((option.help, option.metavar, tuple(option.opts), tuple(option.secondary_opts)))
    several = {name for name, found in meanings.items() if len(found) > 1 and name.startswith("--")}
    assert several == set(SEVERAL_MEANINGS)


def test_a_second_engine_is_refused(run: Run) -> None:
    for words in ("run -e own --engine own:turbo", "perft startpos 2 -e own -e own", "uci -e own:turbo -e own:turbo"):
        assert wrong(run, *words.split()) == "--engine is given 2 times, but this command takes one engine"


@pytest.mark.slow
def test_of_other_options_the_last_value_counts(run: Run) -> None:
    done = run("fuzz", "-n", "5", "-j", "1", "--examples", "6", "-q")
    assert (done.returncode, done.stdout) == (0, "no fault of own found in 6 positions\n")


def test_short_names_are_always_short_for_the_same() -> None:
    meanings = defaultdict(set)
    for _, name, option in options():
        if re.fullmatch("-[a-z]", name):
            meanings[name].add(max(option.opts, key=len))
    assert {name: longs for name, longs in meanings.items() if len(longs) > 1} == {}


@pytest.mark.parametrize("path", HELPS, ids=" ".join)
def test_help_is_written_as_a_person_would(run: Run, path: tuple[str, ...]) -> None:
    helped = run(*path, "--help").stdout
    assert helped.startswith(f"Usage: perft-check {' '.join(path)}".rstrip())
    assert run(*path, "-h").stdout == helped
    for odd in ("RANGE", "INTEGER", "TEXT", "BOOLEAN", "FLOAT", "<=", "[[", "None", "inf;"):
        assert odd not in helped, odd
    assert "<" not in helped.partition("\nOptions:\n")[2]


@pytest.mark.parametrize("path", HELPS, ids=" ".join)
def test_help_fits_any_terminal(run: Run, path: tuple[str, ...]) -> None:
    for columns in (60, 80, 200):
        helped = run(*path, "--help", COLUMNS=str(columns), FORCE_COLOR="1").stdout
        assert max(map(len, helped.splitlines())) <= columns
        for command in getattr(dict(commands())[path], "commands", {}).values():
            assert command.help.rstrip(".") in " ".join(helped.split())


def test_in_a_pipe_every_option_and_command_is_a_line(run: Run) -> None:
    for path, command in commands():
        lines = run(*path, "--help", COLUMNS="60").stdout.splitlines()
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert any(parameter.help in line and parameter.opts[0] in line for line in lines)
        for name, one in getattr(command, "commands", {}).items():
            assert any(re.match(rf"  {name} +{re.escape(one.help.rstrip('.'))}", line) for line in lines), name


def test_a_bad_value_is_quoted_in_one_line(run: Run) -> None:
    for arguments, said in {
        (
            "run",
            "--max-nodes",
            "many",
        ): "'--max-nodes': 'many' is not a count of 0 or more: write 250000, 250k, 1.5M or 2G",
        ("fuzz", "-n", "0"): "'--examples' / '-n': '0' is not a count of 1 or more: write 250000, 250k, 1.5M or 2G",
        (
            "perft",
            "startpos",
            "x",
        ): "'DEPTH': 'x' is not a whole number from 0 to 99; try: perft-check perft startpos 3",
        ("perft", "startpos", "3", "--timeout", "soon"): "'--timeout': 'soon' is not a time of 0.01 s or more: "
        "write seconds, or 90s, 2m, 1h",
        ("bench", "--rounds", "100"): "'--rounds': '100' is not a whole number from 1 to 99",
    }.items():
        assert wrong(run, *arguments) == f"Invalid value for {said}"


def test_counts_of_nodes_have_units(run: Run) -> None:
    for limit, depth in {"2k": 1, "2.1k": 2, "1M": 3}.items():
        document = json.loads(
            run("-s", "standard", "--filter", "cpw-2", "--max-nodes", limit, "--report", "json=-").stdout
        )
        assert [case["depth"] for case in document["results"]] == [depth]


def test_chess960_and_standard_choose_the_cases_of_a_run(run: Run, tmp_path: Path) -> None:
    def kinds(*arguments: str) -> list[bool]:
        document = json.loads(run("-s", "mixed.epd", *arguments, "--report", "json=-").stdout)
        return [result["chess960"] for result in document["results"]]

    (tmp_path / "mixed.epd").write_text(
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1 ;D1 26\n"
    )
    assert kinds() == [False, True]
    assert kinds("--standard") == [False]
    assert kinds("--chess960") == [True]


def test_a_memory_limit_needs_an_engine_with_a_process(run: Run, tmp_path: Path) -> None:
    (tmp_path / "answer.txt").write_text("20 400")
    for words, without in {
        "run --memory 100": "own",
        "run -e own:turbo -a python-chess --memory 100": "own:turbo and python-chess",
        "fuzz -e own --memory 100": "own",
        "cover -e own --memory 100": "own",
        "divide startpos 2 -e zoo:pinned-frozen --memory 100": "zoo:pinned-frozen",
        "divide startpos 2 --answer answer.txt --memory 100": "counts given as text",
        "diagnose startpos 2 --answer answer.txt --memory 100": "counts given as text",
        "diagnose startpos 2 -e own --memory 100": "own",
        "explore -e own -a own:turbo --memory 100": "own and own:turbo",
    }.items():
        said = f"--memory limits the process of an engine, not {without}: leave it out"
        assert wrong(run, *words.split()) == said


def test_opposite_options_are_refused(run: Run) -> None:
    for words, said in {
        "run --chess960 --standard": "--chess960 and --standard",
        "fuzz --standard --chess960": "--chess960 and --standard",
        "perft startpos 1 --chess960 --standard": "--chess960 and --standard",
        "moves startpos --standard --chess960": "--chess960 and --standard",
        "count startpos 1 --standard --chess960": "--chess960 and --standard",
        "zoo score --hunt --no-hunt": "--hunt and --no-hunt",
    }.items():
        assert wrong(run, *words.split()) == f"{said} cannot be combined: leave one out"


def test_a_group_without_its_command_says_which_there_are(run: Run) -> None:
    assert wrong(run, "zoo") == "zoo needs a command: list, show, serve, score"


def test_perft_within_a_time(run: Run) -> None:
    for arguments, said in {
        ("9", "own:turbo"): "own:turbo has not answered within 0.05 seconds",
        ("6", "python-chess"): "python-chess has not answered within 0.05 seconds",
        ("9", "own:turbo", "--stats"): r"own:turbo at depth \d has not answered within 0.05 seconds",
    }.items():
        depth, *rest = arguments
        done = run("perft", "startpos", depth, "--timeout", "0.05", "-e", *rest)
        assert done.returncode == 3
        assert re.fullmatch(f"perft-check: {said}", done.stderr.splitlines()[-1])


def test_threads_share_a_count(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (counter, perft_module):
        monkeypatch.setattr(module, "WORTH_CUTTING", 0.5)
    for command in (["perft", "kiwipete", "4"], ["perft", "kiwipete", "4", "--stats"], ["divide", "kiwipete", "4"]):
        shared, alone = (run(*command, "--threads", threads) for threads in ("3", "1"))
        assert (shared.returncode, shared.stdout) == (0, alone.stdout)
        assert "4085603" in alone.stdout.replace(",", "")


def test_threads_are_for_kernels(run: Run) -> None:
    why = "--threads works with own, own:turbo, own:two-plies, not with"
    assert wrong(run, "perft", "startpos", "2", "-e", "python-chess", "--threads", "2") == (
        f"{why} python-chess: leave it out"
    )
    held = ["divide", "startpos", "2", "-e", "own:magic", "-a", "python-chess", "--threads", "2"]
    assert wrong(run, *held) == f"{why} own:magic and python-chess: leave it out"
    assert run("divide", "startpos", "2", "-e", "python-chess", "-a", "own:turbo", "--threads", "2").returncode == 0


def test_counts_with_a_table(run: Run) -> None:
    for command in (["perft", "kiwipete", "4"], ["divide", "kiwipete", "4", "-a", "own:turbo"]):
        kept, alone = (run(*command, *options) for options in (["--hash", "1M"], []))
        assert (kept.returncode, kept.stdout) == (0, alone.stdout)
        assert "4085603" in alone.stdout.replace(",", "")


def test_a_run_with_a_table(run: Run) -> None:
    for engine in ("own:turbo", "own:two-plies"):
        done = run("-e", engine, "-s", "smoke", "--hash", "1M", "-j", "2", "-q")
        assert (done.returncode, "\nall 36 positions agree" in done.stdout) == (0, True)
    assert (
        wrong(run, "run", "--hash", "1M") == "--hash works with own:turbo and own:two-plies, not with own: leave it out"
    )


def test_a_table_is_refused_in_one_line(run: Run) -> None:
    why = "--hash works with own:turbo and own:two-plies, not with"
    assert wrong(run, "perft", "startpos", "2", "-e", "own", "--hash", "2G") == f"{why} own: leave it out"
    for engine, other, told in (
        ("python-chess", "own", "own"),
        ("own:magic", "python-chess", "own:magic and python-chess"),
    ):
        assert (
            wrong(run, "divide", "startpos", "2", "-e", engine, "-a", other, "--hash", "2G")
            == f"{why} {told}: leave it out"
        )
    assert wrong(run, "perft", "startpos", "2", "--stats", "--hash", "2G") == (
        "--stats uses no hash table: leave out --hash"
    )
    for size in ("12", "0.9M", "2K", "0M", "-1G", "1.5.5G", "much"):
        refused = wrong(run, "perft", "startpos", "2", f"--hash={size}")
        assert refused == f"Invalid value for '--hash': {size!r} is not a size of 1 MiB or more, such as 512M or 2G"
    for command in ("perft", "divide"):
        refused = wrong(run, command, "startpos", "2", "--hash", "900000000G")
        assert refused.startswith("not enough memory for a hash table of 549,755,813,888 MiB (")
    for size in ("1M", "1.5M", "1MiB", "0.001g"):
        assert run("perft", "startpos", "2", f"--hash={size}").stdout == "400\n"
    assert wrong(run, "perft", "startpos", "2", "--hash=2T").startswith(
        "not enough memory for a hash table of 2,097,152 MiB and "
    )


def test_a_configuration_knows_every_option_that_takes_a_path() -> None:
    taking = {name for _, name, option in options() if re.search("FILE|SPEC", option.metavar or "")}
    long = {name.removeprefix("--") for name in taking if name.startswith("--")}
    assert long - {"config", "from"} == RESOLVERS.keys() - {"option"}
