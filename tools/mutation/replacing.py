"""Put a mutated generator in the place of the right one, in a process that ends with it."""

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
        """Return the spec of the changed module, None for any other."""
        return spec_from_loader(name, self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(self.code, module.__dict__)


@cache
def right_tables() -> dict[Backend, Words]:
    """Return the table blocks of the right generator; asked for in the parent, every child has them."""
    return {backend: build_block(backend) for backend in BACKENDS}


def put_in_place(mutant: Mutant) -> None:
    """Import the generator again, as plain Python, with the mutant in it."""
    source = mutant.applied_to(path_of(mutant.module).read_text(encoding="utf-8"))
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    for name in [name for name in sys.modules if name == PACKAGE or name.startswith(f"{PACKAGE}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, MutantLoader(mutant.module, source))
    import_module(f"{PACKAGE}.{mutant.module}")
    from perft_check.generator.kernels import tables

    if mutant.module not in BUILDERS:  # the right tables are right for the mutant, too
        tables._blocks.update(right_tables())
