"""Dask's page about a cluster, where its scheduler has one."""

from __future__ import annotations

from contextlib import suppress
from urllib.request import urlopen

SECONDS = 3.0
NO_PAGE = b"Dask needs"
"""How the page begins that a scheduler without bokeh has instead."""


def has_page(link: str) -> bool:
    """Tell whether there is a dashboard at a link, within a few seconds."""
    with suppress(OSError, ValueError), urlopen(link, timeout=SECONDS) as page:
        return NO_PAGE not in page.read(200)
    return False
