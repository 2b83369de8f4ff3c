"""The commented configuration that `perft-check init` writes, and whether somebody has changed it since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ....reports.text import duration
from ....suites.bundled import EVERY
from ....suites.case import UNPRINTABLE
from .budget import Budget

TEMPLATE = """\
# Configuration of perft-check. `perft-check config` shows what is in force, and from where.
# A key is an option of the command line without its dashes. The command line goes before this file.
# Paths start from the folder of this file.

# The engine under test:
{facts}
engine = {engine}

# Generators that count everything as well:
# against = ["python-chess", "uci:stockfish"]

[run]
suite = {suites}
# Counts with more nodes are left out. With {limit} a run takes about {seconds}.
{max_nodes}
# Time for a count, beside a second for every 50,000 nodes:
timeout = "10s"
# report = ["json=perft.json"]

[fuzz]
# Random positions that no suite has: `perft-check fuzz`. The same seed draws the same positions.
seed = 1
examples = "10k"

# For `perft-check --profile nightly`:
[profile.nightly.run]
suite = {all}
max-nodes = "1G"

[profile.nightly.fuzz]
examples = "1M"

"""
LAST_LINE = "# As long as nobody changes it, perft-check init -e SPEC replaces this file: {digest}\n"
"""It has the digest of all lines above it."""


def document(engine: str, facts: Iterable[tuple[str, str]], run: Budget, chess960: bool) -> str:
    """Return the text of a configuration for an engine, and for a run of known length; `facts` become comments.

    Its last line tells by a digest whether it is as it was written.
    """
    every = [name for name in EVERY if chess960 or "chess960" not in name]
    text = TEMPLATE.format(
        engine=_string(engine),
        facts="\n".join(f"#   {_comment(f'{name}: {value}')}" for name, value in facts),
        suites=_strings(run.suites),
        limit="all counts" if run.leaves_nothing_out else "this limit",
        seconds=duration(run.seconds),
        max_nodes=f"{'# ' if run.leaves_nothing_out else ''}max-nodes = {run.max_nodes:_}",
        all=_strings(every),
    )
    return text + _last_line(text.encode())


def is_as_written(data: bytes) -> bool:
    """Tell whether a file is one of `document`, and nobody has changed it."""
    *lines, last = data.splitlines(keepends=True) or [b""]
    return last == _last_line(b"".join(lines)).encode()


def _last_line(above: bytes) -> str:
    return LAST_LINE.format(digest=hashlib.sha256(above).hexdigest()[:32])


def _string(text: str) -> str:
    """Return a text as a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _strings(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_string, texts))}]"


def _comment(text: str) -> str:
    return UNPRINTABLE.sub("?", text)
