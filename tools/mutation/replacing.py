"""Replace the generator with a mutated one in a child process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from mutation.mutants import Mutant
from mutation.targets import BUILDERS, path_of
from perft_check.generator.kernels.sliders.magic import Words
from perft_check.generator.kernels.tables import BACKENDS, Backend, build_block

PACKAGE = "perft_check.generator"


class MutantLoader(MetaPathFinder, Loader):
    """Imports one module from a changed source, and leaves all others to the usual importers."""

    def __init__(self, module: str, source: str) -> None:
        self.name = f"{PACKAGE}.{module}"
        self.code = compile(source, f"<mutant of {module}>", "exec")

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the spec of the changed module, or None for any other module."""
        return spec_from_loader(name, self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(self.code, module.__dict__)


@cache
def original_tables() -> dict[Backend, Words]:
    """Return the tables of the original generator; call this in the parent, so that child processes inherit them."""
    return {backend: build_block(backend) for backend in BACKENDS}


def install_mutant(mutant: Mutant) -> None:
    """Import the generator again, as plain Python with the mutant."""
    source = mutant.applied_to(path_of(mutant.module).read_text(encoding="utf-8"))
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for name in [name for name in sys.modules if name == PACKAGE or name.startswith(f"{PACKAGE}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, MutantLoader(mutant.module, source))
    import_module(f"{PACKAGE}.{mutant.module}")
    from perft_check.generator.kernels import tables

    if mutant.module not in BUILDERS:  # the original tables are correct for the mutant, too
        tables._blocks.update(original_tables())
