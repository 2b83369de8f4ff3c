"""Mistakes in a configuration: one line with file, line and key, and exit status 2."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from helpers.program import Run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

AT_LINE_1 = {
    "max-node = 5": "max-node: no such key for perft-check: did you mean 'max-nodes'?",
    "zzzzzz = 5": "zzzzzz: no such key for perft-check: perft-check config lists the keys of a command",
    "position = 'kiwipete'\nposition.x = 1": "",
    "no-explain = true": "no-explain: write explain = false",
    "standard = true": "standard: write chess960 = false",
    "config = 'x'": "config: no such key for perft-check: did you mean 'config'?",
    "'a\\nb' = 1": "'a\\\\nb': no such key for perft-check: perft-check config lists the keys of a command",
    "timeout = 'never'": "timeout: 'never' is no time of 0.01 s or more: write seconds, or 90s, 2m, 1h",
    "timeout = true": "timeout: it takes text or a number, not true or false",
    "timeout = 2026-01-01": "timeout: it takes text or a number, not a date or a time",
    "timeout = [1]": "timeout: it takes one value, not a list",
    "timeout.x = 1": "timeout: it takes text or a number, not a table",
    "jobs = 0x7fffffffffffffff1": "jobs: the number is too large",
    "jobs = 1.5": "jobs: '1.5' is no whole number from 1 to 256",
    "suite = [['smoke']]": "suite: it takes text or a number, not a list",
    "fail-fast = 'yes'": "fail-fast: it is a switch: write true or false, not a value",
    "run = 5": "run: it is a table: write [run]",
    "profile = 5": "profile: it is a table: write [profile]",
    "profile.p = 5": "p: it is a table: write [profile.p]",
    "profile.p.profile.q.jobs = 1": "profile: no such key for perft-check: perft-check config lists the keys of a command",
    "run.examples = 5": "examples: no such key for perft-check run: perft-check run --help lists the options",
    "fuzz.sede = 5": "sede: no such key for perft-check fuzz: did you mean 'seed'?",
    "zoo.score.zzz = 5": "zzz: no such key for perft-check zoo score: perft-check zoo score --help lists the options",
    "init.force = true": "init: no such key for perft-check: did you mean 'hunt'?",
    "perft.position = 'x'": "position: no such key for perft-check perft: perft-check perft --help lists the options",
    "suite = 'smok'": "suite: no suite named 'smok' (did you mean 'smoke'?): "
    "bundled are smoke, standard, chess960, special, chess960-special, or give a file",
    "engine = 'owm'": "engine: no engine named 'owm': did you mean 'own'?",
    "report = 'x.gif'": None,
    "filter = '('": "filter: --filter '(': missing ), unterminated subpattern at position 0",
}


def wrong(run: Run, *arguments: str, **variables: str) -> str:
    """Return the one line of a run that is refused."""
    done = run(*arguments, **variables)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("perft-check: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("perft-check: ").removesuffix("\n")
