"""Compiled kernels that come with the package, made for kinds of processors, and where a fitting one is.

`generator/kernels/build.py` makes them. They lie in the package's own folder and nowhere else: whoever may write there
may change our sources as well. They are for exactly the sources and versions that have made them.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .execution_mode import versions
from .folders import SOURCES, room_digest, source_digest, why_others_may_write
from .target import SETTINGS

FOLDER = SOURCES / "kernels" / "shipped"
"""Where a package has them, in a folder for each target."""
ENDING = ".kernel"


class CompileTarget(NamedTuple):
    """A kind of processors, in LLVM's words."""

    name: str
    machines: frozenset[str]
    """What systems call such a machine."""
    cpu: str
    features: frozenset[str]
    """What the processor has to have, and the code may use."""

    @property
    def notation(self) -> str:
        """The features as Numba takes them: `+avx,+avx2`."""
        return ",".join(f"+{feature}" for feature in sorted(self.features))

    def fits(self, machine: str, found: frozenset[str]) -> bool:
        """Tell whether its code runs on a machine whose processor has these features."""
        return machine.lower() in self.machines and self.features <= found


_X86, _ARM = frozenset({"x86_64", "amd64"}), frozenset({"aarch64", "arm64"})
_X86_64 = frozenset({"cmov", "cx8", "fxsr", "mmx", "sse", "sse2"})
_V2 = _X86_64 | {"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"}
_V3 = _V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
TARGETS = (
    CompileTarget("x86-64-v3", _X86, "x86-64-v3", _V3),
    CompileTarget("generic", _X86, "x86-64", _X86_64),
    CompileTarget("generic", _ARM, "generic", frozenset({"neon"})),
)
"""Those that kernels are made for; of each kind of machine the best first."""


def fitting_targets() -> tuple[CompileTarget, ...]:
    """Return those whose code runs on this machine, the best first."""
    return tuple(one for one in TARGETS if one.fits(platform.machine(), machine_features()))


def machine_features() -> frozenset[str]:
    """Return what this processor has, in LLVM's words; nothing where there is no LLVM, or it does not know."""
    try:
        from llvmlite import binding

        return frozenset(name for name, is_here in binding.get_host_cpu_features().items() if is_here)
    except (ImportError, OSError, RuntimeError):
        return frozenset()


def folder_of(folder: Path, target: CompileTarget) -> Path:
    """Return where the kernels of a target are, in a folder named by all that each of them depends on."""
    from llvmlite import binding

    # Without the version of NumPy: the code works on words, and calls nothing of it.
    made_by = versions("numba", "llvmlite"), sys.implementation.cache_tag, binding.get_process_triple()
    key = repr((source_digest(), target.cpu, target.notation, *made_by))
    return folder / f"{target.name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


@cache
def folders_for_us() -> tuple[Path, ...]:
    """Return the folders in the package whose kernels are made for what is here, the best first."""
    if _settings_of_user() or not FOLDER.is_dir():
        return ()
    return tuple(folder for one in fitting_targets() if (folder := folder_of(FOLDER, one)).is_dir())


def _settings_of_user() -> list[str]:
    """Return the variables that tell Numba how to compile: whoever sets one wants code that is compiled so."""
    names = [f"NUMBA_{name}" for name in ("CPU_NAME", "CPU_FEATURES", *SETTINGS)]
    return [name for name in names if name in os.environ]


def why_not_used() -> str | None:
    """Return why the kernels in the package are not used, or None."""
    if settings := _settings_of_user():
        return f"{settings[0]} is set"
    if not folders_for_us():
        return "they are for other processors, or for another version of Python, Numba or perft-check"
    return next(filter(None, map(_why_unsafe, folders_for_us())), None)


def _why_unsafe(path: Path) -> str | None:
    """Return why what is at a path in the package's folder may be by others, or None."""
    # Each folder is looked at, too: whoever has one can exchange the files in it for others of ours.
    places = [path, *(parent for parent in path.parents if parent.is_relative_to(FOLDER))]
    objections = ((place, why_others_may_write(place)) for place in places)
    return next((f"{place} {objection}" for place, objection in objections if objection), None)


@cache
def find_shipped(module: str, name: str, form: str) -> Path | None:
    """Return the file of a form of a kernel in the package, the best one; None where none may be used."""
    files = [folder / file_name(module, name, form) for folder in folders_for_us()]
    return next((file for file in files if file.is_file() and _why_unsafe(file) is None), None)


def file_name(module: str, name: str, form: str) -> str:
    """Return the name of the file of a form; it depends on the sources of the kernel's room."""
    key = repr((module, form, room_digest(module)))
    return f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{ENDING}"
