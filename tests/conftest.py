"""Configuration of pytest, and fixtures for all tests."""

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
from helpers.clusters import LocalCluster, cluster_in
from helpers.fakes import FAKES
from helpers.node_modules import path_in
from helpers.program import WIDE, Run, called_in
from perft_check.harness.cli.checks import UNATTENDED
from perft_check.platforms.processes import PORTABLE
from xdist.remote import Producer
from xdist.scheduler import WorkStealingScheduling

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WAITING_WORKERS = 2
"""Workers in addition to one per core, because tests of engines that hang mostly wait."""

CASES_OF_ONE = 5
"""`.ci/run` runs one in this many cases of a slow test, and at least one of each test."""
KEPT_VARIABLES = ("PERFT_CHECK_NODE_MODULES", "PERFT_CHECK_JUNIT_XSD", PORTABLE)
"""Variables of perft-check that are not options."""


def pytest_configure(config: pytest.Config) -> None:
    """Put the Python of the tests first on the PATH, and compile the modules that test processes import.

    The engines in tests need the packages of that Python. With `PYTHONDONTWRITEBYTECODE`, each process would compile
    the modules.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    if not hasattr(config, "workerinput"):
        package = Path(perft_check.__file__).parent
        compileall.compile_dir(package, maxlevels=0, quiet=2)
        for folder in (*(file.parent for file in package.glob("*/__init__.py")), FAKES):
            compileall.compile_dir(folder, quiet=2)


@pytest.hookimpl(tryfirst=True)  # before `-m` selects tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a browser, and the cases of slow tests that only the nightly job runs."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker("browser")
        if item.get_closest_marker("slow"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, found in cases.items():
        # Tests with the same parameters start at different ones, so that together they cover most of them.
        first = zlib.crc32(name.encode())
        for number in range(len(found)):
            if number % CASES_OF_ONE:
                found[(first + number) % len(found)].add_marker("nightly")


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers of `-n auto`."""
    return len(os.sched_getaffinity(0)) + WAITING_WORKERS if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> WorkStealingScheduling:
    """Let idle workers steal tests; otherwise the last worker would run alone for half a minute."""
    return WorkStealingScheduling(config, log)


@pytest.fixture(autouse=True, scope="session")
def isolated_configuration(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Hide the user's variables, and configuration files above the folders of the tests."""
    (tmp_path_factory.getbasetemp() / ".git").mkdir(exist_ok=True)
    for name in [name for name in os.environ if name.startswith("PERFT_CHECK_")]:
        if name not in KEPT_VARIABLES:
            del os.environ[name]
    for name in UNATTENDED:
        os.environ.pop(name, None)


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `perft-check` in an empty folder."""
    return partial(called_in, tmp_path, capfd)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[LocalCluster]:
    """Run a Dask scheduler, and the workers that a test starts."""
    with cluster_in(tmp_path) as one:
        yield one


@pytest.fixture
def fuzz(run: Run) -> Run:
    """Return a function that runs `perft-check fuzz` with unwrapped lines."""
    return partial(run, "fuzz", **WIDE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return one browser for all tests."""
    yield from running_browser()


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the script of axe-core."""
    return path_in("axe-core", "axe.min.js").read_text(encoding="utf-8")
