"""The explorer in a browser: textual-serve on the loopback address, with a page that asks the network for nothing.

Any page of the web and any user of this machine may try to reach a server on it. So a request is answered only if it
names this server, if no other site has made the browser send it, and if it shows the token of the printed address.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import shlex
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from textual_serve.server import Server

from ...errors import UsageError, shorten
from ..engines.our_processes import python_command
from ..model.results.verdict import ExitCode

HOST = "127.0.0.1"
TOKEN = "token"
"""The name of the token in the printed address, and of what the browser is given to show afterwards."""
SOCKET = "/ws"
MAKES_APP = "_make_app"
"""What the server calls for what it serves, and what we guard."""
MOST_SESSIONS = 8
"""So many pages may be open at once: each has a process of its own, with engines."""
_LOGGERS = ("textual-serve", "aiohttp", "asyncio")
_LONGEST = 200
"""Characters of a line about a session."""


class _Server(Server):
    def __init__(self, words: Sequence[str], port: int, tell: Callable[[str], None]) -> None:
        command = shlex.join(python_command("perft_check", *words))
        page = Path(__file__).with_name("page")
        super().__init__(command, HOST, port, title="perft-check explore", templates_path=page)
        self._tell, self._token = tell, secrets.token_urlsafe(16)

    def initialize_logging(self) -> None:
        """Tell in a line what is wrong with a session, such as junk on its socket."""
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [_OneLine(self._tell)], False

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.extend((only_from(self.port), only_with(self._token), at_most(MOST_SESSIONS)))
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
        self._tell(f"exploring at http://{HOST}:{self.port}/?{TOKEN}={self._token} : Ctrl-C ends")


class _OneLine(logging.Handler):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        what = record.getMessage() if error is None else f"{type(error).__name__}: {error}"
        self._tell(f"the session of a page ended: {shorten(ascii(what)[1:-1], _LONGEST)}")


def only_from(port: int) -> Middleware:
    """Return a middleware that refuses requests that do not name this server, or that a page of another site sent."""
    names = {f"{host}:{port}" for host in (HOST, "localhost")}
    origins = {f"http://{name}" for name in names}

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        usual = "" if request.path == SOCKET else f"http://{request.host}"  # every browser says who opens a socket
        if request.host not in names or request.headers.get("Origin", usual) not in origins:
            raise web.HTTPForbidden(text="perft-check explore answers pages of this machine only\n")
        return await handler(request)

    return check


def only_with(token: str) -> Middleware:
    """Return a middleware that refuses requests that do not show the token, in the address or as a cookie."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        cookie = f"perft-check-{TOKEN}-{request.url.port}"  # cookies are those of all ports
        named = request.query.get(TOKEN, "") if request.path == "/" else ""
        if not any(
            secrets.compare_digest(one.encode(), token.encode()) for one in (named, request.cookies.get(cookie, ""))
        ):
            raise web.HTTPForbidden(text=f"open the address that perft-check has printed, with its {TOKEN}\n")
        response = await handler(request)
        if named:
            response.set_cookie(cookie, token, httponly=True, samesite="Strict")
        return response

    return check


def at_most(sessions: int) -> Middleware:
    """Return a middleware that refuses a socket where so many are open."""
    is_open: set[int] = set()

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path != SOCKET:
            return await handler(request)
        if len(is_open) >= sessions:
            raise web.HTTPServiceUnavailable(text=f"{sessions} pages are open: close one\n")
        is_open.add(id(request))
        try:
            return await handler(request)
        finally:
            is_open.discard(id(request))

    return check


def serve(words: Sequence[str], port: int, tell: Callable[[str], None]) -> ExitCode:
    """Serve the explorer, started with the words of its command line for each page, until Ctrl-C.

    `tell` gets the line that says where. Raises UsageError where the port is taken, and where this version of
    textual-serve would serve the page to everybody.
    """
    if not hasattr(Server, MAKES_APP):
        raise UsageError("--serve: this version of textual-serve is not known: pip install 'textual-serve<2'")
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
