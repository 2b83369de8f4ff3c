"""The explorer in a browser: on the loopback address, for pages of this machine, with nothing from the network."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyte
import pytest
from helpers.program import PROGRAM, Run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow
FAULT = "zoo:castling-through-attack"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TURNS = 600
"""Tenths of a second that the screen may take to show something, on a machine that has much to do."""


@contextmanager
def served(folder: Path, *words: str) -> Iterator[int]:
    """Serve the explorer with these words; yield the port."""
    program = subprocess.Popen(
        [*PROGRAM, "explore", *words, "--serve", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    try:
        assert program.stderr is not None
        line = next(line for line in program.stderr if "exploring at" in line)
        found = re.fullmatch(r"exploring at http://127\.0\.0\.1:(\d+)/ : Ctrl-C ends\n", line)
        assert found, line
        yield int(found[1])
    finally:
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 0


class Shown:
    """The screen as the page gets it, with what the page has asked for."""

    def __init__(self, browser: Browser, port: int) -> None:
        self._screen = pyte.Screen(200, 100)  # larger than any window
        self._stream = pyte.ByteStream(self._screen)
        self.requests: list[str] = []
        self.page = browser.new_page(viewport={"width": 730, "height": 470})
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._take))
        self.page.goto(f"http://127.0.0.1:{port}/?fontsize=15")

    def _take(self, frame: bytes | str) -> None:
        if isinstance(frame, bytes):
            self._stream.feed(frame)

    @property
    def text(self) -> str:
        """What the screen shows, on one line."""
        return " ".join(" ".join(self._screen.display).split())

    def shows(self, words: str) -> bool:
        """Tell whether the screen comes to show words."""
        for _ in range(TURNS):
            if words in self.text:
                return True
            self.page.wait_for_timeout(100)
        return False

    def colors(self) -> int:
        """Return how many colors the page draws."""
        found: int = self.page.evaluate(
            """() => {
                const canvas = document.querySelector('canvas.xterm-text-layer');
                const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                const colors = new Set();
                for (let at = 0; at < data.length; at += 4) colors.add(`${data[at]} ${data[at + 1]} ${data[at + 2]}`);
                return colors.size;
            }"""
        )
        return found


def test_a_find_is_opened_followed_down_and_read(browser: Browser, run: Run, tmp_path: Path) -> None:
    """A report with one failure; the keys go to the page without a click."""
    run("divide", KIWIPETE, "3", "-e", FAULT, "-a", "own:turbo", "--report", "find.json")
    with served(tmp_path, "find.json") as port:
        shown = Shown(browser, port)
        assert shown.shows("divide: zoo:castling-through-attack against own:turbo")
        shown.page.wait_for_selector(".xterm-helper-textarea:focus", state="attached")
        shown.page.keyboard.press("f")
        assert shown.shows("extra move: Castling through")
        assert shown.shows("[] wrong")
        assert shown.colors() > 10, "the board and the letters are drawn"
        assert {url.split("/")[2] for url in shown.requests if url.startswith("http")} == {f"127.0.0.1:{port}"}
        shown.page.close()


def test_the_page_has_no_faults_that_axe_knows(browser: Browser, tmp_path: Path) -> None:
    """A title, a language, contrast, landmarks."""
    from helpers.node_modules import path_in

    with served(tmp_path, "startpos", "--depth", "1") as port:
        shown = Shown(browser, port)
        assert shown.shows("depth 1")
        shown.page.add_script_tag(path=path_in("axe-core", "axe.min.js"))
        found: Any = shown.page.evaluate("axe.run().then((found) => found.violations.map((one) => one.id))")
        assert found == []
        shown.page.close()


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
def test_other_sites_are_refused(served_once: int, headers: dict[str, str], status: int) -> None:
    """The page, and the socket that drives the explorer."""
    for path in ("/", *["/ws"] * (status == 403)):
        connection = http.client.HTTPConnection("127.0.0.1", served_once, timeout=60)
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value.format(port=served_once))
        connection.endheaders()
        assert connection.getresponse().status == status
        connection.close()


@pytest.fixture(scope="module")
def served_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server for several tests."""
    with served(tmp_path_factory.mktemp("served"), "startpos") as port:
        yield port


def test_it_listens_on_the_loopback_address_alone(served_once: int) -> None:
    """As the kernel of the system says."""
    lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    listening = [line.split()[1] for line in lines if line.split()[3] == "0A"]
    assert [place for place in listening if place.endswith(f":{served_once:04X}")] == [f"0100007F:{served_once:04X}"]


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
