"""Short names of engines, by which lines and files of a run with several of them are told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OTHERS = re.compile(r"[^A-Za-z0-9_.]+")


def names_of(engines: Sequence[str]) -> list[str]:
    """Return a name for each SPEC that can stand in the name of a file, no two alike: its program, or the SPEC itself.

    `uci:./build/mine --fast` becomes `mine`, a second one of that name `mine-2`, and `own:turbo` becomes `own-turbo`.
    """
    plain = [_plain(engine) for engine in engines]
    names: list[str] = []
    for name in plain:
        numbers = (f"{name}-{number}" for number in range(2, len(engines) + 2))
        names.append(name if name not in names else next(one for one in numbers if one not in names + plain))
    return names


def _plain(engine: str) -> str:
    program = engine.split()[0].rstrip("/").rpartition("/")[2] if engine.split() else engine
    return _OTHERS.sub("-", program).strip("-.") or "engine"
