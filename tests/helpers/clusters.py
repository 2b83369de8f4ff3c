"""A local Dask cluster: a scheduler and workers in processes that tests may kill."""

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
"""Ports that systems do not assign to outgoing connections, so that a free port stays free."""


def free_port() -> int:
    """Return a port on which no process listens."""
    while True:
        port = random.choice(PORTS)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


class LocalCluster:
    """A cluster whose scheduler keeps its address when it is restarted."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """Write logs to `folder`. With environment variables for TLS, the addresses use TLS."""
        self._folder, self.variables = folder, os.environ | IN_A_PIPE | {"TMPDIR": str(folder)} | variables
        self.address = f"{'tls' if variables else 'tcp'}://127.0.0.1:{free_port()}"
        self._processes: list[Process] = []

    def scheduler(self) -> Process:
        """Start the scheduler, and wait until it listens."""
        scheme, (host, port) = self.address[:3], self.address[6:].split(":")
        words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--protocol", scheme]
        words += ["--host", host, "--port", port]
        process = self._start("scheduler", [*words, "--no-dashboard", "--no-show"], self._folder)
        until(lambda: "Scheduler at:" in self.said("scheduler"))
        return process

    def worker(
        self, name: str, program: Sequence[str] = PROGRAM, is_awaited: bool = True, folder: Path | None = None
    ) -> Process:
        """Start a worker with one thread, in `folder` if it is given, and wait until it has joined."""
        words = [*program, "worker", self.address, "--threads", "1", "--name", name]
        process = self._start(name, words, folder or self._folder)
        if is_awaited:
            until(lambda: f"{name}: joined " in self.said(name))
        return process

    def plain_worker(self, name: str, *words: str) -> Process:
        """Start one of Dask's workers, which does not use perft-check's command."""
        dask = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--no-nanny", "--nthreads", "1"]
        return self._start(name, [*dask, "--name", name, *words], self._folder)

    def said(self, name: str) -> str:
        """Return the stderr of a process so far."""
        return (self._folder / f"{name}.log").read_text(encoding="utf-8")

    def _start(self, name: str, words: Sequence[str], folder: Path) -> Process:
        with (self._folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(words, stderr=log, cwd=folder, env=self.variables)
        self._processes.append(process)
        return process

    def end(self) -> None:
        """Kill all processes."""
        for process in self._processes:
            process.kill()
            process.wait()


@contextmanager
def cluster_in(folder: Path, **variables: str) -> Iterator[LocalCluster]:
    """Run a cluster for the duration of the block."""
    cluster = LocalCluster(folder, **variables)
    try:
        cluster.scheduler()
        yield cluster
    finally:
        cluster.end()


def start_command(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start a command in a folder, with its output in pipes."""
    pipe, environment = subprocess.PIPE, os.environ | IN_A_PIPE
    return subprocess.Popen([*PROGRAM, *words], cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)
