"""Files that the system has another program start: the interpreters that are registered with Linux (binfmt_misc).

So a machine may start programs of Windows (by Wine, or in WSL), archives of Java, and programs for other processors.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

BINFMT_MISC = Path("/proc/sys/fs/binfmt_misc")
"""Where Linux shows them, a file for each (Documentation/admin-guide/binfmt-misc.rst)."""


def has_interpreter(path: Path, head: bytes) -> bool:
    """Return True if the system starts a file that begins with `head` by a registered interpreter."""
    return any(_fits(entry, path, head) for entry in _entries())


def _entries() -> Iterator[dict[str, str]]:
    """Yield what is registered and enabled, each as the words of its lines."""
    try:
        files = list(BINFMT_MISC.iterdir())
    except OSError:  # another system, or one that has none
        return
    for file in files:
        try:
            lines = file.read_text().splitlines()
        except (OSError, ValueError):  # one of them takes registrations, and cannot be read
            continue
        if lines[:1] == ["enabled"]:
            yield {key: value for key, _, value in (line.partition(" ") for line in lines)}


def _fits(entry: dict[str, str], path: Path, head: bytes) -> bool:
    if (extension := entry.get("extension")) is not None:
        return path.name.endswith(extension)
    try:
        magic, offset = bytes.fromhex(entry["magic"]), int(entry.get("offset", "0"))
        mask = bytes.fromhex(entry["mask"]) if "mask" in entry else b"\xff" * len(magic)
    except (KeyError, ValueError):
        return False
    part = head[offset : offset + len(magic)]
    return len(part) == len(magic) > 0 and all(
        one & bits == other & bits for one, bits, other in zip(part, mask, magic, strict=True)
    )
