"""The explorer in a browser: on the loopback address, for pages of this machine, with nothing from the network."""

from __future__ import annotations

import asyncio
import http.client
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import aiohttp
import pytest
from helpers.explored import ExplorerPage, served
from helpers.program import PROGRAM, Run
from perft_check.errors import UsageError
from perft_check.harness.explorer.serving import MOST_SESSIONS, serve
from textual_serve.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow
FAULT = "zoo:castling-through-attack"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_a_find_is_opened_followed_down_and_read(browser: Browser, run: Run, tmp_path: Path) -> None:
    """A report with one failure; the keys go to the page without a click."""
    run("divide", KIWIPETE, "3", "-e", FAULT, "-a", "own:turbo", "--report", "find.json")
    with served(tmp_path, "find.json") as address:
        shown = ExplorerPage(browser, address)
        assert shown.shows("divide: zoo:castling-through-attack against own:turbo")
        shown.page.wait_for_selector(".xterm-helper-textarea:focus", state="attached")
        shown.page.keyboard.press("f")
        assert shown.shows("extra move: Castling through")
        assert shown.shows("[] wrong")
        assert shown.colors() > 10, "the board and the letters are drawn"
        assert {url.split("/")[2] for url in shown.requests if url.startswith("http")} == {urlsplit(address).netloc}
        shown.page.close()


def test_the_page_has_no_faults_that_axe_knows(browser: Browser, tmp_path: Path) -> None:
    """A title, a language, contrast, landmarks."""
    from helpers.node_modules import path_in

    with served(tmp_path, "startpos", "--depth", "1") as address:
        shown = ExplorerPage(browser, address)
        assert shown.shows("depth 1")
        shown.page.add_script_tag(path=path_in("axe-core", "axe.min.js"))
        found: Any = shown.page.evaluate("axe.run().then((found) => found.violations.map((one) => one.id))")
        assert found == []
        shown.page.close()


COOKIE = "perft-check-token-{port}={token}"


def asked(address: str, path: str, headers: Mapping[str, str]) -> int:
    """Return the status of the answer to a request; `{port}` and `{token}` are those of the server."""
    port, token = parts_of(address)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest("GET", path.format(token=token), skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value.format(port=port, token=token))
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


def parts_of(address: str) -> tuple[int, str]:
    """Return port and token of an address."""
    parts = urlsplit(address)
    assert parts.port is not None
    return parts.port, parts.query.removeprefix("token=")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Origin": "http://localhost:{port}", "Host": "localhost:{port}"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example:{port}"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
    ],
)
def test_other_sites_are_refused(served_once: str, headers: dict[str, str], status: int) -> None:
    """The page, and the socket that drives the explorer, though the token is right."""
    assert asked(served_once, "/?token={token}", headers) == status
    if status == 403:
        assert asked(served_once, "/ws", {"Cookie": COOKIE, **headers}) == status


@pytest.mark.parametrize(
    "path", ["/", "/?token=", "/?token=wrong", "/ws", "/ws?token={token}", "/static/js/textual.js"]
)
def test_who_does_not_know_the_token_is_refused(served_once: str, path: str) -> None:
    """Any user of this machine may reach the port."""
    assert asked(served_once, path, {"Origin": "http://127.0.0.1:{port}"}) == 403


def test_a_socket_whose_opener_is_not_named_is_refused(served_once: str) -> None:
    """Every browser names it."""
    assert asked(served_once, "/ws", {"Cookie": COOKIE}) == 403
    assert asked(served_once, "/static/js/textual.js", {"Cookie": COOKIE}) == 200


def test_the_number_of_sessions_is_limited_and_junk_ends_one_in_a_line(tmp_path: Path) -> None:
    """Each session has a process with engines."""
    program = subprocess.Popen(
        [*PROGRAM, "explore", "startpos", "--serve", "--port", "0"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    assert program.stderr is not None
    address = next(line for line in program.stderr if "exploring at" in line).split()[2]
    with ThreadPoolExecutor() as apart:  # the browser of other tests has its loop in this thread
        apart.submit(asyncio.run, _open_too_many(address)).result()
    program.send_signal(signal.SIGINT)
    assert program.wait(30) == 0
    lines = program.stderr.read().splitlines()
    assert [line[:29] for line in lines] == ["the session of a page ended: "] * len(JUNK), lines


JUNK = ("no JSON", "{}", '["stdin"]', '["stdin", 7]', '["resize", {}]', "[]", '["\\u001b[2J"', '["resize", 3]')


async def _open_too_many(address: str) -> None:
    port, token = parts_of(address)
    headers = {"Origin": f"http://127.0.0.1:{port}", "Cookie": COOKIE.format(port=port, token=token)}
    async with aiohttp.ClientSession() as session:
        sockets = [
            await session.ws_connect(f"http://127.0.0.1:{port}/ws", headers=headers) for _ in range(MOST_SESSIONS)
        ]
        with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
            await session.ws_connect(f"http://127.0.0.1:{port}/ws", headers=headers)
        assert refusal.value.status == 503
        for socket, junk in zip(sockets, JUNK, strict=True):
            await socket.send_str(junk)
        for socket in sockets:
            async for _ in socket:
                pass


def test_without_the_function_that_is_guarded_nothing_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Server, "_make_app")
    with pytest.raises(UsageError, match=r"--serve: this version of textual-serve is not known"):
        serve(["explore"], 0, print)


@pytest.fixture(scope="module")
def served_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for several tests."""
    with served(tmp_path_factory.mktemp("served"), "startpos") as address:
        yield address


def test_it_listens_on_the_loopback_address_alone(served_once: str) -> None:
    """As the kernel of the system says."""
    port, _ = parts_of(served_once)
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    listening = [line.split()[1] for line in lines if line.split()[3] == "0A"]
    assert [place for place in listening if place.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]


def test_a_port_that_is_taken_is_told(run: Run) -> None:
    """One line, and status 2."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("explore", "--serve", "--port", str(port))
    assert done.returncode == 2
    line = f"perft-check: --port {port}: another program has it; give another one, or 0 for any that is free\n"
    assert done.stderr == line


def test_bad_input_is_told_before_anything_is_served(run: Run) -> None:
    """A page that says so would be too late."""
    done = run("explore", "8/8 w", "--serve")
    assert (done.returncode, done.stdout) == (2, "")
    assert "bad FEN" in done.stderr
    done = run("explore", "kiwipete", "-e", "./nobody", "--serve")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no file ./nobody" in done.stderr
