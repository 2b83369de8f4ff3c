"""What all tests have: the program, called in this process."""

from __future__ import annotations

import compileall
import os
import sys
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import perft_check
import pytest
from helpers.browsers import running_browser
from helpers.clusters import ClusterHere, cluster_in
from helpers.fakes import FAKES
from helpers.node_modules import path_in
from helpers.program import WIDE, Run, called_in
from perft_check.harness.cli.dialogue import UNATTENDED
from perft_check.platforms.processes import PORTABLE
from xdist.remote import Producer
from xdist.scheduler import WorkStealingScheduling

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WAITING_WORKERS = 2
"""Workers beyond one a core: tests of engines that hang wait, and use no core meanwhile."""

CASES_OF_ONE = 4
"""Of so many cases of a slow test `.ci/run` runs one, at least one of each test."""
KEPT_VARIABLES = ("PERFT_CHECK_NODE_MODULES", "PERFT_CHECK_JUNIT_XSD", PORTABLE)
"""Variables of ours that set no option."""


def pytest_configure(config: pytest.Config) -> None:
    """Let `python3` be the Python of the tests, which has the packages that engines of tests import.

    Compile the modules that processes of tests import: where `PYTHONDONTWRITEBYTECODE` is set, each would do it.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if not hasattr(config, "workerinput"):
        package = Path(perft_check.__file__).parent
        compileall.compile_dir(package, maxlevels=0, quiet=2)
        for folder in (*(file.parent for file in package.glob("*/__init__.py")), FAKES):
            compileall.compile_dir(folder, quiet=2)


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that look at pages in a browser, and the cases of slow tests that are left to the nightly job."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker("browser")
        if item.get_closest_marker("slow"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, found in cases.items():
        # Tests with the same parameters begin at different ones, so that together they try most of them.
        first = zlib.crc32(name.encode())
        for number in range(len(found)):
            if number % CASES_OF_ONE:
                found[(first + number) % len(found)].add_marker("nightly")


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers of `-n auto`."""
    return len(os.sched_getaffinity(0)) + WAITING_WORKERS if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> WorkStealingScheduling:
    """Let workers that have nothing left take tests of others: the last of them would run alone for half a minute."""
    return WorkStealingScheduling(config, log)


@pytest.fixture(autouse=True, scope="session")
def no_configuration_of_others(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the user's variables, and files above the folders of the tests, out of the tests."""
    (tmp_path_factory.getbasetemp() / ".git").mkdir(exist_ok=True)
    for name in [name for name in os.environ if name.startswith("PERFT_CHECK_")]:
        if name not in KEPT_VARIABLES:
            del os.environ[name]
    for name in UNATTENDED:
        os.environ.pop(name, None)


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Carry out a command line of `perft-check` in an empty folder."""
    return partial(called_in, tmp_path, capfd)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[ClusterHere]:
    """Run a scheduler, and the workers that a test starts."""
    with cluster_in(tmp_path) as one:
        yield one


@pytest.fixture
def fuzz(run: Run) -> Run:
    """Carry out `perft-check fuzz`, in lines as long as they want to be."""
    return partial(run, "fuzz", **WIDE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    yield from running_browser()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    return path_in("axe-core", "axe.min.js").read_text(encoding="utf-8")
