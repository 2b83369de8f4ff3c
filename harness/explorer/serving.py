"""The explorer in a browser: textual-serve on the loopback address, with a page that asks the network for nothing.

Any page of the web may try to reach a server on this machine. So a request is answered only if it names this server,
and if no other site has made the browser send it.
"""

from __future__ import annotations

import asyncio
import errno
import os
import shlex
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from textual_serve.server import Server

from ...errors import UsageError
from ..model.results.verdict import ExitCode

HOST = "127.0.0.1"


class _Server(Server):
    def __init__(self, words: Sequence[str], port: int, tell: Callable[[str], None]) -> None:
        command = shlex.join([sys.executable, "-m", "perft_check", *words])
        page = Path(__file__).with_name("page")
        super().__init__(command, HOST, port, title="perft-check explore", templates_path=page)
        self._tell = tell

    def initialize_logging(self) -> None:
        """Leave logging as it is."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(only_from(self.port))
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Tell where the page is, as soon as it can be opened."""
        self._telling = asyncio.ensure_future(self._tell_when_open())

    async def _tell_when_open(self) -> None:
        while True:
            try:
                _, writer = await asyncio.open_connection(HOST, self.port)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                break
        self._tell(f"exploring at http://{HOST}:{self.port}/ : Ctrl-C ends")


def only_from(port: int) -> Middleware:
    """Return what refuses requests that do not name this server, or that a page of another site has sent."""
    names = {f"{host}:{port}" for host in (HOST, "localhost")}
    origins = {f"http://{name}" for name in names}

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.host not in names or request.headers.get("Origin", f"http://{request.host}") not in origins:
            raise web.HTTPForbidden(text="perft-check explore answers pages of this machine only\n")
        return await handler(request)

    return check


def serve(words: Sequence[str], port: int, tell: Callable[[str], None]) -> ExitCode:
    """Serve the explorer, started with the words of its command line for each page, until Ctrl-C.

    `tell` gets the line that says where. Raises UsageError where the port is taken.
    """
    _Server(words, _free(port), tell).serve()
    return ExitCode.AGREE


def _free(port: int) -> int:
    """Return the port if it is free, and for 0 one that is. Raises UsageError."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            reason = "another program has it" if error.errno == errno.EADDRINUSE else os.strerror(error.errno or 0)
            raise UsageError(f"--port {port}: {reason}; give another one, or 0 for any that is free") from None
        return int(probe.getsockname()[1])
