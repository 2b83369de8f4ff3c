"""The folder of compiled kernels. Other users must not be able to write to it, because its content is executed."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2]
KEPT_VERSIONS = 4
"""Number of source versions whose compiled kernels are kept on disk."""
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH

log = logging.getLogger("perft_check")
"""Logger for messages about the cache. Python prints each on one line to stderr unless a handler is installed."""


def source_digest() -> str:
    """Return a short digest of all source files in `generator/`, the cache key of the kernels."""
    return digest_of(SOURCES)


def package_digest(module: str) -> str:
    """Return a digest of all source files in the package of a module; empty for a module of the generator.

    Only the kernels in that package depend on these files; changing them does not recompile the generator's kernels.
    """
    package = sys.modules.get(module.rpartition(".")[0])
    folders = [Path(folder).resolve() for folder in getattr(package, "__path__", ())]
    return "".join(digest_of(folder) for folder in folders if not folder.is_relative_to(SOURCES))


@cache
def digest_of(folder: Path) -> str:
    """Return a short digest of all source files in a folder and its subfolders."""
    # Files without kernels are included, because their helpers or constants may affect the machine code.
    digest = hashlib.sha256()
    for source in sorted(folder.rglob("*.py")):
        digest.update(source.relative_to(folder).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _candidates() -> Iterator[Path]:
    """Yield the possible locations of the cache: `NUMBA_CACHE_DIR`, then the user's cache folder."""
    if configured := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(configured).absolute()
    from platformdirs import user_cache_path

    yield user_cache_path("perft-check").absolute()


@cache
def cache_folder() -> Path | None:
    """Return the folder for kernels of exactly this source version, or None if there is no safe location.

    Folders of other source versions are removed, except for the `KEPT_VERSIONS` most recently used.
    """
    objections = []
    for place in _candidates():
        folder = place / f"kernels-{source_digest()}"
        if (objection := why_unsafe(folder)) is not None:
            objections.append(f"{folder} {objection}")
            continue
        if objections:
            log.warning("perft-check: %s: compiled kernels are kept in %s", objections[0], folder)
        _remove_old_versions(folder)
        return folder
    log.warning(
        "perft-check: %s: kernels are compiled in every run; set NUMBA_CACHE_DIR to a folder of your own", objections[0]
    )
    return None


def cache_root() -> Path | None:
    """Return the folder for all persistent files, or None if there is no safe location."""
    folder = cache_folder()
    return None if folder is None else folder.parent


def _remove_old_versions(latest: Path) -> None:
    os.utime(latest)
    versions = sorted(latest.parent.glob("kernels-*"), key=_last_used, reverse=True)
    for stale in versions[KEPT_VERSIONS:]:
        shutil.rmtree(stale, ignore_errors=True)


def why_unsafe(folder: Path) -> str | None:
    """Create a folder if missing; return why code cannot be stored in it, as the end of a sentence, or None."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        own = folder.stat()
    except OSError as error:
        return f"cannot be used ({error.strerror})"
    if not os.access(folder, os.W_OK):
        return "cannot be written"
    if os.name != "posix":
        return None
    if own.st_uid != os.geteuid():
        return "belongs to another user"
    # perft-check has created this folder, so no group needs write access to it.
    if own.st_mode & _OTHERS_WRITE:
        return "can be written by other users"
    return why_others_may_write(folder)


def why_others_may_write(path: Path) -> str | None:
    """Return why a user other than root may change a file or folder, as the end of a sentence, or None.

    On Windows, permissions are not checked.
    """
    if os.name != "posix":
        return None
    try:
        own = path.stat()
        parents = [parent.stat() for parent in {*path.parents, *path.resolve().parents}]  # of symbolic links, too
    except OSError as error:
        return f"cannot be used ({error.strerror})"
    if own.st_uid not in (0, os.geteuid()):
        return "belongs to another user"
    if _lets_others_write(own):
        return "can be written by other users"
    # Users who can write to a parent folder could replace the folder, unless the parent is sticky, such as /tmp.
    if any(_lets_others_write(parent) and not parent.st_mode & stat.S_ISVTX for parent in parents):
        return "lies in a folder that other users can write to"
    return None


def _lets_others_write(folder: os.stat_result) -> bool:
    """Return True if others can write to a folder.

    Write access by the user's private group, which some systems create, does not count.
    """
    if not folder.st_mode & _OTHERS_WRITE or folder.st_mode & stat.S_IWOTH:
        return bool(folder.st_mode & stat.S_IWOTH)
    return folder.st_gid != os.getegid() or not _is_group_of_one(folder.st_gid)


@cache
def _is_group_of_one(group: int) -> bool:
    """Return True if this user is the only known member of a group."""
    import grp
    import pwd

    try:
        user_name = pwd.getpwuid(os.geteuid()).pw_name
        members = {*grp.getgrgid(group).gr_mem, *(user.pw_name for user in pwd.getpwall() if user.pw_gid == group)}
    # In some containers, users or groups have no names.
    except KeyError:
        return False
    return members <= {user_name}


def _last_used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    # Another process has removed the folder since it was listed.
    except OSError:
        return 0.0
