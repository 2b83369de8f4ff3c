"""The commented configuration that `perft-check init` writes, and whether somebody has changed it since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from ....reports.text import duration
from ....suites.bundled import ALL_BUNDLED
from ....suites.case import UNPRINTABLE
from ...checking.budget import Budget
from ...engines.spec import EngineSpec

TEMPLATE = """\
# Configuration of perft-check. A key is an option of the command line without its dashes; it is for all commands that
# have the option. The command line goes before this file.
# Paths start from the folder of this file.

# The engine under test:
{facts}
{engine}

# Generators that count everything as well:
# against = ["python-chess", "uci:stockfish"]

suite = {suites}
# Counts with more nodes are left out. With {limit} a run takes about {seconds}.
{max_nodes}
# Time for a count, beside a second for every 50,000 nodes:
# timeout = "10s"
# report = ["json=perft.json"]

# Random positions that no suite has: `perft-check fuzz`. The same seed draws the same positions.
seed = 1
examples = "10k"

# At night, or with a file of its own that --config names:
#   perft-check run {all} --max-nodes 1G
#   perft-check fuzz --examples 1M

"""
LAST_LINE = "# As long as nobody changes it, perft-check init -e SPEC replaces this file: {digest}\n"
"""It has the digest of all lines above it."""


def document(engine: str, facts: Iterable[tuple[str, str]], run: Budget, chess960: bool) -> str:
    """Return the text of a configuration for an engine, and for a run of known length; `facts` become comments.

    Its last line tells by a digest whether it is as it was written.
    """
    every = [name for name in ALL_BUNDLED if chess960 or "chess960" not in name]
    spec = EngineSpec(engine)
    lines = [f"engine = {_toml_string(spec.bare)}"]
    lines += [f"option = {_toml_array(spec.options)}"] if spec.options else []
    lines += [f"name = {_toml_string(spec.name)}"] if spec.is_given else []
    text = TEMPLATE.format(
        engine="\n".join(lines),
        facts="\n".join(f"#   {UNPRINTABLE.sub('?', f'{name}: {value}')}" for name, value in facts),
        suites=_toml_array(run.suites),
        limit="all counts" if run.leaves_nothing_out else "this limit",
        seconds=duration(run.seconds),
        max_nodes=f"{'# ' if run.leaves_nothing_out else ''}max-nodes = {run.max_nodes:_}",
        all=" ".join(f"-s {name}" for name in every),
    )
    return text + _last_line(text.encode())


def is_as_written(data: bytes) -> bool:
    """Return True if a file was written by `document` and is unchanged."""
    *lines, last = data.splitlines(keepends=True) or [b""]
    return last == _last_line(b"".join(lines)).encode()


def _last_line(above: bytes) -> str:
    return LAST_LINE.format(digest=hashlib.sha256(above).hexdigest()[:32])


def _toml_string(text: str) -> str:
    """Return a text as a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_array(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_toml_string, texts))}]"
