"""`perft-check config`: the options in force."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import perft_check
from helpers.program import Run, wrong

FILE = """\
engine = "own:turbo"
against = ["python-chess", "uci:a, b", "x\\ny"]

[divide]
timeout = "1m"

[profile.quick]
chess960 = false
"""
SHOWN = """\
perft-check divide: perft-check.toml, profile quick
key               value                             from
engine            own:turbo                         perft-check.toml:1
option            -                                 default
name              -                                 default
against           python-chess, "uci:a, b", "x\\ny"  perft-check.toml:2
alone             false                             default
explain           three                             default
self-consistency  false                             PERFT_CHECK_SELF_CONSISTENCY
threads           -                                 default
hash              -                                 default
timeout           1m                                perft-check.toml:5
memory            -                                 default
moves             ""                                default
chess960          false                             perft-check.toml:8 (profile quick)
json              false                             default
report            -                                 default
"""


def test_options_are_shown_with_their_sources(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text(FILE)
    done = run("config", "divide", "--profile", "quick", PERFT_CHECK_SELF_CONSISTENCY="0")
    assert (done.returncode, done.stdout, done.stderr) == (0, SHOWN, "")


def test_the_same_as_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text(FILE)
    shown = json.loads(run("config", "suites", "verify", "--json").stdout)
    assert shown == {
        "format": 1,
        "kind": "configuration",
        "perft_check": perft_check.__version__,
        "command": "suites verify",
        "file": "perft-check.toml",
        "profile": None,
        "options": [
            {"key": "against", "value": ["python-chess", "uci:a, b", "x\ny"], "source": "perft-check.toml:2"},
            {"key": "max-nodes", "value": None, "source": "default"},
        ],
    }


def test_without_a_configuration(run: Run) -> None:
    lines = run("config").stdout.splitlines()
    assert lines[:3] == [
        "perft-check run: no configuration file",
        "key                  value  from",
        "engine               -      default",
    ]
    assert [line for line in run("config", "perft").stdout.splitlines() if "timeout" in line] == [
        "timeout   inf    default"
    ]


def test_the_example_of_the_page_is_right(run: Run, tmp_path: Path) -> None:
    page = (Path(__file__).parents[4] / "docs/configuration.md").read_text(encoding="utf-8")
    example = page[page.index("    # perft-check.toml") : page.index("\n| to | run |")]
    (tmp_path / "perft-check.toml").write_text(textwrap.dedent(example))
    done = run("config", "fuzz", "--profile", "nightly")
    rows = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert ["examples", "1M", "perft-check.toml:18 (profile nightly)"] in rows
    assert ["timeout", "60s", "perft-check.toml:15 (profile nightly)"] in rows


def test_commands_that_have_no_options(run: Run) -> None:
    assert wrong(run, "config", "rum") == "perft-check has no command 'rum' with options: did you mean 'run'?"
    assert wrong(run, "config", "zoo") == "zoo: give a command: list, show, serve, score"
    assert wrong(run, "config", "zoo", "scor") == (
        "perft-check zoo has no command 'scor' with options: did you mean 'score'?"
    )
    assert wrong(run, "config", "init").startswith("perft-check has no command 'init' with options: ")
