"""Build the site once for all test processes, and open its pages in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from docs.blocks import ROOT
from filelock import FileLock

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Shown = Callable[..., "Page"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built with `--strict`."""
    for package in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(package, reason="the site needs: pip install -e '.[docs]'")
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder = shared / "site-of-docs"
    with FileLock(shared / "site-of-docs.lock"):
        if not (folder / "index.html").exists():
            build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
            done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def shown(browser: Browser, site: Path) -> Iterator[Shown]:
    """Return a function that opens a page of the site, and fail on network requests and script errors."""
    troubles: list[str] = []
    windows: dict[bool, Page] = {}

    def note_request(url: str) -> None:
        if not url.startswith((site.as_uri(), "data:")):
            troubles.append(url)

    def window(scripts: bool) -> Page:
        page = browser.new_context(java_script_enabled=scripts, reduced_motion="reduce").new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda request: note_request(request.url))
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        return page

    def show(name: str, width: int = 1280, scripts: bool = True) -> Page:
        if scripts not in windows:
            windows[scripts] = window(scripts)
        page = windows[scripts]
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme="light")
        page.goto((site / name).as_uri())
        return page

    yield show
    for page in windows.values():
        page.context.close()
    assert troubles == []
