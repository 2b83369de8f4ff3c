"""Blocks that the tests of the pages do not run, each with a reason."""

from __future__ import annotations

TESTED_ELSEWHERE = {
    "docs/uci.md": "tests/harness/uci/test_page.py",
    "docs/configuration.md": "tests/harness/cli/configuration/test_precedence.py",
    "docs/in-ci.md": "tests/ci/test_action.py and tests/ci/test_bisect.py",
    "docs/coverage.md": "tests/harness/cli/test_cover.py",
    "benchmarks/zoo.md": "tests/harness/zoo/test_docs.py",
}
"""Pages with their own tests."""

BY_FIRST_WORDS = {
    "#!/bin/sh": "tests/harness/uci/test_page.py calls such a script",
    "python3 -m venv": "it installs, as .ci/run does in a fresh environment",
    "pip install": "it installs from the network, as .ci/run does",
    "NUMBA_CPU_NAME=generic": "tests/generator/test_without_pext.py does it with fewer nodes",
    "apt-get install": "it installs programs, as .ci/run does",
    "npm install": "it needs the network; the tests have these packages",
    "export PERFT_CHECK_NODE_MODULES": "it sets the folder of these packages",
    "pre-commit install": "it changes the hooks of this repository",
    "coverage": "it runs all tests",
    "PERFT_CHECK_PORTABLE=1 python": "it runs all tests, as the workflow of every night does",
    "mkdocs": "tests/docs/site builds the site",
    "pytest": "tests/harness/pytest_plugin gives pytest these options, and .ci/run runs the tests",
    "python benchmarks/": "it takes minutes or hours",
    "cd tools": "it changes the folder for the following lines",
    "python -m tools.pages": "tests/tools/test_pages.py runs it",
    "python -m mutation": "it takes hours; tests/tools runs parts of it",
    "NUMBA_DISABLE_JIT=1 python": "it opens a debugger, which waits for input",
    "python -c": "tests/reports/formats/test_json_schema.py reads this file",
    "1$ dask scheduler": "it needs four terminals; tests/harness/counting runs schedulers and workers",
    "2$": "the same, in the second terminal",
    "3$": "the same, in the third terminal",
    "4$": "the same, in the fourth terminal",
    "export DASK": "it needs certificates for the machines of a cluster",
    "- uses:": "it is a step of a workflow of GitHub, which runs there",
    "if: always()": "the second line of that step",
    "with: {sarif_file": "the third line of that step",
    "not tried:": "it is what a run prints; tests/harness/checking/running/test_not_tried.py looks at such lines",
    "all 36 positions": "the second line of that",
    "perft-check: my-engine": "a message about an option; tests/harness/engines/test_uci_options.py has such lines",
    "rnbqkbnr/": "a line of a suite; tests/harness/engines/test_setups.py reads such lines",
    '{"piece"': "a line of a ledger; tests/harness/counting/test_ledger.py reads such lines",
    "cc ": "tests/harness/engines builds and asks this library",
}
"""Commands by their first words."""

SHOWN = {
    "docs/techniques.md": "drawings and algorithms; tests/generator/techniques tests the walks",
    "docs/two-plies.md": "a sum in words",
    "docs/fuzzing.md": "a line that a running fuzzer shows",
    "docs/pytest.md": "what pytest prints for a failure; tests/harness/pytest_plugin has such texts",
}
"""Pages with blocks that are not commands."""
