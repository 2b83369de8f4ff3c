"""A Dask cluster on this machine: a scheduler and workers, each a process that tests may kill."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from helpers.processes import until
from helpers.program import IN_A_PIPE, PROGRAM

Process = subprocess.Popen[bytes]


PORTS = range(20_000, 32_000)
"""Ports that no system gives to a connection, so that a port that is free stays so."""


def free_port() -> int:
    """Return a port on which nobody listens."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


class ClusterHere:
    """A cluster whose scheduler has one address for all its lives."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """Use a folder for logs; with variables for TLS the addresses are encrypted."""
        self._folder, self.variables = folder, os.environ | IN_A_PIPE | {"TMPDIR": str(folder)} | variables
        self.address = f"{'tls' if variables else 'tcp'}://127.0.0.1:{free_port()}"
        self._processes: list[Process] = []

    def scheduler(self) -> Process:
        """Start the scheduler, and return when it listens."""
        scheme, (host, port) = self.address[:3], self.address[6:].split(":")
        words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--protocol", scheme]
        words += ["--host", host, "--port", port]
        process = self._started("scheduler", [*words, "--no-dashboard", "--no-show"], self._folder)
        until(lambda: "Scheduler at:" in self.said("scheduler"))
        return process

    def worker(
        self, name: str, program: Sequence[str] = PROGRAM, is_awaited: bool = True, folder: Path | None = None
    ) -> Process:
        """Start a worker with one thread, in a folder of its own if one is given, and return when it has joined."""
        words = [*program, "worker", self.address, "--threads", "1", "--name", name]
        process = self._started(name, words, folder or self._folder)
        if is_awaited:
            until(lambda: f"{name}: 1 thread" in self.said(name))
        return process

    def plain_worker(self, name: str, *words: str) -> Process:
        """Start a worker of Dask's own, which knows nothing of us."""
        dask = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--no-nanny", "--nthreads", "1"]
        return self._started(name, [*dask, "--name", name, *words], self._folder)

    def said(self, name: str) -> str:
        """Return what a process has written to stderr so far."""
        return (self._folder / f"{name}.log").read_text(encoding="utf-8")

    def _started(self, name: str, words: Sequence[str], folder: Path) -> Process:
        with (self._folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(words, stderr=log, cwd=folder, env=self.variables)
        self._processes.append(process)
        return process

    def end(self) -> None:
        """Kill all that is left."""
        for process in self._processes:
            process.kill()
            process.wait()


@contextmanager
def cluster_in(folder: Path, **variables: str) -> Iterator[ClusterHere]:
    """Run a cluster for the duration of the block."""
    cluster = ClusterHere(folder, **variables)
    try:
        cluster.scheduler()
        yield cluster
    finally:
        cluster.end()


def begun(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Begin a command in a folder, as in a pipe."""
    pipe, environment = subprocess.PIPE, os.environ | IN_A_PIPE
    return subprocess.Popen([*PROGRAM, *words], cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)
