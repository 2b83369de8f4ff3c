"""Start commands of `perft-check` in milliseconds, by forking a server that has imported the program.

Each command is a separate process with its own folder, environment, arguments and streams. It behaves like
`python -m perft_check`, except that half a second of imports is saved. Each pytest worker starts one server when a test
first needs it, and the server ends with the worker.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

READ_AT_START = ("NUMBA_", "PYTHON", "LD_", "LC_", "LANG", "TZ", "OPENBLAS_", "PERFT_CHECK_PORTABLE")
"""Prefixes of environment variables that are read when Python starts or a module is imported."""
MEASURED = "COVERAGE_PROCESS_CONFIG"
"""The environment variable that makes Python processes measure coverage."""
COMMANDS = ("run -s smoke --max-depth 1 -q -e python-chess", "divide startpos 1", "perft startpos 1 -e own", "nonsense")
"""Commands whose imports the server loads: an engine, perft-check's generator, a usage error."""
MOST_BYTES = 100_000
"""Maximum size of a request; a longer command line is started without the server."""


def can_fork(arguments: Sequence[str], variables: Mapping[str, str]) -> bool:
    """Return True if the server can start this command, because it has the same variables that are read at startup."""
    if sys.platform != "linux" or MEASURED in variables:
        return False
    size = sum(map(len, [*arguments, *variables.values()]))
    return size < MOST_BYTES and _read_at_start(variables) == _server().variables


class ForkedProcess:
    """A command started by the server, with the methods of `subprocess.Popen` that tests use.

    Its stdin is empty. Its outputs are pipes or the given terminal, which becomes its controlling terminal.
    """

    def __init__(
        self, arguments: Sequence[str], folder: Path | str, variables: Mapping[str, str], terminal: int | None = None
    ) -> None:
        self.args = list(arguments)
        self.returncode: int | None = None
        self._outputs: list[int] = []
        self._status, remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        given = [remote.detach()]
        if terminal is None:
            given.append(os.open(os.devnull, os.O_RDONLY))
            for _ in ("stdout", "stderr"):
                read, end = os.pipe()
                given.append(end)
                self._outputs.append(read)
        else:
            given += [os.dup(terminal) for _ in range(3)]
        request = {"arguments": self.args, "folder": str(folder), "variables": dict(variables)}
        message = json.dumps(request | {"has_terminal": terminal is not None})
        socket.send_fds(_server().requests, [message.encode()], given)
        for end in given:
            os.close(end)
        self.pid = int(self._status.recv(20))

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the command; return its exit status like `Popen.returncode`. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(list(self.args), timeout or 0)
            self.returncode = int(self._status.recv(20))
            self._status.close()
        return self.returncode

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Return stdout and stderr of the command. After the timeout, kill it and raise TimeoutExpired."""
        texts = ["", ""]
        readers = [Thread(target=self._read, args=(texts, place), daemon=True) for place in (0, 1)]
        for reader in readers:
            reader.start()
        try:
            self.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        for reader in readers:
            reader.join(timeout)
        return texts[0], texts[1]

    def _read(self, texts: list[str], place: int) -> None:
        with open(self._outputs[place], encoding="utf-8") as output:
            texts[place] = output.read()

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the command has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the command."""
        self.send_signal(signal.SIGKILL)


class _Server(NamedTuple):
    requests: socket.socket
    variables: dict[str, str]


def _read_at_start(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if name.startswith(READ_AT_START)}


@cache
def _server() -> _Server:
    """Start the server of this process."""
    requests, remote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    variables = _read_at_start(os.environ)
    with remote:
        process = subprocess.Popen(
            [sys.executable, __file__, str(remote.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # threads would not survive a fork
            pass_fds=[remote.fileno()],
        )
    atexit.register(process.wait)  # runs after the next function
    atexit.register(requests.close)
    return _Server(requests, variables)


def _load() -> None:
    """Import what commands import. Running them in this process would leave threads, which do not survive a fork."""
    read, write = os.pipe()
    if os.fork() == 0:
        run_command_line = import_module("perft_check.harness.cli.program").run_command_line
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            for command in COMMANDS:
                run_command_line(command.split())
        os.write(write, " ".join(sys.modules).encode())
        os._exit(0)
    os.close(write)
    with open(read) as modules:
        for name in modules.read().split():
            with suppress(ImportError):  # modules that were created dynamically
                import_module(name)
    os.wait()


def _serve(requests: socket.socket) -> dict[str, Any]:
    """Fork a process for each request, and report its exit status. Return only in new processes, with the request."""
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        for ready in select.select([requests.fileno(), *running], [], [])[0]:
            if ready in running:
                pid, status = running.pop(ready)
                os.close(ready)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with status, suppress(BrokenPipeError):  # the test may have given up
                    status.send(str(code).encode())
                continue
            message, given, _, _ = socket.recv_fds(requests, 2 * MOST_BYTES, 4)
            if not message:
                sys.exit()  # the tests have ended
            status = socket.socket(fileno=given[0])
            pid = os.fork()
            if pid == 0:
                for other in (requests, status, *(one for _, one in running.values())):
                    other.close()
                for number in running:
                    os.close(number)
                return {**json.loads(message), "streams": given[1:]}
            status.send(str(pid).encode())
            running[os.pidfd_open(pid)] = pid, status
            for stream in given[1:]:
                os.close(stream)


def _become(request: dict[str, Any]) -> None:
    """Set the streams, variables, folder and arguments of a command in this process."""
    for number, stream in enumerate(request["streams"]):
        os.dup2(stream, number)
        os.close(stream)
    if request["has_terminal"]:
        import fcntl  # not available on Windows
        import termios

        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(request["variables"])
    os.chdir(request["folder"])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs of a shell
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.argv = ["perft-check", *request["arguments"]]
    sys.path.insert(0, os.getcwd())


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file
    _load()
    gc.freeze()
    _become(_serve(socket.socket(fileno=int(sys.argv[1]))))
    runpy.run_module("perft_check", run_name="__main__", alter_sys=True)
